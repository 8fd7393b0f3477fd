//===- WgmmaTest.cpp - Products of matrices by warp groups -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the products are, test/Simulator/wgmma.test compares with exact arithmetic.

#include "Schedules.h"

using namespace fsm::sim;
using Kind = Report::Kind;

namespace {

constexpr unsigned kRows = 128, kColumns = 64, kStep = 32;

/// f16 of the whole numbers 0 to 7.
uint16_t halfOf(unsigned value) {
  constexpr uint16_t halves[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};
  return halves[value];
}

unsigned at(unsigned row, unsigned column) { return (5 * row + 3 * column + row * column) % 8; }

std::vector<uint16_t> matrix(unsigned rows, unsigned columns) {
  std::vector<uint16_t> halves;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column)
      halves.push_back(halfOf(at(row, column)));
  return halves;
}

Outcome runRing(unsigned steps, const LaunchOptions &options) {
  SimulatedKernel kernel = SimulatedKernel::file("wgmma.ptx");
  uint64_t c = kernel.uninitialized(4 * kRows * kColumns);
  kernel.buffer(matrix(kRows, kStep * steps));
  kernel.buffer(matrix(kColumns, kStep * steps));
  kernel.scalar(steps);
  LaunchReport report = kernel.run("ring", {}, {256}, options);
  return {report, kernel.read<uint8_t>(c, 4 * kRows * kColumns)};
}

std::vector<uint8_t> expectedOfRing(unsigned steps) {
  std::vector<float> c;
  for (unsigned row = 0; row < kRows; ++row)
    for (unsigned column = 0; column < kColumns; ++column) {
      unsigned sum = 0;
      for (unsigned k = 0; k < kStep * steps; ++k)
        sum += at(row, k) * at(column, k);
      c.push_back(static_cast<float>(sum));
    }
  const auto *first = reinterpret_cast<const uint8_t *>(c.data());
  return {first, first + 4 * c.size()};
}

} // namespace

TEST(Wgmma, aRingIsRightOnAllSchedules) {
  for (unsigned steps : {1u, 2u, 3u, 7u})
    expectEqualOnSchedules(steps == 7 ? 12 : 4, expectedOfRing(steps),
                           [&](const LaunchOptions &options) { return runRing(steps, options); });
}

/// Commits, waits and single groups of both kinds, the two fences, the barrier, the conditions of
/// the copies.
TEST(Wgmma, everyOmissionOfARingIsReported) {
  SimulatedKernel kernel = SimulatedKernel::file("wgmma.ptx");
  const std::vector<std::string> omissions = *kernel.module->omissions("ring");
  EXPECT_EQ(omissions.size(), 13u);
  for (unsigned number = 1; number <= omissions.size(); ++number)
    for (LaunchOptions options : schedules(3)) {
      options.leaveOut = number;
      EXPECT_FALSE(runRing(7, options).report.reports.empty())
          << omissions[number - 1] << ", " << nameOf(options);
    }
}
