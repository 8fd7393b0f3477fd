//===- DeviceModule.cpp - A kernel loaded on a device ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/DeviceModule.h"

#include "JitLog.h"

#include "fsm/Artifact/Clusters.h"

#include <algorithm>
#include <utility>

using namespace fsm;
using namespace fsm::cuda;

DeviceModule::DeviceModule(DeviceModule &&other) noexcept
    : owner(other.owner), name(std::move(other.name)), shape(other.shape), atOnce(other.atOnce),
      module(std::exchange(other.module, nullptr)), function(other.function), read(other.read),
      notes(std::move(other.notes)) {}

/// The other one's end unloads what this one held.
DeviceModule &DeviceModule::operator=(DeviceModule &&other) noexcept {
  std::swap(owner, other.owner);
  std::swap(name, other.name);
  std::swap(shape, other.shape);
  std::swap(atOnce, other.atOnce);
  std::swap(module, other.module);
  std::swap(function, other.function);
  std::swap(read, other.read);
  std::swap(notes, other.notes);
  return *this;
}

DeviceModule::~DeviceModule() {
  if (!module)
    return;
  ContextScope scope(owner);
  owner.driver().moduleUnload(module);
}

Error DeviceModule::driverError(int result, const std::string &action) const {
  return owner.driver().errorOf(result, action + " kernel @" + name);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Result<void> DeviceModule::loadText(const CompiledKernel &kernel) {
  std::string info(16384, '\0'), errors(16384, '\0');
  auto number = [](size_t value) { return reinterpret_cast<void *>(value); };
  int options[] = {kJitInfoLog, kJitInfoLogBytes, kJitErrorLog, kJitErrorLogBytes};
  void *values[] = {info.data(), number(info.size()), errors.data(), number(errors.size())};
  const Driver &driver = owner.driver();
  int result = driver.moduleLoadDataEx(&module, kernel.code.c_str(), 4, options, values);
  notes = info.c_str();
  if (result == kSuccess)
    return {};
  module = nullptr;
  Error error = driverError(result, "load");
  std::string log = locateJitLog(errors.c_str(), kernel.code, name);
  if (!log.empty())
    error.message = log + "\n" + error.message;
  return error;
}

Result<void> DeviceModule::readNumbers() {
  const std::pair<int, int *> attributes[] = {
      {kFunctionRegisters, &read.registers},           {kFunctionLocalBytes, &read.localBytes},
      {kFunctionSharedBytes, &read.staticSharedBytes}, {kFunctionMaxThreads, &read.maxThreads},
      {kFunctionBinaryVersion, &read.binaryVersion},   {kFunctionPtxVersion, &read.ptxVersion},
  };
  for (auto [attribute, value] : attributes)
    if (int result = owner.driver().funcGetAttribute(value, attribute, function);
        result != kSuccess)
      return driverError(result, "read attribute " + std::to_string(attribute) + " of");
  return {};
}

/// Clusters beyond the portable size are asked for.
Result<void> DeviceModule::allowCluster() {
  constexpr unsigned kPortableCtas = 8;
  if (shape.numCtas <= kPortableCtas)
    return {};
  if (int result = owner.driver().funcSetAttribute(function, kFunctionNonPortableCluster, 1);
      result != kSuccess)
    return driverError(result, "allow clusters of " + std::to_string(shape.numCtas) + " CTAs for");
  return {};
}

/// More than a CTA may have is refused with the numbers; the driver wants to be
/// asked for more than 48 KiB.
Result<void> DeviceModule::allowSharedMemory() {
  int most = owner.properties().sharedBytesPerCta - read.staticSharedBytes;
  if (int64_t(shape.sharedBytes) > most)
    return Error{Error::Kind::Execution,
                 "error: kernel @" + name + " needs " + std::to_string(shape.sharedBytes) +
                     " bytes of shared memory, but a CTA of " + owner.properties().name + " has " +
                     std::to_string(most) + "; expected smaller blocks or a lower num_stages"};
  if (shape.sharedBytes == 0)
    return {};
  int bytes = static_cast<int>(shape.sharedBytes);
  if (int result = owner.driver().funcSetAttribute(function, kFunctionMaxDynamicShared, bytes);
      result != kSuccess)
    return driverError(result, "reserve " + std::to_string(bytes) + " bytes of shared memory for");
  return {};
}

Result<void> DeviceModule::countPrograms() {
  if (!shape.loopsPrograms)
    return {};
  Result<int> ctas = ctasPerMultiprocessor();
  if (!ctas)
    return ctas.error();
  auto all = static_cast<uint64_t>(std::max(0, owner.properties().multiprocessors)) *
             static_cast<uint64_t>(*ctas);
  all = ctasAtOnce(all, std::max(shape.cluster, shape.numCtas));
  atOnce = std::max<uint64_t>(1, all * shape.programs() / shape.numCtas);
  return {};
}

static Result<void> checkContract(const CompiledKernel &kernel) {
  std::string place = "error: kernel @" + kernel.name + ": ";
  if (kernel.contractVersion != kLaunchContractVersion)
    return badInput(place + "expected the launch contract version " +
                    std::to_string(kLaunchContractVersion) + ", got " +
                    std::to_string(kernel.contractVersion));
  if (kernel.target.compare(0, 3, "sm_") != 0)
    return badInput(place + "expected code for a GPU, got code for '" + kernel.target + "'");
  const DeviceLaunch &shape = kernel.device;
  if (shape.numWarps == 0 || shape.numWarps > 32 || shape.programsPerCta == 0 ||
      shape.programsPerCta > 32)
    return badInput(place + "expected 1 to 32 warps and 1 to 32 programs per CTA, got " +
                    std::to_string(shape.numWarps) + " and " +
                    std::to_string(shape.programsPerCta));
  if (shape.numCtas == 0 || shape.numCtas > 16 ||
      (shape.numCtas > 1 && shape.programsPerCta > 1))
    return badInput(place + "expected 1 to 16 CTAs per program, and 1 where programs share a CTA, "
                            "got " +
                    std::to_string(shape.numCtas));
  if (shape.batch == 0 || shape.batch > kMostBatched)
    return badInput(place + "expected 1 to " + std::to_string(kMostBatched) +
                    " programs that the same threads compute, got " + std::to_string(shape.batch));
  if (shape.cluster == 0 || shape.cluster > kMostClustered ||
      (shape.cluster > 1 && (shape.numCtas > 1 || shape.programs() > 1)))
    return badInput(place + "expected 1 to " + std::to_string(kMostClustered) +
                    " programs in a cluster, and of one CTA each, got " + std::to_string(shape.cluster));
  return {};
}

Result<DeviceModule> DeviceModule::load(const Device &device, const CompiledKernel &kernel) {
  if (Result<void> checked = checkContract(kernel); !checked)
    return checked.error();
  ContextScope scope(device);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  DeviceModule loaded(device, kernel);
  if (Result<void> done = loaded.loadText(kernel); !done)
    return done.error();
  const Driver &driver = device.driver();
  if (int result = driver.moduleGetFunction(&loaded.function, loaded.module, kernel.name.c_str());
      result != kSuccess)
    return loaded.driverError(result, "find");
  if (Result<void> done = loaded.readNumbers(); !done)
    return done.error();
  if (loaded.threadsPerCta() > static_cast<unsigned>(loaded.read.maxThreads))
    return Error{Error::Kind::Execution,
                 "error: kernel @" + kernel.name + " needs " +
                     std::to_string(loaded.threadsPerCta()) + " threads per CTA, but with " +
                     std::to_string(loaded.read.registers) + " registers each " +
                     device.properties().name + " runs at most " +
                     std::to_string(loaded.read.maxThreads) + "; expected a lower num_warps"};
  if (Result<void> done = loaded.allowSharedMemory(); !done)
    return done.error();
  if (Result<void> done = loaded.allowCluster(); !done)
    return done.error();
  if (Result<void> done = loaded.countPrograms(); !done)
    return done.error();
  return loaded;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Result<int> DeviceModule::ctasPerMultiprocessor() const {
  ContextScope scope(owner);
  if (Result<void> entered = scope.entered(); !entered)
    return entered.error();
  int count = 0;
  int result = owner.driver().maxActiveBlocks(&count, function, static_cast<int>(threadsPerCta()),
                                              shape.sharedBytes);
  if (result != kSuccess)
    return driverError(result, "read the occupancy of");
  return count;
}

CtaGrid DeviceModule::ctasOf(Grid grid) const {
  uint32_t perCta = shape.programs();
  uint64_t others = uint64_t(static_cast<uint32_t>(grid.y)) * static_cast<uint32_t>(grid.z);
  uint64_t programs =
      shape.startedOf(static_cast<uint32_t>(grid.x), atOnce / std::max<uint64_t>(1, others));
  uint64_t x = (programs + perCta - 1) / perCta * shape.numCtas;
  // What is too much the launch refuses.
  return {static_cast<uint32_t>(std::min<uint64_t>(x, UINT32_MAX)), static_cast<uint32_t>(grid.y),
          static_cast<uint32_t>(grid.z)};
}

/// Code that waits for the launches before it is launched so that it has to, where the driver can.
int DeviceModule::callDriver(StreamHandle stream, CtaGrid ctas, void **arguments) const {
  const Driver &driver = owner.driver();
  if (!shape.overlapsLaunches || !driver.launchKernelEx)
    return driver.launchKernel(function, ctas.x, ctas.y, ctas.z, threadsPerCta(), 1, 1,
                               shape.sharedBytes, stream, arguments, nullptr);
  LaunchAttribute overlaps;
  overlaps.id = kLaunchOverlaps;
  overlaps.value = 1;
  LaunchConfig config{ctas.x, ctas.y,    ctas.z, threadsPerCta(), 1, 1, shape.sharedBytes,
                      stream, &overlaps, 1};
  return driver.launchKernelEx(&config, function, arguments, nullptr);
}

Result<void> DeviceModule::launch(StreamHandle stream, CtaGrid ctas, void **arguments) const {
  ContextScope scope(owner);
  if (Result<void> entered = scope.entered(); !entered)
    return entered;
  if (uint32_t most = INT32_MAX; ctas.x > most)
    return badInput("error: kernel @" + name + " has " + std::to_string(shape.numCtas) +
                    " CTAs a program; expected at most " + std::to_string(most / shape.numCtas) +
                    " programs along x");
  if (ctas.x % shape.cluster != 0)
    return badInput("error: kernel @" + name + " has clusters of " + std::to_string(shape.cluster) +
                    " programs; expected a multiple of them along x, got " + std::to_string(ctas.x) +
                    " programs");
  if (int result = callDriver(stream, ctas, arguments); result != kSuccess)
    return driverError(result, "launch");
  return {};
}
