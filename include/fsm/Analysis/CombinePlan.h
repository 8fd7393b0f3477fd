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
  auto along = mlir::dyn_cast<AlongAxis>(op);
  return along && !along.takesAnyOrder();
}

/// The layout in which an op combines elements: the one they have, if it can there, or one that
/// follows the axis.
LinearLayout layoutAlong(AlongAxis op, const LinearLayout &layout);

/// How elements, or tuples of them, are combined along a dimension: threads, then lanes combine
/// what they hold, and what the warps have goes through the region `exchange`.
/// `fsm-stage-exchanges` writes that, and brings the operands to the layout `operand`, and the
/// results from `combined` to theirs.
struct CombinePlan {
  explicit CombinePlan(LinearLayout operand) : operand(std::move(operand)) {}

  LinearLayout operand;
  /// The layout of what is combined; none for scalars.
  std::optional<LinearLayout> combined;
  unsigned axis = 0;
  /// The bits of the warp, counted over all ctas, that lead to other elements along the axis.
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

/// What warps hand over of an element each, one behind the other.
llvm::SmallVector<mlir::Type> exchangedElements(AlongAxis op, const CombinePlan &plan);

/// The bytes of shared memory that warps need to hand one another what they have, if the op takes its operands in this layout.
uint64_t bytesExchanged(AlongAxis op, const LinearLayout &layout);

/// The bits of a lane or a warp, of those that are no replicas, that move along a dimension.
uint64_t bitsAlong(const LinearLayout &layout, Dim holder, unsigned axis);

/// The number of a position's line in a block: its coordinates without the axis, packed.
uint64_t lineOf(const BitSpace &block, unsigned axis, uint64_t position);

/// How the blocks lie that the region `exchange` takes and yields: with a dimension of the warps
/// along the axis instead of the axis. It takes what each warp has itself; and each thread is given
/// what all warps have of its lines in its registers, or a warp in its lanes.
struct WarpParts {
  llvm::SmallVector<int64_t> shape;
  LinearLayout own, all;
};
WarpParts warpParts(AlongAxis op, const CombinePlan &plan);

} // namespace fsm

#endif // FSM_ANALYSIS_COMBINEPLAN_H
