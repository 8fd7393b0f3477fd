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

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

namespace {
/// Walks along the axis of an op on tuples, for an element or for a vector of neighbours
/// across it.
class TupleWalk {
public:
  TupleWalk(OpBuilder &builder, HostBlocks &blocks, AlongAxis op)
      : builder(builder), blocks(blocks), op(op), loc(op->getLoc()), axis(op.getAxis()),
        extent(shapeOf(op->getOperand(0).getType())[axis]), isReverse(op.getReverse()) {}

  /// What all tuples combine to at a place, whose coordinates are those of `across` and any
  /// along the axis. A scan writes its results.
  SmallVector<Value> run(const Chunk &across) {
    SmallVector<Value> first = visit(across, blocks.i64(isReverse ? extent - 1 : 0), {});
    if (extent == 1)
      return first;
    auto loop =
        scf::ForOp::create(builder, loc, blocks.i64(1), blocks.i64(extent), blocks.i64(1), first);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value at = loop.getInductionVar();
    if (isReverse)
      at = arith::SubIOp::create(builder, loc, blocks.i64(extent - 1), at);
    scf::YieldOp::create(builder, loc, visit(across, at, loop.getRegionIterArgs()));
    blocks.startScope();
    return SmallVector<Value>(loop.getResults());
  }

  /// What the lanes of a vector of tuples combine to, halved until one is left.
  SmallVector<Value> combineLanes(SmallVector<Value> tuple, int64_t lanes) {
    for (; lanes > 1; lanes /= 2) {
      auto part = [&](int64_t begin) {
        auto numbers = llvm::to_vector(llvm::seq(begin, begin + lanes / 2));
        return llvm::map_to_vector(tuple, [&](Value all) -> Value {
          return vector::ShuffleOp::create(builder, loc, all, all, numbers);
        });
      };
      SmallVector<Value> low = part(0), high = part(lanes / 2);
      tuple = combine(low, high, lanes / 2);
    }
    return llvm::map_to_vector(tuple, [&](Value all) -> Value {
      return vector::ExtractOp::create(builder, loc, all, int64_t(0));
    });
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
      tuple = combine(before, tuple, across.lanes);
    if (op.isScan())
      for (auto [result, value] : llvm::zip_equal(op->getResults(), tuple))
        write(result, place, value);
    return tuple;
  }

  SmallVector<Value> combine(ValueRange left, ValueRange right, int64_t lanes) {
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
      Value result = lowerInner(&inner, values, lanes);
      values.map(inner.getResult(0), result ? result : blocks.unknown(inner.getResult(0), lanes));
    }
    return llvm::map_to_vector(body.getTerminator()->getOperands(),
                               [&](Value value) { return values.lookup(value); });
  }

private:
  void write(Value result, const Chunk &place, Value value) {
    if (op.knownKind())
      value = narrow(builder, loc, value, elementTypeOf(result.getType()));
    blocks.write(result, place, value);
  }

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
  Location loc;
  unsigned axis;
  int64_t extent;
  bool isReverse;
};
} // namespace

/// Puts what a reduction's tuples combine to where its users look for it.
void LoopNests::finishTuple(AlongAxis op, ArrayRef<Value> tuple, const Chunk &place) {
  if (op.isScan())
    return;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), tuple)) {
    if (place.index.empty())
      scalars.map(result, value);
    else
      blocks.write(result, place, value);
  }
}

/// A reduction of a row: each lane combines tuples of its own, which meet at the end, for the order
/// in which tuples meet does not matter.
void LoopNests::emitTuples(AlongAxis op, ArrayRef<Value> outer) {
  TupleWalk walk(builder, blocks, op);
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
  finishTuple(op, walk.combineLanes(total, lanes), Chunk{SmallVector<Value>(outer)});
}

/// A scan goes element by element along the innermost dimension; along another one, a vector of
/// neighbours at a time.
void LoopNests::emitCombine(AlongAxis op) {
  SmallVector<int64_t> across(shapeOf(op->getOperand(0).getType()));
  unsigned axis = op.getAxis();
  bool isInnermost = axis + 1 == across.size();
  across.erase(across.begin() + axis);
  auto walk = [&](const Chunk &place) {
    finishTuple(op, TupleWalk(builder, blocks, op).run(place), place);
  };
  bool hasVectors = !op.isScan() && shapeOf(op->getOperand(0).getType()).back() >= lanes;
  if (isInnermost)
    return forEachRow(across, [&](ArrayRef<Value> outer) {
      return hasVectors ? emitTuples(op, outer) : walk(Chunk{SmallVector<Value>(outer)});
    });
  RowPlan row;
  row.extent = across.back();
  forEachRow(ArrayRef(across).drop_back(), [&](ArrayRef<Value> outer) {
    forEachChunk(outer, row, {}, [&](const Chunk &chunk, ValueRange) {
      walk(chunk);
      return SmallVector<Value>();
    });
  });
}
