//===- RunLaunch.h - Launch, check, compare and time ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_RUNLAUNCH_H
#define FSM_TOOLS_RUN_RUNLAUNCH_H

#include "fsm/Engine/Engine.h"
#include "fsm/Tools/Arguments/ArgumentValue.h"
#include "fsm/Tools/Run/RunDevice.h"
#include "fsm/Tools/Run/RunTune.h"

namespace fsm {

/// What one fsm-run is about, once its command line and file are understood.
struct RunRequest {
  const RunOptions &options;
  const Source &source;
  const KernelSignature &signature;
  CompileOptions compile;
  OpenDevices &devices;
  /// Gets the times instead of standard output, where only what fails is said; or null.
  Timing *timing = nullptr;
};

/// Launches the kernel once on `values`, then does all that the options ask of
/// the result: --check, --compare, --time and, when every comparison held,
/// --out. False when one did not hold.
Result<bool> runLaunch(const RunRequest &request, Engine &engine,
                       std::vector<ArgumentValue> values);

/// Prints what a compile had to say besides errors to standard error.
void printDiagnostics(const std::vector<std::string> &diagnostics);

/// What a launch takes for each value.
std::vector<Argument> launchArguments(std::vector<ArgumentValue> &values);

/// `12.30 us`.
std::string durationText(double seconds);

} // namespace fsm

#endif // FSM_TOOLS_RUN_RUNLAUNCH_H
