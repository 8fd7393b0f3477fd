//===- SortNetwork.cpp - Elements in order, and counted ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A bitonic sorter (K. E. Batcher, "Sorting networks and their applications", 1968). Runs of
// `size` elements, half of them ascending, half descending, are merged: elements `distance` apart
// are compared and change places, for each power of two below `size`. What is compared is brought
// side by side by reshapes and transposes, so that a layout, and no index, says which thread asks
// which.
//
// What is compared are integers whose order is that of the elements. Of a float that is not
// negative these are the bits; of another one all bits but the sign are inverted. That is its own
// inverse.

#include "BlockWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static int64_t allOnes(Type keys) {
  return llvm::maxIntN(elementTypeOf(keys).getIntOrFloatBitWidth());
}

/// Inverts all bits but the sign of what is negative.
static Value invertNegative(BlockWriter &writer, Value bits) {
  Type type = bits.getType();
  Value width = writer.number(type, elementTypeOf(type).getIntOrFloatBitWidth() - 1);
  Value signs = arith::ShRSIOp::create(writer, bits, width);
  Value inverted = arith::AndIOp::create(writer, signs, writer.number(type, allOnes(type)));
  return arith::XOrIOp::create(writer, bits, inverted);
}

/// The numbers that are sorted instead of elements; the greatest is that of every NaN.
static Value keysOf(BlockWriter &writer, Value block, bool isDescending) {
  auto type = cast<RankedTensorType>(block.getType());
  auto floats = dyn_cast<FloatType>(type.getElementType());
  Value keys = block;
  if (floats) {
    RankedTensorType bits = type.clone(writer.getIntegerType(floats.getWidth()));
    keys = arith::BitcastOp::create(writer, bits, block);
    APFloat greatest = APFloat::getLargest(floats.getFloatSemantics());
    if (APFloat::semanticsHasInf(floats.getFloatSemantics()))
      greatest = APFloat::getInf(floats.getFloatSemantics());
    Value limit = writer.number(bits, greatest.bitcastToAPInt().getSExtValue());
    Value ones = writer.number(bits, allOnes(bits));
    Value magnitude = arith::AndIOp::create(writer, keys, ones);
    Value isNaN = arith::CmpIOp::create(writer, arith::CmpIPredicate::sgt, magnitude, limit);
    keys = invertNegative(writer, arith::SelectOp::create(writer, isNaN, ones, keys));
  } else if (type.getElementType().isInteger(1)) {
    keys = arith::ExtUIOp::create(writer, type.clone(writer.getI8Type()), block);
  }
  return isDescending ? arith::XOrIOp::create(writer, keys, writer.number(keys.getType(), -1))
                      : keys;
}

static Value elementsOf(BlockWriter &writer, Value keys, Type element, bool isDescending) {
  if (isDescending)
    keys = arith::XOrIOp::create(writer, keys, writer.number(keys.getType(), -1));
  Type type = withElementType(keys.getType(), element);
  if (isa<FloatType>(element))
    return arith::BitcastOp::create(writer, type, invertNegative(writer, keys));
  return element.isInteger(1) ? arith::TruncIOp::create(writer, type, keys).getResult() : keys;
}

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

/// Whether the tuples of one side come before those of the other, by their first parts that differ.
static Value isBefore(BlockWriter &writer, ArrayRef<Value> left, ArrayRef<Value> right) {
  using arith::CmpIPredicate;
  Value less = arith::CmpIOp::create(writer, CmpIPredicate::slt, left.front(), right.front());
  if (left.size() == 1)
    return less;
  Value equal = arith::CmpIOp::create(writer, CmpIPredicate::eq, left.front(), right.front());
  Value further = isBefore(writer, left.drop_front(), right.drop_front());
  return arith::OrIOp::create(writer, less, arith::AndIOp::create(writer, equal, further));
}

namespace {
/// Sorts tuples, of which each block has a part, along a dimension whose extent is a power of two.
class SortNetwork {
public:
  SortNetwork(BlockWriter &writer, RankedTensorType type, unsigned axis)
      : writer(writer), shape(type.getShape()), extent(shape[axis]),
        lines(llvm::product_of(type.getShape().take_front(axis))),
        inner(llvm::product_of(type.getShape().drop_front(axis + 1))) {}

