//===- GlobalRaces.cpp - Who touched global memory in a launch -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalRaces.h"

#include "../Threads/Block.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

GlobalRaces::GlobalRaces(const Linked &linked, bool isPacked, bool isOfOneStore)
    : orders(linked, isPacked), linked(linked), isPacked(isPacked), isOfOneStore(isOfOneStore),
      keepsReads(linked.hasAcquire()) {}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// The stretch that has the address, in cells of `granule` bytes at most.
GlobalRaces::Stretch &GlobalRaces::stretchAt(uint64_t address, uint32_t granule) {
  const uint64_t number = address / kStretchBytes;
  if (number != lastNumber) {
    lastNumber = number;
    last = &stretches[number];
  }
  if (last->cells.empty()) {
    last->bytesPerCell = granule;
    last->cells.resize(kStretchBytes / granule);
  } else if (last->bytesPerCell > granule) {
    split(*last, number * kStretchBytes, granule);
  }
  return *last;
}

void GlobalRaces::split(Stretch &stretch, uint64_t address, uint32_t granule) {
  const uint32_t before = stretch.bytesPerCell;
  std::vector<Cell> cells(kStretchBytes / granule);
  for (uint64_t byte = 0; byte < kStretchBytes; byte += granule) {
    const Cell &cell = stretch.cells[byte / before];
    cells[byte / granule] = cell;
    if (cell.hasMore && byte % before)
      more[address + byte] = more[address + byte / before * before];
  }
  stretch.cells = std::move(cells);
  stretch.bytesPerCell = granule;
}

/// The most bytes, of a power of two, of which both are multiples.
static uint32_t granuleOf(uint64_t address, uint32_t count, uint32_t most) {
  uint64_t both = address | count | most;
  return static_cast<uint32_t>(both & -both);
}

//===----------------------------------------------------------------------===//
// Who comes before whom
//===----------------------------------------------------------------------===//

int GlobalRaces::unordered(const Block &block, const Access &other, const Access &access) const {
  // What an engine does comes behind what its thread knew when it issued the copy: nobody notes it.
  if (block.races.isEngine(access))
    return __builtin_ctz(other.lanes);
  const unsigned lane = static_cast<unsigned>(__builtin_ctz(access.lanes));
  if (other.block == block.linearId)
    return block.races.unordered(other, access.warp, lane);
  const View *known = block.races.viewOfOther(other.block, access.warp, lane);
  for (uint32_t lanes = other.lanes; lanes; lanes &= lanes - 1) {
    size_t thread = size_t(other.warp) * 32 + static_cast<unsigned>(__builtin_ctz(lanes));
    if (!known || thread >= known->size() || other.clock >= (*known)[thread])
      return __builtin_ctz(lanes);
  }
  return -1;
}

/// Whether two writes are of one store of the program: of one instruction, or of several that
/// one line of the source became, and executed the same number of times.
bool GlobalRaces::isSameStore(const Access &a, const Access &b) const {
  const Instruction &one = linked.code[a.pc], &other = linked.code[b.pc];
  if (isOfOneStore || !one.storeNumber || !other.storeNumber || a.time != b.time ||
      !isSameProgram(a, b))
    return false;
  return a.pc == b.pc || (one.sourceLine && one.sourceLine == other.sourceLine &&
                          one.sourceFile == other.sourceFile);
}

std::optional<GlobalRaces::Race> GlobalRaces::checkPair(const Block &block, const Access &other,
                                                        const Access &access, bool otherWrites,
                                                        bool bothWrite) const {
  if (!other.lanes)
    return std::nullopt;
  const bool isOne = isSameProgram(other, access);
  if ((otherWrites && access.isNonCoherent) || other.isNonCoherent)
    return Race{
        other, static_cast<unsigned>(__builtin_ctz(other.lanes)), otherWrites, isOne, false, false,
        true};
  const bool areStrong = other.isStrong && access.isStrong;
  const bool isTooNarrow = !isOne && (other.isBlockScope || access.isBlockScope);
  if (areStrong && !isTooNarrow && other.bytes == access.bytes)
    return std::nullopt;
  const int lane = unordered(block, other, access);
  if (lane < 0 || (bothWrite && isSameStore(other, access)))
    return std::nullopt;
  return Race{other, static_cast<unsigned>(lane), otherWrites,
              isOne, areStrong && isTooNarrow,    areStrong && !isTooNarrow};
}

