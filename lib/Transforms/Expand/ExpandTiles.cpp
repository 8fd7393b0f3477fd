//===- ExpandTiles.cpp - Tiles of tensors as loads and stores ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A part of a tensor is accessed
//
// 1. from a pointer on that is moved, in 64 bits, by the coordinates times the strides;
// 2. at offsets that are ranges times strides, in 32 bits;
// 3. where the ranges are below what is left of each size, and, of coordinates that may be below
//    0, not below what is missing to 0.
//
// tensorTileOf reads the tensor out of that again, where the hardware copies such parts.

#include "BlockWriter.h"

#include "fsm/Analysis/ScalarRanges.h"
#include "fsm/Analysis/TensorTile.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;

namespace {
/// What a part of a tensor is accessed by.
class TileWriter {
public:
  TileWriter(BlockWriter &writer, DescriptorOp tensor, ArrayRef<ListedNumber> first,
             ArrayRef<int64_t> shape)
      : writer(writer), tensor(tensor), first(first), shape(shape),
        sizes(numbersOf(tensor.getStaticSizes(), tensor.getSizes())),
        strides(numbersOf(tensor.getStaticStrides(), tensor.getStrides())),
        selected(static_cast<unsigned>(first.size() - shape.size())) {}

  Value pointer();
  Value offsets();
  Value mask();

private:
  Value inType(const ListedNumber &number, Type type);
  Value i32(const ListedNumber &number) { return inType(number, writer.getI32Type()); }
  Value sum(Value left, Value right);
  Value both(Value left, Value right);
  Value isSelected(unsigned dim);
  Value isInside(unsigned dim);

  BlockWriter &writer;
  DescriptorOp tensor;
  ArrayRef<ListedNumber> first;
  ArrayRef<int64_t> shape;
  SmallVector<ListedNumber> sizes, strides;
  /// How many of the tensor's dimensions the part has not: one element of each is accessed.
  unsigned selected;
};
} // namespace

Value TileWriter::inType(const ListedNumber &given, Type type) {
  if (!given.operand)
    return writer.number(type, given.number);
  unsigned from = given.operand.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (from == to)
    return given.operand;
  return from < to ? arith::ExtSIOp::create(writer, type, given.operand).getResult()
                   : arith::TruncIOp::create(writer, type, given.operand, kNoWrap).getResult();
}

/// Of two numbers or blocks, of which a null one is 0.
Value TileWriter::sum(Value left, Value right) {
  return left && right ? arith::AddIOp::create(writer, left, right, kNoWrap).getResult()
                       : (left ? left : right);
}

/// Of two conditions, of which a null one is true.
Value TileWriter::both(Value left, Value right) {
  return left && right ? arith::AndIOp::create(writer, left, right).getResult()
                       : (left ? left : right);
}

Value TileWriter::pointer() {
  Value moved;
  Type type = writer.getI64Type();
  for (unsigned dim = 0; dim < first.size(); ++dim) {
    if (isNumber(first[dim], 0) || isNumber(strides[dim], 0))
      continue;
    Value part = inType(first[dim], type);
    if (!isNumber(strides[dim], 1))
      part = arith::MulIOp::create(writer, part, inType(strides[dim], type), kNoWrap);
    moved = sum(moved, part);
  }
  return moved ? OffsetOp::create(writer, tensor.getPointer().getType(), tensor.getPointer(), moved)
                     .getResult()
               : tensor.getPointer();
}

Value TileWriter::offsets() {
  Value offsets;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    // The stride of a dimension with one element may leave 32 bits.
    if (shape[dim] == 1)
      continue;
    const ListedNumber &stride = strides[selected + dim];
    Value along = writer.coordinates(shape, dim);
    if (!isNumber(stride, 1))
      along = arith::MulIOp::create(writer, along, writer.splat(i32(stride), shape), kNoWrap);
    offsets = sum(offsets, along);
  }
  return offsets ? offsets
                 : writer.number(RankedTensorType::get(shape, writer.getI32Type()), 0);
}

/// Whether the coordinate of a dimension that the part has not is in the tensor; null where it
/// certainly is.
Value TileWriter::isSelected(unsigned dim) {
  using arith::CmpIPredicate;
  const ListedNumber &at = first[dim], &size = sizes[dim];
  if (!at.operand && !size.operand && at.number >= 0 && at.number < size.number)
    return {};
  Value number = i32(at);
  Value isBelow = arith::CmpIOp::create(writer, CmpIPredicate::slt, number, i32(size));
  if (isNonNegative(number))
    return isBelow;
  Value zero = writer.number(writer.getI32Type(), 0);
  return both(isBelow, arith::CmpIOp::create(writer, CmpIPredicate::sge, number, zero));
}

/// Which elements are in the tensor along a dimension of the part. The first coordinate is taken off
/// both sides: a range that is compared with a number begins or ends there.
Value TileWriter::isInside(unsigned dim) {
  using arith::CmpIPredicate;
  const ListedNumber &at = first[selected + dim], &size = sizes[selected + dim];
  bool begins = !isNumber(at, 0);
  Value along = writer.coordinates(shape, dim), end = i32(size), number = i32(at);
  if (begins)
    end = arith::SubIOp::create(writer, end, number, kNoWrap);
  Value isBelow =
      arith::CmpIOp::create(writer, CmpIPredicate::slt, along, writer.splat(end, shape));
  if (isNonNegative(number))
    return isBelow;
  Value zero = writer.number(writer.getI32Type(), 0);
  Value missing = arith::SubIOp::create(writer, zero, number, kNoWrap);
  return both(isBelow, arith::CmpIOp::create(writer, CmpIPredicate::sge, along,
                                             writer.splat(missing, shape)));
}

Value TileWriter::mask() {
  Value isThere, inside;
  for (unsigned dim = 0; dim < selected; ++dim)
    isThere = both(isThere, isSelected(dim));
  if (isThere)
    inside = writer.splat(isThere, shape);
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    inside = both(inside, isInside(dim));
  return inside;
}

SmallVector<Value> fsm::expand(BlockWriter &writer, LoadTileOp op) {
  RankedTensorType type = op.getType();
  auto first = numbersOf(op.getStaticCoordinates(), op.getCoordinates());
  TileWriter tile(writer, op.getDescriptor().getDefiningOp<DescriptorOp>(), first, type.getShape());
  Value pointer = tile.pointer(), offsets = tile.offsets(), mask = tile.mask(), other;
  if (op.getPad() == TilePadding::NaN) {
    auto element = cast<FloatType>(type.getElementType());
    APFloat nan = APFloat::getQNaN(element.getFloatSemantics());
    other = arith::ConstantOp::create(writer, writer.getFloatAttr(element, nan));
  }
  auto load = LoadOp::create(writer, type, pointer, offsets, mask, other, nullptr, nullptr, nullptr);
  load->setAttr(kOfTileAttr, writer.getUnitAttr());
  return {load};
}

SmallVector<Value> fsm::expand(BlockWriter &writer, StoreTileOp op) {
  auto first = numbersOf(op.getStaticCoordinates(), op.getCoordinates());
  TileWriter tile(writer, op.getDescriptor().getDefiningOp<DescriptorOp>(), first,
                  op.getValue().getType().getShape());
  Value pointer = tile.pointer(), offsets = tile.offsets(), mask = tile.mask();
  auto store = StoreOp::create(writer, op.getValue(), pointer, offsets, mask, nullptr, nullptr, nullptr);
  store->setAttr(kOfTileAttr, writer.getUnitAttr());
  return {};
}
