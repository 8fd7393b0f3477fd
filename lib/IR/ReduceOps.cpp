//===- ReduceOps.cpp - Reductions ----------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

using namespace mlir;
using namespace fsm;

/// Kinds for which combining an element with itself gives the element.
static bool isIdempotent(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Max:
  case ReduceKind::Min:
  case ReduceKind::UMax:
  case ReduceKind::UMin:
  case ReduceKind::And:
  case ReduceKind::Or:
    return true;
  case ReduceKind::Sum:
  case ReduceKind::Prod:
  case ReduceKind::Xor:
    return false;
  }
  return false;
}

LogicalResult ReduceOp::verify() {
  RankedTensorType source = getSource().getType();
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis >= source.getRank())
    return emitOpError() << "expected an axis between 0 and " << source.getRank() - 1 << " for "
                         << source << ", got " << axis;
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  Type element = source.getElementType();
  Type expected = shape.empty() ? element : RankedTensorType::get(shape, element);
  // Which layouts belong together is for `fsm-assign-layouts` to say.
  Type result = getType();
  if (auto block = dyn_cast<RankedTensorType>(result))
    result = block.cloneWithEncoding({});
  if (result != expected)
    return emitOpError() << "expected a result of type " << expected << " for " << source
                         << " reduced along axis " << axis << ", got " << getType();
  bool isFloat = isa<FloatType>(element);
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return emitOpError() << "does not compute on " << element << "; f8 is a storage format";
  if (isFloat && getKind() > ReduceKind::Min)
    return emitOpError() << "expected integers for '" << stringifyReduceKind(getKind()) << "', got "
                         << element;
  bool ordersFloats = isFloat && (getKind() == ReduceKind::Max || getKind() == ReduceKind::Min);
  if (getPropagateNan() && !ordersFloats)
    return emitOpError("expected 'propagate_nan' only with 'max' or 'min' of floats");
  return success();
}

OpFoldResult ReduceOp::fold(FoldAdaptor adaptor) {
  if (!isIdempotent(getKind()))
    return {};
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource())) {
    if (auto block = dyn_cast<RankedTensorType>(getType()))
      return DenseElementsAttr::get(block, splat.getSplatValue<Attribute>());
    return splat.getSplatValue<Attribute>();
  }
  if (auto splat = getSource().getDefiningOp<SplatOp>())
    if (splat.getScalar().getType() == getType())
      return splat.getScalar();
  return {};
}
