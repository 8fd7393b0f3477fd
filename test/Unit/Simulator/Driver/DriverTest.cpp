//===- DriverTest.cpp - The driver's entry points, one after the other -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverLibrary.h"

#include <cstring>
#include <set>
#include <thread>

using namespace fsm::driver;

namespace {

TEST_F(DriverTest, exportsAllThatIsListed) {
  std::set<void *> addresses;
#define FSM_ENTRY_POINT(name)                                                                      \
  EXPECT_TRUE(dlsym(library(), #name)) << #name;                                                   \
  addresses.insert(dlsym(library(), #name));
#include "EntryPoints.def"
  EXPECT_GT(addresses.size(), 60u);
  // Nothing of the simulator's own can be seen.
  EXPECT_FALSE(dlsym(library(), "_ZN3fsm3sim6DeviceC1Ev"));
}

TEST_F(DriverTest, device) {
  int version = 0, count = 0, value = 0;
  CUdevice device = -1;
  EXPECT_EQ(cu("cuDriverGetVersion", &version), CUDA_SUCCESS);
  EXPECT_EQ(version, 13000);
  EXPECT_EQ(cu("cuDeviceGetCount", &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cu("cuDeviceGet", &device, 0), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cu("cuDeviceGet", &device, 1), CUDA_ERROR_INVALID_DEVICE);
  char name[8];
  EXPECT_EQ(cu("cuDeviceGetName", &name[0], 8, 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "FSM sim");
  CUuuid uuid;
  EXPECT_EQ(cu("cuDeviceGetUuid", &uuid, 0), CUDA_SUCCESS);
  size_t bytes = 0;
  EXPECT_EQ(cu("cuDeviceTotalMem_v2", &bytes, 0), CUDA_SUCCESS);
  EXPECT_EQ(bytes, size_t(141) << 30);
  // An H200's data sheet and the CUDA programming guide's table of 9.0.
  const std::pair<int, int> expected[] = {{1, 1024},   {8, 49152},   {10, 32},  {16, 132},
                                          {39, 2048},  {75, 9},      {76, 0},   {81, 233472},
                                          {82, 65536}, {97, 232448}, {106, 32}, {111, 1024}};
  for (auto [attribute, answer] : expected) {
    EXPECT_EQ(cu("cuDeviceGetAttribute", &value, attribute, 0), CUDA_SUCCESS);
    EXPECT_EQ(value, answer) << attribute;
  }
  EXPECT_EQ(cu("cuDeviceGetAttribute", &value, 9999, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(configure("multiprocessors", 7), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuDeviceGetAttribute", &value, 16, 0), CUDA_SUCCESS);
  EXPECT_EQ(value, 7);
}

TEST_F(DriverTest, settings) {
  EXPECT_EQ(configure("colour", 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(configure("multiprocessors", 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(configure("devices", 0), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuInit", 0u), CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(cu("cuInit", 1u), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, contexts) {
  CUcontext current = nullptr, other = nullptr, primary = nullptr, again = nullptr;
  EXPECT_EQ(cu("cuCtxGetCurrent", &current), CUDA_SUCCESS);
  EXPECT_EQ(current, context);
  EXPECT_EQ(cu("cuCtxCreate_v2", &other, 0u, 0), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxPopCurrent_v2", &current), CUDA_SUCCESS);
  EXPECT_EQ(current, other);
  EXPECT_EQ(cu("cuCtxGetCurrent", &current), CUDA_SUCCESS);
  EXPECT_EQ(current, context);
  EXPECT_EQ(cu("cuCtxPushCurrent_v2", other), CUDA_SUCCESS);
  CUdevice device = -1;
  EXPECT_EQ(cu("cuCtxGetDevice", &device), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxDestroy_v2", other), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxDestroy_v2", other), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cu("cuCtxSetCurrent", other), CUDA_ERROR_INVALID_CONTEXT);

  EXPECT_EQ(cu("cuDevicePrimaryCtxRetain", &primary, 0), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuDevicePrimaryCtxRetain", &again, 0), CUDA_SUCCESS);
  EXPECT_EQ(primary, again);
  EXPECT_EQ(cu("cuCtxDestroy_v2", primary), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cu("cuCtxSetCurrent", primary), CUDA_SUCCESS);
  for (int release = 0; release < 2; ++release)
    EXPECT_EQ(cu("cuDevicePrimaryCtxRelease_v2", 0), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuDevicePrimaryCtxRelease_v2", 0), CUDA_ERROR_INVALID_CONTEXT);
  // What is current here is gone.
  EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cu("cuCtxSetCurrent", context), CUDA_SUCCESS);
  // Another thread has no context.
  std::thread([] { EXPECT_EQ(cu("cuCtxSynchronize"), CUDA_ERROR_INVALID_CONTEXT); }).join();
}

TEST_F(DriverTest, devices) {
  EXPECT_EQ(configure("devices", 17), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(configure("devices", 3), CUDA_SUCCESS);
  int count = 0;
  EXPECT_EQ(cu("cuDeviceGetCount", &count), CUDA_SUCCESS);
  EXPECT_EQ(count, 3);
  CUcontext contexts[2] = {}, none = nullptr;
  CUdeviceptr memory[2] = {};
  for (int i = 0; i < 2; ++i) {
    CUdevice device = -1;
    EXPECT_EQ(cu("cuDevicePrimaryCtxRetain", &contexts[i], i + 1), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuCtxSetCurrent", contexts[i]), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuCtxGetDevice", &device), CUDA_SUCCESS);
    EXPECT_EQ(device, i + 1);
    memory[i] = alloc(64);
  }
  EXPECT_NE(contexts[0], contexts[1]);
  EXPECT_EQ(cu("cuDevicePrimaryCtxRetain", &none, 3), CUDA_ERROR_INVALID_DEVICE);

  std::vector<int> values(16, 7), result(16);
  const void *from = values.data();
  void *to = result.data();
  EXPECT_EQ(cu("cuMemcpyHtoD_v2", memory[0], from, size_t(64)), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemcpyPeer", memory[1], contexts[1], memory[0], contexts[0], size_t(64)),
            CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemcpyDtoH_v2", to, memory[1], size_t(64)), CUDA_SUCCESS);
  EXPECT_EQ(result, values);
  EXPECT_EQ(cu("cuMemcpyPeer", memory[1], contexts[0], memory[0], contexts[0], size_t(64)),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(reports().find("expected memory of the context, got another's"), std::string::npos);
  EXPECT_EQ(cu("cuMemcpyPeer", memory[1], contexts[1], memory[0], contexts[0], size_t(65)),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemcpyPeer", memory[1], contexts[1], memory[0], none, size_t(64)),
            CUDA_ERROR_INVALID_CONTEXT);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(cu("cuDevicePrimaryCtxRelease_v2", i + 1), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuCtxSetCurrent", context), CUDA_SUCCESS);
}

TEST_F(DriverTest, memory) {
  size_t before = 0, after = 0, total = 0;
  EXPECT_EQ(cu("cuMemGetInfo_v2", &before, &total), CUDA_SUCCESS);
  CUdeviceptr x = alloc(64), y = alloc(64);
  EXPECT_EQ(cu("cuMemGetInfo_v2", &after, &total), CUDA_SUCCESS);
  EXPECT_EQ(before - after, 128u);
  std::vector<int> values(16), result(16);
  for (int index = 0; index < 16; ++index)
    values[size_t(index)] = index * index;
  const void *from = values.data();
  void *to = result.data();
  EXPECT_EQ(cu("cuMemcpyHtoD_v2", x, from, size_t(64)), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemcpyDtoD_v2", y, x, size_t(64)), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemsetD32_v2", y + 4, 0x01020304u, size_t(2)), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemsetD8_v2", y, static_cast<unsigned char>(0xff), size_t(4)), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemcpyDtoHAsync_v2", to, y, size_t(64), CUstream(nullptr)), CUDA_SUCCESS);
  EXPECT_EQ(result[0], -1);
  EXPECT_EQ(result[1], 0x01020304);
  EXPECT_EQ(result[2], 0x01020304);
  EXPECT_EQ(result[15], 225);

  EXPECT_EQ(cu("cuMemcpyHtoD_v2", x + 4, from, size_t(64)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(reports().find("are not within one allocation"), std::string::npos);
  EXPECT_EQ(cu("cuMemsetD32_v2", y + 1, 0u, size_t(2)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemsetD32_v2", y, 0u, size_t(17)), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr none = 0;
  EXPECT_EQ(cu("cuMemAlloc_v2", &none, size_t(0)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemAlloc_v2", &none, size_t(142) << 30), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cu("cuMemFree_v2", y + 4), CUDA_ERROR_INVALID_VALUE);
  for (CUdeviceptr address : {x, y})
    EXPECT_EQ(cu("cuMemFree_v2", address), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemFree_v2", x), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemGetInfo_v2", &after, &total), CUDA_SUCCESS);
  EXPECT_EQ(before, after);
}

TEST_F(DriverTest, pointers) {
  CUdeviceptr x = alloc(100), base = 0;
  size_t bytes = 0;
  EXPECT_EQ(cu("cuMemGetAddressRange_v2", &base, &bytes, x + 50), CUDA_SUCCESS);
  EXPECT_EQ(base, x);
  EXPECT_EQ(bytes, 100u);
  void *host = nullptr;
  EXPECT_EQ(cu("cuMemHostAlloc", &host, size_t(10), 0u), CUDA_SUCCESS);
  std::memset(host, 1, 10);
  unsigned kind = 0;
  void *data = &kind;
  EXPECT_EQ(cu("cuPointerGetAttribute", data, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, x + 99),
            CUDA_SUCCESS);
  EXPECT_EQ(kind, CU_MEMORYTYPE_DEVICE);
  auto address = static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(host));
  EXPECT_EQ(cu("cuPointerGetAttribute", data, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address),
            CUDA_SUCCESS);
  EXPECT_EQ(kind, CU_MEMORYTYPE_HOST);
  EXPECT_EQ(cu("cuPointerGetAttribute", data, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, x + 100),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu("cuMemFreeHost", host), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuMemFreeHost", host), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, streamsAndEvents) {
  CUstream stream = nullptr;
  CUevent start = nullptr, end = nullptr;
  EXPECT_EQ(cu("cuStreamCreate", &stream, unsigned(CU_STREAM_NON_BLOCKING)), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventCreate", &start, 0u), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventCreate", &end, 0u), CUDA_SUCCESS);
  float time = -1;
  EXPECT_EQ(cu("cuEventElapsedTime", &time, start, end), CUDA_ERROR_INVALID_HANDLE);
  for (CUevent event : {start, end}) {
    EXPECT_EQ(cu("cuEventRecord", event, stream), CUDA_SUCCESS);
    EXPECT_EQ(cu("cuEventSynchronize", event), CUDA_SUCCESS);
  }
  EXPECT_EQ(cu("cuEventElapsedTime", &time, start, end), CUDA_SUCCESS);
  EXPECT_GE(time, 0);
  EXPECT_EQ(cu("cuStreamWaitEvent", stream, end, 0u), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamSynchronize", stream), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamQuery", stream), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamDestroy_v2", stream), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuStreamSynchronize", stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu("cuEventDestroy_v2", start), CUDA_SUCCESS);
  EXPECT_EQ(cu("cuEventDestroy_v2", start), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu("cuEventRecord", start, CUstream(nullptr)), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverTest, errorNames) {
  const char *text = nullptr;
  EXPECT_EQ(cu("cuGetErrorName", int(CUDA_ERROR_ILLEGAL_ADDRESS), &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(cu("cuGetErrorString", int(CUDA_ERROR_ILLEGAL_ADDRESS), &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "a kernel accessed an illegal address");
  EXPECT_EQ(cu("cuGetErrorName", 12345, &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST_F(DriverTest, procAddress) {
  void *pointer = nullptr;
  auto status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  const char *name = "cuMemAlloc", *unknown = "cuMakeCoffee";
  EXPECT_EQ(cu("cuGetProcAddress_v2", name, &pointer, 12000, uint64_t(0), &status), CUDA_SUCCESS);
  EXPECT_EQ(pointer, dlsym(library(), "cuMemAlloc_v2"));
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_EQ(cu("cuGetProcAddress_v2", unknown, &pointer, 12000, uint64_t(0), &status),
            CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

/// Each call of a sequence fails once, with nothing done, and the caller can go on.
TEST_F(DriverTest, failCall) {
  for (long which = 1; which <= 3; ++which) {
    EXPECT_EQ(configure("fail_call", which), CUDA_SUCCESS);
    CUdeviceptr address = 0;
    size_t free = 0, total = 0;
    int first = cu("cuMemAlloc_v2", &address, size_t(16));
    int second = cu("cuMemGetInfo_v2", &free, &total);
    EXPECT_EQ(first, which == 1 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS);
    EXPECT_EQ(second, which == 2 ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS);
    if (which == 1) {
      EXPECT_EQ(address, 0u);
      continue;
    }
    int third = cu("cuMemFree_v2", address);
    EXPECT_EQ(third, which == 3 ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS);
    auto calls = reinterpret_cast<long (*)()>(dlsym(library(), "fsmSimulatorCalls"));
    EXPECT_EQ(calls(), 3);
    if (which == 3)
      EXPECT_EQ(cu("cuMemFree_v2", address), CUDA_SUCCESS);
  }
}

} // namespace
