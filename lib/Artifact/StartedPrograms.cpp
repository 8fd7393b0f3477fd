//===- StartedPrograms.cpp - How many programs a launch starts -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/CompiledKernel.h"

#include <algorithm>

using namespace fsm;

static uint64_t ceilDivide(uint64_t number, uint64_t by) { return (number + by - 1) / by; }

uint64_t fsm::balancedPrograms(uint64_t programs, uint64_t atOnce, uint64_t cluster) {
  atOnce = std::max(atOnce / cluster, uint64_t(1)) * cluster;
  if (programs <= atOnce)
    return programs;
  uint64_t rounds = ceilDivide(programs, atOnce);
  return ceilDivide(ceilDivide(programs, rounds), cluster) * cluster;
}

uint64_t DeviceLaunch::startedOf(uint64_t programs, uint64_t atOnce) const {
  if (!loopsPrograms)
    return programs;
  if (mostStarted)
    atOnce = std::min<uint64_t>(atOnce, mostStarted);
  return balancedPrograms(programs, atOnce, cluster);
}
