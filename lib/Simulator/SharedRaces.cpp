//===- SharedRaces.cpp - Who touched shared memory, and in what order ----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedRaces.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

SharedRaces::SharedRaces(uint64_t byteCount, unsigned warps)
    : warps(warps), bytes(byteCount), clocks(warps, 1), warpKnowledge(size_t(warps) * warps, 0),
      laneKnowledge(size_t(warps) * 32 * 32, 0) {}

int SharedRaces::unordered(const Access &access, unsigned warp, unsigned lane) const {
  if (!access.lanes)
    return -1;
  if (access.warp != warp)
    return access.clock < warpKnowledge[size_t(warp) * warps + access.warp]
               ? -1
               : __builtin_ctz(access.lanes);
  const uint32_t *known = &laneKnowledge[(size_t(warp) * 32 + lane) * 32];
  for (uint32_t lanes = access.lanes & ~(uint32_t(1) << lane); lanes; lanes &= lanes - 1) {
    int other = __builtin_ctz(lanes);
    if (access.clock >= known[other])
      return other;
  }
  return -1;
}

void SharedRaces::noteRead(Byte &byte, const Access &access) {
  for (Access &read : byte.reads)
    if (read.lanes && read.warp == access.warp) {
      uint32_t older = read.clock == access.clock ? read.lanes : 0;
      bool isStrong = (!older || read.isStrong) && access.isStrong;
      read = access;
      read.lanes |= older;
      read.isStrong = isStrong;
      return;
    }
  Access &oldest =
      byte.reads[0].lanes && (!byte.reads[1].lanes || byte.reads[1].clock < byte.reads[0].clock)
          ? byte.reads[1]
          : byte.reads[0];
  oldest = access;
}

std::optional<SharedRaces::Race> SharedRaces::access(uint64_t index, unsigned warp, unsigned lane,
                                                     bool isWrite, bool isStrong, uint32_t pc) {
  Byte &byte = bytes[index];
  std::optional<Race> race;
  auto check = [&](const Access &other, bool otherWrites) {
    if (race || (other.isStrong && isStrong))
      return;
    if (int found = unordered(other, warp, lane); found >= 0)
      race = Race{other, static_cast<unsigned>(found), otherWrites};
  };
  check(byte.write, true);
  Access now;
  now.warp = static_cast<uint16_t>(warp);
  now.isStrong = isStrong;
  now.lanes = uint32_t(1) << lane;
  now.clock = clocks[warp];
  now.pc = pc;
  if (!isWrite) {
    noteRead(byte, now);
    return race;
  }
  check(byte.reads[0], false);
  check(byte.reads[1], false);
  byte.write = now;
  byte.reads[0] = byte.reads[1] = Access();
  return race;
}

void SharedRaces::syncLanes(unsigned warp, uint32_t lanes) {
  uint32_t clock = ++clocks[warp];
  for (unsigned other = 0; other < 32; ++other) {
    uint32_t known = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1)
        known = std::max(known, lanesKnow(warp, lane, other));
    if (lanes >> other & 1)
      known = clock;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1)
        lanesKnow(warp, lane, other) = known;
  }
}

void SharedRaces::syncWarps(const std::vector<unsigned> &publishing,
                            const std::vector<unsigned> &learning) {
  // What any of them knew becomes known to all who learn.
  std::vector<uint32_t> known(warps, 0);
  for (unsigned warp : publishing) {
    syncLanes(warp, ~uint32_t(0));
    for (unsigned other = 0; other < warps; ++other)
      known[other] = std::max(known[other], warpKnowledge[size_t(warp) * warps + other]);
    known[warp] = clocks[warp];
  }
  for (unsigned warp : learning)
    for (unsigned other = 0; other < warps; ++other) {
      uint32_t &knows = warpKnowledge[size_t(warp) * warps + other];
      knows = std::max(knows, known[other]);
    }
}
