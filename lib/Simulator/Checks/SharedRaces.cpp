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
  const size_t self = size_t(warp) * 32 + lane;
  auto isKnown = [&](int other) {
    return access.clock < ordered.knows(self, size_t(access.warp) * 32 + unsigned(other));
  };
  if (access.warp != warp) {
    if (access.warp < warps && access.clock < warpKnowledge[size_t(warp) * warps + access.warp])
      return -1;
    for (uint32_t lanes = access.lanes; lanes; lanes &= lanes - 1)
      if (!isKnown(__builtin_ctz(lanes)))
        return __builtin_ctz(lanes);
    return -1;
  }
  const uint32_t *known = &laneKnowledge[self * 32];
  for (uint32_t lanes = access.lanes & ~(uint32_t(1) << lane); lanes; lanes &= lanes - 1) {
    int other = __builtin_ctz(lanes);
    if (access.clock >= known[other] && !isKnown(other))
      return other;
  }
  return -1;
}

int SharedRaces::unfenced(const Access &access, unsigned warp, unsigned lane, Fenced memory) const {
  if (access.isBulk)
    return -1;
  for (uint32_t lanes = access.lanes; lanes; lanes &= lanes - 1) {
    int other = __builtin_ctz(lanes);
    if (access.clock >=
        fenced[memory].knows(size_t(warp) * 32 + lane, size_t(access.warp) * 32 + unsigned(other)))
      return other;
  }
  return -1;
}

View SharedRaces::viewOf(unsigned warp, uint32_t lanes) const {
  const size_t first = size_t(warp) * 32;
  View view(size_t(warps) * 32, 0);
  for (size_t other = 0; other < warps; ++other)
    if (other != warp)
      std::fill_n(view.begin() + static_cast<ptrdiff_t>(other * 32), 32,
                  warpKnowledge[size_t(warp) * warps + other]);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const size_t self = first + static_cast<unsigned>(__builtin_ctz(rest));
    for (size_t of = 0; of < 32; ++of)
      view[first + of] = std::max(view[first + of], laneKnowledge[self * 32 + of]);
  }
  ordered.addTo(view, first, lanes);
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    view[first + static_cast<unsigned>(__builtin_ctz(rest))] = clocks[warp] + 1;
  return view;
}

/// A later read by the same warp takes the place of one before it.
static bool joinRead(SharedRaces::Access &read, const SharedRaces::Access &access) {
  if (!read.lanes || read.warp != access.warp || read.isBulk != access.isBulk)
    return false;
  uint32_t older = read.clock == access.clock ? read.lanes : 0;
  bool isStrong = (!older || read.isStrong) && access.isStrong;
  read = access;
  read.lanes |= older;
  read.isStrong = isStrong;
  return true;
}

void SharedRaces::noteRead(uint64_t index, const Access &access) {
  Byte &byte = bytes[index];
  for (Access &read : byte.reads)
    if (joinRead(read, access))
      return;
  // A read that happened before this one is not needed: whoever comes after this
  // read comes after that one too.
  unsigned lane = static_cast<unsigned>(__builtin_ctz(access.lanes));
  for (Access &read : byte.reads)
    if (!read.lanes || isOrdered(read, access.warp, lane)) {
      read = access;
      return;
    }
  if (keepsAll) {
    std::vector<Access> &more = moreReads[index];
    for (Access &read : more)
      if (joinRead(read, access))
        return;
    more.push_back(access);
    return;
  }
  (byte.reads[1].clock < byte.reads[0].clock ? byte.reads[1] : byte.reads[0]) = access;
}

template <typename F>
std::optional<SharedRaces::Race> SharedRaces::firstOfReads(uint64_t index, F f) const {
  for (const Access &read : bytes[index].reads)
    if (std::optional<Race> race = f(read))
      return race;
  if (auto more = moreReads.find(index); keepsAll && more != moreReads.end())
    for (const Access &read : more->second)
      if (std::optional<Race> race = f(read))
        return race;
  return std::nullopt;
}

