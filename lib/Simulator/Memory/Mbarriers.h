//===- Mbarriers.h - Barriers in shared memory -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0, 9.7.13.15 "mbarrier". An mbarrier counts what is missing from its
// current phase: arrivals, and bytes that copies will bring (the tx-count). When both
// are 0 the phase is complete and the next begins. Who waits for a phase with success
// sees what the threads that arrived in it had done before (unless one of them was
// .relaxed), and what the copies that the phase tracks brought.

#ifndef FSM_LIB_SIMULATOR_MEMORY_MBARRIERS_H
#define FSM_LIB_SIMULATOR_MEMORY_MBARRIERS_H

#include "../Checks/SharedRaces.h"
#include "../Threads/Warp.h"

#include <map>
#include <optional>
#include <string>

namespace fsm::sim {

/// Which thread did something, and by which instruction.
struct Origin {
  uint32_t pc = 0, warp = 0, lane = 0;
};

struct Mbarrier {
  uint64_t place = 0;
  uint32_t expected = 0, pending = 0;
  int64_t bytes = 0;
  uint64_t phase = 0;
  /// Bytes that this phase was told to expect, and those that it got.
  uint64_t expectedBytes = 0, gotBytes = 0;
  /// The thread that the copies it tracks count as; see SharedRaces.
  size_t engine = 0;
  SharedRaces::Access initialized;
  /// The last use by each thread.
  std::vector<SharedRaces::Access> uses;
  /// By the arrivals of this phase, and of the one before.
  SharedRaces::Published current, completed;
  /// Copies of phases that nobody has seen the end of.
  std::vector<std::pair<uint64_t, Origin>> unseen;
  /// The last instruction that changed the bytes.
  Origin transaction;
};

class Mbarriers {
public:
  /// An mbarrier's size, and what its counts are at most (9.7.13.15.1 and .2).
  static constexpr uint64_t kBytes = 8;
  static constexpr uint32_t kMostCount = (1 << 20) - 1;

  explicit Mbarriers(Block &block) : block(block) {}

  // Each for one lane; `place` is where it lies in shared memory.
  void initialize(Warp &warp, unsigned lane, uint64_t place, uint32_t count);
  void invalidate(Warp &warp, unsigned lane, uint64_t place);
  /// The mbarrier, if one was made there and this lane may know.
  Mbarrier *use(Warp &warp, unsigned lane, uint64_t place);
  /// What the phase was; `drop` takes the arrivals out of later phases too.
  uint64_t arrive(Warp &warp, unsigned lane, Mbarrier &mbarrier, uint32_t count, bool isRelaxed,
                  bool drop, bool mayComplete);
  void expect(Warp &warp, unsigned lane, Mbarrier &mbarrier, int64_t bytes);
  /// Whether the phase of the state, or the one of this parity, is complete.
  bool test(Warp &warp, unsigned lane, Mbarrier &mbarrier, uint64_t state, bool isParity,
            bool isRelaxed);

  // By the engines.
  Mbarrier *find(uint64_t place);
  void addPending(Warp &warp, unsigned lane, Mbarrier &mbarrier);
  void bring(Mbarrier &mbarrier, uint32_t bytes, const Origin &origin,
             const SharedRaces::Published &released);
  void arriveLater(Mbarrier &mbarrier, const Origin &origin);

  /// The mbarrier that has one of the bytes, or none.
  std::optional<uint64_t> overlapping(uint64_t offset, uint64_t bytes) const;
  /// "phase 3 of the mbarrier at byte 64: 1 of 2 arrivals and 4096 bytes are missing"
  std::string describe(uint64_t place) const;
  void finish();
  /// Phases completed so far, of all.
  uint64_t completions() const { return completed; }

private:
  void completeIfDone(Mbarrier &mbarrier);
  void checkUnused(Warp &warp, unsigned lane, uint64_t place, const Mbarrier &mbarrier);
  void report(Warp &warp, unsigned lane, uint64_t place, const std::string &message);
  void reportUnseen(const Mbarrier &mbarrier);

  Block &block;
  std::map<uint64_t, Mbarrier> mbarriers;
  size_t engines = 0;
  uint64_t completed = 0;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_MEMORY_MBARRIERS_H
