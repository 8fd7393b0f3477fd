//===- Access.h - Checked access to memory ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_MEMORY_ACCESS_H
#define FSM_LIB_SIMULATOR_MEMORY_ACCESS_H

#include "../Threads/Block.h"

namespace fsm::sim {

enum class Purpose : uint8_t { Read, Write, Atomic };

/// One lane's access, once it has passed the checks.
struct Place {
  /// Null when the access was reported and must not happen.
  uint8_t *data = nullptr;
  Space space = Space::Global;
  uint64_t offset = 0;
  Allocation *allocation = nullptr;
};

/// "argument 2 ('n', 400 bytes)", where a pointer argument points into the allocation.
std::string describe(const Launch &launch, const Allocation &allocation);

/// What a lane's store has found, and what it has written.
struct StoredBytes {
  uint8_t before[8 * 8], value[8 * 8];
};

/// The accesses of a warp by one instruction: checks each lane's, then counts
/// what all of them move.
class WarpAccess {
public:
  WarpAccess(Warp &warp, const Instruction &instruction, uint32_t bytes, Purpose purpose)
      : WarpAccess(warp, instruction, bytes, purpose, instruction.space) {}
  WarpAccess(Warp &warp, const Instruction &instruction, uint32_t bytes, Purpose purpose,
             Space space)
      : warp(warp), instruction(instruction), bytes(bytes), purpose(purpose), space(space) {}
  ~WarpAccess();

  /// The access at the lane's address. `holders`, of each byte, is the lane that gets or gives it,
  /// where that is not always the lane itself.
  Place lane(unsigned lane, uint64_t address, const uint8_t *holders = nullptr);
  /// The access took place, and wrote or did not: what is to be known of it in global memory.
  void order(unsigned lane, uint64_t address, const Place &place, bool isWrite,
             const StoredBytes *stored = nullptr);
  /// The place alone, once it is known to be within bounds, aligned and writable; notes
  /// nothing. Copies access so many bytes in a space of their own.
  Place locate(unsigned lane, uint64_t address, uint64_t alignment);
  /// That a copy reads or writes here in global memory, or writes in shared memory.
  void countGlobal(uint64_t address) { globalPlaces.push_back(address); }
  void countShared(unsigned lane, const Place &place) {
    sharedPlaces.emplace_back(lane, place.offset);
  }
  /// Of global memory: that the bytes have values.
  void checkInitialized(unsigned lane, uint64_t address, const Place &place);

private:
  bool checkInside(unsigned lane, uint64_t address, Place &place);
  void reportOutside(unsigned lane, uint64_t address);
  void checkAlive(unsigned lane, uint64_t address, const Place &place);
  void checkAwaited(unsigned lane, uint64_t address, const Place &place);
  std::string describe(const Allocation &allocation) const {
    return sim::describe(warp.block.launch, allocation);
  }
  bool isReportedInFlight(AsyncCopies &async, unsigned lane, uint64_t address, const Place &place);
  void checkSharedRace(unsigned lane, uint64_t address, const Place &place, const uint8_t *holders);
  std::optional<GlobalRaces::Race> checkPrograms(const GlobalRaces::Access &access,
                                                 uint64_t address, bool isWrite,
                                                 const StoredBytes *stored);
  void checkGlobalRace(unsigned lane, uint64_t address, const Place &place, bool isWrite,
                       const StoredBytes *stored);

  Warp &warp;
  const Instruction &instruction;
  const uint32_t bytes;
  const Purpose purpose;
  const Space space;
  std::vector<uint64_t> globalPlaces;
  std::vector<std::pair<unsigned, uint64_t>> sharedPlaces;
  ProgramRaces::Cursor cursor;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_MEMORY_ACCESS_H