std::optional<SharedRaces::Race> SharedRaces::access(uint64_t index, unsigned warp, unsigned lane,
                                                     bool isWrite, bool isStrong, uint32_t pc) {
  auto check = [&](const Access &other, bool otherWrites) -> std::optional<Race> {
    if (other.isStrong && isStrong)
      return std::nullopt;
    int found = unordered(other, warp, lane);
    if (found < 0)
      return std::nullopt;
    return Race{other, static_cast<unsigned>(found), otherWrites};
  };
  std::optional<Race> race = check(bytes[index].write, true);
  Access access = now(warp, lane, pc);
  access.isStrong = isStrong;
  if (isWrite && !race)
    race = firstOfReads(index, [&](const Access &read) { return check(read, false); });
  if (isWrite && !race)
    race = unorderedProduct(index / kPieceBytes, warp, lane);
  note(index, access, isWrite);
  return race;
}

SharedRaces::Access SharedRaces::now(unsigned warp, unsigned lane, uint32_t pc) const {
  Access access;
  access.warp = static_cast<uint16_t>(warp);
  access.lanes = uint32_t(1) << lane;
  access.clock = clocks[warp];
  access.pc = pc;
  return access;
}

SharedRaces::Access SharedRaces::byEngine(size_t engine, uint64_t phase, uint32_t pc) const {
  Access access;
  access.warp = static_cast<uint16_t>(engineThread(engine) / 32);
  access.lanes = uint32_t(1) << (engine % 32);
  access.clock = static_cast<uint32_t>(phase);
  access.pc = pc;
  return access;
}

std::optional<SharedRaces::Race> SharedRaces::checkCopy(const Access &other, bool otherWrites,
                                                        unsigned warp, unsigned lane, Fenced memory,
                                                        bool isBulk) const {
  if (int found = unordered(other, warp, lane); found >= 0)
    return Race{other, static_cast<unsigned>(found), otherWrites};
  // A read has its value before its thread arrives, and nothing of it is left to be overtaken.
  if (int found = isBulk && otherWrites ? unfenced(other, warp, lane, memory) : -1; found >= 0)
    return Race{other, static_cast<unsigned>(found), otherWrites, true};
  return std::nullopt;
}

std::optional<SharedRaces::Race> SharedRaces::checkCopy(uint64_t index, unsigned warp,
                                                        unsigned lane, bool isWrite,
                                                        bool isBulk) const {
  // That nothing orders the two is worse than that no fence stands between.
  std::optional<Race> first;
  auto check = [&](const Access &other, bool otherWrites) {
    std::optional<Race> race = checkCopy(other, otherWrites, warp, lane, OfShared, isBulk);
    if (race && (!first || first->isUnfenced))
      first = race;
  };
  check(bytes[index].write, true);
  if (isWrite)
    firstOfReads(index, [&](const Access &read) -> std::optional<Race> {
      check(read, false);
      return std::nullopt;
    });
  return first;
}

void SharedRaces::note(uint64_t index, const Access &access, bool isWrite) {
  if (!isWrite)
    return noteRead(index, access);
  Byte &byte = bytes[index];
  byte.write = access;
  byte.reads[0] = byte.reads[1] = Access();
  if (keepsAll)
    moreReads.erase(index);
}

//===----------------------------------------------------------------------===//
// Products of warp groups
//===----------------------------------------------------------------------===//

/// A product is over for a warp when any lane of it has waited: the instruction is all lanes'.
std::optional<SharedRaces::Race> SharedRaces::unorderedProduct(uint64_t piece, unsigned warp,
                                                               unsigned lane) const {
  const size_t first = piece * warps, self = size_t(warp) * 32 + lane;
  for (size_t other = 0; !products.empty() && other < warps; ++other) {
    const Access &read = products[first + other];
    if (!read.lanes || other == warp || read.clock < warpKnowledge[size_t(warp) * warps + other])
      continue;
    bool isKnown = false;
    for (size_t of = 0; of < 32 && !isKnown; ++of)
      isKnown = read.clock < ordered.knows(self, other * 32 + of);
    if (!isKnown)
      return Race{read, 0, false};
  }
  return std::nullopt;
}

void SharedRaces::noteProduct(uint64_t piece, unsigned warp, uint32_t pc) {
  if (products.empty())
    products.resize((bytes.size() / kPieceBytes + 1) * warps);
  products[piece * warps + warp] = now(warp, 0, pc);
}

