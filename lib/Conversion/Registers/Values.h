//===- Values.h - Scalars and vectors of a thread ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_VALUES_H
#define FSM_CONVERSION_REGISTERS_VALUES_H

#include "mlir/IR/Builders.h"

namespace fsm::registers {

/// The type of one element, or of `lanes` of them, in a register: f8 is
/// carried as i8, a pointer as an LLVM pointer into `addressSpace`. `lanes` 0 means
/// a scalar.
mlir::Type registerType(mlir::Type element, int64_t lanes, unsigned addressSpace = 0);

/// The type an element has in memory: an i1 takes a whole byte.
mlir::Type memoryType(mlir::Type element);

/// Bytes between neighbouring elements in memory.
int64_t elementBytes(mlir::Type element);

/// `type` with another element type; a scalar becomes that type.
mlir::Type withElement(mlir::Type type, mlir::Type element);

/// The lanes of a register type, 0 for a scalar.
int64_t lanesOf(mlir::Type type);

/// A constant of a scalar or vector type with all elements equal. The integer
/// is truncated to the type, the real rounded to it.
mlir::Value constantInt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                        int64_t value);
mlir::Value constantReal(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                         double value);
/// The constant of an fsm element attribute, with f8 as its bits.
mlir::Value constantOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Attribute element,
                       int64_t lanes);
/// All bits zero.
mlir::Value zero(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

/// A scalar in every lane; unchanged when `lanes` is 0.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar, int64_t lanes);

/// What `make` gives of scalars, or of each lane of vectors; of the type of the first of them.
mlir::Value perLane(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange operands,
                    llvm::function_ref<mlir::Value(mlir::ValueRange)> make);

/// f16 or bf16 to f32; other values stay.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_VALUES_H
