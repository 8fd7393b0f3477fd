//===- SharedRaces.h - Who touched shared memory, and in what order -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every lane is a thread. A warp's *clock* ticks at each of its
// synchronisations; an access is the pair (thread, clock of its warp). It
// happens before a later access of another thread when that thread has since
// learned of a greater clock: lanes of one warp learn of each other at
// bar.warp.sync, warps at the block's barriers (and then all their lanes do).
// Shuffles and votes order nothing.
//
// For each byte the last write and the last reads of two warps are kept, so a
// race with an older read can be missed; what is reported is a race.

#ifndef FSM_LIB_SIMULATOR_SHAREDRACES_H
#define FSM_LIB_SIMULATOR_SHAREDRACES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace fsm::sim {

class SharedRaces {
public:
  SharedRaces(uint64_t bytes, unsigned warps);

  struct Access {
    uint16_t warp = 0;
    bool isStrong = false; ///< Atomic or volatile: no race among such.
    uint32_t lanes = 0;    ///< 0: there was none.
    uint32_t clock = 0;
    uint32_t pc = 0;
  };

  struct Race {
    Access other;
    unsigned otherLane;
    bool otherWrites;
  };

  /// Notes an access of one byte; the race it is part of, if any.
  std::optional<Race> access(uint64_t byte, unsigned warp, unsigned lane, bool isWrite,
                             bool isStrong, uint32_t pc);
  void syncLanes(unsigned warp, uint32_t lanes);
  /// `publishing` warps make their past known to the `learning` ones.
  void syncWarps(const std::vector<unsigned> &publishing, const std::vector<unsigned> &learning);

private:
  struct Byte {
    Access write, reads[2];
  };
  /// A lane of `access` that is not ordered before this lane, or -1.
  int unordered(const Access &access, unsigned warp, unsigned lane) const;
  uint32_t &lanesKnow(unsigned warp, unsigned lane, unsigned other) {
    return laneKnowledge[(size_t(warp) * 32 + lane) * 32 + other];
  }
  void noteRead(Byte &byte, const Access &access);

  unsigned warps;
  std::vector<Byte> bytes;
  std::vector<uint32_t> clocks;
  /// What warp a knows of warp b: all before this clock. [a * warps + b]
  std::vector<uint32_t> warpKnowledge;
  std::vector<uint32_t> laneKnowledge;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_SHAREDRACES_H
