//===- CombinePlan.h - How elements are combined ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_COMBINEPLAN_H
#define FSM_ANALYSIS_COMBINEPLAN_H

#include "fsm/IR/FSMDialect.h"

#include <optional>

namespace fsm {

/// Whether `op` combines tuples of elements along a dimension: `fsm.reduce_with`,
/// `fsm.scan` (tuples of one element), `fsm.scan_with`.
inline bool isCombine(mlir::Operation *op) {
  return mlir::isa_and_present<ReduceWithOp, ScanOp, ScanWithOp>(op);
}

/// Whether each bit of a thread's number that moves along `axis` moves nowhere else and
/// by one bit that no other moves by. The threads that hold one line of elements then
/// differ in bits of their own.
bool followsAxis(const LinearLayout &layout, unsigned axis);

/// The same, and what the registers of a thread hold of a line is consecutive, behind
/// that come the lanes, then the warps.
bool isInOrder(const LinearLayout &layout, unsigned axis);

/// The layout in order that gives each thread neighbours along `axis`, as many as its
/// share of the block, so that few threads meet in a line:
///
///   {64, 1024}, axis 0, 4 warps: a thread has a column, no thread asks another
///   {16, 64}, axis 1, 4 warps:   a thread has 8 neighbours, a row is 8 lanes
LinearLayout layoutInOrder(llvm::ArrayRef<int64_t> shape, unsigned axis, unsigned warps);

/// How elements, or tuples of them, are combined along a dimension: threads, then lanes combine what
/// they hold, and what the warps have goes through the region `exchange`. `fsm-stage-exchanges` writes
/// that, and brings the operands to the layout `operand`, and the results from `combined` to theirs.
struct CombinePlan {
  explicit CombinePlan(LinearLayout operand) : operand(std::move(operand)) {}

  LinearLayout operand;
  /// The layout of what is combined; none for scalars.
  std::optional<LinearLayout> combined;
  unsigned axis = 0;
  /// The bits of the warp that lead to other elements along the axis.
  uint64_t axisWarps = 0;
  /// What a tuple consists of while it is combined.
  llvm::SmallVector<mlir::Type> types;
  /// Whether positions beyond the true extent may meet elements, so that a tuple carries whether it
  /// is there: an i1 behind the others. Where what changes nothing is known, that stands there.
  bool isPadded = false;

  unsigned warpsAlongAxis() const { return 1u << llvm::popcount(axisWarps); }
};

/// `op` has no layoutFault().
CombinePlan planCombine(AlongAxis op);

/// The bits of a lane or a warp, of those that are no replicas, that move along a dimension.
uint64_t bitsAlong(const LinearLayout &layout, Dim holder, unsigned axis);

/// The number of a position's line in a block: its coordinates without the axis, packed.
uint64_t lineOf(const BitSpace &block, unsigned axis, uint64_t position);

/// How the blocks lie that the region `exchange` takes and yields: with a dimension of the warps along
/// the axis instead of the axis. It takes what each warp has itself; and each thread is given what all
/// warps have of its lines in its registers, or a warp in its lanes.
struct WarpParts {
  llvm::SmallVector<int64_t> shape;
  LinearLayout own, all;
};
WarpParts warpParts(AlongAxis op, const CombinePlan &plan);

} // namespace fsm

#endif // FSM_ANALYSIS_COMBINEPLAN_H
