//===- SharedBlock.h - Blocks in shared memory -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDBLOCK_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDBLOCK_H

#include "RegisterFile.h"
#include "SharedAccess.h"

#include "fsm/Layout/SharedSwizzle.h"

namespace fsm::gpu {

/// The accesses of a thread layout to a shared layout, by vectors; of values without i1.
class SharedSide {
public:
  /// How the threads of a block access the memory of a layout: over one cta, as its layout is.
  static SharedSide of(RankedTensorType block, SharedType type);
  static SharedSide of(const LinearLayout &threads, ArrayRef<int64_t> shape, SharedType type);
  SharedSide(const LinearLayout &threads, const LinearLayout &shared, const SharedAccess &access,
             unsigned elementBytes);

  /// Sets what some thread reads, by offset.
  void markRead(std::vector<bool> &isRead) const;
  /// Stores what the threads hold behind the first `begin` bytes of the program's memory, once:
  /// the vectors with elements, and those that `isRead` says are read along with elements. Of a slot that is an
  /// address, behind which `begin` is counted.
  void store(DeviceProgram &program, const SharedWriter &writer, RegisterFile registers,
             uint64_t begin, const std::vector<bool> &isRead, Value slot = {}) const;
  /// The same by stmatrix, where each warp holds matrices of 8 rows of 16 bytes in pairs of 2 bytes, as
  /// tensor cores leave them, and all threads store; false where that is not so. GPUs that store tensors
  /// have the instruction.
  bool storeMatrices(DeviceProgram &program, const RegisterFile &registers, uint64_t begin) const;
  RegisterFile load(DeviceProgram &program, Type element, uint64_t begin) const;
  /// The live registers of each vector.
  std::vector<std::vector<uint64_t>> groups() const;
  /// Whether each of these is one access in all threads; an error at the op where one is not.
  LogicalResult verifyVectors(ArrayRef<std::vector<uint64_t>> groups, Operation *op) const;
  /// Where the thread's elements are, `begin` bytes behind an address or, where it is null, the
  /// program's memory; a register adds bytesAt().
  SharedPlaces placesFrom(DeviceProgram &program, uint64_t begin, Value slot = {}) const;
  uint64_t bytesAt(uint64_t reg) const { return toOffset.apply(reg, 0, 0) * elementBytes; }

private:
  uint64_t registerStep(uint64_t element) const;
  uint64_t firstOf(uint64_t reg) const;
  std::vector<uint64_t> firsts(bool onlyLive) const;
  std::vector<uint64_t> written(const std::vector<bool> &isRead) const;
  std::vector<uint64_t> exchangedBy(Dim dim) const;
  std::vector<uint64_t> threadBytes(Dim dim) const;
  bool holdsMatrices() const;
  void forOffsets(uint64_t reg, function_ref<void(uint64_t)> visit) const;

  LinearLayout threads, toOffset;
  std::vector<uint64_t> steps;
  uint64_t vector;
  unsigned elementBytes;
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDBLOCK_H
