//===- LoopNests.cpp - The loops that walk blocks ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

/// The block a root walks over.
static Value walkedBlock(Operation *root) {
  if (auto store = dyn_cast<StoreOp>(root))
    return store.getValue();
  if (auto reduce = dyn_cast<ReduceOp>(root))
    return reduce.getSource();
  return root->getResult(0);
}

/// Runs `row` once per combination of the outer coordinates.
LogicalResult LoopNests::forEachRow(ArrayRef<int64_t> extents, const Row &row) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> index;
  for (int64_t extent : extents) {
    if (extent == 1) {
      index.push_back(blocks.i64(0));
      continue;
    }
    auto loop = scf::ForOp::create(builder, builder.getUnknownLoc(), blocks.i64(0),
                                   blocks.i64(extent), blocks.i64(1));
    builder.setInsertionPointToStart(loop.getBody());
    index.push_back(loop.getInductionVar());
  }
  return row(index);
}

/// Walks one row: `unroll` chunks at a time, each with partial results of its
/// own, then the chunks left, then the partial chunk. `initial` has the partial
/// results of one chunk; `unroll` times as many come back.
FailureOr<SmallVector<Value>> LoopNests::forEachChunk(ArrayRef<Value> outer, int64_t extent,
                                                      int64_t unroll, ValueRange initial,
                                                      const Body &body) {
  Location loc = builder.getUnknownLoc();
  int64_t full = extent / lanes, results = initial.size();
  unroll = std::max<int64_t>(1, std::min(unroll, full));
  SmallVector<Value> partial;
  for (int64_t i = 0; i < unroll; ++i)
    llvm::append_range(partial, initial);
  auto run = [&](Value position, int64_t slot, int64_t active) -> LogicalResult {
    Chunk chunk{SmallVector<Value>(outer), lanes, active};
    chunk.index.push_back(position);
    auto mine = MutableArrayRef<Value>(partial).slice(slot * results, results);
    FailureOr<SmallVector<Value>> next = body(chunk, ValueRange(mine));
    if (failed(next))
      return failure();
    llvm::copy(*next, mine.begin());
    return success();
  };
  int64_t rounds = full / unroll, position = 0;
  if (rounds > 1) {
    position = rounds * unroll * lanes;
    auto loop = scf::ForOp::create(builder, loc, blocks.i64(0), blocks.i64(position),
                                   blocks.i64(unroll * lanes), partial);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    partial.assign(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    for (int64_t slot = 0; slot < unroll; ++slot) {
      Value at = arith::AddIOp::create(builder, loc, loop.getInductionVar(),
                                       blocks.i64(slot * lanes));
      if (failed(run(at, slot, lanes)))
        return failure();
    }
    if (results)
      scf::YieldOp::create(builder, loc, partial);
    partial.assign(loop.getResults().begin(), loop.getResults().end());
  }
  for (int64_t slot = 0; position < extent; position += lanes, slot = (slot + 1) % unroll)
    if (failed(run(blocks.i64(position), slot, std::min(lanes, extent - position))))
      return failure();
  return partial;
}

LogicalResult LoopNests::emit(ArrayRef<Operation *> roots) {
  auto first = dyn_cast<ReduceOp>(roots.front());
  if (first && first.getAxis() + 1 != shapeOf(first.getSource().getType()).size()) {
    if (roots.size() != 1)
      return first.emitError("expected a loop of its own for a reduction along an outer dimension");
    return emitOuterReduction(first);
  }
  ArrayRef<int64_t> shape;
  for (Operation *root : roots) {
    ArrayRef<int64_t> walked = shapeOf(walkedBlock(root).getType());
    if (walked.empty() || (!shape.empty() && shape != walked))
      return root->emitError("expected the roots of one loop to have one shape");
    shape = walked;
  }
  return forEachRow(shape.drop_back(), [&](ArrayRef<Value> outer) {
    return emitRow(roots, outer);
  });
}

/// One row of all roots, with vectors of partial results for the reductions.
LogicalResult LoopNests::emitRow(ArrayRef<Operation *> roots, ArrayRef<Value> outer) {
  SmallVector<ReduceOp> reductions;
  SmallVector<Value> initial;
  for (Operation *root : roots) {
    auto reduce = dyn_cast<ReduceOp>(root);
    if (!reduce)
      continue;
    reductions.push_back(reduce);
    initial.push_back(neutralElement(builder, reduce, accumulatorType(reduce, lanes)));
  }
  int64_t extent = shapeOf(walkedBlock(roots.front()).getType()).back();
  auto unroll = roots.front()->getAttrOfType<IntegerAttr>(kHostUnrollAttr);
  auto body = [&](const Chunk &chunk, ValueRange partial) {
    return emitChunk(roots, chunk, partial);
  };
  FailureOr<SmallVector<Value>> partial =
      forEachChunk(outer, extent, unroll ? unroll.getInt() : 1, initial, body);
  if (failed(partial))
    return failure();
  for (auto [i, reduce] : llvm::enumerate(reductions)) {
    Value total = (*partial)[i];
    for (size_t slot = i + reductions.size(); slot < partial->size(); slot += reductions.size())
      total = combine(builder, reduce, total, (*partial)[slot]);
    if (failed(finish(reduce, combineLanes(builder, reduce, total), outer)))
      return failure();
  }
  return success();
}

FailureOr<SmallVector<Value>> LoopNests::emitChunk(ArrayRef<Operation *> roots, const Chunk &chunk,
                                                   ValueRange partial) {
  blocks.startScope();
  SmallVector<Value> next;
  for (Operation *root : roots) {
    if (auto store = dyn_cast<StoreOp>(root)) {
      if (failed(blocks.store(store, chunk)))
        return failure();
    } else if (auto reduce = dyn_cast<ReduceOp>(root)) {
      Value elements = blocks.at(reduce.getSource(), chunk);
      if (!elements)
        return failure();
      elements = widen(builder, root->getLoc(), elements);
      Value previous = partial[next.size()];
      Value sum = combine(builder, reduce, elements, previous);
      if (chunk.isPartial())
        sum = arith::SelectOp::create(builder, root->getLoc(),
                                      firstLanes(builder, root->getLoc(), chunk), sum, previous);
      next.push_back(sum);
    } else {
      Value block = root->getResult(0), buffer = blocks.bufferOf(block);
      Value elements = buffer ? blocks.computeAt(block, chunk) : Value();
      if (!elements)
        return root->emitError("expected a buffer for a value that is kept");
      blocks.writeBuffer(buffer, shapeOf(block.getType()), chunk, elements,
                         elementTypeOf(block.getType()));
    }
  }
  return next;
}

/// Puts a row's result where the reduction's users look for it.
LogicalResult LoopNests::finish(ReduceOp op, Value result, ArrayRef<Value> outer) {
  Type element = elementTypeOf(op.getSource().getType());
  result = narrow(builder, op.getLoc(), result, element);
  if (outer.empty()) {
    scalars.map(op.getResult(), result);
    return success();
  }
  Value buffer = blocks.bufferOf(op.getResult());
  if (!buffer)
    return op.emitError("expected a buffer for the result; run 'fsm-plan-host-loops' first");
  Chunk place;
  place.index.assign(outer.begin(), outer.end());
  blocks.writeBuffer(buffer, shapeOf(op.getType()), place, result, element);
  return success();
}

/// A reduction along dimension `axis`, not the innermost: each chunk of the
/// result walks along the axis.
LogicalResult LoopNests::emitOuterReduction(ReduceOp op) {
  ArrayRef<int64_t> shape = shapeOf(op.getSource().getType()), to = shapeOf(op.getType());
  Location loc = op.getLoc();
  Type element = elementTypeOf(op.getType());
  Value buffer = blocks.bufferOf(op.getResult());
  if (!buffer)
    return op.emitError("expected a buffer for the result; run 'fsm-plan-host-loops' first");
  auto chunkOfResult = [&](const Chunk &chunk, ValueRange) -> FailureOr<SmallVector<Value>> {
    Value initial = neutralElement(builder, op, accumulatorType(op, lanes));
    auto loop = scf::ForOp::create(builder, loc, blocks.i64(0), blocks.i64(shape[op.getAxis()]),
                                   blocks.i64(1), initial);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      blocks.startScope();
      Chunk source = chunk;
      source.index.insert(source.index.begin() + op.getAxis(), loop.getInductionVar());
      Value elements = blocks.at(op.getSource(), source);
      if (!elements)
        return failure();
      elements = widen(builder, loc, elements);
      scf::YieldOp::create(builder, loc,
                           combine(builder, op, elements, loop.getRegionIterArg(0)));
    }
    Value result = narrow(builder, loc, loop.getResult(0), element);
    blocks.writeBuffer(buffer, to, chunk, result, element);
    return SmallVector<Value>();
  };
  return forEachRow(to.drop_back(), [&](ArrayRef<Value> outer) -> LogicalResult {
    return success(succeeded(forEachChunk(outer, to.back(), 1, {}, chunkOfResult)));
  });
}

