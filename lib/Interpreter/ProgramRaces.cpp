//===- ProgramRaces.cpp - Which programs touched which bytes -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramRaces.h"

#include <cstring>

using namespace fsm::interpreter;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

ProgramRaces::Stretch &ProgramRaces::stretchAt(uint64_t address, uint32_t bytes) {
  const uint64_t number = address / kStretchBytes;
  if (number != lastNumber) {
    lastNumber = number;
    last = &stretches[number];
  }
  if (last->bytesPerCell == 0)
    last->bytesPerCell = bytes;
  else if (bytes < last->bytesPerCell)
    split(*last, number * kStretchBytes, bytes);
  return *last;
}

/// A narrower access than those before.
void ProgramRaces::split(Stretch &stretch, uint64_t first, uint32_t bytes) {
  const uint32_t parts = stretch.bytesPerCell / bytes;
  for (std::vector<Record> *records : {&stretch.reads, &stretch.writes}) {
    std::vector<Record> finer;
    for (Record record : *records) {
      // Of which part, nobody knows.
      record.isMixed = 0;
      finer.insert(finer.end(), parts, record);
    }
    *records = std::move(finer);
  }
  for (uint64_t offset = 0; stretch.hasMore && offset < kStretchBytes;
       offset += stretch.bytesPerCell)
    if (auto found = more.find(first + offset); found != more.end()) {
      const More whole = found->second;
      for (uint32_t part = 1; part < parts; ++part)
        more[first + offset + part * bytes] = whole;
    }
  stretch.bytesPerCell = bytes;
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

ProgramRaces::Touch ProgramRaces::begin(mlir::Operation *op, bool reads, bool writes,
                                        bool isStrong) {
  auto [entry, isNew] = siteOf.try_emplace(op, static_cast<uint32_t>(sites.size()));
  if (isNew)
    sites.push_back(op);
  return Touch{entry->second, reads, writes, isStrong};
}

const ProgramRaces::Record *ProgramRaces::firstUnordered(const std::vector<Record> &records) {
  for (const Record &record : records)
    if (isUnordered(record))
      return &record;
  return nullptr;
}

const ProgramRaces::Record *ProgramRaces::findRace(const Touch &touch, const Stretch &stretch,
                                                   size_t cell, const More *more, bool keepsValue) {
  const bool meetsWrites = touch.reads || touch.isStrong || !keepsValue;
  if (!stretch.writes.empty())
    if (const Record &write = stretch.writes[cell];
        (meetsWrites || write.isMixed) && isUnordered(write))
      return &write;
  if (touch.writes && !stretch.reads.empty() && isUnordered(stretch.reads[cell]))
    return &stretch.reads[cell];
  if (!more)
    return nullptr;
  const Record *found = meetsWrites ? firstUnordered(more->writes) : nullptr;
  if (!found && touch.writes)
    found = firstUnordered(more->reads);
  if (!found && !touch.isStrong)
    found = firstUnordered(more->strongWrites);
  if (!found && !touch.isStrong && touch.writes)
    found = firstUnordered(more->strongReads);
  return found;
}

/// Whoever comes behind the new access comes behind those that are before it.
void ProgramRaces::keep(std::vector<Record> &records, const Record &record) {
  if (ordersPrograms)
    llvm::erase_if(records, [&](const Record &older) { return !isUnordered(older); });
  else if (!records.empty())
    return;
  if (records.size() < kMostKept)
    records.push_back(record);
}

void ProgramRaces::note(Record record, Stretch &stretch, bool isRead, size_t cell, uint64_t address,
                        bool keepsValue) {
  std::vector<Record> &records = isRead ? stretch.reads : stretch.writes;
  if (records.empty())
    records.resize(kStretchBytes / stretch.bytesPerCell);
  Record &first = records[cell];
  if (!isUnordered(first)) {
    const bool isOwn = first.program == record.program && first.clock == record.clock;
    record.isMixed = !isRead && isOwn && (first.isMixed || !keepsValue);
    if (first.program == kNobody || ordersPrograms || record.isMixed)
      first = record;
  } else if (ordersPrograms) {
    stretch.hasMore = true;
    keep(isRead ? more[address].reads : more[address].writes, record);
  }
}

void ProgramRaces::note(const Touch &touch, Stretch &stretch, size_t cell, uint64_t address,
                        bool keepsValue) {
  const Record record{order.program(), touch.site, order.clock()};
  if (touch.isStrong) {
    stretch.hasMore = true;
    More &of = more[address];
    if (touch.reads)
      keep(of.strongReads, record);
    if (touch.writes)
      keep(of.strongWrites, record);
    return;
  }
  if (touch.reads)
    note(record, stretch, /*isRead=*/true, cell, address, keepsValue);
  if (touch.writes)
    note(record, stretch, /*isRead=*/false, cell, address, keepsValue);
}

std::optional<ProgramRaces::Race> ProgramRaces::access(const Touch &touch, uint64_t address,
                                                       uint32_t bytes, const uint64_t *stored) {
  Stretch &stretch = stretchAt(address, bytes);
  const auto *value = reinterpret_cast<const uint8_t *>(stored);
  for (const uint64_t end = address + bytes; address < end; address += stretch.bytesPerCell) {
    const bool keepsValue = value && std::memcmp(reinterpret_cast<const void *>(address), value,
                                                 stretch.bytesPerCell) == 0;
    value = value ? value + stretch.bytesPerCell : nullptr;
    const size_t cell = address % kStretchBytes / stretch.bytesPerCell;
    const More *extra = nullptr;
    if (stretch.hasMore)
      if (auto found = more.find(address); found != more.end())
        extra = &found->second;
    if (const Record *other = findRace(touch, stretch, cell, extra, keepsValue))
      return Race{other->program, sites[other->site]};
    note(touch, stretch, cell, address, keepsValue);
  }
  if (touch.writes && !touch.reads && !messages.empty())
    forget(address - bytes, bytes, touch.isStrong);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

ProgramOrder::Message ProgramRaces::messageAt(uint64_t address) const {
  auto found = messages.find(address);
  return found == messages.end() ? 0 : found->second.message;
}

/// A store ends what the places say that it touches, but for a volatile one of who said it.
void ProgramRaces::forget(uint64_t address, uint32_t bytes, bool isStrong) {
  for (auto at = messages.lower_bound(address - kWidestAtomic + 1);
       at != messages.end() && at->first < address + bytes;) {
    const bool isTouched = at->first + at->second.bytes > address;
    const bool isKept = isStrong && order.isOwn(at->second.message);
    at = isTouched && !isKept ? messages.erase(at) : std::next(at);
  }
}

void ProgramRaces::setMessage(uint64_t address, uint32_t bytes, ProgramOrder::Message message) {
  if (message)
    messages[address] = Said{message, bytes};
  else
    messages.erase(address);
}
