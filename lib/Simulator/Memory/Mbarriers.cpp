//===- Mbarriers.cpp - Barriers in shared memory -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mbarriers.h"

#include "../Threads/Block.h"

#include <algorithm>
#include <cstdlib>

using namespace fsm;
using namespace fsm::sim;

void Mbarriers::report(Warp &warp, unsigned lane, uint64_t place, const std::string &message) {
  block.report(warp, Report::Kind::BarrierMisuse, lane, place, message);
}

static std::string named(uint64_t place) {
  return "the mbarrier at byte " + std::to_string(place) + " of shared memory";
}

/// The bytes of the object are written as by a store. mbarrier.init of one that is
/// still valid is undefined: mbarrier.inval comes first.
void Mbarriers::initialize(Warp &warp, unsigned lane, uint64_t place, uint32_t count) {
  if (!count || count > kMostCount)
    return report(warp, lane, place,
                  "gives " + named(place) + " a count of " + std::to_string(count) +
                      "; a count is at least 1 and at most 1048575");
  if (std::optional<uint64_t> other = overlapping(place, kBytes))
    return report(warp, lane, place,
                  "makes an mbarrier at byte " + std::to_string(place) + " while " + named(*other) +
                      " is in use; mbarrier.inval comes first");
  Mbarrier &mbarrier = mbarriers[place];
  mbarrier.place = place;
  mbarrier.expected = mbarrier.pending = count;
  mbarrier.engine = engines++;
  mbarrier.initialized = block.races.now(warp.index, lane, warp.pc());
}

/// mbarrier.inval is as a write to what the others use.
void Mbarriers::checkUnused(Warp &warp, unsigned lane, uint64_t place, const Mbarrier &mbarrier) {
  for (const SharedRaces::Access &use : mbarrier.uses)
    if (use.lanes && !block.races.isOrdered(use, warp.index, lane))
      return block.report(warp, Report::Kind::SharedRace, lane, place,
                          "ends " + named(place) + ", which warp " + std::to_string(use.warp) +
                              " lane " + std::to_string(__builtin_ctz(use.lanes)) + " used at " +
                              block.lineOf(use.pc) + " with no barrier between");
}

void Mbarriers::invalidate(Warp &warp, unsigned lane, uint64_t place) {
  Mbarrier *mbarrier = use(warp, lane, place);
  if (!mbarrier)
    return;
  if (mbarrier->bytes)
    report(warp, lane, place,
           "ends " + named(place) + " while copies are under way: " + describe(place));
  checkUnused(warp, lane, place, *mbarrier);
  reportUnseen(*mbarrier);
  mbarriers.erase(place);
  for (uint64_t byte = place; byte < place + kBytes; ++byte)
    block.races.note(byte, block.races.now(warp.index, lane, warp.pc()), true);
}

Mbarrier *Mbarriers::find(uint64_t place) {
  auto found = mbarriers.find(place);
  return found == mbarriers.end() ? nullptr : &found->second;
}

Mbarrier *Mbarriers::use(Warp &warp, unsigned lane, uint64_t place) {
  Mbarrier *mbarrier = find(place);
  if (!mbarrier) {
    report(warp, lane, place,
           "there is no mbarrier at byte " + std::to_string(place) +
               " of shared memory: mbarrier.init makes one");
    return nullptr;
  }
  if (!block.races.isMakingOrdered(mbarrier->initialized, warp.index, lane)) {
    const SharedRaces::Access &made = mbarrier->initialized;
    block.report(warp, Report::Kind::SharedRace, lane, place,
                 "uses " + named(place) + ", which warp " + std::to_string(made.warp) + " lane " +
                     std::to_string(__builtin_ctz(made.lanes)) + " made at " +
                     block.lineOf(made.pc) + " with no barrier between");
  }
  if (mbarrier->uses.empty())
    mbarrier->uses.resize(block.paddedThreads());
  mbarrier->uses[warp.index * kLanes + lane] = block.races.now(warp.index, lane, warp.pc());
  return mbarrier;
}

std::optional<uint64_t> Mbarriers::overlapping(uint64_t offset, uint64_t bytes) const {
  auto after = mbarriers.lower_bound(offset + bytes);
  if (after == mbarriers.begin())
    return std::nullopt;
  uint64_t place = std::prev(after)->first;
  return place + kBytes > offset ? std::optional(place) : std::nullopt;
}

