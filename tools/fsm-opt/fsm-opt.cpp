//===- fsm-opt.cpp - The pass tool ---------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/OptMain.h"

int main(int argc, char **argv) { return fsm::optMain(argc, argv); }
