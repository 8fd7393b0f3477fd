//===- DebugRecords.h - Writing what a program says of itself --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_DEBUGRECORDS_H
#define FSM_CONVERSION_REGISTERS_DEBUGRECORDS_H

#include "Values.h"

#include <array>

namespace fsm::registers {

/// Emits what appends to the buffer of include/fsm/Artifact/DebugRecords.h, for one
/// op of one program.
class DebugRecords {
public:
  /// `buffer` points to the DebugHeader; `number` is the op's. `program` and
  /// `programs` are its coordinates and the grid's extents, i32. `scope` is LLVM's name of the
  /// threads that share the buffer.
  DebugRecords(OpBuilder &builder, Location loc, Value buffer, unsigned number,
               std::array<Value, 3> program, std::array<Value, 3> programs, StringRef scope)
      : builder(builder), loc(loc), buffer(buffer), number(number), program(program),
        programs(programs), scope(scope) {}

  /// Records an element of an operand, of which `element` gives the row-major number (i32), where
  /// the condition (null: always) holds: a print's, or an assert's that is false. `scalar` has the
  /// type of a register.
  void record(OpOperand &operand, Value condition, function_ref<Value()> element, Value scalar);

private:
  /// Appends a record of an element of operand `value`, if there is room.
  void append(unsigned value, Value element, Value scalar);
  /// Notes that an assertion failed at an element, unless another program was first.
  void fail(Value element);
  Value i64(int64_t value);
  Value widen(Value integer);
  Value pair(Value low, Value high);
  Value bitsOf(Value scalar);
  Value at(Value base, int64_t bytes);
  Value programNumber();

  OpBuilder &builder;
  Location loc;
  Value buffer;
  unsigned number;
  std::array<Value, 3> program, programs;
  StringRef scope;
};

/// The number that `fsm-number-debug-ops` has given an op; nothing, after an error at the
/// op, if it has none.
std::optional<unsigned> debugNumberOf(Operation *op);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_DEBUGRECORDS_H
