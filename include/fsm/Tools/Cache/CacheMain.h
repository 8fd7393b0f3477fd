//===- CacheMain.h - The program fsm-cache ----------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_CACHE_CACHEMAIN_H
#define FSM_TOOLS_CACHE_CACHEMAIN_H

namespace fsm {

/// All of fsm-cache: returns its exit status. 0: done; 1: an entry is damaged; 2: bad input.
int cacheMain(int argc, char **argv);

} // namespace fsm

#endif // FSM_TOOLS_CACHE_CACHEMAIN_H
