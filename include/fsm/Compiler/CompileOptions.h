//===- CompileOptions.h - How a kernel is compiled -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_COMPILER_COMPILEOPTIONS_H
#define FSM_COMPILER_COMPILEOPTIONS_H

#include "fsm/Artifact/ArgumentFact.h"

#include <string>
#include <vector>

namespace fsm {

/// How a kernel is compiled: one member for each row of CompileOptions.def, which says what it
/// means. All of it is part of a cache key, and of the text of a pipeline.
struct CompileOptions {
#define FSM_OPTION(type, member, initial, flag, form, meaning) type member = initial;
#include "fsm/Compiler/CompileOptions.def"

  bool operator==(const CompileOptions &other) const {
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  if (!(member == other.member))                                                                   \
    return false;
#include "fsm/Compiler/CompileOptions.def"
    return true;
  }
};

} // namespace fsm

#endif // FSM_COMPILER_COMPILEOPTIONS_H
