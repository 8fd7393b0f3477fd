//===- SharedAccess.h - Accesses to a program's shared memory --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDACCESS_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDACCESS_H

#include "../Program/DeviceProgram.h"

namespace fsm::gpu {

/// Where memory from an `fsm.shared_alloc` begins among the program's shared bytes.
uint64_t sharedOffset(Value shared);

/// Addresses in shared memory that are linear in the register, the lane and the warp:
/// `scratch` bytes, from the address `slot` if there is one, plus the exclusive or of what each of
/// the three adds.
class SharedPlaces {
public:
  SharedPlaces(DeviceProgram &program, uint64_t scratch, std::vector<uint64_t> laneBytes,
               std::vector<uint64_t> warpBytes, Value slot = {});

  /// The thread's address for a register that adds `registerBytes`.
  Value at(uint64_t registerBytes) const;

private:
  Value behind(Value bytes) const;

  DeviceProgram &program;
  uint64_t scratch, threadBits = 0;
  Value threadBytes, slot, inSlot;
};

/// One access to shared memory of `scalars.size()` neighbouring elements, a power of two,
/// that are aligned to their size. There is no i1 among them.
void storeShared(DeviceProgram &program, ArrayRef<Value> scalars, Value address);
SmallVector<Value> loadShared(DeviceProgram &program, Type element, size_t count, Value address);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDACCESS_H
