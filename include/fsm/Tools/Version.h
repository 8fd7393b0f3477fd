//===- Version.h - What the tools say of themselves -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_VERSION_H
#define FSM_TOOLS_VERSION_H

#include <string>

namespace fsm {

/// `fsm-run, FSM 0.1.0`, for what follows `--version`.
std::string versionText(const std::string &program);

} // namespace fsm

#endif // FSM_TOOLS_VERSION_H
