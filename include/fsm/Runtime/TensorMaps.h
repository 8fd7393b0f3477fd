//===- TensorMaps.h - What copies on a device are told of tensors -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_TENSORMAPS_H
#define FSM_RUNTIME_TENSORMAPS_H

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Runtime/Device.h"

#include <vector>

namespace fsm::cuda {

/// What the driver makes of a tensor, which it and the hardware alone can read.
struct alignas(64) TensorMap {
  unsigned char bytes[128];
};

/// Whether a device has tensor maps and takes these, with these values of all arguments.
bool takesTensorMaps(const Device &device, const std::vector<TensorMapPlan> &plans,
                     const std::vector<KernelArgument> &arguments, const uint64_t *values);

/// Whether lines of a box of one of these begin within a sector of the L2 cache, the 32 bytes that it is asked for at a time.
bool straddleSectors(const std::vector<TensorMapPlan> &plans, const std::vector<KernelArgument> &arguments, const uint64_t *values);

/// The maps of a launch with such values: the arguments' bits, addresses on the device among them.
Result<std::vector<TensorMap>> makeTensorMaps(const Device &device,
                                              const std::vector<TensorMapPlan> &plans,
                                              const std::vector<KernelArgument> &arguments,
                                              const uint64_t *values);

} // namespace fsm::cuda

#endif // FSM_RUNTIME_TENSORMAPS_H
