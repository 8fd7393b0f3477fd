//===- DriverState.cpp - What the simulated driver holds -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

#include "fsm/Artifact/CompiledKernel.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

using namespace fsm;
using namespace fsm::driver;

DriverState &driver::state() {
  // Never destroyed: callers' static destructors may still free memory.
  static DriverState *driver = new DriverState;
  return *driver;
}

std::vector<CUcontext> &driver::contextStack() {
  thread_local std::vector<CUcontext> stack;
  return stack;
}

/// FSM_SIMULATOR holds settings as `key=value,key=value`.
DriverState::DriverState() {
  const char *environment = std::getenv("FSM_SIMULATOR");
  std::string text = environment ? environment : "";
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    std::string setting = text.substr(begin, end - begin);
    size_t equals = std::min(setting.find('='), setting.size());
    char *rest = nullptr;
    std::string number = equals < setting.size() ? setting.substr(equals + 1) : "";
    long value = std::strtol(number.c_str(), &rest, 10);
    if (number.empty() || *rest || !configure(setting.substr(0, equals), value))
      badSettings =
          "expected settings such as 'seed=1,threads=2' in FSM_SIMULATOR, got '" + setting + "'";
    begin = end + 1;
  }
}

bool DriverState::configure(const std::string &key, long value) {
  constexpr long most = std::numeric_limits<int>::max(), endless = std::numeric_limits<long>::max();
  struct Row {
    const char *key;
    long *setting, least, most;
  };
  const Row rows[] = {
      {"multiprocessors", &settings.multiprocessors, 1, most},
      {"compute_capability_major", &settings.computeMajor, 1, 99},
      {"compute_capability_minor", &settings.computeMinor, 0, 9},
      {"devices", &settings.devices, 0, 16},
      {"seed", &settings.seed, std::numeric_limits<long>::min(), endless},
      {"landing", &settings.landing, 0, 3},
      {"leave_out", &settings.leaveOut, 0, most},
      {"list_omissions", &settings.listOmissions, 0, 1},
      {"global_races", &settings.globalRaces, 0, 2},
      {"allow_races", &settings.allowRaces, 0, 1},
      {"program_races", &settings.programRaces, 0, 1},
      {"max_steps", &settings.maxSteps, 1, endless},
      {"threads", &settings.threads, 0, 4096},
      {"strict", &settings.strict, 0, 1},
      {"fail_call", &settings.failCall, 0, endless},
      {"programs_per_cta", &settings.programsPerCta, 1, 32},
      {"ctas", &settings.ctas, 1, 16},
      {"batch", &settings.batch, 1, kMostBatched},
      {"most_blocks", &settings.mostBlocks, 0, endless},
      {"unwritten", &settings.unwritten, std::numeric_limits<long>::min(), endless},
      {"driver_version", &settings.driverVersion, 1000, most},
      {"memory_bytes", &settings.memoryBytes, 0, long(1) << 42},
  };
  for (const Row &row : rows) {
    if (key != row.key)
      continue;
    if (value < row.least || value > row.most)
      return false;
    *row.setting = value;
    calls = key == "fail_call" ? 0 : calls;
    return true;
  }
  return false;
}

CUcontext DriverState::addContext(CUdevice device) {
  auto context = std::make_unique<Context>();
  context->device = device;
  CUcontext handle = context.get();
  contexts.emplace(handle, std::move(context));
  return handle;
}

void DriverState::destroy(CUcontext context) {
  auto found = contexts.find(context);
  if (found == contexts.end())
    return;
  for (auto &[address, bytes] : context->memory) {
    (void)device.free(address);
    usedBytes -= bytes;
  }
  for (auto &[pointer, bytes] : context->hostMemory)
    std::free(pointer);
  for (auto &[handle, module] : context->modules)
    device.unload(module->module);
  if (context->isPrimary)
    primaries.erase(context->device);
  contexts.erase(found);
}

/// Another thread may have destroyed what is current here.
CUcontext DriverState::current() const {
  const std::vector<CUcontext> &stack = contextStack();
  return stack.empty() || !contexts.count(stack.back()) ? nullptr : stack.back();
}

/// No stream, the legacy and the per-thread default stream are streams as well.
bool Context::has(CUstream stream) const {
  return reinterpret_cast<uintptr_t>(stream) <= 2 || streams.count(stream);
}

Kernel *Context::find(CUfunction function) const {
  for (const auto &[handle, module] : modules)
    for (const auto &[name, kernel] : module->kernels)
      if (kernel.get() == function)
        return kernel.get();
  return nullptr;
}

CUresult driver::enter(DriverState &driver, CUresult failure, bool needsInit) {
  ++driver.calls;
  if (driver.settings.failCall && driver.calls == driver.settings.failCall)
    return failure;
  return needsInit && !driver.isInitialized ? CUDA_ERROR_NOT_INITIALIZED : CUDA_SUCCESS;
}
