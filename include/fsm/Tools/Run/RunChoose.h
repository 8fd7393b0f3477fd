//===- RunChoose.h - Values of parameters without timing --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_RUNCHOOSE_H
#define FSM_TOOLS_RUN_RUNCHOOSE_H

#include "fsm/Tools/Run/RunDevice.h"
#include "fsm/Tools/Run/RunOptions.h"

namespace fsm {

/// The options with values for the parameters that have domains and none: those of the least
/// predicted time, which it says.
Result<RunOptions> chooseParameters(const RunOptions &options, OpenDevices &devices);

/// Prints what a launch is predicted to take with each combination of values, the best last. Needs
/// no device.
Result<bool> listChoices(const RunOptions &options, OpenDevices &devices);

} // namespace fsm

#endif // FSM_TOOLS_RUN_RUNCHOOSE_H
