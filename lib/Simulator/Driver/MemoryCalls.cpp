//===- MemoryCalls.cpp - cuMem... and cuPointer... -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

#include <cstdlib>
#include <cstring>

using namespace fsm;
using namespace fsm::driver;

/// Says in the reports why a call was refused.
static CUresult refuse(DriverState &driver, const char *entry, const Error &error) {
  driver.reports += std::string(entry) + ": " + error.message + "\n";
  return CUDA_ERROR_INVALID_VALUE;
}

/// What is known of an address: where its memory begins, its bytes and its owner.
struct Known {
  uint64_t begin = 0, bytes = 0;
  bool isHost = false;
  CUcontext owner = nullptr;
};

static Known know(const DriverState &driver, CUdeviceptr address) {
  for (const auto &[handle, context] : driver.contexts) {
    for (const auto &[begin, bytes] : context->memory)
      if (address >= begin && address - begin < bytes)
        return {begin, bytes, false, handle};
    for (const auto &[pointer, bytes] : context->hostMemory)
      if (uint64_t begin = reinterpret_cast<uintptr_t>(pointer);
          address >= begin && address - begin < bytes)
        return {begin, bytes, true, handle};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

FSM_DRIVER_ENTRY CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  return callInContext(
      [&](DriverState &driver, Context &context) {
        if (!address || !bytes)
          return CUDA_ERROR_INVALID_VALUE;
        uint64_t total = static_cast<uint64_t>(driver.settings.memoryBytes);
        if (bytes > total || driver.usedBytes > total - bytes)
          return CUDA_ERROR_OUT_OF_MEMORY;
        Result<uint64_t> made = driver.device.alloc(bytes);
        if (!made)
          return CUDA_ERROR_OUT_OF_MEMORY;
        context.memory.emplace(*made, bytes);
        driver.usedBytes += bytes;
        *address = *made;
        return CUDA_SUCCESS;
      },
      CUDA_ERROR_OUT_OF_MEMORY);
}

FSM_DRIVER_ENTRY CUresult cuMemFree_v2(CUdeviceptr address) {
  return callInContext([&](DriverState &driver, Context &) {
    if (!address)
      return CUDA_SUCCESS;
    // Any context may free what another one allocated.
    for (auto &[handle, owner] : driver.contexts)
      if (auto found = owner->memory.find(address); found != owner->memory.end()) {
        driver.usedBytes -= found->second;
        owner->memory.erase(found);
        (void)driver.device.free(address);
        return CUDA_SUCCESS;
      }
    return CUDA_ERROR_INVALID_VALUE;
  });
}

FSM_DRIVER_ENTRY CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  return callInContext([&](DriverState &driver, Context &) {
    if (!free || !total)
      return CUDA_ERROR_INVALID_VALUE;
    *total = static_cast<size_t>(driver.settings.memoryBytes);
    *free = *total > driver.usedBytes ? *total - driver.usedBytes : 0;
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes,
                                                  CUdeviceptr address) {
  return callInContext([&](DriverState &driver, Context &) {
    auto range = driver.device.allocationOf(address);
    if (!range)
      return CUDA_ERROR_NOT_FOUND;
    if (base)
      *base = range->first;
    if (bytes)
      *bytes = range->second;
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  return callInContext(
      [&](DriverState &, Context &context) {
        constexpr unsigned known = 7; // portable, mapped, write-combined
        if (!pointer || !bytes || (flags & ~known))
          return CUDA_ERROR_INVALID_VALUE;
        constexpr size_t page = 4096;
        void *made = bytes > SIZE_MAX - page
                         ? nullptr
                         : std::aligned_alloc(page, (bytes + page - 1) / page * page);
        if (!made)
          return CUDA_ERROR_OUT_OF_MEMORY;
        context.hostMemory.emplace(made, bytes);
        *pointer = made;
        return CUDA_SUCCESS;
      },
      CUDA_ERROR_OUT_OF_MEMORY);
}

FSM_DRIVER_ENTRY CUresult cuMemAllocHost_v2(void **pointer, size_t bytes) {
  return cuMemHostAlloc(pointer, bytes, 0);
}
FSM_DRIVER_ENTRY CUresult cuMemAllocHost(void **pointer, unsigned bytes) {
  return cuMemHostAlloc(pointer, bytes, 0);
}

FSM_DRIVER_ENTRY CUresult cuMemFreeHost(void *pointer) {
  return callInContext([&](DriverState &driver, Context &) {
    for (auto &[handle, owner] : driver.contexts)
      if (owner->hostMemory.erase(pointer)) {
        std::free(pointer);
        return CUDA_SUCCESS;
      }
    return CUDA_ERROR_INVALID_VALUE;
  });
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// A copy or a fill: `body` gives a Result<void>. Streams do all at once.
template <typename F>
static CUresult transfer(const char *entry, CUstream stream, F body) {
  return callInContext([&](DriverState &driver, Context &context) {
    if (!context.has(stream))
      return CUDA_ERROR_INVALID_HANDLE;
    Result<void> done = body(driver.device);
    return done ? CUDA_SUCCESS : refuse(driver, entry, done.error());
  });
}

static Result<void> checkHost(const void *pointer, size_t bytes) {
  return pointer || !bytes ? Result<void>() : badInput("expected host memory, got a null pointer");
}

/// What the host fills fresh memory with says, where it is still there, that nobody has written.
static void forgetUnwritten(const DriverState &driver, sim::Device &device, CUdeviceptr to,
                            const void *from, size_t bytes) {
  const long number = driver.settings.unwritten;
  if (!number)
    return;
  const auto *data = static_cast<const uint8_t *>(from);
  for (size_t at = -reinterpret_cast<uintptr_t>(from) % 8; at + 4 <= bytes; at += 8) {
    size_t count = bytes - at < 8 ? 4 : 8;
    if (!std::memcmp(data + at, &number, count))
      device.forget(to + at, count);
  }
}

FSM_DRIVER_ENTRY CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                                               CUstream stream) {
  return transfer("cuMemcpyHtoD", stream, [&](sim::Device &device) {
    Result<void> checked = checkHost(from, bytes);
    if (!checked || !bytes)
      return checked;
    Result<void> copied = device.copyIn(to, from, bytes);
    if (copied)
      forgetUnwritten(state(), device, to, from, bytes);
    return copied;
  });
}
FSM_DRIVER_ENTRY CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  return cuMemcpyHtoDAsync_v2(to, from, bytes, nullptr);
}

FSM_DRIVER_ENTRY CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                                               CUstream stream) {
  return transfer("cuMemcpyDtoH", stream, [&](sim::Device &device) {
    Result<void> checked = checkHost(to, bytes);
    return checked && bytes ? device.copyOut(to, from, bytes) : checked;
  });
}
FSM_DRIVER_ENTRY CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  return cuMemcpyDtoHAsync_v2(to, from, bytes, nullptr);
}

FSM_DRIVER_ENTRY CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                               CUstream stream) {
  return transfer("cuMemcpyDtoD", stream, [&](sim::Device &device) {
    return bytes ? device.copy(to, from, bytes) : Result<void>();
  });
}
FSM_DRIVER_ENTRY CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, nullptr);
}

