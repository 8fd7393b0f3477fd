//===- ProgramRaces.cpp - Which programs touched which bytes -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramRaces.h"

#include <algorithm>
#include <cstring>

using namespace fsm::sim;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

void ProgramRaces::Touches::add(const Touch &touch) {
  if (touch.program == first.program || touch.program >= second.program)
    return;
  if (touch.program < first.program) {
    second = first;
    first = touch;
  } else {
    second = touch;
  }
}

/// A lower program than the first one. The others that differ from the first one where the two are
/// the same are those that differ from this.
void ProgramRaces::Writes::addLower(const Touch &touch, uint64_t newValue, bool isOther) {
  if (isOther || !isDifferent)
    second = first;
  isDifferent = isOther || isDifferent;
  first = touch;
  value = newValue;
  isMixed = false;
}

void ProgramRaces::Writes::add(const Touch &touch, uint64_t newValue, bool hasValue) {
  const bool isFirst = first.program == kNobody, isOwn = first.program == touch.program;
  const bool isOther = !isFirst && (isMixed || !hasValue || newValue != value);
  if (isFirst) {
    first = touch;
    value = newValue;
  } else if (isOwn) {
    isMixed = isOther;
    isDifferent |= isOther && second.program != kNobody;
  } else if (touch.program < first.program) {
    addLower(touch, newValue, isOther);
  } else if (isOther == isDifferent ? touch.program < second.program : isOther) {
    second = touch;
    isDifferent = isOther;
  }
  isMixed |= !hasValue && first.program == touch.program;
}

/// The bits of one of the cells that a wider one becomes; memory is little-endian.
static uint64_t bitsOfPart(uint64_t value, size_t part, uint32_t bytes) {
  return value >> (8 * bytes * part) & (~uint64_t(0) >> (64 - 8 * bytes));
}

template <typename Cell>
static void repeat(std::vector<Cell> &cells, size_t parts) {
  std::vector<Cell> finer;
  finer.reserve(cells.size() * parts);
  for (const Cell &cell : cells)
    finer.insert(finer.end(), parts, cell);
  cells = std::move(finer);
}

