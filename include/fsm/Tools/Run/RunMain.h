//===- RunMain.h - The program fsm-run --------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_RUNMAIN_H
#define FSM_TOOLS_RUN_RUNMAIN_H

namespace fsm {

/// All of fsm-run: returns its exit status. 0: everything ran and every
/// comparison held; 1: a comparison or the kernel itself failed; 2: bad input;
/// 3: no such device.
int runMain(int argc, char **argv);

} // namespace fsm

#endif // FSM_TOOLS_RUN_RUNMAIN_H
