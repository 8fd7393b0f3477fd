//===- FloatBits.h - Numbers as elements of floats -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_BUILDER_FLOATBITS_H
#define FSM_BUILDER_FLOATBITS_H

#include "fsm/Artifact/ScalarType.h"

namespace fsm {

/// The bits of a number as an element of a float type, rounded once to nearest even. What is too
/// large is infinity, or NaN in f8E4M3FN, which has none.
uint64_t floatBits(double number, ScalarType type);

} // namespace fsm

#endif // FSM_BUILDER_FLOATBITS_H
