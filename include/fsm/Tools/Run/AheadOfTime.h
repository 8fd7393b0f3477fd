//===- AheadOfTime.h - Kernels for programs without a compiler --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_AHEADOFTIME_H
#define FSM_TOOLS_RUN_AHEADOFTIME_H

#include "fsm/Tools/Run/RunLaunch.h"

#include <string>
#include <vector>

namespace fsm {

/// Whether --emit names what is made ahead of time: "header", "c" or "obj". It is made of code for
/// several targets, where a stage is of one.
bool isAheadOfTime(const std::string &stage);

/// The content of the file. For a GPU there is code for what is known of the values, if there are
/// any, and code for any values behind it. `diagnostics` gets what the compiles had to say.
Result<std::string> emitAheadOfTime(const RunRequest &request, std::vector<ArgumentValue> &values,
                                    std::vector<std::string> &diagnostics);

} // namespace fsm

#endif // FSM_TOOLS_RUN_AHEADOFTIME_H
