//===- GatherOps.cpp - Elements and where they are ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/NumberLists.h"
#include "fsm/IR/Origins.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

static Origin sourceOf(Operation *op) { return {"the source", op->getOperand(0)}; }

//===----------------------------------------------------------------------===//
// Lists of numbers and operands
//===----------------------------------------------------------------------===//

SmallVector<ListedNumber> fsm::numbersOf(ArrayRef<int64_t> numbers, ValueRange operands) {
  SmallVector<ListedNumber> result;
  for (int64_t number : numbers) {
    bool isOperand = ShapedType::isDynamic(number);
    result.push_back({number, isOperand ? operands.front() : Value()});
    operands = operands.drop_front(isOperand);
  }
  return result;
}

LogicalResult fsm::verifyNumbers(Operation *op, StringRef what, size_t count, Type whose,
                                 ArrayRef<int64_t> numbers, ValueRange operands) {
  if (numbers.size() != count)
    return op->emitOpError() << "expected " << count << " " << what << " for " << whose << ", got "
                             << numbers.size();
  if (size_t listed = llvm::count_if(numbers, ShapedType::isDynamic); listed != operands.size())
    return op->emitOpError() << "expected " << listed << " operands among the " << what << ", got "
                             << operands.size();
  for (int64_t number : numbers)
    if (!ShapedType::isDynamic(number) && !llvm::isInt<32>(number))
      return op->emitOpError() << "expected " << what << " that fit an i32, got " << number;
  return success();
}

/// Whether a list has a number or an operand for each dimension of a block.
static LogicalResult verifyList(Operation *op, StringRef what, RankedTensorType block,
                                ArrayRef<int64_t> numbers, ValueRange operands) {
  return fsm::verifyNumbers(op, what, static_cast<size_t>(block.getRank()), block, numbers,
                            operands);
}

/// Whether numbers in the text begin a part of these extents inside of the block.
static LogicalResult verifyInside(Operation *op, RankedTensorType block, ArrayRef<int64_t> numbers,
                                  ArrayRef<int64_t> extents) {
  for (auto [dim, number] : llvm::enumerate(numbers)) {
    int64_t most = block.getDimSize(dim) - extents[dim];
    if (!ShapedType::isDynamic(number) && (number < 0 || number > most))
      return failWithOrigins(op->emitOpError()
                                 << "expected an offset between 0 and " << most << " in dimension "
                                 << dim << " of " << block << ", got " << number,
                             sourceOf(op));
  }
  return success();
}

static LogicalResult verifyAxis(Operation *op, RankedTensorType block, uint32_t axis) {
  if (axis < static_cast<uint64_t>(block.getRank()))
    return success();
  return failWithOrigins(op->emitOpError()
                             << "expected an axis between 0 and " << block.getRank() - 1 << ", got "
                             << static_cast<int32_t>(axis),
                         sourceOf(op));
}

/// Whether two blocks differ in nothing but the extent along a dimension.
static bool differAlong(RankedTensorType left, RankedTensorType right, uint32_t axis) {
  if (left.getRank() != right.getRank())
    return false;
  SmallVector<int64_t> shape(left.getShape());
  shape[axis] = right.getDimSize(axis);
  return ArrayRef<int64_t>(shape) == right.getShape();
}

//===----------------------------------------------------------------------===//
// PlacesOp
//===----------------------------------------------------------------------===//

LogicalResult PlacesOp::verify() {
  RankedTensorType block = getOffsets().getType();
  // A list may be left out, but not with operands that would be its.
  auto isThere = [](ArrayRef<int64_t> numbers, ValueRange operands) {
    return !numbers.empty() || !operands.empty();
  };
  if (isThere(getStaticOrigin(), getOrigin()) &&
      failed(verifyList(*this, "coordinates of the origin", block, getStaticOrigin(), getOrigin())))
    return failure();
  if ((isThere(getStaticStrides(), getStrides()) || block.getRank() > 1) &&
      failed(verifyList(*this, "strides", block, getStaticStrides(), getStrides())))
    return failure();
  if (isThere(getStaticBounds(), getBounds()) &&
      failed(verifyList(*this, "bounds", block, getStaticBounds(), getBounds())))
    return failure();
  Type mask = block.clone(IntegerType::get(getContext(), 1));
  if (getStaticBounds().empty() != !getInside() || (getInside() && getInside().getType() != mask))
    return emitOpError() << "expected a second result of type " << mask
                         << " where there are bounds, and nowhere else";
  return success();
}