  void run(SmallVectorImpl<Value> &parts) {
    for (int64_t size = 2; size <= extent; size *= 2)
      for (int64_t distance = size / 2; distance > 0; distance /= 2)
        exchange(parts, size, distance);
  }

private:
  void exchange(SmallVectorImpl<Value> &parts, int64_t size, int64_t distance);

  BlockWriter &writer;
  SmallVector<int64_t> shape;
  /// Along the dimension, and of what is in front of it and behind it.
  int64_t extent, lines, inner;
};
} // namespace

/// Compares tuples that are `distance` apart, and changes their places where they are not in order;
/// every second run of `size` is descending.
void SortNetwork::exchange(SmallVectorImpl<Value> &parts, int64_t size, int64_t distance) {
  int64_t groups = lines * extent / (2 * distance), within = distance * inner;
  SmallVector<Value> low, high;
  for (Value part : parts) {
    Value pairs = within == 1
                      ? writer.reshape(part, {groups, 1, 2})
                      : writer.transpose(writer.reshape(part, {groups, 2, within}), {0, 2, 1});
    auto type = RankedTensorType::get({groups, within}, elementTypeOf(part.getType()));
    auto split = SplitOp::create(writer, type, type, pairs);
    low.push_back(split.getLeft());
    high.push_back(split.getRight());
  }
  Value change = isBefore(writer, high, low);
  if (size < extent) {
    Value group = writer.coordinates({groups}, 0);
    Value run =
        arith::AndIOp::create(writer, group, writer.number(group.getType(), size / (2 * distance)));
    Value isDescending = arith::CmpIOp::create(writer, arith::CmpIPredicate::ne, run,
                                               writer.number(group.getType(), 0));
    change =
        arith::XOrIOp::create(writer, change, writer.spread(isDescending, {0}, {groups, within}));
  }
  for (auto [part, left, right] : llvm::zip_equal(parts, low, high)) {
    Value first = arith::SelectOp::create(writer, change, right, left);
    Value second = arith::SelectOp::create(writer, change, left, right);
    auto type = RankedTensorType::get({groups, within, 2}, elementTypeOf(part.getType()));
    Value pairs = JoinOp::create(writer, type, first, second);
    part = writer.reshape(within == 1 ? pairs : writer.transpose(pairs, {0, 2, 1}), shape);
  }
}

/// `extent` elements, of which those behind the given ones come last in order.
static Value padded(BlockWriter &writer, Value keys, unsigned axis, int64_t extent) {
  int64_t given = shapeOf(keys.getType())[axis];
  if (given == extent)
    return keys;
  Value window = writer.window(keys, axis, 0, extent);
  Value along = writer.coordinates(shapeOf(window.getType()), axis);
  Value isGiven = arith::CmpIOp::create(writer, arith::CmpIPredicate::slt, along,
                                        writer.number(along.getType(), given));
  return arith::SelectOp::create(writer, isGiven, window,
                                 writer.number(window.getType(), allOnes(window.getType())));
}

SmallVector<Value> fsm::expand(BlockWriter &writer, SortOp op) {
  unsigned axis = op.getAxis();
  int64_t extent = op.getType().getDimSize(axis);
  Value keys = padded(writer, keysOf(writer, op.getSource(), op.getDescending()), axis,
                      static_cast<int64_t>(llvm::PowerOf2Ceil(extent)));
  SmallVector<Value> parts = {keys};
  SortNetwork(writer, cast<RankedTensorType>(keys.getType()), axis).run(parts);
  Value sorted = writer.window(parts.front(), axis, 0, extent);
  return {elementsOf(writer, sorted, op.getType().getElementType(), op.getDescending())};
}

