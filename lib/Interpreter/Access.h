//===- Access.h - One access to memory -------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_ACCESS_H
#define FSM_INTERPRETER_ACCESS_H

#include "ProgramRunner.h"

namespace fsm::interpreter {

/// Bytes that an element takes in memory.
inline size_t memoryBytesOf(mlir::Type element) {
  return scalarTypeInfo(scalarTypeOf(element)).bytes;
}

/// One access of a scalar or a block, as loads, stores and atomics have it in common.
struct Access {
  enum class Verb { Load, Store, Update };

  mlir::Operation *op;
  const Elements &pointer;
  const Elements *offsets; ///< Null for a scalar access.
  const Elements *mask;    ///< Null when every element is accessed.
  mlir::Type type;         ///< Of what is loaded, stored or updated.
  size_t elementBytes;
  unsigned offsetBits; ///< Of one of the offsets.
  Verb verb;

  bool isActive(size_t index) const { return !mask || mask->at(index) != 0; }

  /// Where element `index` is: 64-bit arithmetic that wraps.
  uint64_t addressOf(size_t index) const {
    if (!offsets)
      return pointer.bits.front();
    int64_t offset = signExtend(offsets->bits[index], offsetBits);
    return pointer.bits.front() + static_cast<uint64_t>(offset) * elementBytes;
  }
};

template <typename AccessOp>
Access describeAccess(ProgramRunner &runner, AccessOp op, mlir::Type type, Access::Verb verb) {
  return Access{op,
                runner.get(op.getPointer()),
                op.getOffsets() ? &runner.get(op.getOffsets()) : nullptr,
                op.getMask() ? &runner.get(op.getMask()) : nullptr,
                type,
                memoryBytesOf(elementTypeOf(type)),
                op.getOffsets() ? widthOf(elementTypeOf(op.getOffsets().getType())) : 64,
                verb};
}

/// The number of the argument whose buffer holds an address, or -1. A pointer that comes out of
/// memory, or of a number, belongs to it.
int originOf(const ProgramRunner &runner, uint64_t address);

/// That of one element of an access: of the pointer, unless that is null and offsets are addresses.
int originOf(const ProgramRunner &runner, const Access &access, size_t index);

/// Checks one element's access against the buffer its pointer came from; fails at the
/// op, with what the access would have touched.
mlir::LogicalResult checkElement(ProgramRunner &runner, const Access &access, size_t index);

/// Notes one element's access, which has been checked; fails at the op if another program's races
/// with it. `stored` is what is about to be stored.
mlir::LogicalResult checkRace(ProgramRunner &runner, const Access &access,
                              const ProgramRaces::Touch &touch, size_t index,
                              const uint64_t *stored = nullptr);

// Memory is little-endian, as on every machine that FSM runs on.

/// The bits of `bytes` bytes at an address that has been checked; any i1 but 0 is 1.
inline uint64_t readMemory(uint64_t address, size_t bytes, bool isBoolean) {
  uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void *>(address), bytes);
  return isBoolean ? bits != 0 : bits;
}

/// Writes the low `bytes` bytes, and tells the runner when that changes anything.
inline void writeMemory(ProgramRunner &runner, uint64_t address, size_t bytes, uint64_t bits) {
  auto *place = reinterpret_cast<void *>(address);
  if (std::memcmp(place, &bits, bytes) == 0)
    return;
  std::memcpy(place, &bits, bytes);
  runner.noteChange();
}

} // namespace fsm::interpreter

#endif // FSM_INTERPRETER_ACCESS_H
