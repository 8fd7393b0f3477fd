//===- DeviceCopies.cpp - Arguments of the host on a device ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceCopies.h"

#include <algorithm>
#include <numeric>

using namespace fsm;

//===----------------------------------------------------------------------===//
// BufferPlacement
//===----------------------------------------------------------------------===//

static bool isHostBuffer(const Argument &argument) {
  return argument.kind == Argument::Kind::Buffer && !argument.onDevice && argument.bytes != 0;
}

BufferPlacement::BufferPlacement(const std::vector<Argument> &arguments)
    : arguments(arguments), slots(arguments.size()) {
  std::vector<size_t> order(arguments.size());
  std::iota(order.begin(), order.end(), size_t(0));
  auto begin = [&](size_t i) { return reinterpret_cast<uintptr_t>(arguments[i].data); };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_pair(begin(a), a) < std::make_pair(begin(b), b);
  });
  uintptr_t end = 0;
  for (size_t i : order) {
    const Argument &argument = arguments[i];
    if (!isHostBuffer(argument))
      continue;
    if (all.empty() || begin(i) >= end)
      all.push_back({static_cast<char *>(argument.data), 0, {}});
    Allocation &allocation = all.back();
    size_t offset = begin(i) - reinterpret_cast<uintptr_t>(allocation.host);
    allocation.bytes = std::max(allocation.bytes, offset + argument.bytes);
    allocation.arguments.push_back(i);
    end = reinterpret_cast<uintptr_t>(allocation.host) + allocation.bytes;
    slots[i] = Slot{all.size() - 1, offset};
  }
}

std::vector<Argument> BufferPlacement::placedAt(const std::vector<uint64_t> &bases) const {
  std::vector<Argument> placed = arguments;
  for (size_t i = 0; i < placed.size(); ++i) {
    if (slots[i])
      placed[i] =
          Argument::deviceBuffer(bases[slots[i]->allocation] + slots[i]->offset, placed[i].bytes);
    else if (placed[i].kind == Argument::Kind::Buffer && !placed[i].onDevice)
      placed[i] = Argument::deviceBuffer(0, 0);
  }
  return placed;
}

std::vector<Argument> BufferPlacement::planned() const {
  // Beyond the addresses that devices use, and further apart than any is large.
  std::vector<uint64_t> bases;
  for (size_t i = 0; i < all.size(); ++i)
    bases.push_back((uint64_t(1) << 63) + (uint64_t(i) << 48));
  return placedAt(bases);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// `%out`, or `%out, %in` for arguments that share an allocation.
static std::string namesIn(const BufferPlacement::Allocation &allocation,
                           const KernelSignature &signature) {
  std::string names;
  for (size_t i : allocation.arguments)
    names += (names.empty() ? "%" : ", %") + signature.arguments[i].name;
  return names;
}

Result<DeviceCopies> DeviceCopies::upload(const cuda::Device &device,
                                          const KernelSignature &signature,
                                          const std::vector<Argument> &arguments) {
  DeviceCopies copies(arguments);
  std::vector<uint64_t> bases;
  for (const BufferPlacement::Allocation &allocation : copies.placement.allocations()) {
    Result<cuda::Memory> memory = cuda::Memory::allocate(device, allocation.bytes);
    if (!memory)
      return memory.error();
    if (Result<void> copied = memory->copyIn(allocation.host, allocation.bytes); !copied)
      return copied.error();
    if (auto *name = device.driver().simulatorNameArgument)
      name(memory->address(), namesIn(allocation, signature).c_str());
    bases.push_back(memory->address());
    copies.memories.push_back(std::move(*memory));
  }
  copies.placed = copies.placement.placedAt(bases);
  return copies;
}

Result<void> DeviceCopies::download() const {
  for (size_t i = 0; i < memories.size(); ++i) {
    const BufferPlacement::Allocation &allocation = placement.allocations()[i];
    if (Result<void> copied = memories[i].copyOut(allocation.host, allocation.bytes); !copied)
      return copied;
  }
  return {};
}
