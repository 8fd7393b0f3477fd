//===- Loops.h - The loops around an op, and their steps -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_LOOPS_H
#define FSM_ANALYSIS_LOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fsm {

/// The `scf.for` and `scf.while` around `op`, outermost first.
llvm::SmallVector<mlir::Operation *> loopsAround(mlir::Operation *op);

/// Whether the step of a loop is known to be positive.
bool hasPositiveStep(mlir::scf::ForOp loop);

/// Whether the step of a loop is known not to be positive: then it has no iterations.
bool hasNonPositiveStep(mlir::scf::ForOp loop);

} // namespace fsm

#endif // FSM_ANALYSIS_LOOPS_H
