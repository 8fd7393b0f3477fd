//===- EnvironmentTest.cpp - Settings from the environment -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverLibrary.h"

#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace fsm::driver;

namespace {

/// Files that are there until the program ends: the loader knows a library by
/// its file.
struct Files {
  std::vector<std::string> paths;
  ~Files() {
    for (const std::string &path : paths)
      std::remove(path.c_str());
  }
} files;

/// The library once more, under another name: with a state of its own, which
/// reads the environment.
void *freshLibrary(const char *settings) {
  std::string path = testing::TempDir() + "fsm-simulator-" + std::to_string(getpid()) + "-" +
                     std::to_string(files.paths.size()) + ".so";
  files.paths.push_back(path);
  std::ofstream(path, std::ios::binary)
      << std::ifstream(FSM_SIMULATOR_LIBRARY, std::ios::binary).rdbuf();
  setenv("FSM_SIMULATOR", settings, 1);
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_TRUE(handle) << dlerror();
  return handle;
}

int init(void *handle) {
  int result = reinterpret_cast<int (*)(unsigned)>(dlsym(handle, "cuInit"))(0);
  unsetenv("FSM_SIMULATOR");
  return result;
}

TEST(DriverEnvironment, setsTheDevice) {
  void *handle = freshLibrary("seed=7,multiprocessors=3");
  ASSERT_TRUE(handle);
  EXPECT_EQ(init(handle), CUDA_SUCCESS);
  int value = 0;
  auto attribute =
      reinterpret_cast<int (*)(int *, int, int)>(dlsym(handle, "cuDeviceGetAttribute"));
  EXPECT_EQ(attribute(&value, 16, 0), CUDA_SUCCESS);
  EXPECT_EQ(value, 3);
}

TEST(DriverEnvironment, refusesWhatItDoesNotKnow) {
  for (const char *setting : {"colour=1", "seed", "seed=", "seed=x", "threads=-1"}) {
    void *handle = freshLibrary(setting);
    ASSERT_TRUE(handle);
    EXPECT_EQ(init(handle), CUDA_ERROR_INVALID_VALUE);
    auto take = reinterpret_cast<const char *(*)()>(dlsym(handle, "fsmSimulatorReports"));
    EXPECT_EQ(take(), "expected settings such as 'seed=1,threads=2' in FSM_SIMULATOR, got '" +
                          std::string(setting) + "'\n");
  }
}

} // namespace
