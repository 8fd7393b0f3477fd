//===- CombinePlan.h - How tuples are combined -----------------*- C++ -*-===//
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
/// The dimension along which, and whether from its end to its beginning.
unsigned combinedAxis(mlir::Operation *op);
bool combinesBackwards(mlir::Operation *op);
/// The type in which elements of operand `index` are combined: f32 for the half formats
/// of `fsm.scan`, which rounds each result once; the element type otherwise.
mlir::Type combinedType(mlir::Operation *op, unsigned index);

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

/// How tuples are combined: threads, then lanes, then warps combine what they hold.
/// `fsm-stage-exchanges` brings the operands to the layout `operand`, and the results from
/// `combined` to theirs.
struct CombinePlan {
  explicit CombinePlan(LinearLayout operand) : operand(std::move(operand)) {}

  LinearLayout operand;
  /// The layout of what is combined; none for scalars.
  std::optional<LinearLayout> combined;
  unsigned axis = 0;
  /// The bits of the lane and the warp that lead to other elements along the axis.
  uint64_t axisLanes = 0, axisWarps = 0;
  /// What a tuple consists of while it is combined.
  llvm::SmallVector<mlir::Type> types;
  /// Whether positions beyond the true extent may meet elements.
  bool isPadded = false;
  /// Where scratch memory has the slots of the warps, and whether these hold a tuple.
  llvm::SmallVector<uint64_t> slotOffsets;
  uint64_t validOffset = 0, bytes = 0;

  unsigned warpsAlongAxis() const { return 1u << llvm::popcount(axisWarps); }
  /// The number of a position's line: its coordinates without the axis, packed.
  uint64_t lineOf(uint64_t position) const;
};

/// `op` has no layoutFault().
CombinePlan planCombine(mlir::Operation *op);

/// The layouts in which a reduction or a scan takes its operands and leaves its results.
struct ReductionLayouts {
  LinearLayout operand;
  /// None for scalars.
  std::optional<LinearLayout> result;
};
/// Nothing for other ops. `op` has no layoutFault().
std::optional<ReductionLayouts> reductionLayouts(mlir::Operation *op);

} // namespace fsm

#endif // FSM_ANALYSIS_COMBINEPLAN_H
