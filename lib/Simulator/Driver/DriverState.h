//===- DriverState.h - What the simulated driver holds ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_DRIVER_DRIVERSTATE_H
#define FSM_LIB_SIMULATOR_DRIVER_DRIVERSTATE_H

#include "../Text/Ptx.h"
#include "DriverApi.h"
#include "fsm/Simulator/Simulator.h"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>

namespace fsm::driver {

// The device: what a compute capability of 9.0 has.
inline constexpr int kDefaultSharedBytes = 48 * 1024, kOptInSharedBytes = 227 * 1024;
inline constexpr int kSharedPerMultiprocessor = 228 * 1024, kReservedSharedBytes = 1024;
inline constexpr int kThreadsPerMultiprocessor = 2048, kBlocksPerMultiprocessor = 32;

/// What fsmSimulatorConfigure sets.
struct Settings {
  long multiprocessors = 132, computeMajor = 9, computeMinor = 0, devices = 1;
  long seed = 0, landing = 0, leaveOut = 0, listOmissions = 0, globalRaces = 0, programRaces = 1,
       allowRaces = 0, maxSteps = long(1) << 28, threads = 0, strict = 1, failCall = 0;
  long programsPerCta = 1, ctas = 1, batch = 1, mostBlocks = 0, unwritten = 0;
  long driverVersion = 13000, memoryBytes = long(141) << 30;
};

struct Event {
  bool isTimed = true, isRecorded = false;
  std::chrono::steady_clock::time_point time;
};
struct Stream {
  unsigned flags = 0;
};

struct Kernel {
  LoadedModule *module = nullptr;
  const sim::Function *function = nullptr;
  int registers = 0, staticSharedBytes = 0, localBytes = 0;
  /// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  int maxDynamicSharedBytes = 0, carveout = -1;
  /// CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
  bool allowsLargeClusters = false;

  /// The most threads a block of it can have.
  int maxThreads() const;
};

struct LoadedModule {
  explicit LoadedModule(sim::Module module) : module(std::move(module)) {}
  sim::Module module;
  std::map<std::string, std::unique_ptr<Kernel>> kernels;
};

struct Context {
  CUdevice device = 0;
  bool isPrimary = false;
  unsigned retained = 0;
  /// What a kernel did; every later call returns it.
  CUresult failure = CUDA_SUCCESS;
  std::map<CUmodule, std::unique_ptr<LoadedModule>> modules;
  std::map<CUstream, std::unique_ptr<Stream>> streams;
  std::map<CUevent, std::unique_ptr<Event>> events;
  /// Device memory by its first address, and pinned host memory, with their bytes.
  std::map<CUdeviceptr, size_t> memory;
  std::map<void *, size_t> hostMemory;

  bool has(CUstream stream) const;
  Kernel *find(CUfunction function) const;
};

struct DriverState {
  std::mutex mutex;
  /// Read and written without the lock.
  std::atomic<bool> stops = false;
  Settings settings;
  bool isInitialized = false;
  /// Calls since fail_call was set.
  long calls = 0;
  /// What was wrong with the environment's settings, in one sentence.
  std::string badSettings;
  sim::Device device;
  uint64_t usedBytes = 0;
  std::map<CUcontext, std::unique_ptr<Context>> contexts;
  /// The primary contexts that there are, by their devices.
  std::map<CUdevice, CUcontext> primaries;
  std::string reports;
  sim::Counters counters;

  DriverState();
  /// Sets what a key names; false if there is no such key or the value is not allowed.
  bool configure(const std::string &key, long value);
  CUcontext addContext(CUdevice device);
  void destroy(CUcontext context);
  CUcontext current() const;
};

DriverState &state();
/// The calling thread's contexts, the current one last.
std::vector<CUcontext> &contextStack();

/// The address of an entry point, or null. "cuMemAlloc" is the newest form there
/// is, "cuMemAlloc_v2"; the full name is found as well.
void *findEntryPoint(const std::string &symbol);

/// Counts a call. Anything but CUDA_SUCCESS is what the call must return:
/// `failure` if it is the one that fail_call names.
CUresult enter(DriverState &driver, CUresult failure, bool needsInit);

/// The body of an entry point that needs no context.
template <typename F>
CUresult call(F body, CUresult failure = CUDA_ERROR_UNKNOWN, bool needsInit = true) {
  DriverState &driver = state();
  std::lock_guard<std::mutex> lock(driver.mutex);
  if (CUresult refused = enter(driver, failure, needsInit); refused != CUDA_SUCCESS)
    return refused;
  try {
    return body(driver);
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

/// The body of an entry point that works on the current context.
template <typename F>
CUresult callInContext(F body, CUresult failure = CUDA_ERROR_UNKNOWN) {
  return call(
      [&](DriverState &driver) {
        CUcontext context = driver.current();
        if (!context)
          return CUDA_ERROR_INVALID_CONTEXT;
        if (context->failure != CUDA_SUCCESS)
          return context->failure;
        return body(driver, *context);
      },
      failure);
}

} // namespace fsm::driver

#endif // FSM_LIB_SIMULATOR_DRIVER_DRIVERSTATE_H
