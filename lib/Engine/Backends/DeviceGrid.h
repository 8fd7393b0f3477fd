//===- DeviceGrid.h - Runs the programs of a grid on a GPU ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_ENGINE_DEVICEGRID_H
#define FSM_LIB_ENGINE_DEVICEGRID_H

#include "../LaunchCheck.h"

#include "fsm/Engine/Engine.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// A GPU, or the simulator, that launches kernels one after another.
class DeviceGrid {
public:
  /// Opens "cuda", "cuda:N" or "sim".
  static Result<std::unique_ptr<DeviceGrid>> open(std::string_view name,
                                                  const EngineOptions &options);

  const std::string &name() const { return deviceName; }
  const cuda::Device &device() const { return gpu; }
  bool isSimulator() const { return gpu.driver().isSimulator(); }

  /// What kernels for this device are compiled for.
  std::string target() const;

  /// Refuses a target whose code this device cannot run.
  Result<void> checkTarget(const std::string &target) const;

  /// What the device makes of a kernel.
  Result<KernelReport> report(const cuda::DeviceModule &module) const;

  /// Runs a kernel and waits. What the simulator reports is an error.
  Result<void> run(const cuda::DeviceModule &module, Grid grid, LaunchValues values,
                   bool allowsRaces = false) const;

  /// Queues a kernel on a stream of the caller. `pointers` has one to each argument as the device
  /// takes it, the hidden ones included.
  Result<void> enqueue(const cuda::DeviceModule &module, Grid grid, void **pointers,
                       cuda::StreamHandle on) const;

  /// The same, and waits: what the simulator reports is an error.
  Result<void> runNow(const cuda::DeviceModule &module, Grid grid, void **pointers,
                      cuda::StreamHandle on) const;

  /// The seconds that each of some launches took on the device, each with cold
  /// caches; on the simulator one launch, in the host's time.
  Result<std::vector<double>> time(const cuda::DeviceModule &module, Grid grid,
                                   LaunchValues values, unsigned runs);

private:
  DeviceGrid(std::string name, cuda::Device gpu, cuda::Stream stream)
      : deviceName(std::move(name)), gpu(std::move(gpu)), stream(std::move(stream)) {}
  Result<void> enqueue(const cuda::DeviceModule &module, Grid grid, LaunchValues &values,
                       bool allowsRaces = false) const;
  Result<void> finish(Result<void> launched) const;
  Result<void> makeTimer();

  struct Timer {
    cuda::Event begin, end;
    /// Writing all of it leaves nothing of a kernel's data in the caches.
    cuda::Memory flush;
  };
  std::string deviceName;
  cuda::Device gpu;
  cuda::Stream stream;
  std::optional<Timer> timer;
};

} // namespace fsm

#endif // FSM_LIB_ENGINE_DEVICEGRID_H