/// From memory of one context to memory of another, whose devices may differ.
FSM_DRIVER_ENTRY CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                                       CUcontext fromContext, size_t bytes) {
  return call([&](DriverState &driver) {
    for (auto [address, context] : {std::pair(to, toContext), {from, fromContext}}) {
      if (!driver.contexts.count(context))
        return CUDA_ERROR_INVALID_CONTEXT;
      if (bytes && know(driver, address).owner != context)
        return refuse(driver, "cuMemcpyPeer", badInput("expected memory of the context, got another's"));
    }
    Result<void> done = bytes ? driver.device.copy(to, from, bytes) : Result<void>();
    return done ? CUDA_SUCCESS : refuse(driver, "cuMemcpyPeer", done.error());
  });
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

FSM_DRIVER_ENTRY CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                                          CUstream stream) {
  return transfer("cuMemsetD8", stream, [&](sim::Device &device) {
    return count ? device.fill(to, value, count) : Result<void>();
  });
}
FSM_DRIVER_ENTRY CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return cuMemsetD8Async(to, value, count, nullptr);
}

template <typename T>
static CUresult fillWords(const char *entry, CUdeviceptr to, T value, size_t count,
                          CUstream stream) {
  return transfer(entry, stream, [&](sim::Device &device) -> Result<void> {
    if (to % sizeof(T))
      return badInput("expected an address that is a multiple of " + std::to_string(sizeof(T)));
    if (!count)
      return {};
    // The range is checked before the host's memory is taken for it.
    if (count > SIZE_MAX / sizeof(T))
      return badInput("the words are not within one allocation");
    if (Result<void> known = device.fill(to, 0, count * sizeof(T)); !known)
      return known;
    return device.copyIn(to, std::vector<T>(count, value).data(), count * sizeof(T));
  });
}

FSM_DRIVER_ENTRY CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                                           CUstream stream) {
  return fillWords("cuMemsetD16", to, value, count, stream);
}
FSM_DRIVER_ENTRY CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fillWords("cuMemsetD16", to, value, count, nullptr);
}
FSM_DRIVER_ENTRY CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                                           CUstream stream) {
  return fillWords("cuMemsetD32", to, value, count, stream);
}
FSM_DRIVER_ENTRY CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fillWords("cuMemsetD32", to, value, count, nullptr);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

template <typename T>
static CUresult give(void *to, T value) {
  std::memcpy(to, &value, sizeof(T));
  return CUDA_SUCCESS;
}

FSM_DRIVER_ENTRY CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                                                CUdeviceptr address) {
  return callInContext([&](DriverState &driver, Context &) {
    Known known = know(driver, address);
    if (!data || !known.owner)
      return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return give(data, known.owner);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return give(data, known.isHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return known.isHost ? CUDA_ERROR_INVALID_VALUE : give(data, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return known.isHost ? give(data, address) : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return give(data, 0u);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return give(data, known.owner->device);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return give(data, known.begin);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return give(data, known.bytes);
    }
    return CUDA_ERROR_NOT_SUPPORTED;
  });
}