std::optional<GlobalRaces::Race> GlobalRaces::checkCell(const Block &block, const Access &access,
                                                        const Cell &cell, uint64_t address,
                                                        bool isWrite) const {
  if (auto race = checkPair(block, cell.write, access, true, isWrite))
    return race;
  if (isWrite)
    for (const Access &read : cell.reads)
      if (auto race = checkPair(block, read, access, false, false))
        return race;
  auto found = cell.hasMore ? more.find(address) : more.end();
  if (found == more.end())
    return std::nullopt;
  for (const Access &write : found->second.strongWrites)
    if (auto race = checkPair(block, write, access, true, isWrite))
      return race;
  for (const auto *reads : {&found->second.reads, &found->second.strongReads})
    for (const Access &read : *reads)
      if (auto race = isWrite ? checkPair(block, read, access, false, false) : std::nullopt)
        return race;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Makes one of two accesses by lanes of one warp at one time.
static bool joinLanes(GlobalRaces::Access &older, const GlobalRaces::Access &access) {
  if (!older.lanes || older.block != access.block || older.warp != access.warp ||
      older.clock != access.clock || older.isBulk != access.isBulk ||
      older.isBlockScope != access.isBlockScope || older.bytes != access.bytes ||
      older.isStrong != access.isStrong || older.time != access.time)
    return false;
  uint32_t lanes = older.lanes;
  older = access;
  older.lanes |= lanes;
  return true;
}

/// Adds an access to those of which none makes another superfluous.
void GlobalRaces::append(const Block &block, std::vector<Access> &list,
                         const Access &access) const {
  for (Access &older : list)
    if (joinLanes(older, access))
      return;
  auto isKnown = [&](const Access &older) { return unordered(block, older, access) < 0; };
  list.erase(std::remove_if(list.begin(), list.end(), isKnown), list.end());
  if (list.size() == kMostReads)
    list.erase(list.begin());
  list.push_back(access);
}

void GlobalRaces::noteRead(const Block &block, const Access &access, Cell &cell, uint64_t address) {
  for (Access &read : cell.reads)
    if (joinLanes(read, access))
      return;
  // Whoever comes after this read comes after one that came before it, too.
  for (Access &read : cell.reads)
    if (!read.lanes || unordered(block, read, access) < 0) {
      read = access;
      return;
    }
  if (keepsReads || block.races.keepsAllReads()) {
    cell.hasMore = true;
    return append(block, more[address].reads, access);
  }
  // Two blocks stay, or else two warps.
  cell.reads[cell.reads[1].block == access.block || cell.reads[0].block != access.block] = access;
}

void GlobalRaces::note(const Block &block, const Access &access, Cell &cell, uint64_t address,
                       bool isWrite) {
  if (access.isStrong) {
    cell.hasMore = true;
    More &of = more[address];
    return append(block, isWrite ? of.strongWrites : of.strongReads, access);
  }
  if (!isWrite)
    return noteRead(block, access, cell, address);
  if (cell.write.pc == access.pc && joinLanes(cell.write, access))
    return;
  if (cell.hasMore)
    more.erase(address);
  cell = Cell();
  cell.write = access;
}

std::optional<GlobalRaces::Race> GlobalRaces::check(const Block &block, const Access &access,
                                                    uint64_t address, uint32_t count,
                                                    bool isWrite) {
  const uint32_t granule = granuleOf(address, count, kMostBytesPerCell);
  for (uint64_t end = address + count; address < end;) {
    const Stretch &stretch = stretchAt(address, granule);
    const Cell &cell = stretch.cells[address % kStretchBytes / stretch.bytesPerCell];
    if (auto race = checkCell(block, access, cell, address, isWrite))
      return race;
    address += stretch.bytesPerCell;
  }
  return std::nullopt;
}

std::optional<GlobalRaces::Race> GlobalRaces::access(const Block &block, const Access &access,
                                                     uint64_t address, uint32_t count,
                                                     bool isWrite) {
  std::optional<Race> race;
  const uint32_t granule = granuleOf(address, count, kMostBytesPerCell);
  for (uint64_t end = address + count; address < end;) {
    Stretch &stretch = stretchAt(address, granule);
    Cell &cell = stretch.cells[address % kStretchBytes / stretch.bytesPerCell];
    if (!race)
      race = checkCell(block, access, cell, address, isWrite);
    note(block, access, cell, address, isWrite);
    address += stretch.bytesPerCell;
  }
  return race;
}

void GlobalRaces::noteRead(const Block &block, const Access &access, uint64_t address,
                           uint32_t count) {
  const uint32_t granule = granuleOf(address, count, kMostBytesPerCell);
  for (uint64_t end = address + count; address < end;) {
    Stretch &stretch = stretchAt(address, granule);
    noteRead(block, access, stretch.cells[address % kStretchBytes / stretch.bytesPerCell], address);
    address += stretch.bytesPerCell;
  }
}
