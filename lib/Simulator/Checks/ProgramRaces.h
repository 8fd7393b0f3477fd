//===- ProgramRaces.h - Which programs touched which bytes ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Races between the programs of a launch in which nothing orders them: no kernel without an
// acquire does. What GlobalRaces finds on one host thread, with the threads' clocks, is found here
// by any number of them, in less memory, and told when all programs are over.
//
// Each cell of memory has the two programs of the lowest numbers that read it, and the same of
// those that wrote it. That is enough: where any two accesses of different programs race, two of
// these do; and it depends on no schedule. Of two writes with different values the same holds, as
// long as the second of the two is the lowest that differs from the first, if any does.
//
// Most memory is touched by one program. What that does to a stretch of memory is only written
// down, an instruction of a warp in a line where it can be, until another program comes.

#ifndef FSM_LIB_SIMULATOR_CHECKS_PROGRAMRACES_H
#define FSM_LIB_SIMULATOR_CHECKS_PROGRAMRACES_H

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace fsm::sim {

class ProgramRaces {
public:
  static constexpr uint32_t kNobody = ~uint32_t(0);
  static constexpr uint32_t kMostInstructions = 1 << 22;

  /// Who accessed: a program, and the instruction and the thread of its block that did.
  struct Touch {
    uint32_t program = kNobody;
    uint32_t pc : 22;
    uint32_t thread : 10;
    Touch() : pc(0), thread(0) {}
    Touch(uint32_t program, uint32_t pc, uint32_t thread)
        : program(program), pc(pc & (kMostInstructions - 1)), thread(thread & 1023) {}
  };
  struct Kind {
    bool reads, writes;
    /// Atomic or volatile, as seen from other programs.
    bool isStrong;
    bool operator==(const Kind &other) const {
      return reads == other.reads && writes == other.writes && isStrong == other.isStrong;
    }
  };
  struct Race {
    uint64_t address;
    /// That of the higher program is the later one.
    Touch later, earlier;
    bool laterWrites, earlierWrites;
  };

  /// A place in the cells, which no other host thread may touch as long as it lives.
  class Cursor;

  /// Notes an access of `bytes` bytes by elements of so many. `value` is what a plain store writes;
  /// without one, nothing has the same value.
  void access(Cursor &cursor, const Touch &touch, Kind kind, uint64_t address, uint32_t bytes,
              uint32_t bytesPerElement, const uint8_t *value = nullptr);
  /// One race of each cell that has any, in the order of the addresses.
  void forRaces(const std::function<void(const Race &)> &tell);

private:
  /// Those of the two lowest programs.
  struct Touches {
    Touch first, second;
    void add(const Touch &touch);
  };
  struct Writes {
    Touch first, second;
    uint64_t value = 0;
    /// In which bits the first program has written several values, and in which bits the two
    /// differ.
    uint64_t mixed = 0, different = 0;
    void add(const Touch &touch, uint64_t newValue, bool hasValue);
    void addLower(const Touch &touch, uint64_t newValue, uint64_t newMixed);
  };
  /// What the lanes of a warp did, one behind the other in memory and as threads.
  struct Line {
    Touch touch;
    Kind kind;
    bool hasValue;
    uint8_t granule;
    uint16_t offset, bytesOfLane, lanes;
  };
  struct Stretch {
    /// The program that is alone, and what it did; with the values that have been written.
    uint32_t owner = kNobody;
    std::vector<Line> lines;
    std::vector<uint8_t> values;
    /// Behind that; 0 until then.
    uint32_t bytesPerCell = 0;
    /// Empty where there was none.
    std::vector<Touches> reads, strongReads, strongWrites;
    std::vector<Writes> writes;
  };
  struct Part {
    std::mutex mutex;
    std::unordered_map<uint64_t, Stretch> stretches;
  };
  static constexpr uint64_t kStretchBytes = 512;
  static constexpr size_t kMostLines = 32;

  Part &partOf(uint64_t number) { return parts[number % parts.size()]; }
  Stretch &moveTo(Cursor &cursor, uint64_t number);
  static bool writeDown(Stretch &stretch, Line line, const uint8_t *value);
  static void share(Stretch &stretch);
  static void refine(Stretch &stretch, uint32_t bytesPerCell);
  static void note(Stretch &stretch, const Touch &touch, Kind kind, uint64_t offset, uint32_t bytes,
                   const uint8_t *value);
  static bool findRace(const Stretch &stretch, size_t cell, Race &race);

  /// By the address in kStretchBytes.
  std::array<Part, 64> parts;
};

class ProgramRaces::Cursor {
  friend class ProgramRaces;
  std::unique_lock<std::mutex> lock;
  uint64_t number = 0;
  Stretch *stretch = nullptr;
};

struct Launch;

/// Reports the races of a launch that is over.
void reportProgramRaces(const Launch &launch, ProgramRaces &races);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_CHECKS_PROGRAMRACES_H
