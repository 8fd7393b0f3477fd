//===- Launches.cpp - cuLaunch... and cuOccupancy... ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverState.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::driver;
using sim::Report;

static int roundedUp(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// A warp's registers, as they are handed out: 256 at a time.
static int registersPerWarp(const Kernel &kernel) { return roundedUp(kernel.registers * 32, 256); }

/// What `.reqntid` or `.maxntid` say, or 1024.
static int declaredThreads(const sim::Function &function) {
  for (const auto *threads : {&function.requiredThreads, &function.maximalThreads})
    if ((*threads)[0])
      return static_cast<int>(
          std::min<uint64_t>(uint64_t((*threads)[0]) * (*threads)[1] * (*threads)[2], 1024));
  return 1024;
}

int Kernel::maxThreads() const {
  constexpr int parts = 4;
  int warps =
      sim::kRegistersOfMultiprocessor / parts / std::max(registersPerWarp(*this), 1) * parts;
  return std::min(declaredThreads(*function), warps * 32);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {

struct Launch {
  sim::Extent grid, block;
  unsigned sharedBytes = 0;
  CUstream stream = nullptr;
  void **parameters = nullptr, **extra = nullptr;
  /// 0: as the kernel has it.
  unsigned clusterBlocks = 0;
  /// It may begin before the launches before it have ended.
  bool overlaps = false;
};

/// What a kernel's reports make the driver say, the worst first.
CUresult failureOf(const std::vector<Report> &reports, bool isStrict) {
  static constexpr std::pair<Report::Kind, CUresult> failures[] = {
      {Report::Kind::OutOfBounds, CUDA_ERROR_ILLEGAL_ADDRESS},
      {Report::Kind::UseAfterFree, CUDA_ERROR_ILLEGAL_ADDRESS},
      {Report::Kind::ReadOnly, CUDA_ERROR_ILLEGAL_ADDRESS},
      {Report::Kind::Misaligned, CUDA_ERROR_MISALIGNED_ADDRESS},
      {Report::Kind::Trap, CUDA_ERROR_LAUNCH_FAILED},
      {Report::Kind::Deadlock, CUDA_ERROR_LAUNCH_TIMEOUT},
      {Report::Kind::TooManySteps, CUDA_ERROR_LAUNCH_TIMEOUT}};
  for (auto [kind, result] : failures)
    for (const Report &report : reports)
      if (report.kind == kind)
        return result;
  return reports.empty() || !isStrict ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED;
}

bool isWithin(const sim::Extent &extent, uint32_t x, uint32_t y, uint32_t z) {
  return extent.x && extent.y && extent.z && extent.x <= x && extent.y <= y && extent.z <= z;
}

CUresult checkLaunch(const Kernel &kernel, const Launch &launch) {
  if (!isWithin(launch.grid, 0x7fffffff, 65535, 65535) || !isWithin(launch.block, 1024, 1024, 64))
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t threads = uint64_t(launch.block.x) * launch.block.y * launch.block.z;
  const uint32_t *required = kernel.function->requiredThreads;
  bool isOther = required[0] && (required[0] != launch.block.x || required[1] != launch.block.y ||
                                 required[2] != launch.block.z);
  if (threads > 1024 || isOther ||
      threads > static_cast<uint64_t>(declaredThreads(*kernel.function)))
    return CUDA_ERROR_INVALID_VALUE;
  if (launch.sharedBytes > static_cast<unsigned>(kernel.maxDynamicSharedBytes))
    return CUDA_ERROR_INVALID_VALUE;
  constexpr unsigned kPortableBlocks = 8;
  if (std::max(launch.clusterBlocks, kernel.function->clusterBlocks) > kPortableBlocks &&
      !kernel.allowsLargeClusters)
    return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  return threads > static_cast<uint64_t>(kernel.maxThreads()) ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
                                                              : CUDA_SUCCESS;
}

/// What was asked for and what there is, in one line.
std::string describeRefusal(const Kernel &kernel, const Launch &launch) {
  auto product = [](const sim::Extent &extent) {
    return std::to_string(extent.x) + " x " + std::to_string(extent.y) + " x " +
           std::to_string(extent.z);
  };
  bool isExact = kernel.function->requiredThreads[0] &&
                 kernel.maxThreads() == declaredThreads(*kernel.function);
  return "cuLaunchKernel: kernel '" + kernel.function->name + "' takes blocks of " +
         (isExact ? "" : "at most ") + std::to_string(kernel.maxThreads()) + " threads (" +
         std::to_string(kernel.registers) + " registers each) and " +
         std::to_string(kernel.maxDynamicSharedBytes) +
         " bytes of dynamic shared memory, got a grid of " + product(launch.grid) + " blocks of " +
         product(launch.block) + " threads with " + std::to_string(launch.sharedBytes) + " bytes\n";
}

/// One pointer per parameter, from either of the two ways to pass them; false if
/// the caller gave both, or not enough.
bool findParameters(const Kernel &kernel, const Launch &launch, std::vector<void *> &pointers) {
  const std::vector<sim::Variable> &formal = kernel.function->parameters;
  if (launch.parameters && launch.extra)
    return false;
  if (launch.parameters) {
    pointers.assign(launch.parameters, launch.parameters + formal.size());
    return std::find(pointers.begin(), pointers.end(), nullptr) == pointers.end();
  }
  if (!launch.extra)
    return formal.empty();
  char *buffer = nullptr;
  size_t bytes = 0;
  for (void **entry = launch.extra; reinterpret_cast<uintptr_t>(*entry) != kLaunchEnd; entry += 2) {
    uintptr_t what = reinterpret_cast<uintptr_t>(entry[0]);
    if (what != kLaunchBufferPointer && what != kLaunchBufferSize)
      return false;
    if (what == kLaunchBufferPointer)
      buffer = static_cast<char *>(entry[1]);
    else
      bytes = *static_cast<size_t *>(entry[1]);
  }
  if (!buffer || bytes < kernel.function->parameterBytes)
    return false;
  for (const sim::Variable &parameter : formal)
    pointers.push_back(buffer + parameter.offset);
  return true;
}

/// Reports of a cta whose warps are programs of their own, neighbours along x, name the
/// program; of several that the same threads compute, the first; and ctas of a cluster the one
/// program that is theirs.
void nameLogicalPrograms(std::vector<sim::Report> &reports, const Settings &settings) {
  auto programsPerCta = static_cast<uint32_t>(settings.programsPerCta);
  for (sim::Report &report : reports) {
    if (programsPerCta > 1) {
      report.block.x = report.block.x * programsPerCta + report.warp;
      report.thread.x -= 32 * report.warp;
      report.warp = 0;
    }
    report.block.x /= static_cast<uint32_t>(settings.ctas);
    report.block.x *= static_cast<uint32_t>(settings.batch);
  }
}

/// Refuses a launch with a list of what leave_out can leave out.
CUresult listOmissions(DriverState &driver, const Kernel &kernel) {
  Result<std::vector<std::string>> all = kernel.module->module.omissions(kernel.function->name);
  if (!all)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t index = 0; index < all->size(); ++index)
    driver.reports += "omission " + std::to_string(index + 1) + ": " + (*all)[index] + "\n";
  return CUDA_ERROR_INVALID_VALUE;
}

/// Runs the kernel to its end. What it does wrong is what later calls return.
CUresult run(DriverState &driver, Context &context, const Kernel &kernel, const Launch &launch) {
  std::vector<void *> pointers;
  if (!findParameters(kernel, launch, pointers))
    return CUDA_ERROR_INVALID_VALUE;
  if (driver.settings.listOmissions)
    return listOmissions(driver, kernel);
  sim::LaunchOptions options;
  options.leaveOut = static_cast<unsigned>(driver.settings.leaveOut);
  options.seed = static_cast<uint64_t>(driver.settings.seed);
  options.landing = static_cast<sim::LaunchOptions::Landing>(driver.settings.landing);
  options.mostBlocks = static_cast<uint64_t>(driver.settings.mostBlocks);
  options.clusterBlocks = launch.clusterBlocks;
  options.overlaps = launch.overlaps;
  options.maxSteps = static_cast<uint64_t>(driver.settings.maxSteps);
  options.stops = &driver.stops;
  options.threads = static_cast<unsigned>(driver.settings.threads);
  const bool looksForRaces = !driver.settings.allowRaces;
  options.globalRaces = looksForRaces && driver.settings.globalRaces != 0;
  options.programRaces = looksForRaces && driver.settings.programRaces != 0;
  options.racesOfOneStore = driver.settings.globalRaces == 2;
  options.programsPerBlock = static_cast<unsigned>(driver.settings.programsPerCta);
  options.multiprocessors = static_cast<uint32_t>(driver.settings.multiprocessors);
  Result<sim::LaunchReport> report =
      driver.device.launch(kernel.module->module, kernel.function->name, launch.grid, launch.block,
                           launch.sharedBytes, pointers.data(), options);
  if (!report) {
    driver.reports += "cuLaunchKernel: " + report.error().message + "\n";
    return CUDA_ERROR_INVALID_VALUE;
  }
  nameLogicalPrograms(report->reports, driver.settings);
  driver.reports += report->str();
  driver.counters = report->counters;
  context.failure = failureOf(report->reports, driver.settings.strict != 0);
  return CUDA_SUCCESS;
}

CUresult launchKernel(CUfunction function, const Launch &launch) {
  return callInContext([&](DriverState &driver, Context &context) {
    Kernel *kernel = context.find(function);
    if (!kernel || !context.has(launch.stream))
      return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult refused = checkLaunch(*kernel, launch); refused != CUDA_SUCCESS) {
      driver.reports += describeRefusal(*kernel, launch);
      return refused;
    }
    return run(driver, context, *kernel, launch);
  });
}

/// CUDA_SUCCESS if the simulator does what the attribute asks for.
CUresult checkAttribute(const CUlaunchAttribute &attribute) {
  const unsigned *cluster = attribute.value.clusterExtents;
  switch (attribute.id) {
  case CU_LAUNCH_ATTRIBUTE_IGNORE:
  case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
  case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
  case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    return CUDA_SUCCESS;
  case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    return cluster[0] && cluster[1] == 1 && cluster[2] == 1 ? CUDA_SUCCESS
                                                            : CUDA_ERROR_NOT_SUPPORTED;
  case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    return attribute.value.cooperative ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}

} // namespace

FSM_DRIVER_ENTRY CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY,
                                         unsigned gridZ, unsigned blockX, unsigned blockY,
                                         unsigned blockZ, unsigned sharedBytes, CUstream stream,
                                         void **parameters, void **extra) {
  return launchKernel(function, {{gridX, gridY, gridZ},
                                 {blockX, blockY, blockZ},
                                 sharedBytes,
                                 stream,
                                 parameters,
                                 extra,
                                 0,
                                 false});
}

