//===- LoopNests.h - The loops that walk blocks ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOCPU_LOOPNESTS_H
#define FSM_CONVERSION_FSMTOCPU_LOOPNESTS_H

#include "HostBlocks.h"

#include <functional>

namespace fsm::host {

/// A quick step of a reduction takes one instruction where an exact one takes five, but its result
/// may be wrong: NaN lost, or the sign of a zero.
enum class Step { Quick, Exact };

/// What partial results of a kind begin with.
Value neutralOf(OpBuilder &builder, AlongAxis op, int64_t lanes, Step step);

/// What the lanes of vectors combine to, which are halved until one is left.
using CombineStep = function_ref<SmallVector<Value>(ValueRange low, ValueRange high)>;
SmallVector<Value> halved(OpBuilder &builder, Location loc, SmallVector<Value> vectors,
                          CombineStep combine);

/// Writes the loops of the plan (`fsm-plan-host-loops`): rows outside, vectors
/// of `lanes` elements inside, a partial vector at a row's end.
class LoopNests {
public:
  LoopNests(OpBuilder &builder, IRMapping &scalars, HostBlocks &blocks, int64_t lanes)
      : builder(builder), scalars(scalars), blocks(blocks), lanes(lanes) {}

  /// One loop that computes all roots: stores, reductions along the innermost
  /// dimension and values that are kept; or one reduction along another one, or a
  /// reduction or scan of tuples (Combine.cpp).
  LogicalResult emit(ArrayRef<Operation *> roots);

  /// Fetches a line of each page of memory that a store writes to.
  LogicalResult touchPages(StoreOp store);

  /// Copies blocks to buffers. Blocks of one shape are all read before any is
  /// written, chunk by chunk, so they may be permuted buffers.
  void copy(ArrayRef<std::pair<Value, Value>> blocksToBuffers);

private:
  using Results = SmallVector<Value>;
  /// Called for each chunk with the partial results; returns the new ones.
  using Body = std::function<Results(const Chunk &, ValueRange)>;
  using Row = std::function<void(ArrayRef<Value>)>;

  void forEachRow(ArrayRef<int64_t> extents, const Row &row);
  /// How a row is cut into chunks. Below `bound` (an i64, or null) every chunk has
  /// `fullMask` all true, from `end` on all false.
  struct RowPlan {
    int64_t extent = 0;
    int64_t unroll = 1;
    /// The chunks of the first round are in the partial results that a walk is given, one in each
    /// set.
    bool isBegun = false;
    Value bound = {};
    Value end = {};
    Value fullMask = {};
    /// From `end` on, nothing happens in a chunk any more once one there has changed no result.
    bool endsWithMask = false;
    /// Where the whole chunks begin that the one store of the loop writes around the caches (an
    /// i64), or null.
    Value firstLine = {};
  };
  /// How many chunks a round has: a power of two, by which a bound is rounded down.
  int64_t chunksAtOnce(const RowPlan &plan) const;
  Results forEachChunk(ArrayRef<Value> outer, const RowPlan &plan, ValueRange initial,
                       const Body &body);
  Results chunkLoop(const Chunk &like, Value from, Value to, int64_t unroll, ValueRange initial,
                    const Body &body);
  Results untilNothingChanges(const RowPlan &plan, const Chunk &like, Value from, int64_t to,
                              ValueRange initial, const Body &body);
  void forEachLine(ArrayRef<Value> outer, const RowPlan &plan, const Body &body);
  LogicalResult emitRows(ArrayRef<Operation *> roots);
  LogicalResult emitAcrossRows(ArrayRef<Operation *> roots, ArrayRef<int64_t> shape);
  RowPlan planRow(ArrayRef<Operation *> roots, ArrayRef<Value> outer);
  void emitRow(ArrayRef<Operation *> roots, ArrayRef<Value> outer);
  Value exactly(AlongAxis op, Value quick, ArrayRef<Value> outer);
  void emitAtomic(AtomicAccess op);
  void emitCombine(AlongAxis op);
  void emitTuples(AlongAxis op, ArrayRef<Value> outer);
  Results emitChunk(ArrayRef<Operation *> roots, const Chunk &chunk, ValueRange partial, Step step);
  /// Puts what elements or tuples combine to at a place where the op's users look for it.
  void finish(AlongAxis op, ValueRange values, const Chunk &place);

  OpBuilder &builder;
  IRMapping &scalars;
  HostBlocks &blocks;
  int64_t lanes;
};

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_LOOPNESTS_H
