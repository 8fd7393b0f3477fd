//===- ReduceOps.cpp - Reductions ----------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

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

/// Whether `axis` is a dimension of `source`.
static LogicalResult verifyAxis(Operation *op, RankedTensorType source, uint32_t number) {
  int64_t axis = static_cast<int32_t>(number);
  if (axis < 0 || axis >= source.getRank())
    return failWithOrigins(op->emitOpError()
                               << "expected an axis between 0 and " << source.getRank() - 1
                               << " for " << source << ", got " << axis,
                           {{"the source", op->getOperand(0)}});
  return success();
}

/// What remains of a block reduced along one dimension.
static Type reducedType(RankedTensorType source, uint32_t axis) {
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  Type element = source.getElementType();
  return shape.empty() ? element : RankedTensorType::get(shape, element);
}

/// A type without its layout: which layouts belong together is for
/// `fsm-assign-layouts` to say.
static Type withoutLayout(Type type) {
  if (auto block = dyn_cast<RankedTensorType>(type))
    return block.cloneWithEncoding({});
  return type;
}

static LogicalResult verifyReduced(Operation *op, RankedTensorType source, uint32_t axis,
                                   Type result) {
  Type expected = reducedType(source, axis);
  if (withoutLayout(result) == expected)
    return success();
  return failWithOrigins(op->emitOpError()
                             << "expected a result of type " << expected << " for " << source
                             << " reduced along axis " << axis << ", got " << result,
                         {{"the source", op->getOperand(0)}});
}

/// Whether elements can be combined by `kind`.
static LogicalResult verifyKind(Operation *op, ReduceKind kind, Type element, bool propagateNan) {
  bool isFloat = isa<FloatType>(element);
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return failWithOrigins(op->emitOpError()
                               << "does not compute on " << element << "; f8 is a storage format",
                           {{"the source", op->getOperand(0)}});
  if (isFloat && kind > ReduceKind::Min)
    return failWithOrigins(op->emitOpError() << "expected integers for '"
                                             << stringifyReduceKind(kind) << "', got " << element,
                           {{"the source", op->getOperand(0)}});
  bool ordersFloats = isFloat && (kind == ReduceKind::Max || kind == ReduceKind::Min);
  if (propagateNan && !ordersFloats)
    return op->emitOpError("expected 'propagate_nan' only with 'max' or 'min' of floats");
  return success();
}

Type fsm::accumulatorType(Type element, bool isKnown) {
  bool isHalf = isa<Float16Type, BFloat16Type>(element);
  return isKnown && isHalf ? Float32Type::get(element.getContext()) : element;
}

/// Whether a region takes what the warps have of each operand, and maybe whether it is there, and
/// yields blocks of the same elements.
static LogicalResult verifyExchange(AlongAxis op) {
  if (op.getExchange().empty())
    return success();
  if (op.getExchange().size() != 1 || !op.getExchange().front().hasOneBlock())
    return op->emitOpError("expected one region 'exchange' of one block");
  Block &block = op.getExchange().front().front();
  SmallVector<Type> elements;
  for (Type type : op->getOperandTypes())
    elements.push_back(accumulatorType(elementTypeOf(type), op.knownKind().has_value()));
  if (block.getNumArguments() == elements.size() + 1)
    elements.push_back(IntegerType::get(op->getContext(), 1));
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  bool fits = yield && block.getNumArguments() == elements.size() &&
              yield.getNumOperands() == elements.size();
  SmallVector<int64_t> shape(shapeOf(op->getOperand(0).getType()));
  for (size_t i = 0; fits && i < elements.size(); ++i) {
    auto taken = dyn_cast<RankedTensorType>(block.getArgument(i).getType());
    auto given = dyn_cast<RankedTensorType>(yield.getOperand(i).getType());
    fits = taken && given && taken.getRank() == static_cast<int64_t>(shape.size());
    if (fits)
      shape[op.getAxis()] = taken.getDimSize(op.getAxis());
    fits = fits && taken.getShape() == ArrayRef(shape) && given.getShape() == ArrayRef(shape) &&
           taken.getElementType() == elements[i] && given.getElementType() == elements[i];
  }
  if (fits)
    return success();
  return op->emitOpError() << "expected the region 'exchange' to take and to yield blocks of ("
                           << elements << "), in the shape of the operands but for axis "
                           << op.getAxis() << ", one for each warp there";
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  RankedTensorType source = getSource().getType();
  if (failed(verifyAxis(*this, source, getAxis())) ||
      failed(verifyReduced(*this, source, getAxis(), getType())) || failed(verifyExchange(*this)))
    return failure();
  return verifyKind(*this, getKind(), source.getElementType(), getPropagateNan());
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

//===----------------------------------------------------------------------===//
// ScanOp
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  RankedTensorType source = getSource().getType();
  if (failed(verifyAxis(*this, source, getAxis())) || failed(verifyExchange(*this)))
    return failure();
  return verifyKind(*this, getKind(), source.getElementType(), getPropagateNan());
}

