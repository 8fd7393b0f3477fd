//===- Remainder.h - fmod on a GPU thread --------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_REMAINDER_H
#define FSM_CONVERSION_FSMTOGPU_MATH_REMAINDER_H

#include "mlir/IR/Builders.h"

namespace fsm::gpu {

/// C's fmod of f32 or f64, exact: scalars, or vectors of equal lanes.
mlir::Value remainder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left,
                      mlir::Value right);

/// An i1: whether any lane of an i1 or of a vector of i1 is set.
mlir::Value anyLane(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_REMAINDER_H
