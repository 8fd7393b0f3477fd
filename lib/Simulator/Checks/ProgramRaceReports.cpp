//===- ProgramRaceReports.cpp - What is said of programs that race --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Memory/Access.h"

#include <map>
#include <tuple>

using namespace fsm;
using namespace fsm::sim;

using Touch = ProgramRaces::Touch;

static bool isAtomic(const Launch &launch, const Touch &touch) {
  const std::string &opcode = launch.linked.code[touch.pc].opcode;
  return opcode == "atom" || opcode == "red";
}

/// "which program (0, 0, 0) warp 0 lane 3 wrote with another value at PTX line 20 (source line 5)"
static std::string describeEarlier(const Launch &launch, const ProgramRaces::Race &race) {
  const unsigned packed = launch.options.programsPerBlock;
  const Touch &touch = race.earlier;
  Extent id = launch.placeOf(touch.program / packed);
  id.x = id.x * packed + touch.program % packed;
  const bool areStores = race.laterWrites && race.earlierWrites && !isAtomic(launch, race.later);
  const std::string verb = isAtomic(launch, touch) ? "updated"
                           : !race.earlierWrites   ? "read"
                           : areStores             ? "wrote with another value"
                                                   : "wrote";
  return "which program (" + std::to_string(id.x) + ", " + std::to_string(id.y) + ", " +
         std::to_string(id.z) + ") " +
         (packed > 1 ? "" : "warp " + std::to_string(touch.thread / kLanes) + " ") + "lane " +
         std::to_string(touch.thread % kLanes) + " " + verb + " at " +
         launch.linked.lineOf(touch.pc) + " with no release and acquire between";
}

void sim::reportProgramRaces(const Launch &launch, ProgramRaces &races) {
  struct Found {
    ProgramRaces::Race first;
    uint64_t count = 0;
  };
  // By the instructions, and whether they write.
  std::map<std::tuple<uint32_t, uint32_t, bool, bool>, Found> all;
  races.forRaces([&](const ProgramRaces::Race &race) {
    Found &found = all[{race.later.pc, race.earlier.pc, race.laterWrites, race.earlierWrites}];
    if (++found.count == 1)
      found.first = race;
  });
  for (const auto &[key, found] : all) {
    const ProgramRaces::Race &race = found.first;
    const Touch &touch = race.later;
    const uint64_t block = touch.program / launch.options.programsPerBlock;
    const Allocation &allocation = *launch.memory.stretchOf(race.address);
    Report report = reportOf(launch, block, touch.pc, touch.thread / kLanes, touch.thread % kLanes);
    report.kind = Report::Kind::GlobalRace;
    report.address = race.address;
    report.count = found.count;
    report.message = std::string(isAtomic(launch, touch) ? "updates"
                                 : race.laterWrites      ? "writes"
                                                         : "reads") +
                     " byte " + std::to_string(race.address - allocation.address) + " of " +
                     sim::describe(launch, allocation) + ", " + describeEarlier(launch, race);
    launch.reports.add(touch.pc, race.earlier.pc, block, std::move(report));
  }
}
