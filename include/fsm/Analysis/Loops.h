//===- Loops.h - The loops around an op, and their bounds ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_LOOPS_H
#define FSM_ANALYSIS_LOOPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace fsm {

/// The `scf.for` and `scf.while` around `op`, outermost first.
llvm::SmallVector<mlir::Operation *> loopsAround(mlir::Operation *op);

/// The `scf.for` around `op`, outermost first; nothing where something else is around it in the
/// kernel.
std::optional<llvm::SmallVector<mlir::scf::ForOp>> onlyLoopsAround(mlir::Operation *op);

/// Whether anything in an op is a loop.
bool hasLoop(mlir::Operation *root);

/// The ops that a loop's bounds and its step are computed by, up to arguments of blocks.
llvm::SetVector<mlir::Operation *> opsOfBounds(mlir::scf::ForOp loop);

/// Whether the programs of the grid share the iterations, so that as many programs are launched as
/// keep the GPU busy.
bool sharesWork(mlir::scf::ForOp loop);

/// Whether a number is known to be positive.
bool isPositive(mlir::Value number);

/// How the counter is compared with the bound that it stays below.
mlir::arith::CmpIPredicate belowBound(mlir::scf::ForOp loop);

/// Whether the counter is 0 or more in all iterations, so that two of its numbers are less than
/// 2^31 apart in 32 bits.
bool startsNonNegative(mlir::scf::ForOp loop);

/// Whether the counter is 0 in the first iteration; of a loop that ctas share, in the first cta.
bool startsAtZero(mlir::scf::ForOp loop);

/// What a number that a loop carries, and the loops around it if there are any, is behind the
/// outermost of them; null where one of them does not carry it on as it is.
mlir::Value behindLoops(mlir::Value carried);

} // namespace fsm

#endif // FSM_ANALYSIS_LOOPS_H
