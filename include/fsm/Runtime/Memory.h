//===- Memory.h - Memory of a device ----------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_MEMORY_H
#define FSM_RUNTIME_MEMORY_H

#include "fsm/Runtime/Device.h"

namespace fsm::cuda {

/// What every allocation's address is a multiple of, in bytes.
inline constexpr uint32_t kMemoryAlignment = 256;

/// An allocation of exactly so many bytes, freed at the end. Copies to and from
/// it wait for the work of all streams made by Stream::create.
class Memory {
public:
  /// No bytes are no allocation: the address is 0.
  static Result<Memory> allocate(const Device &device, size_t bytes);

  Memory(Memory &&other) noexcept;
  Memory &operator=(Memory &&other) noexcept;
  ~Memory();

  DeviceAddress address() const { return begin; }
  size_t bytes() const { return size; }

  /// `bytes` from host memory to `offset` of this memory, or back.
  Result<void> copyIn(const void *from, size_t bytes, size_t offset = 0) const;
  Result<void> copyOut(void *to, size_t bytes, size_t offset = 0) const;
  /// `bytes` from `fromOffset` of memory of this or another device of the driver to `offset`.
  Result<void> copyFrom(const Memory &from, size_t fromOffset, size_t bytes, size_t offset) const;

  const Device &owner() const { return device; }

private:
  Memory(const Device &device, DeviceAddress begin, size_t size)
      : device(device), begin(begin), size(size) {}
  Result<void> checkRange(size_t bytes, size_t offset) const;

  Device device;
  DeviceAddress begin;
  size_t size;
};

/// Memory of a device for what one launch after the other needs on its stream. Nobody waits for it: it is given back
/// behind the launch, and taken again by the next. Any threads may call.
class MemoryPool {
public:
  static Result<MemoryPool> create(const Device &device);
  MemoryPool(MemoryPool &&other) noexcept;
  MemoryPool &operator=(MemoryPool &&other) noexcept;
  ~MemoryPool();

  Result<DeviceAddress> allocate(size_t bytes, StreamHandle stream) const;
  Result<void> giveBack(DeviceAddress address, StreamHandle stream) const;

private:
  MemoryPool(const Device &device, PoolHandle pool) : device(device), pool(pool) {}

  Device device;
  PoolHandle pool;
};

} // namespace fsm::cuda

#endif // FSM_RUNTIME_MEMORY_H
