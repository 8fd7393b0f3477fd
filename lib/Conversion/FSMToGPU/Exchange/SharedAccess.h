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

/// Who stores elements that several threads may hold, and where: each is stored once, by the first
/// thread that holds it. The ctas of a cluster each have the program's shared memory, so the store
/// goes to all of them, by lanes that hold the same if there are as many; or each cta, if it holds
/// everything, and where no other one reads it, stores for itself.
class SharedWriter {
public:
  enum class Holders { All, FirstOnly };
  /// For a layout of threads over one cta. Where one thread has computed what others of the layout
  /// do not have yet, the first one holds it alone.
  SharedWriter(DeviceProgram &program, const LinearLayout &threads, Holders holders,
               bool isWithinCta);
  /// For a scalar that the program's first thread has.
  explicit SharedWriter(DeviceProgram &program);

  /// Emits `stores` for the threads that store.
  void emit(function_ref<void()> stores) const { program.emitIf(condition, stores); }
  /// Whether each thread stores all it has, to its own cta.
  bool isEverybody() const { return !condition && !rank && ctas == 1; }
  /// Lets what is stored arrive at an mbarrier, in each cta at its own.
  void arriveAt(Value address) { mbarrier = address; }
  /// Lets each cta of those that share a loop, but the first one, store to the first one.
  void goToFirst();
  /// storeShared(), to each cta.
  void store(ArrayRef<Value> scalars, Value address) const;

private:
  bool spreadOverLanes(uint64_t freeLanes, uint64_t freeWarps);
  void storeTo(Value cta, ArrayRef<Value> scalars, Value address) const;

  DeviceProgram &program;
  Value condition;
  /// The cta that the thread stores to, an i32; or so many, one after the other.
  Value rank;
  unsigned ctas = 1;
  /// Or null: the threads meet at a barrier.
  Value mbarrier;
};

/// One access to shared memory of `scalars.size()` neighbouring elements, a power of two,
/// that are aligned to their size. There is no i1 among them.
void storeShared(DeviceProgram &program, ArrayRef<Value> scalars, Value address);
SmallVector<Value> loadShared(DeviceProgram &program, Type element, size_t count, Value address);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDACCESS_H
