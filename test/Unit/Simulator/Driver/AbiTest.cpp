//===- AbiTest.cpp - The driver's numbers against cuda.h ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverApi.h"

#include <gtest/gtest.h>

namespace own = fsm::driver;

#if __has_include(<cuda.h>)
#include <cuda.h>

// Every line is checked when it is compiled.
#define SAME(name) static_assert(int(::name) == int(own::name), #name " differs from cuda.h")

#define FSM_DRIVER_RESULT(name, number, text) SAME(name);
#include "Results.def"
#define FSM_DEVICE_ATTRIBUTE(name, number, value)                                                  \
  static_assert(int(::CU_DEVICE_ATTRIBUTE_##name) == number, #name " differs from cuda.h");
#include "DeviceAttributes.def"

SAME(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME(CU_FUNC_ATTRIBUTE_PTX_VERSION);
SAME(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
SAME(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
SAME(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
SAME(CU_JIT_MAX_REGISTERS);
SAME(CU_JIT_THREADS_PER_BLOCK);
SAME(CU_JIT_WALL_TIME);
SAME(CU_JIT_INFO_LOG_BUFFER);
SAME(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME(CU_JIT_ERROR_LOG_BUFFER);
SAME(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME(CU_JIT_OPTIMIZATION_LEVEL);
SAME(CU_JIT_LOG_VERBOSE);
SAME(CU_JIT_GENERATE_LINE_INFO);
SAME(CU_POINTER_ATTRIBUTE_CONTEXT);
SAME(CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
SAME(CU_POINTER_ATTRIBUTE_DEVICE_POINTER);
SAME(CU_POINTER_ATTRIBUTE_HOST_POINTER);
SAME(CU_POINTER_ATTRIBUTE_IS_MANAGED);
SAME(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
SAME(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
SAME(CU_POINTER_ATTRIBUTE_RANGE_SIZE);
SAME(CU_MEMORYTYPE_HOST);
SAME(CU_MEMORYTYPE_DEVICE);
SAME(CU_STREAM_NON_BLOCKING);
SAME(CU_EVENT_BLOCKING_SYNC);
SAME(CU_EVENT_DISABLE_TIMING);
SAME(CU_LAUNCH_ATTRIBUTE_IGNORE);
SAME(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW);
SAME(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
SAME(CU_LAUNCH_ATTRIBUTE_PRIORITY);

static_assert(sizeof(::CUdeviceptr) == sizeof(own::CUdeviceptr), "a device address is 64 bits");
static_assert(sizeof(::CUuuid) == sizeof(own::CUuuid), "an identifier is 16 bytes");
static_assert(sizeof(::CUlaunchAttribute) == sizeof(own::CUlaunchAttribute), "size of attributes");
static_assert(offsetof(::CUlaunchAttribute, value) == offsetof(own::CUlaunchAttribute, value),
              "place of an attribute's value");
static_assert(sizeof(::CUlaunchConfig) == sizeof(own::CUlaunchConfig), "size of configurations");
static_assert(offsetof(::CUlaunchConfig, sharedMemBytes) ==
                  offsetof(own::CUlaunchConfig, sharedMemBytes),
              "place of the shared bytes");
static_assert(offsetof(::CUlaunchConfig, hStream) == offsetof(own::CUlaunchConfig, hStream),
              "place of the stream");
static_assert(offsetof(::CUlaunchConfig, numAttrs) == offsetof(own::CUlaunchConfig, numAttrs),
              "place of the number of attributes");
#endif

namespace {

/// What the manual says of the numbers a caller sees most, in any case.
TEST(DriverAbi, numbers) {
  EXPECT_EQ(int(own::CUDA_ERROR_ILLEGAL_ADDRESS), 700);
  EXPECT_EQ(int(own::CUDA_ERROR_MISALIGNED_ADDRESS), 716);
  EXPECT_EQ(int(own::CUDA_ERROR_INVALID_PTX), 218);
  EXPECT_EQ(sizeof(own::CUlaunchConfig), 56u);
  EXPECT_EQ(sizeof(own::CUlaunchAttribute), 72u);
}

} // namespace
