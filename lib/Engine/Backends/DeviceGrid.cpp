//===- DeviceGrid.cpp - Runs the programs of a grid on a GPU --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceGrid.h"

#include "fsm/Machine/GpuTarget.h"
#include "fsm/Runtime/SimulatorRun.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

using namespace fsm;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

Result<std::unique_ptr<DeviceGrid>> DeviceGrid::open(std::string_view name,
                                                     const EngineOptions &options) {
  std::optional<cuda::DeviceName> parsed = cuda::DeviceName::parse(name);
  if (!parsed)
    return Error{Error::Kind::NoDevice, "error: there is no device '" + std::string(name) +
                                            "'; expected interp, cpu, cuda, cuda:N or sim"};
  auto driver = parsed->isSimulator ? cuda::Driver::loadSimulator(options.simulatorLibrary)
                                    : cuda::Driver::loadCuda();
  if (!driver)
    return driver.error();
  Result<cuda::Device> device = cuda::Device::open(*driver, parsed->ordinal,
                                                   static_cast<cuda::Context>(options.context));
  if (!device)
    return device.error();
  Result<cuda::Stream> stream = cuda::Stream::create(*device);
  if (!stream)
    return stream.error();
  return std::unique_ptr<DeviceGrid>(
      new DeviceGrid(parsed->text(), std::move(*device), std::move(*stream)));
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

std::string DeviceGrid::target() const {
  int own = 10 * gpu.properties().major + gpu.properties().minor;
  const GpuTarget *best = targetFor(static_cast<unsigned>(own));
  // The compiler refuses what it does not know, with a list of what it does.
  return best ? best->name : "sm_" + std::to_string(own);
}

Result<void> DeviceGrid::checkTarget(const std::string &target) const {
  if (runsOn(target, 10 * gpu.properties().major + gpu.properties().minor))
    return {};
  return badInput("error: the device '" + deviceName + "' (" + gpu.properties().name +
                  ") runs code for " + this->target() + " or older, got the target '" + target + "'" +
                  (findGpuTarget(target) ? "" : ", which is none of " + gpuTargetNames()));
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
      1, int64_t(properties.multiprocessors) * *ctas * report.launch.programs() /
             report.launch.numCtas));
  return report;
}

Result<void> DeviceGrid::enqueue(const cuda::DeviceModule &module, Grid grid, void **pointers,
                                 cuda::StreamHandle on) const {
  return module.launch(on, module.ctasOf(grid), pointers);
}

Result<void> DeviceGrid::enqueue(const cuda::DeviceModule &module, Grid grid, LaunchValues &values,
                                 bool allowsRaces) const {
  cuda::announceLaunch(module, allowsRaces);
  return enqueue(module, grid, values.pointers().data(), stream.handle());
}

/// Waits for what was launched.
Result<void> DeviceGrid::finish(Result<void> launched) const {
  return cuda::withReports(gpu.driver(), launched ? stream.synchronize() : launched);
}

Result<void> DeviceGrid::run(const cuda::DeviceModule &module, Grid grid, LaunchValues values,
                             bool allowsRaces) const {
  return finish(enqueue(module, grid, values, allowsRaces));
}

Result<void> DeviceGrid::runNow(const cuda::DeviceModule &module, Grid grid, void **pointers,
                                cuda::StreamHandle on) const {
  cuda::announceLaunch(module, /*allowsRaces=*/false);
  Result<void> launched = enqueue(module, grid, pointers, on);
  return cuda::withReports(gpu.driver(), launched ? gpu.synchronize() : launched);
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
                                             LaunchValues values, unsigned runs) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  if (Result<void> done = run(module, grid, values); !done)
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
    if (Result<void> queued = enqueue(module, grid, values); !queued)
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
