//===- SimulatorRun.h - Launches that are watched ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_SIMULATORRUN_H
#define FSM_RUNTIME_SIMULATORRUN_H

#include "fsm/Runtime/DeviceModule.h"

namespace fsm::cuda {

/// Tells the simulator of the launch to come, whose reports are to name programs, whatever CTAs
/// they lie in. A GPU's driver is told nothing.
void announceLaunch(const DeviceModule &module, bool allowsRaces);

/// What became of launches that are done: what the simulator reports of them is an error, and says
/// more than the driver's that it may come with. Its reports are of all since they were last asked
/// for, so only one launch is on its way at a time.
Result<void> withReports(const Driver &driver, Result<void> done);

} // namespace fsm::cuda

#endif // FSM_RUNTIME_SIMULATORRUN_H
