//===- Float.h - Narrow floats in software ----------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_FLOAT_H
#define FSM_TOOLS_ARGUMENTS_FLOAT_H

#include "fsm/Artifact/ScalarType.h"

#include <cstdint>

namespace fsm {

/// The bits of `value` rounded once, to nearest even, to the float type `type`,
/// in the low bytes. Denormals are kept. What is too large becomes an infinity
/// in f16, bf16 and f32; the f8 types saturate finite values to 448 and 57344.
/// An infinity stays one in f8E5M2 and becomes NaN in f8E4M3FN, which has none.
/// NaN stays NaN of the same sign.
uint64_t narrowFloat(double value, ScalarType type);

/// The value of the element `bits` of the float type `type`; always exact.
double widenFloat(uint64_t bits, ScalarType type);

/// Significant bits of a float type, the hidden one included: 24 for f32.
unsigned floatPrecision(ScalarType type);

/// Where the element `bits` stands among the values of its type: neighbours
/// differ by 1, and both zeros are 0. Meaningless for NaN.
int64_t floatOrdinal(uint64_t bits, ScalarType type);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_FLOAT_H
