//===- Combine.cpp - Tuples combined in a loop ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNests.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

/// Whether the elements of a block are the numbers of a range along an axis.
static bool countsUp(Value block, unsigned axis) {
  while (auto shape = block.getDefiningOp<LayoutTransfer>()) {
    std::optional<SmallVector<int64_t>> dims = shape.sourceDims();
    if (!dims || (*dims)[axis] < 0)
      return false;
    axis = static_cast<unsigned>((*dims)[axis]);
    block = shape->getOperand(0);
  }
  return static_cast<bool>(block.getDefiningOp<RangeOp>());
}

/// Whether a value of a region is one of two others of it, or a choice between them.
static bool isOneOf(Value value, Value left, Value right) {
  llvm::SetVector<Value> work;
  work.insert(value);
  for (size_t next = 0; next < work.size(); ++next) {
    auto select = work[next].getDefiningOp<arith::SelectOp>();
    if (work[next] == left || work[next] == right)
      continue;
    if (!select)
      return false;
    work.insert(select.getTrueValue());
    work.insert(select.getFalseValue());
  }
  return true;
}

/// What a comparison in a region gives where the left tuple has come of elements in front of the
/// right one, if that follows: of numbers of a range, of which the region keeps one or the other,
/// the left is the smaller one.
static std::optional<bool> knownInOrder(arith::CmpIOp compare, AlongAxis op) {
  Block &body = op->getRegion(0).front();
  auto left = dyn_cast<BlockArgument>(compare.getLhs());
  auto right = dyn_cast<BlockArgument>(compare.getRhs());
  if (!left || !right || left == right || left.getOwner() != &body || right.getOwner() != &body)
    return std::nullopt;
  unsigned count = op->getNumOperands(), number = left.getArgNumber() % count;
  arith::CmpIPredicate order = compare.getPredicate();
  if (right.getArgNumber() % count != number || order >= arith::CmpIPredicate::ult ||
      !countsUp(op->getOperand(number), op.getAxis()) ||
      !isOneOf(body.getTerminator()->getOperand(number), left, right))
    return std::nullopt;
  APInt first(32, left.getArgNumber() >= count), second(32, right.getArgNumber() >= count);
  return arith::applyCmpPredicate(order, first, second);
}

namespace {
/// Walks along the axis of an op on tuples, for an element or for a vector of neighbours
/// across it.
class TupleWalk {
public:
  using Finish = function_ref<void(ArrayRef<Value> tuple, const Chunk &place)>;

  /// Gives to `finish` each tuple of a scan, or what all have combined to.
  TupleWalk(OpBuilder &builder, HostBlocks &blocks, AlongAxis op, Finish finish)
      : builder(builder), blocks(blocks), op(op), finish(finish), loc(op->getLoc()),
        axis(op.getAxis()), extent(shapeOf(op->getOperand(0).getType())[axis]),
        isReverse(op.getReverse()), isUnordered(op.knownKind() && !op.isScan()) {}

  /// Combines the tuples at a place, whose coordinates are those of `across` and any along the
  /// axis.
  void run(const Chunk &across) {
    SmallVector<Value> total = combineAll(across);
    if (!op.isScan())
      finish(total, across);
  }

  SmallVector<Value> combineAll(const Chunk &across) {
    SmallVector<Value> first;
    if (isUnordered)
      first.push_back(neutralOf(builder, op, across.lanes, Step::Exact));
    else
      first = visit(across, blocks.i64(isReverse ? extent - 1 : 0), {});
    if (extent == 1 && !isUnordered)
      return first;
    auto loop = scf::ForOp::create(builder, loc, blocks.i64(isUnordered ? 0 : 1),
                                   blocks.i64(extent), blocks.i64(1), first);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar();
    if (isReverse)
      at = arith::SubIOp::create(builder, loc, blocks.i64(extent - 1), at);
    scf::YieldOp::create(builder, loc, visit(across, at, loop.getRegionIterArgs()));
    blocks.startScope();
    return SmallVector<Value>(loop.getResults());
  }

  /// The tuple at a coordinate, combined with what came before it, if anything did.
  SmallVector<Value> visit(const Chunk &across, Value at, ValueRange before) {
    blocks.startScope();
    Chunk place = across;
    place.index.insert(place.index.begin() + axis, at);
    SmallVector<Value> tuple;
    for (Value source : op->getOperands()) {
      Value elements = blocks.at(source, place);
      tuple.push_back(op.knownKind() ? widen(builder, loc, elements) : elements);
    }
    if (!before.empty())
      tuple = isUnordered ? combine(tuple, before, across.lanes)
                          : combine(before, tuple, across.lanes, /*inOrder=*/!isReverse);
    if (op.isScan())
      finish(tuple, place);
    return tuple;
  }

