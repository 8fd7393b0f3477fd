//===- Traffic.h - What a warp's access moves -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_MEMORY_TRAFFIC_H
#define FSM_LIB_SIMULATOR_MEMORY_TRAFFIC_H

#include <cstdint>
#include <utility>
#include <vector>

namespace fsm::sim {

/// What one access of a warp moves, and what would suffice for the bytes that it touches if they
/// lay next to each other.
struct Traffic {
  uint64_t moved = 0, least = 0;
};

/// Sectors, 32 aligned bytes of global memory, that lanes touch which access so many bytes at
/// each of these addresses.
Traffic sectorsOf(std::vector<uint64_t> addresses, uint32_t bytes);

/// Wavefronts of shared memory: passes over its 32 banks of 4 bytes, in each of which a bank gives
/// one word to whoever wants it. Of 8 bytes a lane half of a warp is served at a time, of 16 a
/// quarter. `places` has the lanes, in order, and where each accesses.
Traffic wavefrontsOf(const std::vector<std::pair<unsigned, uint64_t>> &places, uint32_t bytes);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_MEMORY_TRAFFIC_H