LogicalResult LoopNests::copy(ArrayRef<std::pair<Value, Value>> blocksToBuffers) {
  SmallVector<std::pair<Value, Value>> left(blocksToBuffers);
  while (!left.empty()) {
    ArrayRef<int64_t> shape = shapeOf(left.front().first.getType());
    SmallVector<std::pair<Value, Value>> same;
    llvm::erase_if(left, [&](std::pair<Value, Value> pair) {
      bool now = shapeOf(pair.first.getType()) == shape;
      if (now)
        same.push_back(pair);
      return now;
    });
    auto body = [&](const Chunk &chunk, ValueRange) -> FailureOr<SmallVector<Value>> {
      blocks.startScope();
      SmallVector<Value> elements;
      for (auto [block, buffer] : same) {
        elements.push_back(blocks.at(block, chunk));
        if (!elements.back())
          return failure();
      }
      for (auto [pair, value] : llvm::zip(same, elements))
        blocks.writeBuffer(pair.second, shape, chunk, value, elementTypeOf(pair.first.getType()));
      return SmallVector<Value>();
    };
    LogicalResult copied = forEachRow(shape.drop_back(), [&](ArrayRef<Value> outer) {
      return success(succeeded(forEachChunk(outer, shape.back(), 2, {}, body)));
    });
    if (failed(copied))
      return failure();
  }
  return success();
}
