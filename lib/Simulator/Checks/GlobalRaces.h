//===- GlobalRaces.h - Who touched global memory in a launch ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0, 8 "Memory Consistency Model". Two accesses race that overlap, of which one
// writes, that nothing orders, and that are not *morally strong*: both strong, of the same bytes,
// and of scopes that have both threads in them. What orders threads of a block, SharedRaces knows;
// what orders those of two blocks, Orders finds out and SharedRaces keeps for each thread: here are
// the accesses.
//
// Memory is described in *cells* of as many bytes as the accesses to a stretch of it have, 16 at
// most; a narrower access splits the stretch's. A cell has its last weak write and the last
// weak reads. Two are enough without acquires between blocks: of two blocks, or
// else two warps, one is not the writer. With acquires all reads are kept that no other makes
// superfluous, and so are always strong accesses, which few cells have.
//
// Blocks run on one host thread, so that what is found is the same each time.

#ifndef FSM_LIB_SIMULATOR_CHECKS_GLOBALRACES_H
#define FSM_LIB_SIMULATOR_CHECKS_GLOBALRACES_H

#include "Orders.h"

#include <memory>

namespace fsm::sim {

class Block;
struct Linked;

class GlobalRaces {
public:
  /// `isPacked`: each warp of a block is a program; `isOfOneStore`: two writes by one store race.
  GlobalRaces(const Linked &linked, bool isPacked, bool isOfOneStore);

  struct Access : SharedRaces::Access {
    uint64_t block = 0;
    /// For the only scope that does not have all threads of the launch in it.
    bool isBlockScope = false;
    /// A read that no order makes see a write of the launch.
    bool isNonCoherent = false;
    /// Of one element.
    uint8_t bytes = 0;
    /// Which execution by its warp of a store this is.
    uint32_t time = 0;
  };

  struct Race {
    Access other;
    unsigned otherLane = 0;
    bool otherWrites = false;
    bool isOfOneProgram = false;
    /// Both are strong, and yet not morally strong.
    bool isScopeTooNarrow = false, isOfOtherBytes = false;
    bool isNonCoherent = false;
  };

  /// Notes an access of `count` bytes by one lane; the first race it is part of, if any.
  std::optional<Race> access(const Block &block, const Access &access, uint64_t address,
                             uint32_t count, bool isWrite);
  /// Notes a read that was looked at before.
  void noteRead(const Block &block, const Access &access, uint64_t address, uint32_t count);
  /// Only looks.
  std::optional<Race> check(const Block &block, const Access &access, uint64_t address,
                            uint32_t count, bool isWrite);
  bool isSameProgram(const Access &a, const Access &b) const {
    return a.block == b.block && (!isPacked || a.warp == b.warp);
  }

  Orders orders;

private:
  struct Cell {
    Access write, reads[2];
    bool hasMore = false;
  };
  /// Of cells that have been accessed by strong operations, or read by many threads.
  struct More {
    std::vector<Access> reads, strongReads, strongWrites;
  };
  struct Stretch {
    uint32_t bytesPerCell = 0;
    std::vector<Cell> cells;
  };
  static constexpr uint64_t kStretchBytes = 1024;
  static constexpr uint32_t kMostBytesPerCell = 16;
  static constexpr size_t kMostReads = 16;

  Stretch &stretchAt(uint64_t address, uint32_t granule);
  void split(Stretch &stretch, uint64_t address, uint32_t granule);
  void note(const Block &block, const Access &access, Cell &cell, uint64_t address, bool isWrite);
  void noteRead(const Block &block, const Access &access, Cell &cell, uint64_t address);
  void append(const Block &block, std::vector<Access> &list, const Access &access) const;
  std::optional<Race> checkCell(const Block &block, const Access &access, const Cell &cell,
                                uint64_t address, bool isWrite) const;
  std::optional<Race> checkPair(const Block &block, const Access &other, const Access &access,
                                bool otherWrites, bool bothWrite) const;
  bool isSameStore(const Access &a, const Access &b) const;
  int unordered(const Block &block, const Access &other, const Access &access) const;

  const Linked &linked;
  const bool isPacked, isOfOneStore, keepsReads;
  /// By the address in kStretchBytes.
  std::unordered_map<uint64_t, Stretch> stretches;
  uint64_t lastNumber = ~uint64_t(0);
  Stretch *last = nullptr;
  /// By the address of the cell.
  std::unordered_map<uint64_t, More> more;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_CHECKS_GLOBALRACES_H
