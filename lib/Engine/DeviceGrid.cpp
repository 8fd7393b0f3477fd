//===- DeviceGrid.cpp - Runs the programs of a grid on a GPU --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceGrid.h"

#include "fsm/Machine/GpuTarget.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// The N of "cuda:N"; 0 of "cuda"; none of anything else.
static std::optional<int> ordinalOf(std::string_view name) {
  if (name == "cuda")
    return 0;
  if (name.substr(0, 5) != "cuda:" || name.size() == 5 || name.size() > 9)
    return std::nullopt;
  int ordinal = 0;
  for (char digit : name.substr(5)) {
    if (digit < '0' || digit > '9')
      return std::nullopt;
    ordinal = 10 * ordinal + (digit - '0');
  }
  return ordinal;
}

Result<std::unique_ptr<DeviceGrid>> DeviceGrid::open(std::string_view name,
                                                     const EngineOptions &options) {
  bool isSimulator = name == "sim";
  std::optional<int> ordinal = isSimulator ? 0 : ordinalOf(name);
  if (!ordinal)
    return Error{Error::Kind::NoDevice, "error: there is no device '" + std::string(name) +
                                            "'; expected interp, cpu, cuda, cuda:N or sim"};
  auto driver =
      isSimulator ? cuda::Driver::loadSimulator(options.simulatorLibrary) : cuda::Driver::loadCuda();
  if (!driver)
    return driver.error();
  Result<cuda::Device> device = cuda::Device::open(*driver, *ordinal, static_cast<cuda::Context>(options.context));
  if (!device)
    return device.error();
  Result<cuda::Stream> stream = cuda::Stream::create(*device);
  if (!stream)
    return stream.error();
  std::string opened = isSimulator ? "sim" : "cuda:" + std::to_string(*ordinal);
  return std::unique_ptr<DeviceGrid>(
      new DeviceGrid(std::move(opened), std::move(*device), std::move(*stream)));
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

std::optional<int> fsm::capabilityOf(std::string_view target) {
  if (target.substr(0, 3) != "sm_")
    return std::nullopt;
  std::string_view digits = target.substr(3);
  if (!digits.empty() && digits.back() == 'a')
    digits.remove_suffix(1);
  if (digits.size() < 2 || digits.size() > 3)
    return std::nullopt;
  int number = 0;
  for (char digit : digits) {
    if (digit < '0' || digit > '9')
      return std::nullopt;
    number = 10 * number + (digit - '0');
  }
  return number;
}

std::string DeviceGrid::target() const {
  int own = 10 * gpu.properties().major + gpu.properties().minor;
  const GpuTarget *best = targetFor(static_cast<unsigned>(own));
  // The compiler refuses what it does not know, with a list of what it does.
  return best ? best->name : "sm_" + std::to_string(own);
}

Result<void> DeviceGrid::checkTarget(const std::string &target) const {
  std::optional<int> wanted = capabilityOf(target);
  int own = 10 * gpu.properties().major + gpu.properties().minor;
  // PTX runs on later GPUs, unless it uses what one architecture alone has.
  bool isSpecific = target.back() == 'a';
  if (wanted && (isSpecific ? *wanted == own : *wanted <= own))
    return {};
  return badInput("error: the device '" + deviceName + "' (" + gpu.properties().name +
                  ") runs code for " + this->target() + " or older, got the target '" + target +
                  "'");
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Result<KernelReport> DeviceGrid::report(const cuda::DeviceModule &module) const {
  Result<int> ctas = module.ctasPerMultiprocessor();
  if (!ctas)
    return ctas.error();
  const cuda::DeviceProperties &properties = gpu.properties();
  KernelReport report;
  report.numbers = module.numbers();
  report.launch = module.contract();
  report.ctasPerMultiprocessor = *ctas;
  if (properties.maxThreads > 0)
    report.occupancy = double(*ctas) * module.threadsPerCta() / properties.maxThreads;
  report.concurrentPrograms = static_cast<int32_t>(std::max<int64_t>(
      1, int64_t(properties.multiprocessors) * *ctas * report.launch.programsPerCta));
  return report;
}

static cuda::CtaGrid ctasOf(const cuda::DeviceModule &module, Grid grid) {
  uint32_t perCta = module.contract().programsPerCta;
  return {(static_cast<uint32_t>(grid.x) + perCta - 1) / perCta, static_cast<uint32_t>(grid.y),
          static_cast<uint32_t>(grid.z)};
}

/// Reports are to name programs, whatever ctas they lie in.
void DeviceGrid::tellSimulator(const cuda::DeviceModule &module, bool allowsRaces) const {
  if (auto *configure = gpu.driver().simulatorConfigure) {
    configure("programs_per_cta", static_cast<long>(module.contract().programsPerCta));
    configure("allow_races", allowsRaces);
  }
}

Result<void> DeviceGrid::enqueue(const cuda::DeviceModule &module, Grid grid, void **pointers,
                                 cuda::StreamHandle on) const {
  return module.launch(on, ctasOf(module, grid), pointers);
}

Result<void> DeviceGrid::enqueue(const cuda::DeviceModule &module, Grid grid, ArgumentBits &bits,
                                 bool allowsRaces) const {
  llvm::SmallVector<void *, 16> pointers;
  for (uint64_t &value : bits)
    pointers.push_back(&value);
  tellSimulator(module, allowsRaces);
  return enqueue(module, grid, pointers.data(), stream.handle());
}

/// Waits for what was launched. The simulator's reports say more than the
/// driver's error that they may come with.
Result<void> DeviceGrid::finish(Result<void> launched) const {
  Result<void> done = launched ? stream.synchronize() : launched;
  if (!isSimulator())
    return done;
  std::string reports = gpu.driver().simulatorReports();
  if (reports.empty())
    return done;
  if (reports.back() == '\n')
    reports.pop_back();
  return Error{Error::Kind::Execution, "error: the simulator reports\n" + reports};
}

Result<void> DeviceGrid::run(const cuda::DeviceModule &module, Grid grid, ArgumentBits bits,
                             bool allowsRaces) const {
  return finish(enqueue(module, grid, bits, allowsRaces));
}

Result<void> DeviceGrid::runNow(const cuda::DeviceModule &module, Grid grid, void **pointers,
                                cuda::StreamHandle on) const {
  tellSimulator(module, /*allowsRaces=*/false);
  Result<void> launched = enqueue(module, grid, pointers, on);
  return finish(launched ? gpu.synchronize() : launched);
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

Result<void> DeviceGrid::makeTimer() {
  if (timer)
    return {};
  Result<cuda::Event> begin = cuda::Event::create(gpu);
  if (!begin)
    return begin.error();
  Result<cuda::Event> end = cuda::Event::create(gpu);
  if (!end)
    return end.error();
  size_t bytes = std::max(size_t(256) << 20, 2 * static_cast<size_t>(gpu.properties().l2Bytes));
  Result<cuda::Memory> flush = cuda::Memory::allocate(gpu, bytes);
  if (!flush)
    return flush.error();
  timer.emplace(Timer{std::move(*begin), std::move(*end), std::move(*flush)});
  return {};
}

Result<std::vector<double>> DeviceGrid::time(const cuda::DeviceModule &module, Grid grid,
                                             ArgumentBits bits, unsigned runs) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  if (Result<void> done = run(module, grid, bits); !done)
    return done.error();
  if (isSimulator())
    return std::vector<double>{std::chrono::duration<double>(Clock::now() - start).count()};
  if (Result<void> made = makeTimer(); !made)
    return made.error();
  std::vector<double> seconds;
  for (unsigned i = 0; i < runs; ++i) {
    // The kernel is queued while the flush runs, so no gap is timed.
    for (Result<void> queued :
         {stream.fill(timer->flush, static_cast<uint8_t>(i)), timer->begin.record(stream)})
      if (!queued)
        return queued.error();
    if (Result<void> queued = enqueue(module, grid, bits); !queued)
      return queued.error();
    if (Result<void> queued = timer->end.record(stream); !queued)
      return queued.error();
    if (Result<void> done = stream.synchronize(); !done)
      return done.error();
    Result<double> elapsed = cuda::Event::secondsBetween(timer->begin, timer->end);
    if (!elapsed)
      return elapsed.error();
    seconds.push_back(*elapsed);
  }
  return seconds;
}