OpFoldResult ScanOp::fold(FoldAdaptor) {
  // One element is all that there is to combine.
  if (getType().getDimSize(getAxis()) == 1)
    return getSource();
  return {};
}

//===----------------------------------------------------------------------===//
// ReduceWithOp, ScanWithOp
//===----------------------------------------------------------------------===//

/// Whether the operands are one or more blocks of one shape.
static LogicalResult verifySources(Operation *op, uint32_t axis) {
  if (op->getNumOperands() == 0)
    return op->emitOpError("expected at least one block");
  auto first = cast<RankedTensorType>(op->getOperand(0).getType());
  for (Value other : op->getOperands())
    if (shapeOf(other.getType()) != first.getShape())
      return failWithOrigins(op->emitOpError() << "expected blocks of one shape, got " << first
                                               << " and " << other.getType(),
                             {{"the first block", op->getOperand(0)}, {"the other block", other}});
  if (op->getNumResults() != op->getNumOperands())
    return op->emitOpError() << "expected a result for each of " << op->getNumOperands()
                             << " operands, got " << op->getNumResults();
  return verifyAxis(op, first, axis);
}

/// Whether the region combines two tuples of elements to one.
static LogicalResult verifyCombiner(Operation *op, Region &region) {
  Block &block = region.front();
  SmallVector<Type> tuple;
  for (Type type : op->getOperandTypes())
    tuple.push_back(elementTypeOf(type));
  SmallVector<Type> both(tuple);
  both.append(tuple);
  if (block.getArgumentTypes() != TypeRange(both))
    return op->emitOpError() << "expected the region to take two tuples of elements, (" << both
                             << "), got (" << block.getArgumentTypes() << ")";
  for (Operation &inner : block.without_terminator())
    if (inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner) ||
        isa<ProgramIdOp, NumProgramsOp>(inner) ||
        !llvm::all_of(inner.getResultTypes(), isElementType))
      return inner.emitError() << "expected element-wise ops on scalars in the region of '"
                               << op->getName() << "', got '" << inner.getName() << "'";
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getOperandTypes() != TypeRange(tuple)) {
    InFlightDiagnostic error = op->emitOpError()
                               << "expected the region to end by 'fsm.yield' of (" << tuple << ")";
    error.attachNote(block.getTerminator()->getLoc()) << "it ends here";
    return error;
  }
  return success();
}

LogicalResult ReduceWithOp::verify() {
  if (failed(verifySources(*this, getAxis())) || failed(verifyExchange(*this)))
    return failure();
  for (auto [source, result] : llvm::zip_equal(getSources(), getResultTypes()))
    if (failed(verifyReduced(*this, cast<RankedTensorType>(source.getType()), getAxis(), result)))
      return failure();
  return success();
}

LogicalResult ReduceWithOp::verifyRegions() { return verifyCombiner(*this, getCombiner()); }

LogicalResult ScanWithOp::verify() {
  return failure(failed(verifySources(*this, getAxis())) || failed(verifyExchange(*this)));
}

LogicalResult ScanWithOp::verifyRegions() { return verifyCombiner(*this, getCombiner()); }
