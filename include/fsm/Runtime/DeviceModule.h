//===- DeviceModule.h - A kernel loaded on a device -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_DEVICEMODULE_H
#define FSM_RUNTIME_DEVICEMODULE_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Artifact/Launch.h"
#include "fsm/Runtime/Stream.h"

namespace fsm::cuda {

/// What the driver says of a kernel's machine code.
struct KernelNumbers {
  /// 32-bit registers of one thread.
  int registers = 0;
  /// Bytes of local memory of one thread: what the registers did not hold.
  int localBytes = 0;
  /// Static shared memory of one CTA, in bytes.
  int staticSharedBytes = 0;
  /// Threads a CTA of this kernel may have.
  int maxThreads = 0;
  /// Compute capabilities as 10 * major + minor: of the machine code and the PTX.
  int binaryVersion = 0, ptxVersion = 0;
};

/// A CTA count in each dimension.
struct CtaGrid {
  uint32_t x = 1, y = 1, z = 1;
};

/// A kernel's PTX, compiled and loaded by the driver. Any threads may call.
class DeviceModule {
public:
  /// The driver's complaints about the PTX are located in the kernel's source, if
  /// the PTX has line information, and in the PTX.
  static Result<DeviceModule> load(const Device &device, const CompiledKernel &kernel);

  DeviceModule(DeviceModule &&other) noexcept;
  DeviceModule &operator=(DeviceModule &&other) noexcept;
  ~DeviceModule();

  const KernelNumbers &numbers() const { return read; }
  const DeviceLaunch &contract() const { return shape; }
  const Device &device() const { return owner; }
  /// What the driver's compiler noted without refusing the PTX; may be empty.
  const std::string &log() const { return notes; }

  unsigned threadsPerCta() const { return 32 * shape.numWarps * shape.programsPerCta; }

  /// How many CTAs of this kernel one multiprocessor holds.
  Result<int> ctasPerMultiprocessor() const;

  /// The CTAs in which so many programs lie, or those that are started to go on to the others. The
  /// extents are not negative.
  CtaGrid ctasOf(Grid programs) const;

  /// Queues a launch on a stream of the device's context. `arguments` has one pointer per kernel parameter, hidden
  /// ones included, each to its value.
  Result<void> launch(StreamHandle stream, CtaGrid ctas, void **arguments) const;

private:
  DeviceModule(const Device &device, const CompiledKernel &kernel)
      : owner(device), name(kernel.name), shape(kernel.device) {}
  Result<void> loadText(const CompiledKernel &kernel);
  Result<void> readNumbers();
  Result<void> allowSharedMemory();
  Result<void> allowCluster();
  Result<void> countPrograms();
  int callDriver(StreamHandle stream, CtaGrid ctas, void **arguments) const;
  Error driverError(int result, const std::string &action) const;

  Device owner;
  std::string name;
  DeviceLaunch shape;
  /// Where programs go on to others: how many run at once.
  uint64_t atOnce = 0;
  ModuleHandle module = nullptr;
  FunctionHandle function = nullptr;
  KernelNumbers read;
  std::string notes;
};

} // namespace fsm::cuda

#endif // FSM_RUNTIME_DEVICEMODULE_H
