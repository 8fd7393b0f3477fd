//===- DeviceCopies.h - Arguments of the host on a device -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_ENGINE_DEVICECOPIES_H
#define FSM_LIB_ENGINE_DEVICECOPIES_H

#include "fsm/Artifact/Launch.h"
#include "fsm/Compiler/Compiler.h"
#include "fsm/Runtime/Memory.h"

#include <optional>
#include <vector>

namespace fsm {

/// Where the buffers of a launch lie on a device: each host buffer has an
/// allocation of exactly its size; those that overlap share one, as they share
/// memory on the host.
class BufferPlacement {
public:
  explicit BufferPlacement(const std::vector<Argument> &arguments);

  struct Allocation {
    char *host;
    size_t bytes;
    /// The arguments in it.
    std::vector<size_t> arguments;
  };
  const std::vector<Allocation> &allocations() const { return all; }

  /// The arguments as the kernel gets them when allocation i begins at bases[i].
  std::vector<Argument> placedAt(const std::vector<uint64_t> &bases) const;

  /// The same for addresses that are as aligned as any the device will give.
  std::vector<Argument> planned() const;

private:
  struct Slot {
    size_t allocation, offset;
  };
  std::vector<Argument> arguments;
  std::vector<Allocation> all;
  /// Per argument; none for scalars, empty buffers and memory of the device.
  std::vector<std::optional<Slot>> slots;
};

/// Copies of a launch's host buffers in the memory of a device.
class DeviceCopies {
public:
  /// Allocates and copies. On the simulator, the memory gets the arguments' names.
  static Result<DeviceCopies> upload(const cuda::Device &device, const KernelSignature &signature,
                                     const std::vector<Argument> &arguments);

  /// What the kernel is launched with.
  const std::vector<Argument> &onDevice() const { return placed; }

  /// Copies back to the host buffers.
  Result<void> download() const;

private:
  explicit DeviceCopies(const std::vector<Argument> &arguments) : placement(arguments) {}
  BufferPlacement placement;
  std::vector<cuda::Memory> memories;
  std::vector<Argument> placed;
};

} // namespace fsm

#endif // FSM_LIB_ENGINE_DEVICECOPIES_H
