//===- Access.cpp - Checked access to memory --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "AsyncCopies.h"
#include "Traffic.h"

#include <algorithm>
#include <cstring>

using namespace fsm;
using namespace fsm::sim;

/// Replaces a generic address by one of its own space.
static Space resolveSpace(Space space, uint64_t &address) {
  if (space != Space::Generic)
    return space;
  static constexpr std::pair<uint64_t, Space> windows[] = {
      {kSharedWindow, Space::Shared}, {kLocalWindow, Space::Local}, {kParamWindow, Space::Param}};
  for (auto [base, window] : windows)
    if (address >= base && address < base + kWindowBytes) {
      address -= base;
      return window;
    }
  return Space::Global;
}

static std::string plural(uint64_t count, const char *what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

static const char *verb(Purpose purpose) {
  return purpose == Purpose::Read ? "reads" : purpose == Purpose::Write ? "writes" : "updates";
}

std::string sim::describe(const Launch &launch, const Allocation &allocation) {
  std::string extent = plural(allocation.bytes, "byte");
  if (!allocation.name.empty())
    return allocation.name + " (" + extent + ")";
  for (size_t index = 0; index < launch.kernel.parameters.size(); ++index) {
    const Variable &parameter = launch.kernel.parameters[index];
    uint64_t value = 0;
    if (parameter.bytes != 8)
      continue;
    std::memcpy(&value, launch.parameters.data() + parameter.offset, 8);
    if (launch.memory.stretchOf(value) == &allocation)
      return "argument " + std::to_string(index) + " ('" + parameter.name + "', " + extent + ")";
  }
  return "an allocation no argument points to (" + extent + ")";
}

static std::string distance(uint64_t address, uint64_t bytes, uint64_t begin, uint64_t extent) {
  if (address < begin)
    return plural(begin - address, "byte") + " before the begin of ";
  return plural(address + bytes - begin - extent, "byte") + " past the end of ";
}

void WarpAccess::reportOutside(unsigned lane, uint64_t address) {
  Block &block = warp.block;
  uint64_t local = address;
  Space space = resolveSpace(this->space, local);
  std::string message = std::string(verb(purpose)) + " " + plural(bytes, "byte");
  if (space == Space::Shared || space == Space::Local || space == Space::Param) {
    uint64_t extent = space == Space::Shared  ? block.launch.linked.sharedBytes
                      : space == Space::Local ? block.launch.linked.localBytes
                                              : block.launch.parameters.size();
    message += ", " + distance(local, bytes, 0, extent) +
               (space == Space::Shared  ? "shared memory"
                : space == Space::Local ? "the thread's local memory"
                                        : "the parameters") +
               " (" + plural(extent, "byte") + ")";
    return block.report(warp, Report::Kind::OutOfBounds, lane, address, message);
  }
  if (block.launch.memory.isFreed(address))
    return block.report(warp, Report::Kind::UseAfterFree, lane, address,
                        message + " of an allocation that was freed");
  const Allocation *allocation = block.launch.memory.stretchOf(address);
  message += allocation ? ", " + distance(address, bytes, allocation->address, allocation->bytes) +
                              describe(*allocation)
                        : " at an address that is near no allocation";
  block.report(warp, Report::Kind::OutOfBounds, lane, address, message);
}

bool WarpAccess::checkInside(unsigned lane, uint64_t address, Place &place) {
  Block &block = warp.block;
  uint64_t offset = address;
  place.space = resolveSpace(space, offset);
  auto within = [&](uint64_t extent) { return offset <= extent && bytes <= extent - offset; };
  switch (place.space) {
  case Space::Shared:
    if (std::optional<uint64_t> found = block.findShared(warp, offset, bytes)) {
      offset = *found;
      place.data = block.shared.data() + offset;
    }
    break;
  case Space::Local: {
    uint64_t extent = block.launch.linked.localBytes;
    uint64_t base = block.localBase(warp, lane);
    place.data = within(extent) ? block.local.data() + base + offset : nullptr;
    offset += base;
    break;
  }
  case Space::Param:
    place.data = within(block.launch.parameters.size()) && purpose == Purpose::Read
                     ? block.launch.parameters.data() + offset
                     : nullptr;
    break;
  default:
    place.allocation = block.launch.memory.stretchOf(address);
    if (place.allocation && place.allocation->contains(address, bytes)) {
      offset = address - place.allocation->address;
      place.data = place.allocation->data + offset;
    }
  }
  place.offset = offset;
  return place.data != nullptr;
}

void WarpAccess::checkInitialized(unsigned lane, uint64_t address, const Place &place) {
  uint64_t first = bytes;
  if (place.space == Space::Param)
    return;
  if (place.allocation) {
    first = place.allocation->firstUninitialized(place.offset, bytes);
  } else {
    const std::vector<uint8_t> &known =
        place.space == Space::Shared ? warp.block.sharedInitialized : warp.block.localInitialized;
    auto begin = known.begin() + static_cast<long>(place.offset);
    first = static_cast<uint64_t>(std::find(begin, begin + bytes, 0) - begin);
  }
  if (first == bytes)
    return;
  std::string of = place.allocation               ? " of " + describe(*place.allocation)
                   : place.space == Space::Shared ? " of shared memory"
                                                  : " of the thread's local memory";
  uint64_t at = place.space == Space::Local ? address : place.offset + first;
  warp.block.report(warp, Report::Kind::UninitializedMemory, lane, address + first,
                    std::string(verb(purpose)) + " byte " + std::to_string(at) + of +
                        ", which was never written");
}

static void setInitialized(Block &block, const Place &place, uint32_t bytes) {
  if (place.allocation)
    return place.allocation->setInitialized(place.offset, bytes);
  std::vector<uint8_t> &known =
      place.space == Space::Shared ? block.sharedInitialized : block.localInitialized;
  std::fill_n(known.begin() + static_cast<long>(place.offset), bytes, 1);
}

void WarpAccess::checkSharedRace(unsigned lane, uint64_t address, const Place &place,
                                 const uint8_t *holders) {
  bool isWrite = purpose != Purpose::Read;
  bool isReported = false;
  for (uint64_t byte = place.offset; byte < place.offset + bytes; ++byte) {
    unsigned holder = holders ? holders[byte - place.offset] : lane;
    auto race = warp.block.races.access(byte, warp.index, holder, isWrite, instruction.isStrong(),
                                        warp.pc());
    if (!race || isReported)
      continue;
    isReported = true;
    warp.block.report(warp, Report::Kind::SharedRace, holder, address,
                      std::string(verb(purpose)) + " byte " + std::to_string(byte) +
                          " of shared memory, " + warp.block.describeRace(*race));
  }
}

/// A race with another program, of two plain stores in a byte that the later one changes.
std::optional<GlobalRaces::Race> WarpAccess::checkPrograms(const GlobalRaces::Access &access,
                                                           uint64_t address, bool isWrite,
                                                           const StoredBytes *stored) {
  GlobalRaces &races = *warp.block.launch.globalRaces;
  auto race = races.check(warp.block, access, address, bytes, isWrite);
  if (!race || race->isOfOneProgram)
    return std::nullopt;
  if (!stored || access.isStrong || !race->otherWrites || race->other.isStrong)
    return race;
  for (uint32_t byte = 0; byte < bytes; ++byte) {
    if (stored->before[byte] == stored->value[byte])
      continue;
    race = races.check(warp.block, access, address + byte, 1, isWrite);
    if (race && !race->isOfOneProgram)
      return race;
  }
  return std::nullopt;
}

void WarpAccess::checkGlobalRace(unsigned lane, uint64_t address, const Place &place, bool isWrite,
                                 const StoredBytes *stored) {
  Block &block = warp.block;
  GlobalRaces &races = *block.launch.globalRaces;
  GlobalRaces::Access access{block.races.now(warp.index, lane, warp.pc()), block.linearId};
  access.isStrong = instruction.isStrong();
  access.isBlockScope = instruction.isBlockScope;
  const MemoryAccess *load = instruction.ifIs<MemoryAccess>();
  access.isNonCoherent = load && load->isNonCoherent;
  access.bytes = static_cast<uint8_t>(bytesOf(instruction.type));
  access.time = warp.timesOf(instruction);
  const bool ofPrograms = !block.launch.options.globalRaces;
  auto race = ofPrograms ? checkPrograms(access, address, isWrite, stored) : std::nullopt;
  if (auto any = races.access(block, access, address, bytes, isWrite); !ofPrograms)
    race = any;
  if (race)
    block.reportAt({warp.pc(), warp.index, lane}, Report::Kind::GlobalRace, address,
                   std::string(verb(purpose)) + " byte " + std::to_string(place.offset) + " of " +
                       describe(*place.allocation) + ", " + block.describeRace(*race),
                   race->other.pc);
}

void WarpAccess::order(unsigned lane, uint64_t address, const Place &place, bool isWrite,
                       const StoredBytes *stored) {
  if (!place.allocation || place.allocation->isReadOnly)
    return;
  if (ProgramRaces *programs = warp.block.launch.programRaces)
    programs->access(
        cursor, warp.block.touchOf(warp.pc(), warp.index, lane),
        {purpose != Purpose::Write, isWrite, instruction.isStrong() && !instruction.isBlockScope},
        address, bytes, bytesOf(instruction.type), stored ? stored->value : nullptr);
  GlobalRaces *races = warp.block.launch.globalRaces;
  if (!races)
    return;
  checkGlobalRace(lane, address, place, isWrite, stored);
  if (instruction.isStrong())
    races->orders.access(warp.block, warp.index, lane, instruction, address,
                         purpose != Purpose::Write, isWrite);
  else if (isWrite)
    races->orders.overwrite(address, bytes);
}

Place WarpAccess::locate(unsigned lane, uint64_t address, uint64_t alignment) {
  Place place;
  if (!checkInside(lane, address, place)) {
    reportOutside(lane, address);
    return Place();
  }
  if (address % alignment) {
    warp.block.report(warp, Report::Kind::Misaligned, lane, address,
                      std::string(verb(purpose)) + " " + plural(bytes, "byte") +
                          " at an address that is no multiple of " + std::to_string(alignment));
    return Place();
  }
  if (purpose != Purpose::Read && place.allocation && place.allocation->isReadOnly) {
    warp.block.report(warp, Report::Kind::ReadOnly, lane, address,
                      std::string(verb(purpose)) + " " + describe(*place.allocation));
    return Place();
  }
  checkAlive(lane, address, place);
  checkAwaited(lane, address, place);
  return place;
}

/// What launches before this one write is there when they have ended. Tables are read at any time.
void WarpAccess::checkAwaited(unsigned lane, uint64_t address, const Place &place) {
  Block &block = warp.block;
  const Allocation *memory = place.allocation;
  bool isWaited = warp.awaited >> lane & 1;
  if (!block.launch.options.overlaps || !memory || isWaited ||
      (memory->isTable && purpose == Purpose::Read))
    return;
  block.report(warp, Report::Kind::EarlyAccess, lane, address,
               std::string(verb(purpose)) + " " + plural(bytes, "byte") + " of " +
                   describe(*memory) +
                   " in front of griddepcontrol.wait, while launches before this one may run");
}

/// A block's shared memory is gone with its threads.
void WarpAccess::checkAlive(unsigned lane, uint64_t address, const Place &place) {
  const Block &block = warp.block;
  const uint64_t stride = block.sharedBase(1);
  if (place.space != Space::Shared || block.launch.clusterBlocks == 1 || !stride)
    return;
  const unsigned rank = static_cast<unsigned>(place.offset / stride);
  if (rank != block.rankOf(warp.index) && block.hasExited(rank))
    warp.block.report(warp, Report::Kind::OutOfBounds, lane, address,
                      std::string(verb(purpose)) + " shared memory of the block of rank " +
                          std::to_string(rank) + ", whose threads have ended");
}

bool WarpAccess::isReportedInFlight(AsyncCopies &async, unsigned lane, uint64_t address,
                                    const Place &place) {
  bool isWrite = purpose != Purpose::Read;
  if (place.allocation)
    async.checkGlobal(warp, lane, address, bytes, isWrite);
  return place.space == Space::Shared &&
         !async.checkShared(warp, lane, address, place.offset, bytes, isWrite);
}

Place WarpAccess::lane(unsigned lane, uint64_t address, const uint8_t *holders) {
  Place place = locate(lane, address, bytes);
  if (!place.data)
    return place;
  bool isInFlight = false;
  if (AsyncCopies *async = warp.block.asyncIfAny())
    isInFlight = isReportedInFlight(*async, lane, address, place);
  if (purpose != Purpose::Write && !isInFlight)
    checkInitialized(lane, address, place);
  if (purpose != Purpose::Read)
    setInitialized(warp.block, place, bytes);
  if (purpose != Purpose::Read && place.allocation && warp.block.launch.linked.copiesFromGlobal)
    warp.block.async().noteGlobalWrite(warp, lane, address, bytes);
  if (place.space == Space::Shared) {
    if (!isInFlight)
      checkSharedRace(lane, address, place, holders);
    countShared(lane, place);
  } else if (place.allocation) {
    countGlobal(address);
  }
  return place;
}

WarpAccess::~WarpAccess() {
  Counting::Access &counted = warp.block.counting.accesses[warp.pc()];
  counted.bytes = std::max(counted.bytes, bytes);
  if (!globalPlaces.empty())
    counted.global.add(1, sectorsOf(std::move(globalPlaces), bytes));
  if (!sharedPlaces.empty())
    counted.shared.add(1, wavefrontsOf(sharedPlaces, bytes));
}
