//===- Memory.cpp - Memory of a device ------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/Memory.h"

#include <utility>

using namespace fsm;
using namespace fsm::cuda;

Result<Memory> Memory::allocate(const Device &device, size_t bytes) {
  if (bytes == 0)
    return Memory(device, 0, 0);
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  DeviceAddress address = 0;
  if (int result = device.driver().memAlloc(&address, bytes); result != kSuccess)
    return device.driver().errorOf(result,
                                   "allocate " + std::to_string(bytes) + " bytes on the device");
  return Memory(device, address, bytes);
}

Memory::Memory(Memory &&other) noexcept
    : device(other.device), begin(std::exchange(other.begin, 0)),
      size(std::exchange(other.size, 0)) {}

/// The other one's end frees what this one held.
Memory &Memory::operator=(Memory &&other) noexcept {
  std::swap(device, other.device);
  std::swap(begin, other.begin);
  std::swap(size, other.size);
  return *this;
}

Memory::~Memory() {
  if (begin == 0)
    return;
  ContextScope scope(device);
  device.driver().memFree(begin);
}

Result<void> Memory::checkRange(size_t bytes, size_t offset) const {
  if (offset <= size && bytes <= size - offset)
    return {};
  return badInput("error: expected a copy within the allocation's " + std::to_string(size) +
                  " bytes, got " + std::to_string(bytes) + " bytes at offset " +
                  std::to_string(offset));
}

Result<void> Memory::copyIn(const void *from, size_t bytes, size_t offset) const {
  if (Result<void> inside = checkRange(bytes, offset); !inside || bytes == 0)
    return inside;
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  const Driver &driver = device.driver();
  return driver.check(driver.memcpyHtoD(begin + offset, from, bytes), "copy to the device");
}

Result<void> Memory::copyOut(void *to, size_t bytes, size_t offset) const {
  if (Result<void> inside = checkRange(bytes, offset); !inside || bytes == 0)
    return inside;
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  const Driver &driver = device.driver();
  return driver.check(driver.memcpyDtoH(to, begin + offset, bytes), "copy from the device");
}

Result<void> Memory::copyFrom(const Memory &from, size_t fromOffset, size_t bytes,
                              size_t offset) const {
  if (Result<void> inside = checkRange(bytes, offset); !inside)
    return inside;
  if (Result<void> inside = from.checkRange(bytes, fromOffset); !inside || bytes == 0)
    return inside;
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  const Driver &driver = device.driver();
  return driver.check(driver.memcpyPeer(begin + offset, device.context(), from.begin + fromOffset,
                                        from.device.context(), bytes),
                      "copy between devices");
}
