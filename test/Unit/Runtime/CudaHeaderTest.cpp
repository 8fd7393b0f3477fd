//===- CudaHeaderTest.cpp - The runtime's numbers against cuda.h ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/DriverTypes.h"

#if __has_include(<cuda.h>)
#include <cuda.h>

using namespace fsm::cuda;

#define SAME(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs))

SAME(kSuccess, CUDA_SUCCESS);
SAME(kOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
SAME(kNotInitialized, CUDA_ERROR_NOT_INITIALIZED);
SAME(kStubLibrary, CUDA_ERROR_STUB_LIBRARY);
SAME(kNoDevice, CUDA_ERROR_NO_DEVICE);
SAME(kInvalidDevice, CUDA_ERROR_INVALID_DEVICE);
SAME(kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(kUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME(kIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(kLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
SAME(kHardwareStackError, CUDA_ERROR_HARDWARE_STACK_ERROR);
SAME(kIllegalInstruction, CUDA_ERROR_ILLEGAL_INSTRUCTION);
SAME(kMisalignedAddress, CUDA_ERROR_MISALIGNED_ADDRESS);
SAME(kInvalidAddressSpace, CUDA_ERROR_INVALID_ADDRESS_SPACE);
SAME(kInvalidPc, CUDA_ERROR_INVALID_PC);
SAME(kLaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
SAME(kSystemDriverMismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);

SAME(kMaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(kWarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(kL2CacheSize, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME(kMaxThreadsPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME(kCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(kCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(kMaxSharedPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME(kMaxRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME(kMaxSharedPerBlockOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(kMaxBlocksPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
SAME(kReservedSharedPerBlock, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);

SAME(kLaunchOverlaps, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
SAME(kFunctionMaxThreads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(kFunctionSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(kFunctionLocalBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(kFunctionRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(kFunctionPtxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION);
SAME(kFunctionBinaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
SAME(kFunctionMaxDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);

SAME(kJitInfoLog, CU_JIT_INFO_LOG_BUFFER);
SAME(kJitInfoLogBytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME(kJitErrorLog, CU_JIT_ERROR_LOG_BUFFER);
SAME(kJitErrorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);

// Whether a call of the header's function by our parameters is one of its own
// kind: as many parameters of the same sizes.
template <typename Ours, typename Theirs>
struct SameCall;
template <typename... Ours, typename... Theirs>
struct SameCall<int (*)(Ours...), CUresult (*)(Theirs...)> {
  static constexpr bool value =
      sizeof...(Ours) == sizeof...(Theirs) && ((sizeof(Ours) == sizeof(Theirs)) && ...);
};
#define DRIVER_CALL(call, symbol, parameters)                                                      \
  static_assert(SameCall<int(*) parameters, decltype(&symbol)>::value, #symbol);
// cuda.h renames functions by macros; the .def holds what they become.
#include "fsm/Runtime/DriverCalls.def"
#endif