FSM_DRIVER_ENTRY CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                                           void **parameters, void **extra) {
  if (!config || (config->numAttrs && !config->attrs))
    return call([](DriverState &) { return CUDA_ERROR_INVALID_VALUE; });
  for (unsigned index = 0; index < config->numAttrs; ++index)
    if (CUresult refused = checkAttribute(config->attrs[index]); refused != CUDA_SUCCESS)
      return call([&](DriverState &) { return refused; });
  unsigned clusterBlocks = 0;
  bool overlaps = false;
  for (unsigned index = 0; index < config->numAttrs; ++index) {
    const CUlaunchAttribute &attribute = config->attrs[index];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      clusterBlocks = attribute.value.clusterExtents[0];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
      overlaps = attribute.value.overlaps != 0;
  }
  return launchKernel(function, {{config->gridDimX, config->gridDimY, config->gridDimZ},
                                 {config->blockDimX, config->blockDimY, config->blockDimZ},
                                 config->sharedMemBytes,
                                 config->hStream,
                                 parameters,
                                 extra,
                                 clusterBlocks,
                                 overlaps});
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

/// The least of what warps, registers, shared memory and blocks allow.
static int activeBlocks(const Kernel &kernel, int threads, size_t dynamicBytes) {
  constexpr int parts = 4, sharedGranularity = 128;
  if (threads > kernel.maxThreads() ||
      dynamicBytes > static_cast<size_t>(kernel.maxDynamicSharedBytes))
    return 0;
  int warps = (threads + 31) / 32;
  int byWarps = kThreadsPerMultiprocessor / 32 / warps;
  int warpsOfRegisters =
      sim::kRegistersOfMultiprocessor / parts / std::max(registersPerWarp(kernel), 1) * parts;
  int shared =
      roundedUp(kernel.staticSharedBytes + static_cast<int>(dynamicBytes) + kReservedSharedBytes,
                sharedGranularity);
  return std::min({byWarps, warpsOfRegisters / warps, kSharedPerMultiprocessor / shared,
                   kBlocksPerMultiprocessor});
}

FSM_DRIVER_ENTRY CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                      CUfunction function,
                                                                      int threads,
                                                                      size_t dynamicBytes) {
  return callInContext([&](DriverState &, Context &context) {
    if (!blocks || threads <= 0)
      return CUDA_ERROR_INVALID_VALUE;
    Kernel *kernel = context.find(function);
    if (!kernel)
      return CUDA_ERROR_INVALID_HANDLE;
    *blocks = activeBlocks(*kernel, threads, dynamicBytes);
    return CUDA_SUCCESS;
  });
}

FSM_DRIVER_ENTRY CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t dynamicBytes, unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamicBytes);
}
