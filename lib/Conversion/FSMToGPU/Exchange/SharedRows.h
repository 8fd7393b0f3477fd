//===- SharedRows.h - Blocks row by row in shared memory -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDROWS_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDROWS_H

#include "../Program/ThreadBlock.h"
#include "SharedAccess.h"

namespace fsm::gpu {

/// One dimension of a block in shared memory: coordinate i, of which the bits of `mask` count,
/// stands `i * bytes` from the beginning, for the coordinates up to `last`; further ones, which
/// are outside the true extents, stand for that one.
struct Step {
  uint64_t bytes = 0;
  uint64_t mask = ~uint64_t(0);
  uint64_t last = ~uint64_t(0);
};

/// What a coordinate adds to an element's place, for each dimension, where rows lie `pitch`
/// elements apart.
SmallVector<Step> stepsOf(ArrayRef<int64_t> shape, int64_t pitch, uint64_t bytes);

/// An address that the thread computes once, and bytes that an instruction adds.
struct Place {
  Value base;
  int64_t bytes;

  Value address(DeviceProgram &program) const;
};

/// Where the elements of a thread's registers are in shared memory.
class RegisterPlaces {
public:
  RegisterPlaces(DeviceProgram &program, ThreadBlock &block, uint64_t start,
                 SmallVector<Step> steps);

  Place at(uint64_t reg) const;

private:
  bool isSum(unsigned dim, uint64_t reg) const;
  Value scaled(unsigned dim, Value coordinate) const;
  Value sum(Value left, Value right) const;
  Value byteOf(uint64_t reg) const;

  DeviceProgram &program;
  ThreadBlock &block;
  uint64_t start;
  SmallVector<Step> steps;
  Value threadBytes, threadBase;
};

/// How many of its first registers a thread holds side by side along the last dimension,
/// whatever the thread: a power of two that divides the extent, up to `most`.
uint64_t contiguousRegisters(const LinearLayout &layout, uint64_t most);

/// Writes what a thread holds of a block to memory without a layout, which begins `start` bytes
/// into the program's; of replicas the first. If that has a pitch and takes a part only, the one
/// that begins `at` these coordinates.
void storeRows(DeviceProgram &program, const SharedWriter &writer, RankedTensorType type,
               ArrayRef<Value> elements, SharedType memory, uint64_t start,
               std::optional<ArrayRef<int64_t>> at);
/// What a thread holds of a block whose rows lie there one behind the other. `element` is what
/// memory has.
SmallVector<Value> loadRows(DeviceProgram &program, RankedTensorType type, Type element,
                            uint64_t start);

/// The elements of a block in memory whose coordinates are those of a thread's elements of `type`,
/// but along `axis` the thread's indices. Those beyond the extent are taken for the last.
SmallVector<Value> gatherRows(DeviceProgram &program, RankedTensorType type, SharedType memory,
                              ArrayRef<Value> indices, unsigned axis, uint64_t start);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_SHAREDROWS_H
