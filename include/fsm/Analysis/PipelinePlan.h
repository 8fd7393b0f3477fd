//===- PipelinePlan.h - Which op of a loop runs in which stage -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_PIPELINEPLAN_H
#define FSM_ANALYSIS_PIPELINEPLAN_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <utility>
#include <vector>

namespace fsm {

/// The stages of a loop that `fsm-schedule-loops` has written: `fsm.stages` on the loop, and
/// `fsm.stage` on the ops of its body that do not belong to the last stage.
///
/// While the last stage computes iteration i, stage s does its part of iteration
/// i + stages - 1 - s. So an early stage must not need what a later one makes of the same
/// iteration, and must be harmless for an iteration that does not exist.
class PipelinePlan {
public:
  /// The plan that a loop's attributes hold; none, with one stage, for other loops.
  static PipelinePlan writtenIn(mlir::scf::ForOp loop);

  unsigned stages() const { return numStages; }
  unsigned lastStage() const { return numStages - 1; }
  unsigned stageOf(mlir::Operation *op) const;

  /// The ops of the body in the order in which an iteration of the pipelined loop has them:
  /// first the numbers that early stages load, where threads wait for copies, then what the last
  /// stage takes from earlier ones, so that the copies behind it may reuse the slots, then the
  /// early stages, then the rest. Bulk copies come behind the first barrier that there is anyway,
  /// for they need one in front of them. With `fsm.takes_late` all up to the last of what is taken
  /// comes first.
  std::vector<std::pair<mlir::Operation *, unsigned>> order() const;

  /// Whether each thread has used all that it reads of slots before it comes to the barrier
  /// behind which bulk copies begin: then its reads are over.
  bool readsEndBeforeCopies() const;

  /// How many groups of copies may still be on their way when the loop waits at `wait`.
  unsigned pendingAt(CopyWaitOp wait) const;

  /// Reports at an op why this is no plan.
  mlir::LogicalResult verify() const;

private:
  mlir::LogicalResult verify(mlir::Operation *op) const;
  /// What makes an operand, if that is in a later stage than the user; or null.
  mlir::Operation *madeLater(mlir::Operation *user, mlir::Value operand) const;

  mutable mlir::scf::ForOp loop;
  unsigned numStages = 1;
};

/// Whether an op may run for an iteration that is none, given that it may be told so: it has
/// no effect, or is a load or copy that can be switched off.
bool canRunEarly(mlir::Operation *op);

} // namespace fsm

#endif // FSM_ANALYSIS_PIPELINEPLAN_H
