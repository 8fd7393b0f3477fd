//===- DriverLibrary.h - The simulator's driver, loaded --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_SIMULATOR_DRIVER_DRIVERLIBRARY_H
#define FSM_TEST_UNIT_SIMULATOR_DRIVER_DRIVERLIBRARY_H

#include "DriverApi.h"

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <string>
#include <vector>

namespace fsm::driver {

inline void *library() {
  static void *handle = dlopen(FSM_SIMULATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  EXPECT_TRUE(handle) << dlerror();
  return handle;
}

/// Calls an entry point by its name; arguments must have the driver's types.
template <typename... Arguments>
int cu(const char *name, Arguments... arguments) {
  void *address = dlsym(library(), name);
  EXPECT_TRUE(address) << "no entry point " << name;
  return address ? reinterpret_cast<int (*)(Arguments...)>(address)(arguments...) : -1;
}

inline int configure(const char *key, long value) {
  return cu<const char *, long>("fsmSimulatorConfigure", key, value);
}

inline void stop(int stops) {
  auto function = reinterpret_cast<void (*)(int)>(dlsym(library(), "fsmSimulatorStop"));
  ASSERT_TRUE(function);
  function(stops);
}

inline std::string reports() {
  auto take = reinterpret_cast<const char *(*)()>(dlsym(library(), "fsmSimulatorReports"));
  return take ? take() : "";
}

/// A context of its own for each test, and the simulator's settings as they begin.
class DriverTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(library());
    reset();
    reports();
    ASSERT_EQ(cu("cuInit", 0u), CUDA_SUCCESS);
    ASSERT_EQ(cu("cuCtxCreate_v2", &context, 0u, 0), CUDA_SUCCESS);
  }
  void TearDown() override {
    reset();
    cu("cuCtxDestroy_v2", context);
  }
  static void reset() {
    const std::pair<const char *, long> settings[] = {{"multiprocessors", 132},
                                                      {"compute_capability_major", 9},
                                                      {"compute_capability_minor", 0},
                                                      {"devices", 1},
                                                      {"seed", 0},
                                                      {"landing", 0},
                                                      {"max_steps", 1 << 20},
                                                      {"threads", 2},
                                                      {"strict", 1},
                                                      {"driver_version", 13000},
                                                      {"memory_bytes", long(141) << 30},
                                                      {"fail_call", 0}};
    for (auto [key, value] : settings)
      EXPECT_EQ(configure(key, value), CUDA_SUCCESS) << key;
  }

  CUdeviceptr alloc(size_t bytes) {
    CUdeviceptr address = 0;
    EXPECT_EQ(cu("cuMemAlloc_v2", &address, bytes), CUDA_SUCCESS);
    return address;
  }
  CUmodule load(const std::string &text) {
    CUmodule module = nullptr;
    const void *image = text.c_str();
    EXPECT_EQ(cu("cuModuleLoadData", &module, image), CUDA_SUCCESS) << reports();
    return module;
  }
  CUfunction find(CUmodule module, const char *name) {
    CUfunction function = nullptr;
    EXPECT_EQ(cu("cuModuleGetFunction", &function, module, name), CUDA_SUCCESS);
    return function;
  }
  int attribute(CUfunction function, CUfunction_attribute which) {
    int value = -1;
    EXPECT_EQ(cu("cuFuncGetAttribute", &value, which, function), CUDA_SUCCESS);
    return value;
  }
  static int launch(CUfunction function, unsigned grid, unsigned block, std::vector<void *> values,
                    unsigned shared = 0, CUstream stream = nullptr) {
    void **none = nullptr;
    return cu("cuLaunchKernel", function, grid, 1u, 1u, block, 1u, 1u, shared, stream,
              values.data(), none);
  }

  CUcontext context = nullptr;
};

} // namespace fsm::driver

#endif // FSM_TEST_UNIT_SIMULATOR_DRIVER_DRIVERLIBRARY_H
