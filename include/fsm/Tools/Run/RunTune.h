//===- RunTune.h - The fastest of many ways -----------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_RUNTUNE_H
#define FSM_TOOLS_RUN_RUNTUNE_H

#include "fsm/Tools/Run/RunOptions.h"

#include <functional>
#include <vector>

namespace fsm {

/// What launches took, and the bytes that one moves.
struct Timing {
  std::vector<double> seconds;
  double bytes = 0;
};

/// Runs a kernel with options and times it; false when a comparison failed.
using TimeTrial = std::function<Result<bool>(const RunOptions &options, Timing &timing)>;

/// Times every combination of what --tune names, and prints a table of them, slowest first, and the
/// options of the fastest. False when a comparison of one failed, an error when none runs.
Result<bool> runTune(const RunOptions &options, const TimeTrial &time);

/// Prints the words of rows below one another; the first row has the names of the columns, and of a
/// shorter row the last words may be a sentence.
void printColumns(const std::vector<std::vector<std::string>> &rows);

/// The first sentence of an error without the place: a table says what it is about.
std::string faultOf(const Error &error);

} // namespace fsm

#endif // FSM_TOOLS_RUN_RUNTUNE_H
