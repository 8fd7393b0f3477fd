//===- MapFences.cpp - What copies see of maps that kernels make ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A map is read by a proxy of its own. Who has written it releases its writes, and the thread that begins
// copies by it acquires it behind that. A map that a copy in flight reads nobody changes.

#include "AsyncCopies.h"

#include "../Threads/Block.h"

using namespace fsm;
using namespace fsm::sim;

static constexpr uint64_t kMapWordBytes = 4;

/// Calls `f` with the writes of the block to a map, until it gives true.
template <typename F>
bool AsyncCopies::anyOfMap(uint64_t address, F f) const {
  for (uint64_t word = address / kMapWordBytes; word * kMapWordBytes < address + TensorMap::kBytes;
       ++word)
    if (auto found = written.find(word); found != written.end() && f(found->second))
      return true;
  return false;
}

void AsyncCopies::releaseMaps(Warp &warp, unsigned lane) { releases[warp.index * kLanes + lane] = writes; }

void AsyncCopies::acquireMap(Warp &warp, unsigned lane, uint64_t address) {
  const bool isOpen = anyOfMap(address, [&](const Write &write) {
    auto found = releases.find(write.access.warp * kLanes + static_cast<unsigned>(__builtin_ctz(write.access.lanes)));
    return found == releases.end() || found->second < write.number;
  });
  if (!isOpen)
    acquires[{warp.index * kLanes + lane, address}] = writes;
}

bool AsyncCopies::checkMap(Warp &warp, unsigned lane, uint64_t address) {
  auto found = acquires.find({warp.index * kLanes + lane, address});
  const uint64_t known = found == acquires.end() ? 0 : found->second;
  return !anyOfMap(address, [&](const Write &write) {
    auto race = block.races.checkCopy(write.access, true, warp.index, lane, SharedRaces::OfGlobal, /*isBulk=*/false);
    if (!race && write.number <= known)
      return false;
    block.report(warp, race ? Report::Kind::AsyncCopy : Report::Kind::ProxyFence, lane, address,
                 "takes a tensor map that was written at " + block.lineOf(write.access.pc) +
                     (race ? " with no barrier between"
                           : " with no fence.proxy.tensormap between, a release there and an acquire here"));
    return true;
  });
}

bool AsyncCopies::checkMapInFlight(const Copy &copy) {
  return copy.map && anyOfMap(copy.map, [&](const Write &write) {
           if (write.number <= copy.issued)
             return false;
           block.reportAt(copy.origin, Report::Kind::AsyncCopy, copy.map,
                          "the tensor map of this copy was written at " + block.lineOf(write.access.pc) +
                              " while the copy was in flight");
           return true;
         });
}
