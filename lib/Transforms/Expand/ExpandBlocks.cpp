//===- ExpandBlocks.cpp - What is short for other ops --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "BlockWriter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fsm {
#define GEN_PASS_DEF_EXPANDBLOCKSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

using Results = SmallVector<Value>;

static Results expand(BlockWriter &writer, BroadcastOp op) {
  return {writer.spread(op.getSource(), *op.getDims(), op.getType().getShape())};
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// A sum of which a null part is 0.
static Value sum(BlockWriter &writer, Value left, Value right,
                 arith::IntegerOverflowFlags flags = kNoWrap) {
  return left && right ? arith::AddIOp::create(writer, left, right, flags).getResult()
                       : (left ? left : right);
}

/// The range along each dimension times its stride, and what the origin adds to all of them. The
/// origin is taken off the bounds: a range that is compared with a number is a prefix.
static Results expand(BlockWriter &writer, PlacesOp op) {
  RankedTensorType type = op.getOffsets().getType();
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<ListedNumber> origin = numbersOf(op.getStaticOrigin(), op.getOrigin());
  SmallVector<ListedNumber> strides = numbersOf(op.getStaticStrides(), op.getStrides());
  SmallVector<ListedNumber> bounds = numbersOf(op.getStaticBounds(), op.getBounds());
  origin.resize(shape.size(), ListedNumber{0, {}});
  strides.resize(shape.size(), ListedNumber{1, {}});
  Value offsets, begin, inside;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    Value along = writer.coordinates(shape, dim), scaled = along;
    Value first = isNumber(origin[dim], 0) ? Value() : writer.i32(origin[dim]), skipped = first;
    if (!isNumber(strides[dim], 1)) {
      Value stride = writer.i32(strides[dim]);
      scaled = arith::MulIOp::create(writer, along, writer.splat(stride, shape), kNoWrap);
      skipped = first ? arith::MulIOp::create(writer, first, stride, kNoWrap).getResult() : first;
    }
    offsets = sum(writer, offsets, scaled);
    begin = sum(writer, begin, skipped);
    if (bounds.empty())
      continue;
    Value bound = writer.i32(bounds[dim]);
    if (first)
      bound = arith::SubIOp::create(writer, bound, first, kNoWrap);
    Value isIn =
        arith::CmpIOp::create(writer, arith::CmpIPredicate::slt, along, writer.splat(bound, shape));
    inside = inside ? arith::AndIOp::create(writer, inside, isIn).getResult() : isIn;
  }
  if (begin)
    offsets = sum(writer, writer.splat(begin, shape), offsets);
  return bounds.empty() ? Results{offsets} : Results{offsets, inside};
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The part of these extents that begins at some offsets: one gather, along the dimension that is
/// cut, or of the row-major numbers where several are.
static Value partOf(BlockWriter &writer, Value source, ArrayRef<ListedNumber> offsets,
                    ArrayRef<int64_t> extents) {
  ArrayRef<int64_t> shape = shapeOf(source.getType());
  SmallVector<unsigned> cut;
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (extents[dim] != shape[dim])
      cut.push_back(dim);
  if (cut.empty())
    return source;
  auto type = RankedTensorType::get(extents, writer.getI32Type());
  Value numbers;
  int64_t stride = 1;
  for (unsigned dim = shape.size(); dim-- > 0; stride *= shape[dim]) {
    bool isCut = llvm::is_contained(cut, dim);
    if (cut.size() == 1 && !isCut)
      continue;
    int64_t step = cut.size() == 1 ? 1 : stride;
    Value along = writer.coordinates(extents, dim, offsets[dim].operand ? 0 : offsets[dim].number);
    if (offsets[dim].operand)
      along = arith::AddIOp::create(writer, along, writer.splat(offsets[dim].operand, extents));
    if (step != 1)
      along = arith::MulIOp::create(writer, along, writer.number(type, step));
    numbers = sum(writer, numbers, along, arith::IntegerOverflowFlags::none);
  }
  auto element = elementTypeOf(source.getType());
  if (cut.size() == 1)
    return GatherOp::create(writer, RankedTensorType::get(extents, element), source, numbers,
                            cut.front());
  int64_t all = llvm::product_of(shape), count = llvm::product_of(extents);
  Value line = GatherOp::create(writer, RankedTensorType::get({count}, element),
                                writer.reshape(source, {all}), writer.reshape(numbers, {count}), 0);
  return writer.reshape(line, extents);
}

static Results expand(BlockWriter &writer, SliceOp op) {
  return {partOf(writer, op.getSource(), numbersOf(op.getStaticOffsets(), op.getOffsets()),
                 op.getType().getShape())};
}

/// A block of one element is reduced to it by its bits, of which all stay.
static Results expand(BlockWriter &writer, ExtractOp op) {
  Value source = op.getSource();
  Type element = op.getResult().getType();
  int64_t all = op.getSource().getType().getNumElements();
  Value number;
  int64_t stride = 1;
  ArrayRef<int64_t> shape = op.getSource().getType().getShape();
  SmallVector<ListedNumber> offsets = numbersOf(op.getStaticOffsets(), op.getOffsets());
  for (unsigned dim = shape.size(); dim-- > 0; stride *= shape[dim]) {
    Value step = writer.number(writer.getI32Type(), stride);
    Value part = arith::MulIOp::create(writer, writer.i32(offsets[dim]), step);
    number = sum(writer, number, part, arith::IntegerOverflowFlags::none);
  }
  Value one = GatherOp::create(writer, RankedTensorType::get({1}, element),
                               writer.reshape(source, {all}), writer.splat(number, {1}), 0);
  Type bits = writer.getIntegerType(element.getIntOrFloatBitWidth());
  if (element != bits)
    one = arith::BitcastOp::create(writer, RankedTensorType::get({1}, bits), one);
  Value scalar = ReduceOp::create(writer, bits, ReduceKind::Or, one, 0, /*propagate_nan=*/false,
                                  /*exchangeCount=*/0);
  return {element == bits ? scalar : arith::BitcastOp::create(writer, element, scalar).getResult()};
}

/// Two blocks one behind the other.
static Value behind(BlockWriter &writer, Value left, Value right, unsigned axis) {
  auto type = cast<RankedTensorType>(left.getType());
  int64_t first = type.getDimSize(axis), second = shapeOf(right.getType())[axis];
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = first + second;
  if (first == second && type.getRank() < 5) {
    // Pairs, of which the dimension that tells left from right goes in front of the axis.
    SmallVector<int64_t> pairs(type.getShape());
    pairs.push_back(2);
    Value both = JoinOp::create(writer, type.clone(pairs), left, right);
    auto order = llvm::to_vector(llvm::seq<int32_t>(0, static_cast<int32_t>(type.getRank())));
    order.insert(order.begin() + axis, static_cast<int32_t>(type.getRank()));
    return writer.reshape(writer.transpose(both, order), shape);
  }
  Value along = writer.coordinates(shape, axis);
  Value isLeft = arith::CmpIOp::create(writer, arith::CmpIPredicate::slt, along,
                                       writer.number(along.getType(), first));
  Value fromLeft = writer.window(left, axis, 0, shape[axis]);
  Value fromRight = writer.window(right, axis, -first, shape[axis]);
  return arith::SelectOp::create(writer, isLeft, fromLeft, fromRight);
}

static Results expand(BlockWriter &writer, CatOp op) {
  Value all = op.getSources().front();
  for (Value next : op.getSources().drop_front())
    all = behind(writer, all, next, op.getAxis());
  return {all};
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ExpandBlocks : fsm::impl::ExpandBlocksPassBase<ExpandBlocks> {
  using ExpandBlocksPassBase::ExpandBlocksPassBase;

  bool isShort(Operation *op) const {
    if (auto histogram = dyn_cast<HistogramOp>(op))
      return !countsInMemory(histogram);
    auto broadcast = dyn_cast<BroadcastOp>(op);
    return op->hasTrait<Expanded>() || (broadcast && broadcast.getDims());
  }

  /// Whether a cta's threads hold all blocks, with room for the counts beside them.
  bool countsInMemory(HistogramOp op) const {
    constexpr int64_t kMostElements = 16384, kMostCounts = 8192;
    auto kernel = op->getParentOfType<KernelOp>();
    if (!countInMemory || kernel.getNumCtas().value_or(1) > 1 ||
        op.getType().getNumElements() > kMostCounts)
      return false;
    auto isLong = [](Type type) {
      auto block = dyn_cast<RankedTensorType>(type);
      return block && block.getNumElements() > kMostElements;
    };
    WalkResult found = kernel.walk([&](Operation *other) {
      return llvm::any_of(other->getResultTypes(), isLong) ? WalkResult::interrupt()
                                                           : WalkResult::advance();
    });
    return !found.wasInterrupted();
  }

  /// What hands a descriptor on is a call, which is inlined before.
  static LogicalResult checkDescriptor(Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<DescriptorType>(operand.getType()) && !operand.getDefiningOp<DescriptorOp>())
        return op->emitError() << "expected a descriptor that an 'fsm.descriptor' makes; 'inline' "
                               << "takes calls away";
    return success();
  }

  void runOnOperation() override {
    SmallVector<Operation *> found;
    SmallVector<DescriptorOp> descriptors;
    getOperation().walk([&](Operation *op) {
      if (auto descriptor = dyn_cast<DescriptorOp>(op))
        descriptors.push_back(descriptor);
      else if (isShort(op))
        found.push_back(op);
    });
    if (found.empty() && descriptors.empty())
      return markAllAnalysesPreserved();
    for (Operation *op : found)
      if (failed(checkDescriptor(op)))
        return signalPassFailure();
    for (Operation *op : found) {
      BlockWriter writer(op);
      Results results =
          llvm::TypeSwitch<Operation *, Results>(op)
              .Case<BroadcastOp, PlacesOp, SliceOp, ExtractOp, CatOp, SortOp, TopKOp, HistogramOp,
                    LoadTileOp, StoreTileOp>([&](auto known) { return expand(writer, known); });
      op->replaceAllUsesWith(results);
      op->erase();
    }
    for (DescriptorOp descriptor : descriptors)
      if (descriptor->use_empty())
        descriptor->erase();
    expanded += found.size();
  }
};
} // namespace
