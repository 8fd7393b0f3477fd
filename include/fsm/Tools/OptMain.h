//===- OptMain.h - The pass tool -------------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_OPTMAIN_H
#define FSM_TOOLS_OPTMAIN_H

namespace fsm {

/// `fsm-opt`: mlir-opt with FSM's dialect, passes and pipelines. It takes every
/// flag of mlir-opt and `-D NAME=VALUE` for the file's parameters. Returns the
/// exit code.
int optMain(int argc, char **argv);

} // namespace fsm

#endif // FSM_TOOLS_OPTMAIN_H
