//===- Arc.h - Inverse sines and tangents of f64 ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_ARC_H
#define FSM_CONVERSION_FSMTOGPU_MATH_ARC_H

#include "../../Registers/MathFormulas.h"

namespace fsm::gpu {

// Of f64, scalars or each lane.

/// asin, 1.59 ulp at worst; acos, 1.09.
mlir::Value arcSine(registers::Formula &f, mlir::Value x);
mlir::Value arcCosine(registers::Formula &f, mlir::Value x);

/// The angle of the point (x, y), 1.72 ulp at worst.
mlir::Value arcTangent(registers::Formula &f, mlir::Value y, mlir::Value x);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_ARC_H
