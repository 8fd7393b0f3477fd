//===- DebugRecords.h - Writing what a program says of itself --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_DEBUGRECORDS_H
#define FSM_CONVERSION_REGISTERS_DEBUGRECORDS_H

#include "mlir/IR/Builders.h"

#include <array>

namespace fsm::registers {

/// Emits what appends to the buffer of include/fsm/Artifact/DebugRecords.h, for one
/// op of one program.
class DebugRecords {
public:
  /// `buffer` points to the DebugHeader; `number` is the op's. `program` and
  /// `programs` are its coordinates and the grid's extents, i32. `scope` is LLVM's name of the
  /// threads that share the buffer.
  DebugRecords(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, unsigned number,
               std::array<mlir::Value, 3> program, std::array<mlir::Value, 3> programs,
               llvm::StringRef scope)
      : builder(builder), loc(loc), buffer(buffer), number(number), program(program),
        programs(programs), scope(scope) {}

  /// Appends a record of an element (its row-major number, i32) of operand `value`, if
  /// there is room. `scalar` has the type of a register.
  void append(unsigned value, mlir::Value element, mlir::Value scalar);

  /// Notes that an assertion failed at an element (i32), unless another program was
  /// first.
  void fail(mlir::Value element);

private:
  mlir::Value i64(int64_t value);
  mlir::Value widen(mlir::Value integer);
  mlir::Value pair(mlir::Value low, mlir::Value high);
  mlir::Value bitsOf(mlir::Value scalar);
  mlir::Value at(mlir::Value base, int64_t bytes);
  mlir::Value programNumber();

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value buffer;
  unsigned number;
  std::array<mlir::Value, 3> program, programs;
  llvm::StringRef scope;
};

/// The number that `fsm-number-debug-ops` has given an op; nothing, after an error at the
/// op, if it has none.
std::optional<unsigned> debugNumberOf(mlir::Operation *op);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_DEBUGRECORDS_H
