//===- Reports.h - Reports and counters while a launch runs -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_CHECKS_REPORTS_H
#define FSM_LIB_SIMULATOR_CHECKS_REPORTS_H

#include "../Memory/Traffic.h"
#include "fsm/Simulator/Simulator.h"

#include <map>
#include <mutex>
#include <tuple>

namespace fsm::sim {

/// The reports of all host threads; one for each kind and instruction, or pair of instructions.
class Reports {
public:
  explicit Reports(unsigned most) : most(most) {}
  /// `order` is the block's number: the first block's report is the one kept.
  void add(uint32_t pc, uint32_t otherPc, uint64_t order, Report report);
  /// Whether any report, kept or not, was of what makes a GPU end the launch.
  bool hasFault();
  std::vector<Report> take();

private:
  struct Entry {
    uint64_t order;
    Report report;
  };
  const unsigned most;
  std::mutex mutex;
  bool isFaulty = false;
  /// By the instructions, the first of a pair first, and the kind.
  std::map<std::tuple<uint32_t, Report::Kind, uint32_t>, Entry> entries;
};

/// The counters of one host thread, per instruction.
struct Counting {
  /// How often a warp has accessed, and what all that moved.
  struct Sum {
    uint64_t executions = 0;
    Traffic traffic;
    void add(uint64_t more, const Traffic &other) {
      executions += more;
      traffic.moved += other.moved;
      traffic.least += other.least;
    }
  };
  struct Access {
    uint32_t bytes = 0;
    Sum global, shared;
  };
  explicit Counting(size_t instructions) : accesses(instructions) {}
  void add(const Counting &other);

  uint64_t warpInstructions = 0, threadInstructions = 0;
  std::vector<Access> accesses;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_CHECKS_REPORTS_H