SmallVector<Value> fsm::expand(BlockWriter &writer, TopKOp op) {
  unsigned axis = op.getAxis();
  RankedTensorType source = op.getSource().getType();
  bool isDescending = !op.getSmallest();
  Value keys = padded(writer, keysOf(writer, op.getSource(), isDescending), axis,
                      static_cast<int64_t>(llvm::PowerOf2Ceil(source.getDimSize(axis))));
  auto type = cast<RankedTensorType>(keys.getType());
  SmallVector<Value> parts = {keys, writer.coordinates(type.getShape(), axis)};
  SortNetwork(writer, type, axis).run(parts);
  for (Value &part : parts)
    part = writer.window(part, axis, 0, op.getValues().getType().getDimSize(axis));
  return {elementsOf(writer, parts[0], source.getElementType(), isDescending), parts[1]};
}

//===----------------------------------------------------------------------===//
// Histograms
//===----------------------------------------------------------------------===//

/// Comparisons of so many pairs of an element and a number are made at once.
static constexpr int64_t kMaxPairs = 4096;

/// How often each of `numbers`, a rank-1 block, is in a line of elements.
static Value countsOf(BlockWriter &writer, Value line, Value numbers) {
  SmallVector<int64_t> shape = {shapeOf(numbers.getType()).front(),
                                shapeOf(line.getType()).front()};
  Value equal =
      arith::CmpIOp::create(writer, arith::CmpIPredicate::eq, writer.spread(numbers, {0}, shape),
                            writer.spread(line, {1}, shape));
  Type i32 = writer.getI32Type();
  Value ones = arith::ExtUIOp::create(writer, RankedTensorType::get(shape, i32), equal);
  return ReduceOp::create(writer, RankedTensorType::get({shape.front()}, i32), ReduceKind::Sum,
                          ones, 1, /*propagate_nan=*/false, /*exchangeCount=*/0);
}

/// Some numbers at a time are compared with all elements, in a loop.
SmallVector<Value> fsm::expand(BlockWriter &writer, HistogramOp op) {
  RankedTensorType source = op.getSource().getType();
  int64_t count = source.getNumElements(), bins = op.getType().getDimSize(0);
  Type i32 = writer.getI32Type(), wide = i32;
  if (source.getElementTypeBitWidth() == 64)
    wide = source.getElementType();
  Value line = writer.reshape(op.getSource(), {count});
  if (source.getElementType() != wide)
    line = arith::ExtUIOp::create(writer, RankedTensorType::get({count}, wide), line);
  auto atOnce =
      static_cast<int64_t>(llvm::bit_floor<uint64_t>(std::max<int64_t>(1, kMaxPairs / count)));
  atOnce = std::min(atOnce, static_cast<int64_t>(llvm::PowerOf2Ceil(bins)));
  int64_t rounds = llvm::divideCeil(bins, atOnce);
  SmallVector<int64_t> shape = {rounds, atOnce};
  auto loop = scf::ForOp::create(writer, writer.number(i32, 0), writer.number(i32, rounds),
                                 writer.number(i32, 1),
                                 writer.number(RankedTensorType::get(shape, i32), 0));
  {
    OpBuilder::InsertionGuard guard(writer);
    writer.setInsertionPointToStart(loop.getBody());
    Value round = loop.getInductionVar();
    Value first = arith::MulIOp::create(writer, round, writer.number(i32, atOnce));
    Value numbers = arith::AddIOp::create(writer, writer.splat(first, {atOnce}),
                                          writer.coordinates({atOnce}, 0));
    if (wide != i32)
      numbers = arith::ExtUIOp::create(writer, RankedTensorType::get({atOnce}, wide), numbers);
    Value isThis = arith::CmpIOp::create(writer, arith::CmpIPredicate::eq,
                                         writer.coordinates(shape, 0), writer.splat(round, shape));
    Value counts = writer.spread(countsOf(writer, line, numbers), {1}, shape);
    Value next = arith::SelectOp::create(writer, isThis, counts, loop.getRegionIterArg(0));
    scf::YieldOp::create(writer, next);
  }
  Value all = writer.reshape(loop.getResult(0), {rounds * atOnce});
  return {writer.window(all, 0, 0, bins)};
}
