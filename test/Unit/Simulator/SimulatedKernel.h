//===- SimulatedKernel.h - A kernel and its buffers ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_SIMULATOR_SIMULATEDKERNEL_H
#define FSM_TEST_UNIT_SIMULATOR_SIMULATEDKERNEL_H

#include "fsm/Simulator/Simulator.h"

#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <sstream>

namespace fsm::sim {

inline std::string readPtx(const std::string &name) {
  std::ifstream file(std::string(FSM_SIMULATOR_PTX_DIR) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A module, a device, and the arguments of the next launch.
class SimulatedKernel {
public:
  explicit SimulatedKernel(const std::string &text) : module(Module::parse(text)) {
    EXPECT_TRUE(module) << module.error().message;
  }
  static SimulatedKernel file(const std::string &name) { return SimulatedKernel(readPtx(name)); }

  template <typename T>
  uint64_t buffer(const std::vector<T> &values) {
    uint64_t address = uninitialized(values.size() * sizeof(T));
    EXPECT_TRUE(device->copyIn(address, values.data(), values.size() * sizeof(T)));
    return address;
  }
  uint64_t uninitialized(uint64_t bytes) {
    Result<uint64_t> address = device->alloc(bytes);
    EXPECT_TRUE(address);
    arguments.push_back(*address);
    return *address;
  }
  void scalar(uint64_t value) { arguments.push_back(value); }

  template <typename T>
  std::vector<T> read(uint64_t address, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(device->copyOut(values.data(), address, count * sizeof(T)));
    return values;
  }

  LaunchReport run(const std::string &kernel, Extent grid, Extent block,
                   const LaunchOptions &options = {}) {
    std::vector<void *> pointers;
    for (uint64_t &argument : arguments)
      pointers.push_back(&argument);
    Result<LaunchReport> report =
        device->launch(*module, kernel, grid, block, 0, pointers.data(), options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : LaunchReport();
  }

  Result<Module> module;
  std::unique_ptr<Device> device = std::make_unique<Device>();
  std::deque<uint64_t> arguments;
};

/// How often anything raced in global memory; nothing else may be reported.
inline uint64_t racesIn(const LaunchReport &report) {
  uint64_t count = 0;
  for (const Report &one : report.reports) {
    EXPECT_EQ(one.kind, Report::Kind::GlobalRace) << one.str();
    count += one.count;
  }
  return count;
}

} // namespace fsm::sim

#endif // FSM_TEST_UNIT_SIMULATOR_SIMULATEDKERNEL_H
