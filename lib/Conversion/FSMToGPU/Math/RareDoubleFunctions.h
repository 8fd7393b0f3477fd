//===- RareDoubleFunctions.h - Rarer functions of f64 ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_RAREDOUBLEFUNCTIONS_H
#define FSM_CONVERSION_FSMTOGPU_MATH_RAREDOUBLEFUNCTIONS_H

#include "../../Registers/MathFormulas.h"

namespace fsm::gpu {

/// The function of f64 that `op` names, of scalars or of each lane, within 2 ulp;
/// null when it is none of tan, asin, acos, atan, atan2, sinh, cosh, asinh, acosh,
/// atanh, log10, cbrt, erfc and powf. f32 gets them by a conversion on either side.
mlir::Value rareFunctionOfDouble(registers::Formula &f, mlir::Operation *op,
                                 mlir::ValueRange operands);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_RAREDOUBLEFUNCTIONS_H
