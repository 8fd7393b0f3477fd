//===- DriverTypes.h - What the CUDA driver is told -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_DRIVERTYPES_H
#define FSM_RUNTIME_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>

// The CUDA driver's handles and numbers, declared here because no toolkit is
// needed to build or run FSM. test/Unit/Runtime compares the numbers with cuda.h.

namespace fsm::cuda {

using DeviceAddress = uint64_t;
using Context = struct ContextTag *;
using ModuleHandle = struct ModuleTag *;
using FunctionHandle = struct FunctionTag *;
using StreamHandle = struct StreamTag *;
using EventHandle = struct EventTag *;
using PoolHandle = struct PoolTag *;

/// CUmemPoolProps, of memory of one device.
struct PoolProperties {
  int allocationType = 1, handleTypes = 0, locationType = 1, device = 0;
  void *security = nullptr;
  size_t mostBytes = 0;
  unsigned short usage = 0;
  unsigned char reserved[54] = {};
};
static_assert(sizeof(PoolProperties) == 88);

/// CU_MEMPOOL_ATTR_RELEASE_THRESHOLD.
inline constexpr int kPoolKeeps = 4;

/// The results that are treated specially (CUresult).
enum DriverResult : int {
  kSuccess = 0,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kStubLibrary = 34,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kNoBinaryForGpu = 209,
  kUnsupportedPtxVersion = 222,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kHardwareStackError = 714,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
  kInvalidPc = 718,
  kLaunchFailed = 719,
  kSystemDriverMismatch = 803,
};

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kWarpSize = 10,
  kMultiprocessorCount = 16,
  kL2CacheSize = 38,
  kMaxThreadsPerMultiprocessor = 39,
  kCapabilityMajor = 75,
  kCapabilityMinor = 76,
  kMaxSharedPerMultiprocessor = 81,
  kMaxRegistersPerMultiprocessor = 82,
  kMaxSharedPerBlockOptin = 97,
  kMaxBlocksPerMultiprocessor = 106,
  kReservedSharedPerBlock = 111,
};

/// CUlaunchAttribute: its number, and its value in 64 bytes from a multiple of 8 on.
struct LaunchAttribute {
  int id = 0;
  char pad[4] = {};
  int value = 0;
  char rest[60] = {};
};
static_assert(sizeof(LaunchAttribute) == 72);

/// CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: the launch may begin before the one
/// before it has ended.
inline constexpr int kLaunchOverlaps = 6;

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridX = 1, gridY = 1, gridZ = 1;
  unsigned blockX = 1, blockY = 1, blockZ = 1;
  unsigned sharedBytes = 0;
  StreamHandle stream = nullptr;
  LaunchAttribute *attributes = nullptr;
  unsigned attributeCount = 0;
};
static_assert(sizeof(LaunchConfig) == 56);

/// CUfunction_attribute.
enum FunctionAttribute : int {
  kFunctionMaxThreads = 0,
  kFunctionSharedBytes = 1,
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
  kFunctionPtxVersion = 5,
  kFunctionBinaryVersion = 6,
  kFunctionMaxDynamicShared = 8,
  kFunctionNonPortableCluster = 14,
};

/// CUjit_option.
enum JitOption : int {
  kJitInfoLog = 3,
  kJitInfoLogBytes = 4,
  kJitErrorLog = 5,
  kJitErrorLogBytes = 6,
};

} // namespace fsm::cuda

#endif // FSM_RUNTIME_DRIVERTYPES_H
