//===- Interpreter.h - Runs a kernel as it is written ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_INTERPRETER_H
#define FSM_INTERPRETER_INTERPRETER_H

#include "fsm/Artifact/DebugRecords.h"
#include "fsm/Artifact/Launch.h"
#include "fsm/IR/FSMDialect.h"
#include "fsm/Support/Result.h"

#include <vector>

namespace fsm {

struct InterpretOptions {
  /// Gets each line of an `fsm.print` as soon as it is executed; without it they are lost.
  PrintLine print;
  /// Unless it is 0, bounds the elements that ops give in all programs together, so that a kernel
  /// that never ends is an error.
  uint64_t mostElements = 0;
  /// Whether programs may race.
  bool allowsRaces = false;
};

/// Runs every program of the grid, one after the other, on the dialect as it
/// stands: no passes, no code generation. It is the oracle the other engines
/// are compared with, so it is written to be obviously right, not fast.
///
/// Transcendental functions are computed in double and rounded once. Every
/// access is checked against the bytes of the buffer its pointer came from; an
/// access outside, a misaligned one, or a null pointer is an error that names
/// the source line, the program, the block coordinates, the argument and by how
/// much. Calls to `func.func` helpers of the kernel's module are executed.
///
/// So are accesses of two programs that race, unless the options allow it.
Result<void> interpret(KernelOp kernel, Grid grid, const std::vector<Argument> &arguments,
                       const InterpretOptions &options = {});

} // namespace fsm

#endif // FSM_INTERPRETER_INTERPRETER_H
