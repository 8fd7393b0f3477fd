//===- Version.cpp - What the tools say of themselves ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Version.h"

#ifndef FSM_VERSION
#define FSM_VERSION "development version"
#endif

std::string fsm::versionText(const std::string &program) {
  return program + ", FSM " + FSM_VERSION;
}
