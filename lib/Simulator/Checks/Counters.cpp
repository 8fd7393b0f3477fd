//===- Counters.cpp - What the accesses of a launch moved -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Simulator/Simulator.h"

#include <map>
#include <tuple>

using namespace fsm;
using namespace fsm::sim;

/// The sum over the accesses to global or to shared memory.
static AccessCounters sumOf(const Counters &counters, bool isShared) {
  AccessCounters sum;
  for (const AccessCounters &access : counters.accesses) {
    if (access.isShared != isShared)
      continue;
    sum.executions += access.executions;
    sum.moved += access.moved;
    sum.least += access.least;
  }
  return sum;
}

uint64_t Counters::globalExecutions() const { return sumOf(*this, false).executions; }

uint64_t Counters::globalSectors() const { return sumOf(*this, false).moved; }

uint64_t Counters::bankConflicts() const {
  const AccessCounters sum = sumOf(*this, true);
  return sum.moved - sum.least;
}

/// "50 accesses, 200 sectors, 150 would do".
static std::string numbersOf(const AccessCounters &access, bool isShared) {
  std::string text = std::to_string(access.executions) +
                     (access.executions == 1 ? " access, " : " accesses, ") +
                     std::to_string(access.moved) + (isShared ? " wavefronts" : " sectors");
  return text +
         (access.moved > access.least ? ", " + std::to_string(access.least) + " would do" : "");
}

std::string Counters::str() const {
  std::string text = "global memory: " + numbersOf(sumOf(*this, false), false) +
                     "\nshared memory: " + numbersOf(sumOf(*this, true), true);
  using Key = std::tuple<std::string, uint32_t, bool, std::string, uint32_t>;
  std::map<Key, AccessCounters> rows;
  for (const AccessCounters &access : accesses) {
    AccessCounters &row = rows[{access.sourceFile, access.sourceLine, access.isShared,
                                access.instruction, access.bytesPerLane}];
    row.executions += access.executions;
    row.moved += access.moved;
    row.least += access.least;
  }
  for (const auto &[key, row] : rows) {
    const auto &[file, line, isShared, instruction, bytes] = key;
    text += "\n  " + (line ? file + ":" + std::to_string(line) + ": " : "") + instruction + ", " +
            std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") +
            " a lane: " + numbersOf(row, isShared);
  }
  return text;
}
