//===- Values.h - Scalars and vectors of a thread ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_VALUES_H
#define FSM_CONVERSION_REGISTERS_VALUES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fsm::registers {

/// The type of one element, or of `lanes` of them, in a register: f8 is
/// carried as i8, a pointer as an LLVM pointer into `addressSpace`. `lanes` 0 means
/// a scalar.
mlir::Type registerType(mlir::Type element, int64_t lanes, unsigned addressSpace = 0);

/// The type an element has in memory: an i1 takes a whole byte.
mlir::Type memoryType(mlir::Type element, unsigned addressSpace = 0);

/// A value as memory has it, and back.
mlir::Value toMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
mlir::Value fromMemory(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       mlir::Type element);

/// `pointer` plus `offset` elements of this memory type, or bytes; pointers if offsets are a
/// vector.
mlir::Value advance(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                    mlir::LLVM::GEPArg offset, mlir::Type memory = {});

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
/// The number of an fsm element as a register has it, with f8 as its bits; a constant of it.
mlir::TypedAttr registerNumber(mlir::Attribute element);
mlir::Value constantOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Attribute element,
                       int64_t lanes);
/// All bits zero.
mlir::Value zero(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

/// A scalar in every lane; unchanged when `lanes` is 0.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar, int64_t lanes);

/// What `make` gives of scalars, or of each lane of vectors; of the type of the first of them, or
/// null.
mlir::Value perLane(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange operands,
                    llvm::function_ref<mlir::Value(mlir::ValueRange)> make);

/// f16 or bf16 to f32; other values stay.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// A scalar or vector of an operand of `fsm.dot` whose elements are of type `element`, as numbers
/// of the type that they are multiplied in: f32 for narrower floats, i32 for i8. Exact.
mlir::Value widenFactor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        mlir::Type element);

/// left * right + sum: of floats with one rounding, of integers modulo 2^32.
mlir::Value multiplyAdd(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left,
                        mlir::Value right, mlir::Value sum);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_VALUES_H
