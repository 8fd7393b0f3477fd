//===- Piece.h - One access of a thread -----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_PIECE_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_PIECE_H

#include "../Program/DeviceProgram.h"

#include <string>

namespace fsm::gpu {

/// One instruction of a thread: so many elements at one address under one condition.
struct Piece {
  /// Gives `other` where the condition does not hold.
  Value load(Value other);
  /// The same as one predicated instruction, without branches.
  Value inlineLoad(Value other);
  /// The same of elements of 16 bits that begin anywhere: by the words that have them, and the last
  /// by itself.
  Value shiftedLoad(Value other);
  void store(Value value);

private:
  Value splat();
  VectorType words();
  Value conditionOrTrue();
  SmallVector<Value> asWords(Value value);
  void inlineStore(Value value);

public:
  DeviceProgram &program;
  Value address;
  /// i1, or null: always.
  Value condition;
  /// The memory type of what is moved: an element or a vector of them.
  Type type;
  unsigned bytes;
  std::string hint;
  ImplicitLocOpBuilder &builder = program.builder;
};

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_PIECE_H
