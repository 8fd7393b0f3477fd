//===- Schedules.h - A kernel run in many orders ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_SIMULATOR_SCHEDULES_H
#define FSM_TEST_UNIT_SIMULATOR_SCHEDULES_H

#include "SimulatedKernel.h"

#include <array>
#include <cstring>

namespace fsm::sim {

/// `count` ways to run a kernel: in program order and in random orders, in turn with
/// copies that land as late as may be, as early, and at any time.
inline std::vector<LaunchOptions> schedules(unsigned count) {
  using Landing = LaunchOptions::Landing;
  std::vector<LaunchOptions> all;
  for (unsigned index = 0; index < count; ++index) {
    LaunchOptions options;
    options.seed = index < 3 ? 0 : index;
    options.landing = std::array{Landing::Last, Landing::First, Landing::Random}[index % 3];
    options.maxSteps = 1 << 22;
    all.push_back(options);
  }
  return all;
}

inline std::string nameOf(const LaunchOptions &options) {
  return "seed " + std::to_string(options.seed) + ", landing " +
         std::to_string(static_cast<int>(options.landing));
}

struct Outcome {
  LaunchReport report;
  /// All that the kernel wrote.
  std::vector<uint8_t> bytes;
};

/// Runs on each schedule; no bit may differ from what is expected, and nothing be
/// reported.
template <typename F>
void expectEqualOnSchedules(unsigned count, const std::vector<uint8_t> &expected, F run) {
  for (const LaunchOptions &options : schedules(count)) {
    Outcome outcome = run(options);
    EXPECT_EQ(outcome.report.str(), "") << nameOf(options);
    EXPECT_EQ(outcome.bytes, expected) << nameOf(options);
  }
}

} // namespace fsm::sim

#endif // FSM_TEST_UNIT_SIMULATOR_SCHEDULES_H