/// Splits cells that are wider than this.
void ProgramRaces::refine(Stretch &stretch, uint32_t bytesPerCell) {
  if (stretch.bytesPerCell == 0)
    stretch.bytesPerCell = bytesPerCell;
  if (bytesPerCell >= stretch.bytesPerCell)
    return;
  const size_t parts = stretch.bytesPerCell / bytesPerCell;
  for (std::vector<Touches> *cells : {&stretch.reads, &stretch.strongReads, &stretch.strongWrites})
    repeat(*cells, parts);
  repeat(stretch.writes, parts);
  for (size_t cell = 0; cell < stretch.writes.size(); ++cell)
    stretch.writes[cell].value = bitsOfPart(stretch.writes[cell].value, cell % parts, bytesPerCell);
  stretch.bytesPerCell = bytesPerCell;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

template <typename Cell>
static Cell &cellOf(std::vector<Cell> &cells, size_t cell, size_t count) {
  if (cells.empty())
    cells.resize(count);
  return cells[cell];
}

void ProgramRaces::note(Stretch &stretch, const Touch &touch, Kind kind, uint64_t offset,
                        uint32_t bytes, const uint8_t *value) {
  const size_t count = kStretchBytes / stretch.bytesPerCell;
  for (uint32_t byte = 0; byte < bytes; byte += stretch.bytesPerCell) {
    const size_t cell = (offset + byte) / stretch.bytesPerCell;
    if (kind.reads)
      cellOf(kind.isStrong ? stretch.strongReads : stretch.reads, cell, count).add(touch);
    if (kind.writes && kind.isStrong)
      cellOf(stretch.strongWrites, cell, count).add(touch);
    if (!kind.writes || kind.isStrong)
      continue;
    uint64_t bits = 0;
    if (value)
      std::memcpy(&bits, value + byte, stretch.bytesPerCell);
    cellOf(stretch.writes, cell, count).add(touch, bits, value && !kind.reads);
  }
}

/// The most bytes of a cell, a power of two up to 8, of which address and element are multiples.
static uint32_t granuleOf(uint64_t address, uint32_t bytes, uint32_t bytesPerElement) {
  const uint64_t both = address | bytes | bytesPerElement | 8;
  return static_cast<uint32_t>(both & -both);
}

ProgramRaces::Stretch &ProgramRaces::moveTo(Cursor &cursor, uint64_t number) {
  if (cursor.stretch && cursor.number == number)
    return *cursor.stretch;
  // One lock at a time.
  if (cursor.lock)
    cursor.lock.unlock();
  Part &part = partOf(number);
  cursor.lock = std::unique_lock<std::mutex>(part.mutex);
  cursor.number = number;
  cursor.stretch = &part.stretches[number];
  return *cursor.stretch;
}

void ProgramRaces::access(Cursor &cursor, const Touch &touch, Kind kind, uint64_t address,
                          uint32_t bytes, uint32_t bytesPerElement, const uint8_t *value) {
  const uint32_t granule = granuleOf(address, bytes, bytesPerElement);
  for (const uint64_t end = address + bytes; address < end;) {
    const uint64_t number = address / kStretchBytes, offset = address % kStretchBytes;
    const auto here = static_cast<uint32_t>(std::min(end - address, kStretchBytes - offset));
    Stretch &stretch = moveTo(cursor, number);
    refine(stretch, granule);
    note(stretch, touch, kind, offset, here, value);
    address += here;
    value = value ? value + here : nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

template <typename One, typename Other>
static bool findPair(const std::vector<One> &writes, const std::vector<Other> &others, size_t cell,
                     bool othersWrite, ProgramRaces::Race &race) {
  if (writes.empty() || others.empty())
    return false;
  const One &write = writes[cell];
  const Other &other = others[cell];
  for (const ProgramRaces::Touch *a : {&write.first, &write.second})
    for (const ProgramRaces::Touch *b : {&other.first, &other.second}) {
      if (a->program == ProgramRaces::kNobody || b->program == ProgramRaces::kNobody ||
          a->program == b->program)
        continue;
      const bool isWriteLater = a->program > b->program;
      race.later = isWriteLater ? *a : *b;
      race.earlier = isWriteLater ? *b : *a;
      race.laterWrites = isWriteLater || othersWrite;
      race.earlierWrites = !isWriteLater || othersWrite;
      return true;
    }
  return false;
}

bool ProgramRaces::findRace(const Stretch &stretch, size_t cell, Race &race) {
  if (!stretch.writes.empty() && stretch.writes[cell].isDifferent) {
    const Writes &writes = stretch.writes[cell];
    race.later = writes.second;
    race.earlier = writes.first;
    race.laterWrites = race.earlierWrites = true;
    return true;
  }
  return findPair(stretch.writes, stretch.reads, cell, false, race) ||
         findPair(stretch.writes, stretch.strongWrites, cell, true, race) ||
         findPair(stretch.writes, stretch.strongReads, cell, false, race) ||
         findPair(stretch.strongWrites, stretch.reads, cell, false, race);
}

void ProgramRaces::forRaces(const std::function<void(const Race &)> &tell) {
  std::vector<uint64_t> numbers;
  for (const Part &part : parts)
    for (const auto &[number, stretch] : part.stretches)
      if (!stretch.writes.empty() || !stretch.strongWrites.empty())
        numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  for (uint64_t number : numbers) {
    const Stretch &stretch = partOf(number).stretches[number];
    // Most are only written, or nobody writes another value.
    const bool isOnlyWritten = stretch.reads.empty() && stretch.strongReads.empty() &&
                               (stretch.writes.empty() || stretch.strongWrites.empty());
    if (isOnlyWritten && std::none_of(stretch.writes.begin(), stretch.writes.end(),
                                      [](const Writes &writes) { return writes.isDifferent; }))
      continue;
    Race race;
    for (size_t cell = 0; cell < kStretchBytes / stretch.bytesPerCell; ++cell) {
      race.address = number * kStretchBytes + cell * stretch.bytesPerCell;
      if (findRace(stretch, cell, race))
        tell(race);
    }
  }
}
