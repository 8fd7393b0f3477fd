//===- RunDevice.h - The devices of fsm-run ---------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_RUNDEVICE_H
#define FSM_TOOLS_RUN_RUNDEVICE_H

#include "fsm/Engine/Engine.h"
#include "fsm/Tools/Run/RunOptions.h"

#include <map>
#include <string>

namespace fsm {

/// The engines of the runs of one process: each device is opened once.
class OpenDevices {
public:
  /// The engine of what --device or --compare names; it lives
  /// as long as this object.
  Result<Engine *> open(const std::string &name);

  /// Whether a GPU, real or simulated, is open.
  bool hasGPU() const;

private:
  std::map<std::string, Engine> engines;
};

/// Opens the device that was asked for, or says which one was chosen.
Result<Engine *> openDevice(const RunOptions &options, OpenDevices &devices);

/// What --emit compiles for: --target, or the device's own target, or what can
/// have the stage at all.
Result<std::string> emitTarget(const RunOptions &options, OpenDevices &devices);

/// One line for each device: what it is like, or why it is not to be had.
std::string deviceListText(const std::vector<DeviceEntry> &entries);

/// `cuda:0, NVIDIA H200, sm_90, 132 multiprocessors, ...`; the mere name for the
/// devices that run on the host.
std::string deviceText(const std::string &name, const cuda::DeviceProperties *properties);

/// `40 registers, 0 bytes spilled, ...` of a kernel, and how many of its programs
/// the device runs at once.
std::string kernelReportText(const KernelReport &report);

} // namespace fsm

#endif // FSM_TOOLS_RUN_RUNDEVICE_H
