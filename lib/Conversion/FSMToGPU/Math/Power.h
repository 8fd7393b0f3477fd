//===- Power.h - Powers of f64 ---------------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_POWER_H
#define FSM_CONVERSION_FSMTOGPU_MATH_POWER_H

#include "../../Registers/MathFormulas.h"

namespace fsm::gpu {

/// x^y of f64 as C's pow, 1.01 ulp at worst.
mlir::Value power(registers::Formula &f, mlir::Value x, mlir::Value y);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_POWER_H
