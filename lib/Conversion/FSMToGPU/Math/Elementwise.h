//===- Elementwise.h - Element-wise ops on a GPU thread --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_ELEMENTWISE_H
#define FSM_CONVERSION_FSMTOGPU_MATH_ELEMENTWISE_H

#include "../../Registers/Elementwise.h"

namespace fsm::gpu {

/// What a GPU thread does in its own way.
const registers::ElementwiseBackend &threadBackend();

/// What an element-wise op of `arith`, `math` or `fsm.hint` gives for these
/// operands (all scalars or all vectors of equal lanes) in one thread. Null when the
/// op is none of these, and after an error at the op when it is one of `math` that
/// the GPU lacks. `repeatedDivisor` allows a division to take one reciprocal for
/// lanes of the divisor that hold one number (which it finds out itself).
mlir::Value elementwise(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands,
                        bool repeatedDivisor = false);

/// max or min of two floats, in one instruction: +0 is greater than -0; a NaN is
/// ignored, or propagated.
mlir::Value extremum(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left,
                     mlir::Value right, bool isMax, bool propagateNan);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_ELEMENTWISE_H
