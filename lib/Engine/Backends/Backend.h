//===- Backend.h - What runs the kernels of an engine -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_ENGINE_BACKEND_H
#define FSM_LIB_ENGINE_BACKEND_H

#include "../KernelState.h"
#include "../LaunchCheck.h"

#include "fsm/Engine/Engine.h"

#include <memory>
#include <string>
#include <vector>

namespace fsm {

/// What a launch is given.
struct LaunchRequest {
  Grid grid;
  const std::vector<Argument> &arguments;
  const LaunchOptions &options;
};

/// A launch whose values lie ready, as the kernel reads them.
struct PackedLaunch {
  Grid grid;
  /// One pointer to each value, hidden arguments included. Only where there is code.
  void **pointers;
  /// The same values; only where there is none.
  const std::vector<Argument> &arguments;
  cuda::StreamHandle stream;
};

/// A device: what a kernel for it is compiled to, and how it is run. Calls may come from any
/// threads; kernels are those that this back end's engine has loaded, and arguments are checked
/// against their signature.
class Backend {
public:
  virtual ~Backend();

  /// The name of the device.
  virtual std::string_view name() const = 0;
  /// What kernels are compiled for.
  virtual std::string target() const = 0;
  /// Refuses a target whose code does not run here.
  virtual Result<void> checkTarget(const std::string &target) const = 0;
  /// False where the kernel's text is run as it stands.
  virtual bool hasCode() const { return true; }

  /// The GPU, or null.
  virtual const cuda::Device *device() const { return nullptr; }
  /// How many programs of any kernel run at the same time.
  virtual int32_t concurrentPrograms() const { return 1; }
  /// What is made of a kernel; only on a GPU.
  virtual Result<KernelReport> report(const Specialisation *code) const;

  /// Makes code callable.
  virtual Result<std::unique_ptr<Specialisation>> load(const CompiledKernel &compiled) const = 0;

  /// Runs a kernel and waits. `code` is null where there is none.
  virtual Result<void> launch(Kernel::State &kernel, const Specialisation *code,
                              const LaunchRequest &request) = 0;

  /// The seconds of launches, after one that is not timed.
  virtual Result<std::vector<double>> time(Kernel::State &kernel, const Specialisation *code,
                                           Grid grid, const std::vector<Argument> &arguments,
                                           unsigned runs);

  /// Queues a launch on memory of the device; where there are no streams, it is done on return.
  virtual Result<void> enqueue(Kernel::State &kernel, const Specialisation *code,
                               const PackedLaunch &launch) = 0;

  /// Whether memory of the host is copied to a device of its own.
  bool isGpu() const { return device() != nullptr; }
};

Result<std::unique_ptr<Backend>> makeDeviceBackend(std::string_view name,
                                                   const EngineOptions &options);
std::unique_ptr<Backend> makeHostBackend();
std::unique_ptr<Backend> makeInterpreterBackend();

/// Launches that are timed say nothing.
LaunchOptions quietLaunch();

/// Whether a grid has no program.
inline bool isEmpty(Grid grid) { return grid.x == 0 || grid.y == 0 || grid.z == 0; }

} // namespace fsm

#endif // FSM_LIB_ENGINE_BACKEND_H
