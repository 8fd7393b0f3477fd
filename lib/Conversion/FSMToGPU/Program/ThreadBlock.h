//===- ThreadBlock.h - A thread's share of a block -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADBLOCK_H
#define FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADBLOCK_H

#include "DeviceProgram.h"

namespace fsm::gpu {

/// What one thread knows of the elements it holds of a block: which element each of its
/// live registers has, as constants of the register and values of the thread.
class ThreadBlock {
public:
  ThreadBlock(DeviceProgram &program, RankedTensorType type);

  const LinearLayout &layout() const { return linear; }
  /// The numbers of the live registers, ascending: one per element of the thread's vector.
  ArrayRef<uint64_t> registers() const { return live; }
  bool has(uint64_t reg) const { return positions.contains(reg); }
  /// The place in the vector of a live register.
  int64_t indexOf(uint64_t reg) const { return positions.lookup(reg); }

  /// The coordinate along `dim` of the element in a register, i32.
  Value coordinate(unsigned dim, uint64_t reg);
  /// The same for all live registers: a vector of i32.
  Value coordinates(unsigned dim);
  /// The row-major number of the element in a register, i32.
  Value rowMajor(uint64_t reg);
  /// The part of the coordinates along `dim` that the lane and the warp give, i32; and what
  /// each live register adds to it, unless bits meet so that it is no sum.
  Value threadPart(unsigned dim);
  std::optional<SmallVector<int64_t>> disjointParts(unsigned dim) const;
  /// What the register adds to the coordinate, and the bits of it that the lane and the warp can
  /// set.
  uint64_t registerPart(unsigned dim, uint64_t reg) const;
  uint64_t threadBits(unsigned dim) const;
  /// Whether this is the first of the threads that hold the same elements, as an i1; null when no
  /// two do.
  Value isFirst();
  /// Whether the element is inside the true extents, or the one along `dim`, as an i1; null when it
  /// always is.
  Value isInside(uint64_t reg);
  Value isInside(unsigned dim, uint64_t reg);

  /// What a vector of the thread's elements has for a register; a scalar, or null, itself.
  Value elementOf(Value value, uint64_t reg) const;
  /// The same for neighbours, side by side, and the vector with those of them that are live
  /// changed.
  Value gather(Value vector, ArrayRef<uint64_t> group) const;
  Value scatter(Value part, Value vector, ArrayRef<uint64_t> group) const;

private:
  Value combine(Value thread, Value constant, bool isDisjoint);

  DeviceProgram &program;
  RankedTensorType type;
  LinearLayout linear;
  std::vector<uint64_t> live;
  DenseMap<uint64_t, int64_t> positions;
  SmallVector<Value> threadParts;
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADBLOCK_H
