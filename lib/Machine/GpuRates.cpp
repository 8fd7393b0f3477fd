//===- GpuRates.cpp - How fast each GPU is --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Multiprocessors, clocks, memory and the peak of tensor cores are those of NVIDIA's whitepapers of
// the named GPU. What sm_90a has besides was measured on an H100
// (docs/decisions/0094-values-chosen-by-a-model.md says how each number follows); other targets
// have those numbers until somebody measures there.

#include "fsm/Machine/GpuRates.h"

#include <string_view>

using namespace fsm;

static constexpr GpuRates rates(unsigned multiprocessors, double clocksPerNanosecond,
                                double peakProducts, double memoryBytes) {
  GpuRates rates;
  rates.multiprocessors = multiprocessors;
  rates.clocksPerNanosecond = clocksPerNanosecond;
  // What loops reach of it.
  rates.warpProducts = 0.8 * peakProducts;
  rates.memoryBytes = memoryBytes;
  return rates;
}

/// An H100 SXM: mma.sync reaches 0.6 of what wgmma does.
static constexpr GpuRates hopper() {
  GpuRates of = rates(132, 1.755, 2048, 3000);
  of.groupProducts = 0.84 * 2048;
  of.warpProducts = 0.5 * 2048;
  of.l2BytesOfAll = 52;
  return of;
}

namespace {
struct Row {
  std::string_view target;
  GpuRates rates;
};
} // namespace

static constexpr Row kRates[] = {
    {"sm_75", rates(40, 1.59, 512, 300)},    // T4
    {"sm_80", rates(108, 1.41, 1024, 1450)}, // A100
    {"sm_86", rates(84, 1.74, 512, 650)},    // A40
    {"sm_87", rates(16, 1.3, 512, 180)},     // Orin
    {"sm_89", rates(142, 2.49, 512, 780)},   // L40S
    {"sm_90", hopper()},
    {"sm_90a", hopper()},
    {"sm_100", rates(148, 1.85, 1024, 7000)}, // B200
    {"sm_103", rates(148, 1.85, 1024, 7000)}, // B300
    {"sm_120", rates(170, 2.41, 512, 1600)},  // RTX 5090
    {"sm_121", rates(48, 2.4, 512, 250)},     // GB10
};

const GpuRates &fsm::ratesOf(const GpuTarget &target) {
  for (const Row &row : kRates)
    if (row.target == target.name)
      return row.rates;
  static constexpr GpuRates unknown;
  return unknown;
}
