//===- ProgramCost.h - What a program of a plan does ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_PROGRAMCOST_H
#define FSM_ANALYSIS_PROGRAMCOST_H

#include "fsm/IR/FSMDialect.h"
#include "fsm/Machine/LaunchTime.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"

namespace fsm {

/// What a program of a kernel does, loop by loop, and what it needs of a multiprocessor, as its
/// plan for a GPU has them behind `fsm-check-resources`.
ProgramCost programCostOf(KernelOp kernel, const GpuTarget &target);

/// What a program does in a round of a loop in front of `fsm-advance-loads`, without what loops in it do, where
/// so many rounds lie between the beginning of these loads and what needs them.
CostPart costOfRound(mlir::scf::ForOp loop, const llvm::DenseSet<mlir::Operation *> &early,
                     unsigned roundsAhead);

/// How a program computes an integer of what a launch is given. A loop's counter is in the middle
/// of its range, and what a loop carries is what it begins with.
CostExpression costExpressionOf(mlir::Value value);

} // namespace fsm

#endif // FSM_ANALYSIS_PROGRAMCOST_H
