//===- SplitPlan.h - Whether ctas may share a loop -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that carries nothing but sums may be shared: of n ctas each takes every n-th iteration,
// and what each has summed is added up behind it. What it carries besides are counters, to which
// each iteration adds the same. The language leaves the order of such sums open: products of
// matrices, sums of integers, and of floats with `fastmath<reassoc>`.
//
// An iteration of ctas writes no memory. Groups of warps of one cta meet behind the loop, so that
// one of theirs may write what no other iteration touches.
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_SPLITPLAN_H
#define FSM_ANALYSIS_SPLITPLAN_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <string>

namespace fsm {

/// With fewer iterations of each cta a loop is over before the ctas have met.
inline constexpr int64_t kLeastTripsOfPart = 8;

/// Who shares a loop: the ctas of a cluster, or groups of warps of one cta.
enum class Sharers { Ctas, WarpGroups };

struct SplitPlan {
  explicit SplitPlan(mlir::scf::ForOp loop, Sharers sharers = Sharers::Ctas);

  Sharers sharers;
  /// Why they cannot share the loop; nothing where they can.
  std::optional<std::string> obstacle;
  /// What it carries, by its number: sums, and counters with what an iteration adds.
  llvm::SmallVector<unsigned> sums;
  llvm::SmallVector<std::pair<unsigned, mlir::Value>> counters;
  /// How often it runs, where that is known.
  std::optional<int64_t> trips;

private:
  std::optional<std::string> obstacleAround(mlir::scf::ForOp loop);
  std::optional<std::string> obstacleInBounds(mlir::scf::ForOp loop);
  std::optional<std::string> obstacleInBody(mlir::scf::ForOp loop);
  std::optional<std::string> obstacleInCarried(mlir::scf::ForOp loop);
};

/// Why ctas that share a loop for which there is a plan may read what the first one writes behind it: those whose
/// sums are not asked for nobody waits for. Nothing where all that is read up to there is written by nobody,
/// which is known of actual arguments.
std::optional<std::string> obstacleInMemory(mlir::scf::ForOp loop);

/// The loop of a kernel that asks for ctas to share it by `fsm.split`, or, where none says anything, the one
/// loop with products for which nothing is in the way; null for none.
mlir::scf::ForOp loopToSplit(KernelOp kernel);

/// The factors of products that an iteration computes from what it loads, as from bytes that it
/// widens.
llvm::SmallVector<mlir::Value> computedFactors(mlir::scf::ForOp loop);

/// Bytes that a cta may have in shared memory for such a loop: what is loaded, as often as the loop has stages, the
/// factors that are computed, and the sums of another cta.
uint64_t bytesToShare(mlir::scf::ForOp loop);

} // namespace fsm

#endif // FSM_ANALYSIS_SPLITPLAN_H