static bool areSame(const SharedRaces::Access &a, const SharedRaces::Access &b) {
  return a.warp == b.warp && a.lanes == b.lanes && a.clock == b.clock && a.isBulk == b.isBulk;
}

std::optional<std::pair<uint64_t, SharedRaces::Race>>
SharedRaces::checkProduct(uint64_t piece, unsigned warp, uint32_t lanes) const {
  const Access *before = nullptr;
  for (uint64_t byte = piece * kPieceBytes; byte < (piece + 1) * kPieceBytes; ++byte) {
    const Access &write = bytes[byte].write;
    if (before && areSame(*before, write))
      continue;
    before = &write;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      if (auto race = checkCopy(write, true, warp, static_cast<unsigned>(__builtin_ctz(rest)),
                                OfShared, true))
        return std::pair(byte, *race);
  }
  return std::nullopt;
}

void SharedRaces::release(unsigned warp, uint32_t lanes, Published &published) {
  const size_t first = size_t(warp) * 32;
  join(published.ordered, viewOf(warp, lanes));
  for (Fenced memory : kFenced)
    fenced[memory].addTo(published.fenced[memory], first, lanes);
  others.addTo(published.others, first, lanes);
  ++clocks[warp];
}

void SharedRaces::acquire(unsigned warp, uint32_t lanes, const Published &published) {
  const size_t first = size_t(warp) * 32;
  if (!published.ordered.empty())
    ordered.learn(first, lanes, published.ordered);
  if (!published.others.isEmpty())
    others.learn(first, lanes, published.others);
  for (Fenced memory : kFenced)
    if (!published.fenced[memory].empty())
      fenced[memory].learn(first, lanes, published.fenced[memory]);
}

void SharedRaces::fenceProxies(unsigned warp, uint32_t lanes, unsigned memories) {
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const uint32_t lane = rest & -rest;
    const View view = viewOf(warp, lane);
    const size_t self = size_t(warp) * 32 + static_cast<unsigned>(__builtin_ctz(lane));
    for (Fenced memory : {OfShared, OfGlobal, OfMbarriers})
      if (memories >> memory & 1)
        fenced[memory].learn(size_t(warp) * 32, lane, view);
    if (memories >> OfMakers & 1) { // What others have made is theirs to release.
      View own(self + 1, 0);
      own[self] = view[self];
      fenced[OfMakers].learn(size_t(warp) * 32, lane, own);
    }
  }
  ++clocks[warp];
}

bool SharedRaces::hasViews() const {
  return !ordered.isEmpty() || !others.isEmpty() ||
         std::any_of(std::begin(fenced), std::end(fenced),
                     [](const ThreadViews &views) { return !views.isEmpty(); });
}

void SharedRaces::meet(const std::vector<size_t> &publishing, const std::vector<size_t> &learning) {
  ordered.meet(publishing, learning);
  others.meet(publishing, learning);
  for (Fenced memory : kFenced)
    fenced[memory].meet(publishing, learning);
}

static void addThreads(std::vector<size_t> &threads, unsigned warp, uint32_t lanes) {
  for (; lanes; lanes &= lanes - 1)
    threads.push_back(size_t(warp) * 32 + static_cast<unsigned>(__builtin_ctz(lanes)));
}

void SharedRaces::syncLanes(unsigned warp, uint32_t lanes) {
  if (hasViews()) {
    std::vector<size_t> threads;
    addThreads(threads, warp, lanes);
    meet(threads, threads);
  }
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
  if (hasViews()) {
    std::vector<size_t> from, to;
    for (unsigned warp : publishing)
      addThreads(from, warp, ~uint32_t(0));
    for (unsigned warp : learning)
      addThreads(to, warp, ~uint32_t(0));
    std::sort(from.begin(), from.end());
    meet(from, to);
  }
  for (unsigned warp : learning)
    for (unsigned other = 0; other < warps; ++other) {
      uint32_t &knows = warpKnowledge[size_t(warp) * warps + other];
      knows = std::max(knows, known[other]);
    }
}