std::string Mbarriers::describe(uint64_t place) const {
  auto found = mbarriers.find(place);
  if (found == mbarriers.end())
    return named(place);
  const Mbarrier &mbarrier = found->second;
  return "phase " + std::to_string(mbarrier.phase) + " of " + named(place) + ": " +
         std::to_string(mbarrier.pending) + " of " + std::to_string(mbarrier.expected) +
         " arrivals and " + std::to_string(mbarrier.bytes) + " bytes are missing" +
         (mbarrier.bytes ? "; it expects " + std::to_string(mbarrier.expectedBytes) + " bytes, got " +
                               std::to_string(mbarrier.gotBytes)
                         : "");
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

/// 9.7.13.15.5.1: a phase is complete when no arrival and no byte is missing.
void Mbarriers::completeIfDone(Mbarrier &mbarrier) {
  if (mbarrier.pending || mbarrier.bytes)
    return;
  View engine(block.races.engineThread(mbarrier.engine) + 1, 0);
  engine.back() = static_cast<uint32_t>(mbarrier.phase) + 1;
  mbarrier.completed = std::move(mbarrier.current);
  mbarrier.current = {};
  join(mbarrier.completed.ordered, engine);
  ++mbarrier.phase;
  mbarrier.expectedBytes = mbarrier.gotBytes = 0;
  mbarrier.pending = mbarrier.expected;
  ++completed;
  block.wakePollers();
}

uint64_t Mbarriers::arrive(Warp &warp, unsigned lane, Mbarrier &mbarrier, uint32_t count,
                           bool isRelaxed, bool drop, bool mayComplete) {
  uint64_t state = mbarrier.phase << 32 | mbarrier.pending, place = mbarrier.place;
  if (!count || count > mbarrier.pending) {
    report(warp, lane, place,
           "brings " + std::to_string(count) + " arrivals to " + describe(place) +
               "; an arrival too many");
    return state;
  }
  if (!mayComplete && count == mbarrier.pending && !mbarrier.bytes)
    report(warp, lane, place, "completes a phase although it says '.noComplete'");
  if (!isRelaxed)
    block.races.release(warp.index, uint32_t(1) << lane, mbarrier.current);
  mbarrier.pending -= count;
  mbarrier.expected -= drop ? std::min(count, mbarrier.expected) : 0;
  completeIfDone(mbarrier);
  return state;
}

void Mbarriers::expect(Warp &warp, unsigned lane, Mbarrier &mbarrier, int64_t bytes) {
  mbarrier.bytes += bytes;
  (bytes < 0 ? mbarrier.gotBytes : mbarrier.expectedBytes) += static_cast<uint64_t>(std::abs(bytes));
  mbarrier.transaction = {warp.pc(), warp.index, lane};
  if (mbarrier.bytes > int64_t(kMostCount) || mbarrier.bytes < -int64_t(kMostCount))
    report(warp, lane, mbarrier.place,
           "makes the bytes that are missing " + std::to_string(mbarrier.bytes) +
               "; a tx-count lies between -1048575 and 1048575");
  if (bytes < 0)
    completeIfDone(mbarrier);
}

void Mbarriers::addPending(Warp &warp, unsigned lane, Mbarrier &mbarrier) {
  if (mbarrier.pending == kMostCount)
    return report(warp, lane, mbarrier.place,
                  "adds an arrival to 1048575 that are missing already");
  ++mbarrier.pending;
}

/// complete_tx by a copy that has landed.
void Mbarriers::bring(Mbarrier &mbarrier, uint32_t bytes, const Origin &origin,
                      const SharedRaces::Published &released) {
  join(mbarrier.current, released);
  mbarrier.unseen.emplace_back(mbarrier.phase, origin);
  mbarrier.bytes -= bytes;
  mbarrier.gotBytes += bytes;
  mbarrier.transaction = origin;
  completeIfDone(mbarrier);
}

void Mbarriers::arriveLater(Mbarrier &mbarrier, const Origin &origin) {
  mbarrier.unseen.emplace_back(mbarrier.phase, origin);
  if (!mbarrier.pending)
    return block.reportAt(origin, Report::Kind::BarrierMisuse, mbarrier.place,
                          "brings an arrival to " + describe(mbarrier.place) +
                              "; an arrival too many");
  --mbarrier.pending;
  completeIfDone(mbarrier);
}

/// 9.7.13.15.16: the phase before the current one has the other parity. A state names
/// the current phase or the one before.
bool Mbarriers::test(Warp &warp, unsigned lane, Mbarrier &mbarrier, uint64_t state, bool isParity,
                     bool isRelaxed) {
  uint64_t asked = state >> 32;
  if (!isParity && (asked > mbarrier.phase || asked + 1 < mbarrier.phase)) {
    report(warp, lane, mbarrier.place,
           "waits with a state of phase " + std::to_string(asked) + ", but " +
               named(mbarrier.place) + " is in phase " + std::to_string(mbarrier.phase));
    return true;
  }
  bool isComplete = isParity ? (mbarrier.phase & 1) != (state & 1) : asked < mbarrier.phase;
  if (!isComplete || !mbarrier.phase)
    return isComplete;
  auto isSeen = [&](const auto &copy) { return copy.first < mbarrier.phase; };
  mbarrier.unseen.erase(std::remove_if(mbarrier.unseen.begin(), mbarrier.unseen.end(), isSeen),
                        mbarrier.unseen.end());
  if (!isRelaxed)
    block.races.acquire(warp.index, uint32_t(1) << lane, mbarrier.completed);
  return true;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void Mbarriers::reportUnseen(const Mbarrier &mbarrier) {
  for (auto [phase, origin] : mbarrier.unseen)
    block.reportAt(origin, Report::Kind::AsyncCopy, mbarrier.place,
                   "no thread waits for phase " + std::to_string(phase) + " of " +
                       named(mbarrier.place) + ", which tracks this copy");
}

void Mbarriers::finish() {
  for (auto &[place, mbarrier] : mbarriers) {
    reportUnseen(mbarrier);
    if (mbarrier.bytes)
      block.reportAt(mbarrier.transaction, Report::Kind::BarrierMisuse, place,
                     "the kernel ends and the bytes that copies bring are not those that were "
                     "expected: " +
                         describe(place));
  }
}
