//===- ArgumentBits.h - Scalars of a launch as bits ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_ARGUMENTBITS_H
#define FSM_INTERPRETER_ARGUMENTBITS_H

#include "fsm/Artifact/Launch.h"
#include "fsm/Artifact/ScalarType.h"

#include <optional>

namespace fsm {

/// The bits of an integer or a real in a kernel's type, on every device the same; nothing where the type cannot hold it.
std::optional<uint64_t> argumentBits(const Argument &argument, ScalarType type);

/// The number that bits of a type of floats are.
double floatOf(uint64_t bits, ScalarType type);

} // namespace fsm

#endif // FSM_INTERPRETER_ARGUMENTBITS_H
