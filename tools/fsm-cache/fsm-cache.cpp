//===- fsm-cache.cpp - Look after a folder of compiled kernels ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Cache/CacheMain.h"

int main(int argc, char **argv) { return fsm::cacheMain(argc, argv); }
