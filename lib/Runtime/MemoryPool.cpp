//===- MemoryPool.cpp - Memory in the order of streams -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/Memory.h"

#include <utility>

using namespace fsm;
using namespace fsm::cuda;

Result<MemoryPool> MemoryPool::create(const Device &device) {
  const Driver &driver = device.driver();
  if (!driver.memPoolCreate || !driver.memPoolSetAttribute || !driver.memPoolDestroy || !driver.memAllocFromPoolAsync ||
      !driver.memFreeAsync)
    return Error{Error::Kind::NoDevice, "error: the driver has no memory in the order of streams; expected one of "
                                        "CUDA 11.2 or newer"};
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  PoolProperties properties;
  properties.device = device.number();
  PoolHandle pool = nullptr;
  if (int result = driver.memPoolCreate(&pool, &properties); result != kSuccess)
    return driver.errorOf(result, "make a pool of memory on the device");
  // What is given back stays for the next launch, also where somebody waits for the device meanwhile.
  uint64_t keeps = UINT64_MAX;
  MemoryPool made(device, pool);
  if (int result = driver.memPoolSetAttribute(pool, kPoolKeeps, &keeps); result != kSuccess)
    return driver.errorOf(result, "make a pool of memory on the device");
  return made;
}

MemoryPool::MemoryPool(MemoryPool &&other) noexcept
    : device(other.device), pool(std::exchange(other.pool, nullptr)) {}

MemoryPool &MemoryPool::operator=(MemoryPool &&other) noexcept {
  std::swap(device, other.device);
  std::swap(pool, other.pool);
  return *this;
}

MemoryPool::~MemoryPool() {
  if (!pool)
    return;
  ContextScope scope(device);
  device.driver().memPoolDestroy(pool);
}

Result<DeviceAddress> MemoryPool::allocate(size_t bytes, StreamHandle stream) const {
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  DeviceAddress address = 0;
  if (int result = device.driver().memAllocFromPoolAsync(&address, bytes, pool, stream); result != kSuccess)
    return device.driver().errorOf(result, "allocate " + std::to_string(bytes) + " bytes for a launch");
  return address;
}

Result<void> MemoryPool::giveBack(DeviceAddress address, StreamHandle stream) const {
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  return device.driver().check(device.driver().memFreeAsync(address, stream), "give back a launch's memory");
}
