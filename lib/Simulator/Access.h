//===- Access.h - Checked access to memory ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_ACCESS_H
#define FSM_LIB_SIMULATOR_ACCESS_H

#include "Block.h"

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

/// The accesses of a warp by one instruction: checks each lane's, then counts
/// sectors and bank conflicts of all.
class WarpAccess {
public:
  WarpAccess(Warp &warp, const Instruction &instruction, uint32_t bytes, Purpose purpose)
      : warp(warp), instruction(instruction), bytes(bytes), purpose(purpose) {}
  ~WarpAccess();

  Place lane(unsigned lane, uint64_t address);

private:
  bool checkInside(unsigned lane, uint64_t address, Place &place);
  void reportOutside(unsigned lane, uint64_t address);
  std::string describe(const Allocation &allocation) const;
  void checkInitialized(unsigned lane, uint64_t address, const Place &place);
  void checkRace(unsigned lane, uint64_t address, const Place &place);
  uint64_t countConflicts() const;

  Warp &warp;
  const Instruction &instruction;
  const uint32_t bytes;
  const Purpose purpose;
  std::vector<uint64_t> globalPlaces, sharedPlaces;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_ACCESS_H
