//===- ShiftedLoads.h - Vectors that begin anywhere -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_SHIFTEDLOADS_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_SHIFTEDLOADS_H

#include "../Program/DeviceProgram.h"

#include <string>

namespace fsm::gpu {

/// Loads of vectors of elements of 16 bits, all of which begin equally far behind a whole vector. Nothing is read of that which
/// lies behind the last element.
class ShiftedLoads {
public:
  /// `first` is the address of one of them.
  ShiftedLoads(DeviceProgram &program, Value first, VectorType type, unsigned bytes, std::string hint);

  /// Gives `other` where the condition, which may be null, does not hold.
  Value load(Value address, Value condition, Value other);

private:
  SmallVector<Value> words(Value address, Value back, unsigned ahead, unsigned count, Value condition);
  Value lastElement(Value address, Value condition);
  Value bitsOf(unsigned below);
  Value isSet(unsigned bit);

  DeviceProgram &program;
  ImplicitLocOpBuilder &builder;
  VectorType type;
  unsigned bytes;
  std::string hint;
  /// How many bytes the vectors begin behind a whole one, and whether that has 2, 4, 8 among them.
  Value beyond;
  SmallVector<Value> has;
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_SHIFTEDLOADS_H
