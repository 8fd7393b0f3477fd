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
void ProgramRaces::Writes::addLower(const Touch &touch, uint64_t newValue, uint64_t newMixed) {
  const uint64_t other = (newValue ^ value) | mixed | newMixed;
  if (other || !different)
    second = first;
  different |= other;
  first = touch;
  value = newValue;
  mixed = newMixed;
}

void ProgramRaces::Writes::add(const Touch &touch, uint64_t newValue, bool hasValue) {
  const uint64_t unknown = hasValue ? 0 : ~uint64_t(0), own = (newValue ^ value) | unknown,
                 other = own | mixed;
  if (first.program == kNobody) {
    first = touch;
    value = newValue;
    mixed = unknown;
  } else if (first.program == touch.program) {
    mixed |= own;
    different |= second.program == kNobody ? 0 : own;
  } else if (touch.program < first.program) {
    addLower(touch, newValue, unknown);
  } else if (!other == !different ? touch.program < second.program : other != 0) {
    second = touch;
    different = other;
  }
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
    for (uint64_t Writes::*bits : {&Writes::value, &Writes::mixed, &Writes::different})
      stretch.writes[cell].*bits =
          bitsOfPart(stretch.writes[cell].*bits, cell % parts, bytesPerCell);
  stretch.bytesPerCell = bytesPerCell;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Only keeps an access, if no other program has come and there is room.
bool ProgramRaces::writeDown(Stretch &stretch, Line line, const uint8_t *value) {
  if (stretch.bytesPerCell)
    return false;
  if (stretch.owner == kNobody)
    stretch.owner = line.touch.program;
  if (stretch.owner != line.touch.program)
    return false;
  if (!stretch.lines.empty()) {
    Line &last = stretch.lines.back();
    const bool isAlike = last.touch.pc == line.touch.pc && last.kind == line.kind &&
                         last.hasValue == line.hasValue && last.granule == line.granule &&
                         last.bytesOfLane == line.bytesOfLane;
    // Of what is read again, that it is read is all there is to know.
    if (isAlike && last.lanes == 1 && last.offset == line.offset && !line.kind.writes)
      return true;
    if (isAlike && last.touch.thread + last.lanes == line.touch.thread &&
        last.offset + last.lanes * last.bytesOfLane == line.offset) {
      ++last.lanes;
      line.lanes = 0;
    }
  }
  if (line.lanes) {
    if (stretch.lines.size() == kMostLines)
      return false;
    if (stretch.lines.empty())
      stretch.lines.reserve(4);
    stretch.lines.push_back(line);
  }
  if (value && stretch.values.empty())
    stretch.values.reserve(kStretchBytes);
  if (value)
    stretch.values.insert(stretch.values.end(), value, value + line.bytesOfLane);
  return true;
}

/// Makes cells of what one program has done.
void ProgramRaces::share(Stretch &stretch) {
  const uint8_t *value = stretch.values.data();
  for (const Line &line : stretch.lines) {
    refine(stretch, line.granule);
    for (uint32_t lane = 0; lane < line.lanes; ++lane) {
      const Touch touch(line.touch.program, line.touch.pc, line.touch.thread + lane);
      note(stretch, touch, line.kind, line.offset + lane * line.bytesOfLane, line.bytesOfLane,
           line.hasValue ? value : nullptr);
      value += line.hasValue ? line.bytesOfLane : 0;
    }
  }
  stretch.lines = {};
  stretch.values = {};
}

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
    const Line line{touch,
                    kind,
                    value != nullptr,
                    static_cast<uint8_t>(granule),
                    static_cast<uint16_t>(offset),
                    static_cast<uint16_t>(here),
                    1};
    if (!writeDown(stretch, line, value)) {
      share(stretch);
      refine(stretch, granule);
      note(stretch, touch, kind, offset, here, value);
    }
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
  if (!stretch.writes.empty() && stretch.writes[cell].different) {
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
                                      [](const Writes &writes) { return writes.different != 0; }))
      continue;
    Race race;
    for (size_t cell = 0; cell < kStretchBytes / stretch.bytesPerCell; ++cell) {
      race.address = number * kStretchBytes + cell * stretch.bytesPerCell;
      if (findRace(stretch, cell, race))
        tell(race);
    }
  }
}
