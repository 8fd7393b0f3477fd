//===- Driver.h - The CUDA driver, found at run time ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_DRIVER_H
#define FSM_RUNTIME_DRIVER_H

#include "fsm/Artifact/SimulatorEntry.h"
#include "fsm/Runtime/DriverTypes.h"
#include "fsm/Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace fsm::cuda {

/// The table of a driver library's entry points. A library stays loaded until
/// the process ends. Any threads may call.
class Driver {
public:
#define DRIVER_CALL(call, symbol, parameters) int(*call) parameters = nullptr;
#include "fsm/Runtime/DriverCalls.def"

  /// Null in drivers before CUDA 12.
  int (*tensorMapEncodeTiled)(void *map, int type, unsigned rank, DeviceAddress address,
                              const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
                              const uint32_t *elementStrides, int interleave, int swizzle,
                              int promotion, int fill) = nullptr;

  /// Null in drivers before CUDA 11.2.
  int (*memPoolCreate)(PoolHandle *pool, const PoolProperties *properties) = nullptr;
  int (*memPoolSetAttribute)(PoolHandle pool, int attribute, void *value) = nullptr;
  int (*memPoolDestroy)(PoolHandle pool) = nullptr;
  int (*memAllocFromPoolAsync)(DeviceAddress *address, size_t bytes, PoolHandle pool, StreamHandle stream) = nullptr;
  int (*memFreeAsync)(DeviceAddress address, StreamHandle stream) = nullptr;

  /// Null in drivers before CUDA 12.3, whose graphs do not record what it is called for: launches
  /// that overlap.
  int (*launchKernelEx)(const LaunchConfig *config, FunctionHandle function, void **arguments,
                        void **extra) = nullptr;

  /// What the simulator has on top; null in a GPU's driver.
  SimulatorReportsFunction *simulatorReports = nullptr;
  SimulatorNameArgumentFunction *simulatorNameArgument = nullptr;
  SimulatorConfigureFunction *simulatorConfigure = nullptr;
  SimulatorAccessesFunction *simulatorAccesses = nullptr;

  /// The driver of the machine's GPUs, initialised.
  static Result<std::shared_ptr<const Driver>> loadCuda();

  /// The simulator: `path`, or if that is empty the libfsm-simulator.so beside
  /// this code or the program, or in the folder lib next to theirs.
  static Result<std::shared_ptr<const Driver>> loadSimulator(const std::string &path = "");

  /// Any library with the driver's entry points. Errors are of the kind NoDevice
  /// and name the file, and the symbol that it lacks.
  static Result<std::shared_ptr<const Driver>> load(const std::string &path);

  /// The file it was loaded from, as it was asked for.
  const std::string &path() const { return file; }
  bool isSimulator() const { return simulatorReports != nullptr; }

  /// How many devices there are.
  Result<int> deviceCount() const;

  /// Success, or what a call's result means: `error: cannot <action>: <the
  /// driver's name and sentence of the result>`.
  Result<void> check(int result, const char *action) const {
    return result == kSuccess ? Result<void>() : errorOf(result, action);
  }
  Error errorOf(int result, const std::string &action) const;

private:
  std::string file;
};

} // namespace fsm::cuda

#endif // FSM_RUNTIME_DRIVER_H
