//===- LaunchArguments.h - From a launch to a kernel's values --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_LAUNCHARGUMENTS_H
#define FSM_INTERPRETER_LAUNCHARGUMENTS_H

#include "ProgramRunner.h"

namespace fsm::interpreter {

/// A kernel's arguments as its programs see them, one entry each.
struct LaunchArguments {
  std::vector<ElementsRef> values;
  /// Those of scalars are unused.
  std::vector<Buffer> buffers;
};

/// Converts each argument to the type the kernel declares and checks the
/// promises it makes of it. An error is BadInput and names the argument.
Result<LaunchArguments> convertArguments(KernelOp kernel, const std::vector<Argument> &arguments);

} // namespace fsm::interpreter

#endif // FSM_INTERPRETER_LAUNCHARGUMENTS_H
