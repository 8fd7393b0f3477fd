//===- Loops.h - The loops around an op, and their steps -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_LOOPS_H
#define FSM_ANALYSIS_LOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cstdint>
#include <optional>

namespace fsm {

/// The `scf.for` and `scf.while` around `op`, outermost first.
llvm::SmallVector<mlir::Operation *> loopsAround(mlir::Operation *op);

/// Whether a number is known to be positive.
bool isPositive(mlir::Value number);

/// Whether the counter is 0 or more in all iterations, so that two of its numbers are less than
/// 2^31 apart in 32 bits.
bool startsNonNegative(mlir::scf::ForOp loop);

/// How the numbers of a value move from one iteration of a loop to the next.
struct Movement {
  /// Times the step of the loop, at least.
  int64_t factor = 0;
  /// The largest distance of two elements of a block in one iteration.
  int64_t spread = 0;
};

/// Of a number, or of a block of them; none where it is not known.
std::optional<Movement> movementOf(mlir::Value value, mlir::scf::ForOp loop);

/// Of the sum of two numbers; none where both move.
std::optional<Movement> sumOf(const Movement &left, const Movement &right);

/// Whether what moves so has no number of one iteration in another one.
bool comesOnce(const Movement &moved, mlir::scf::ForOp loop);

} // namespace fsm

#endif // FSM_ANALYSIS_LOOPS_H
