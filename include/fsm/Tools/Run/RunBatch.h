//===- RunBatch.h - Many runs of fsm-run in one process ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_RUNBATCH_H
#define FSM_TOOLS_RUN_RUNBATCH_H

#include "fsm/Support/Result.h"
#include "fsm/Tools/Run/BatchWorker.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// The words of a line as a shell would see them: white space parts them,
/// '...' keeps all as it is, "..." all but \" and \\, a \ before any other
/// character means that character. Nothing is expanded, and there are no
/// comments. The error is a sentence without a place.
Result<std::vector<std::string>> splitWords(std::string_view line);

/// Performs one line of a batch: prints to stdout and stderr.
using BatchRun = std::function<LineStatus(const std::vector<std::string_view> &words)>;

/// Performs each line of a file ("-" is standard input) as soon as it is read.
/// Lines are counted from 1; those that are empty or begin with # do nothing.
/// For each of the others stdout gets `[LINE] rc=STATUS stdout=N stderr=M`, a
/// new line, the N bytes that the run printed to stdout and the M bytes that it
/// printed to stderr. Returns the highest status.
Result<int> runBatch(const std::string &path, const BatchRun &run);

} // namespace fsm

#endif // FSM_TOOLS_RUN_RUNBATCH_H
