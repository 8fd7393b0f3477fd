//===- fsm-run.cpp - Compile and run a kernel ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunMain.h"

int main(int argc, char **argv) { return fsm::runMain(argc, argv); }
