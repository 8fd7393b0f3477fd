//===- RunDevice.cpp - The devices of fsm-run -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunDevice.h"

#include "fsm/Cache/KernelCache.h"

#include <algorithm>
#include <cstdio>

using namespace fsm;

static void note(const std::string &message) {
  std::fprintf(stderr, "fsm-run: %s\n", message.c_str());
}

Result<Engine *> OpenDevices::open(const std::string &name) {
  auto known = engines.find(name);
  if (known != engines.end())
    return &known->second;
  EngineOptions options;
  options.cacheFolder = cacheFolderOfEnvironment();
  options.sharedCacheFolder = sharedCacheFolderOfEnvironment();
  Result<Engine> engine = Engine::create(name, options);
  if (!engine)
    return engine.error();
  return &engines.emplace(name, std::move(*engine)).first->second;
}

bool OpenDevices::hasGPU() const {
  return std::any_of(engines.begin(), engines.end(),
                     [](const auto &entry) { return entry.second.deviceProperties() != nullptr; });
}

Result<Engine *> fsm::openDevice(const RunOptions &options, OpenDevices &devices) {
  Result<Engine *> opened = devices.open(options.device);
  if (!opened)
    return opened;
  const Engine &engine = **opened;
  if (options.device.empty())
    note("device " + std::string(engine.device()));
  if (engine.deviceProperties() && options.target == "cpu")
    return runError("--target: expected " + engine.target() + " or another GPU on the device " +
                    std::string(engine.device()) + ", got 'cpu'");
  return opened;
}

/// Whether the way to the CPU has the stage. Any other is one of a GPU's, or refused
/// with those named.
static bool isHostStage(const std::string &stage) {
  std::vector<std::string> stages = Compiler::stages("cpu");
  return std::find(stages.begin(), stages.end(), stage) != stages.end();
}

Result<std::string> fsm::emitTarget(const RunOptions &options, OpenDevices &devices) {
  if (!options.target.empty())
    return options.target;
  // The simulator runs code for any GPU; this is the one that it resembles.
  const char *usual = "sm_90a";
  if (options.device == "sim")
    return std::string(usual);
  if (options.device.substr(0, 4) == "cuda") {
    Result<Engine *> engine = devices.open(options.device);
    if (!engine)
      return Error{engine.error().kind,
                   engine.error().message + "; --emit needs no device beside --target=" + usual};
    return (*engine)->target();
  }
  return std::string(options.device.empty() && !isHostStage(options.emit) ? usual : "cpu");
}

static std::string kibibytes(int64_t bytes) { return std::to_string(bytes / 1024) + " KiB"; }

std::string fsm::deviceText(const std::string &name, const cuda::DeviceProperties *properties) {
  if (!properties)
    return name;
  const cuda::DeviceProperties &of = *properties;
  return name + ", " + of.name + ", sm_" + std::to_string(of.major) + std::to_string(of.minor) +
         ", " + std::to_string(of.multiprocessors) + " multiprocessors of " +
         std::to_string(of.registers) + " registers, " + kibibytes(of.sharedBytes) +
         " of shared memory (" + kibibytes(of.sharedBytesPerCta) + " a CTA), " +
         std::to_string(of.maxThreads) + " threads (" + std::to_string(of.maxThreadsPerCta) +
         " a CTA), " + std::to_string(of.maxCtas) + " CTAs; " + kibibytes(of.l2Bytes) +
         " of L2 cache, " + std::to_string(of.memoryBytes >> 20) + " MiB of memory";
}

std::string fsm::deviceListText(const std::vector<DeviceEntry> &entries) {
  std::string text;
  for (const DeviceEntry &entry : entries)
    text += (entry.reason.empty()
                 ? deviceText(entry.name, entry.properties ? &*entry.properties : nullptr)
                 : entry.name + ", not to be had: " + entry.reason) +
            "\n";
  return text;
}

std::string fsm::kernelReportText(const KernelReport &report) {
  const DeviceLaunch &launch = report.launch;
  char occupancy[32];
  std::snprintf(occupancy, sizeof(occupancy), "%.0f %%", 100 * report.occupancy);
  return std::to_string(report.numbers.registers) + " registers, " +
         std::to_string(report.numbers.localBytes) + " bytes spilled, " +
         std::to_string(int64_t(launch.sharedBytes) + report.numbers.staticSharedBytes) +
         " shared bytes, " + std::to_string(launch.numWarps) +
         (launch.numCtas > 1 ? " warps a CTA, " : " warps a program, ") +
         (launch.numCtas > 1 ? "a cluster of " + std::to_string(launch.numCtas) + " CTAs, "
                             : std::to_string(launch.programs()) + " programs a CTA, ") +
         std::to_string(report.ctasPerMultiprocessor) + " CTAs a multiprocessor (occupancy " +
         occupancy + "), " + std::to_string(report.concurrentPrograms) + " programs at once";
}
