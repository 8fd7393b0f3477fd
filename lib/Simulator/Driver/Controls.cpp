//===- Controls.cpp - The entry points of the simulator alone ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Simulator/DriverControls.h"

#include "DriverState.h"

#include <cstring>

using namespace fsm;
using namespace fsm::driver;

FSM_DRIVER_ENTRY int fsmSimulatorConfigure(const char *key, long value) {
  DriverState &driver = state();
  std::lock_guard<std::mutex> lock(driver.mutex);
  return key && driver.configure(key, value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

FSM_DRIVER_ENTRY const char *fsmSimulatorReports(void) {
  thread_local std::string taken;
  DriverState &driver = state();
  std::lock_guard<std::mutex> lock(driver.mutex);
  taken = std::move(driver.reports);
  driver.reports.clear();
  return taken.c_str();
}

FSM_DRIVER_ENTRY int fsmSimulatorNameArgument(unsigned long long base, const char *name) {
  DriverState &driver = state();
  std::lock_guard<std::mutex> lock(driver.mutex);
  std::string text = name && *name ? std::string("argument ") + name : "";
  return driver.device.name(base, text) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// Not with the lock, which a launch has.
FSM_DRIVER_ENTRY void fsmSimulatorStop(int stops) { state().stops = stops != 0; }

FSM_DRIVER_ENTRY long fsmSimulatorCalls(void) {
  DriverState &driver = state();
  std::lock_guard<std::mutex> lock(driver.mutex);
  return driver.calls;
}

FSM_DRIVER_ENTRY const char *fsmSimulatorAccesses(void) {
  thread_local std::string text;
  DriverState &driver = state();
  std::lock_guard<std::mutex> lock(driver.mutex);
  text = driver.counters.str();
  return text.c_str();
}

FSM_DRIVER_ENTRY long long fsmSimulatorCounter(const char *name) {
  DriverState &driver = state();
  std::lock_guard<std::mutex> lock(driver.mutex);
  const sim::Counters &counters = driver.counters;
  const std::pair<const char *, uint64_t> rows[] = {
      {"warp_instructions", counters.warpInstructions},
      {"thread_instructions", counters.threadInstructions},
      {"global_accesses", counters.globalExecutions()},
      {"global_sectors", counters.globalSectors()},
      {"bank_conflicts", counters.bankConflicts()}};
  for (auto [key, value] : rows)
    if (name && !std::strcmp(name, key))
      return static_cast<long long>(value);
  return -1;
}