//===----------------------------------------------------------------------===//
// GatherOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyGather(Operation *op, RankedTensorType source, RankedTensorType indices,
                                  RankedTensorType result, uint32_t axis) {
  if (failed(verifyAxis(op, source, axis)))
    return failure();
  if (!differAlong(source, indices, axis))
    return failWithOrigins(op->emitOpError()
                               << "expected indices with the extents of " << source
                               << " but for dimension " << axis << ", got " << indices,
                           {{"the block of indices", op->getOperand(1)}});
  if (result.getShape() != indices.getShape() || result.getElementType() != source.getElementType())
    return op->emitOpError() << "expected a result of type "
                             << indices.clone(source.getElementType()) << ", got " << result;
  return success();
}

LogicalResult GatherOp::verify() {
  return verifyGather(*this, getSource().getType(), getIndices().getType(), getType(), getAxis());
}

OpFoldResult GatherOp::fold(FoldAdaptor adaptor) {
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return DenseElementsAttr::get(getType(), splat.getSplatValue<Attribute>());
  return {};
}

LogicalResult SharedGatherOp::verify() {
  SharedType shared = getShared().getType();
  if (shared.getLayout() || shared.getPitch() || shared.getSlots() || shared.isOfMBarriers())
    return emitOpError() << "expected memory in which a block lies row by row, got " << shared;
  if (layoutOf(getType()) != layoutOf(getIndices().getType()))
    return emitOpError() << "expected a result in the layout of the indices";
  auto source = RankedTensorType::get(shared.getShape(), shared.getElementType());
  return verifyGather(*this, source, getIndices().getType(), getType(), getAxis());
}

//===----------------------------------------------------------------------===//
// SliceOp, ExtractOp, CatOp
//===----------------------------------------------------------------------===//

LogicalResult SliceOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  bool fits =
      source.getRank() == result.getRank() && source.getElementType() == result.getElementType() &&
      llvm::all_of(llvm::zip_equal(result.getShape(), source.getShape()),
                   [](auto extents) { return std::get<0>(extents) <= std::get<1>(extents); });
  if (!fits)
    return failWithOrigins(emitOpError() << "expected a part of " << source << ", got " << result,
                           sourceOf(*this));
  if (failed(verifyList(*this, "offsets", source, getStaticOffsets(), getOffsets())))
    return failure();
  return verifyInside(*this, source, getStaticOffsets(), result.getShape());
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return DenseElementsAttr::get(getType(), splat.getSplatValue<Attribute>());
  return {};
}

LogicalResult ExtractOp::verify() {
  RankedTensorType source = getSource().getType();
  if (failed(verifyList(*this, "coordinates", source, getStaticOffsets(), getOffsets())))
    return failure();
  return verifyInside(*this, source, getStaticOffsets(), SmallVector<int64_t>(source.getRank(), 1));
}

LogicalResult CatOp::verify() {
  if (getSources().empty())
    return emitOpError("expected at least one block");
  auto first = cast<RankedTensorType>(getSources().front().getType());
  if (failed(verifyAxis(*this, first, getAxis())))
    return failure();
  int64_t extent = 0;
  for (Value source : getSources()) {
    auto type = cast<RankedTensorType>(source.getType());
    if (type.getElementType() != first.getElementType() || !differAlong(first, type, getAxis()))
      return failWithOrigins(emitOpError()
                                 << "expected blocks that differ in dimension " << getAxis()
                                 << " alone, got " << first << " and " << type,
                             {{"the first block", getSources().front()}, {"the other", source}});
    extent += type.getDimSize(getAxis());
  }
  SmallVector<int64_t> shape(first.getShape());
  shape[getAxis()] = extent;
  if (getType() != RankedTensorType::get(shape, first.getElementType()))
    return emitOpError() << "expected a result of type "
                         << RankedTensorType::get(shape, first.getElementType()) << ", got "
                         << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// SortOp, TopKOp, HistogramOp
//===----------------------------------------------------------------------===//

LogicalResult SortOp::verify() { return verifyAxis(*this, getType(), getAxis()); }

LogicalResult TopKOp::verify() {
  RankedTensorType source = getSource().getType(), values = getValues().getType();
  if (failed(verifyAxis(*this, source, getAxis())))
    return failure();
  if (source.getElementType() == values.getElementType() &&
      differAlong(source, values, getAxis()) &&
      values.getDimSize(getAxis()) <= source.getDimSize(getAxis()))
    return success();
  return failWithOrigins(emitOpError() << "expected values as in " << source
                                       << ", as many or fewer along dimension " << getAxis()
                                       << ", got " << values,
                         sourceOf(*this));
}

LogicalResult HistogramOp::verify() {
  if (getType().getRank() == 1)
    return success();
  return emitOpError() << "expected counts of rank 1, got " << getType();
}
