//===- Sine.h - sin and cos on a GPU thread --------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_SINE_H
#define FSM_CONVERSION_FSMTOGPU_MATH_SINE_H

#include "../../Registers/MathFormulas.h"

namespace fsm::gpu {

/// sin(x + quarter * pi/2) of f32 or f64, for `quarter` 0 (sin) or 1 (cos).
mlir::Value sine(registers::Formula &f, mlir::Value x, int quarter);

/// tan(x) of f64, within 2 ulp.
mlir::Value tangent(registers::Formula &f, mlir::Value x);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_SINE_H
