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

/// Writes the loops of the plan (`fsm-plan-host-loops`): rows outside, vectors
/// of `lanes` elements inside, a partial vector at a row's end.
class LoopNests {
public:
  LoopNests(mlir::OpBuilder &builder, mlir::IRMapping &scalars, HostBlocks &blocks, int64_t lanes)
      : builder(builder), scalars(scalars), blocks(blocks), lanes(lanes) {}

  /// One loop that computes all roots: stores, reductions along the innermost
  /// dimension and values that are kept; or one reduction along another one; or a
  /// reduction or scan of tuples (Combine.cpp).
  mlir::LogicalResult emit(llvm::ArrayRef<mlir::Operation *> roots);

  /// Copies blocks to buffers. Blocks of one shape are all read before any is
  /// written, chunk by chunk, so they may be permuted buffers.
  void copy(llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> blocksToBuffers);

private:
  using Results = llvm::SmallVector<mlir::Value>;
  /// Called for each chunk with the partial results; returns the new ones.
  using Body = std::function<Results(const Chunk &, mlir::ValueRange)>;
  using Row = std::function<void(llvm::ArrayRef<mlir::Value>)>;

  void forEachRow(llvm::ArrayRef<int64_t> extents, const Row &row);
  /// How a row is cut into chunks. Below `bound` (an i64, or null) every chunk has
  /// `fullMask` all true.
  struct RowPlan {
    int64_t extent = 0;
    int64_t unroll = 1;
    /// The chunks of the first round are in the partial results that a walk is given, one in each
    /// set.
    bool isBegun = false;
    mlir::Value bound;
    mlir::Value fullMask;
  };
  /// How many chunks a round has: a power of two, by which a bound is rounded down.
  int64_t chunksAtOnce(const RowPlan &plan) const;
  Results forEachChunk(llvm::ArrayRef<mlir::Value> outer, const RowPlan &plan,
                       mlir::ValueRange initial, const Body &body);
  Results chunkLoop(llvm::ArrayRef<mlir::Value> outer, mlir::Value from, mlir::Value to,
                    int64_t unroll, mlir::Value fullMask, mlir::ValueRange initial,
                    const Body &body);
  mlir::LogicalResult emitRows(llvm::ArrayRef<mlir::Operation *> roots);
  RowPlan planRow(llvm::ArrayRef<mlir::Operation *> roots, llvm::ArrayRef<mlir::Value> outer);
  void emitRow(llvm::ArrayRef<mlir::Operation *> roots, llvm::ArrayRef<mlir::Value> outer);
  mlir::Value exactly(AlongAxis op, mlir::Value quick, llvm::ArrayRef<mlir::Value> outer);
  void emitOuterReduction(AlongAxis op);
  void emitAtomic(AtomicAccess op);
  void emitCombine(AlongAxis op);
  void emitTuples(AlongAxis op, llvm::ArrayRef<mlir::Value> outer);
  void finishTuple(AlongAxis op, llvm::ArrayRef<mlir::Value> tuple, const Chunk &place);
  Results emitChunk(llvm::ArrayRef<mlir::Operation *> roots, const Chunk &chunk,
                    mlir::ValueRange partial, Step step);
  void finish(AlongAxis op, mlir::Value partial, llvm::ArrayRef<mlir::Value> outer);

  mlir::OpBuilder &builder;
  mlir::IRMapping &scalars;
  HostBlocks &blocks;
  int64_t lanes;
};

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_LOOPNESTS_H