  /// `inOrder`: what has come to be `left` stands in front of `right` along the axis.
  SmallVector<Value> combine(ValueRange left, ValueRange right, int64_t lanes,
                             bool inOrder = false) {
    if (std::optional<ReduceKind> kind = op.knownKind())
      return {registers::combineElements(builder, hostBackend(), loc, *kind, op.getPropagateNan(),
                                         left[0], right[0])};
    Block &body = op->getRegion(0).front();
    IRMapping values;
    for (auto [argument, value] :
         llvm::zip_equal(body.getArguments(),
                         llvm::concat<Value>(SmallVector<Value>(left), SmallVector<Value>(right))))
      values.map(argument, value);
    for (Operation &inner : body.without_terminator()) {
      auto compare = dyn_cast<arith::CmpIOp>(inner);
      std::optional<bool> known = inOrder && compare ? knownInOrder(compare, op) : std::nullopt;
      Value result = known ? constantInt(builder, inner.getLoc(),
                                         registerType(builder.getI1Type(), lanes), -int64_t(*known))
                           : lowerInner(&inner, values, lanes);
      values.map(inner.getResult(0), result ? result : blocks.unknown(inner.getResult(0), lanes));
    }
    return llvm::map_to_vector(body.getTerminator()->getOperands(),
                               [&](Value value) { return values.lookup(value); });
  }

private:
  /// An op of the region on vectors of `lanes`; null for one that the host does not know.
  Value lowerInner(Operation *inner, const IRMapping &values, int64_t lanes) {
    if (auto constant = dyn_cast<arith::ConstantOp>(inner))
      return constantOf(builder, inner->getLoc(), constant.getValue(), lanes);
    if (inner->getNumResults() != 1)
      return {};
    if (isa<ub::PoisonOp>(inner))
      return zero(builder, inner->getLoc(), registerType(inner->getResult(0).getType(), lanes));
    auto operands = llvm::map_to_vector(inner->getOperands(),
                                        [&](Value value) { return values.lookup(value); });
    return operands.empty() ? Value() : elementwise(builder, inner, operands);
  }

  OpBuilder &builder;
  HostBlocks &blocks;
  AlongAxis op;
  Finish finish;
  Location loc;
  unsigned axis;
  int64_t extent;
  bool isReverse;
  /// Whether elements may come in any order, behind a number that changes nothing.
  bool isUnordered;
};
} // namespace

/// A reduction of a row: each lane combines tuples of its own, which meet at the end, for the order
/// in which tuples meet does not matter.
void LoopNests::emitTuples(AlongAxis op, ArrayRef<Value> outer) {
  auto finishOp = [&](ArrayRef<Value> tuple, const Chunk &place) { finish(op, tuple, place); };
  TupleWalk walk(builder, blocks, op, finishOp);
  RowPlan plan = planRow(op.getOperation(), outer);
  plan.isBegun = true;
  auto combineAt = [&](const Chunk &chunk, ValueRange before) {
    Chunk across = chunk;
    return walk.visit(across, across.index.pop_back_val(), before);
  };
  SmallVector<Value> initial;
  for (int64_t slot = 0; slot < chunksAtOnce(plan); ++slot) {
    Chunk chunk{SmallVector<Value>(outer), lanes, lanes};
    chunk.index.push_back(blocks.i64(slot * lanes));
    llvm::append_range(initial, combineAt(chunk, {}));
  }
  Results partial = forEachChunk(outer, plan, initial, [&](const Chunk &chunk, ValueRange before) {
    SmallVector<Value> tuple = combineAt(chunk, before);
    if (chunk.isPartial())
      for (auto [value, previous] : llvm::zip_equal(tuple, before))
        value = arith::SelectOp::create(builder, op->getLoc(),
                                        firstLanes(builder, op->getLoc(), chunk), value, previous);
    return tuple;
  });
  size_t size = op->getNumOperands();
  SmallVector<Value> total(ArrayRef(partial).take_front(size));
  for (size_t slot = size; slot < partial.size(); slot += size)
    total = walk.combine(total, ArrayRef(partial).slice(slot, size), lanes);
  auto combineHalves = [&](ValueRange low, ValueRange high) {
    return walk.combine(low, high, lanesOf(low[0].getType()));
  };
  finish(op, halved(builder, op->getLoc(), total, combineHalves), Chunk{SmallVector<Value>(outer)});
}

/// A scan goes element by element along the innermost dimension; along another one, it and a
/// reduction go a vector of neighbours at a time.
void LoopNests::emitCombine(AlongAxis op) {
  SmallVector<int64_t> across(shapeOf(op->getOperand(0).getType()));
  unsigned axis = op.getAxis();
  bool isInnermost = axis + 1 == across.size();
  across.erase(across.begin() + axis);
  auto finishOp = [&](ArrayRef<Value> tuple, const Chunk &place) { finish(op, tuple, place); };
  TupleWalk walk(builder, blocks, op, finishOp);
  bool hasVectors = !op.isScan() && shapeOf(op->getOperand(0).getType()).back() >= lanes;
  if (isInnermost)
    return forEachRow(across, [&](ArrayRef<Value> outer) {
      return hasVectors ? emitTuples(op, outer) : walk.run(Chunk{SmallVector<Value>(outer)});
    });
  RowPlan row;
  row.extent = across.back();
  forEachRow(ArrayRef(across).drop_back(), [&](ArrayRef<Value> outer) {
    forEachChunk(outer, row, {}, [&](const Chunk &chunk, ValueRange) {
      walk.run(chunk);
      return SmallVector<Value>();
    });
  });
}
