//===- Math64ToGPU.h - Functions of f64 on a GPU thread --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH64TOGPU_H
#define FSM_CONVERSION_FSMTOGPU_MATH64TOGPU_H

#include "../Registers/MathFormulas.h"

namespace fsm::gpu {

/// The function of f64 that `op` names, of a scalar or of each lane, within 2 ulp;
/// null when it is none of exp, exp2, expm1, log, log2, log1p, tanh, erf, sin, cos
/// and rsqrt.
mlir::Value functionOfDouble(registers::Formula &f, mlir::Operation *op, mlir::Value x);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH64TOGPU_H
