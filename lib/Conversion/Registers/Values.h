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

using namespace mlir;

/// The type of one element, or of `lanes` of them, in a register: f8 is
/// carried as i8, a pointer as an LLVM pointer into `addressSpace`. `lanes` 0 means
/// a scalar.
Type registerType(Type element, int64_t lanes, unsigned addressSpace = 0);

/// The type an element has in memory: an i1 takes a whole byte.
Type memoryType(Type element, unsigned addressSpace = 0);

/// A value as memory has it, and back.
Value toMemory(OpBuilder &builder, Location loc, Value value);
Value fromMemory(OpBuilder &builder, Location loc, Value value, Type element);

/// `pointer` plus `offset` elements of this memory type, or bytes; pointers if offsets are a
/// vector.
Value advance(OpBuilder &builder, Location loc, Value pointer, LLVM::GEPArg offset,
              Type memory = {});

/// Bytes between neighbouring elements in memory.
int64_t elementBytes(Type element);

/// `type` with another element type; a scalar becomes that type.
Type withElement(Type type, Type element);

/// The lanes of a register type, 0 for a scalar.
int64_t lanesOf(Type type);

/// A constant of a scalar or vector type with all elements equal. The integer
/// is truncated to the type, the real rounded to it.
Value constantInt(OpBuilder &builder, Location loc, Type type, int64_t value);
Value constantReal(OpBuilder &builder, Location loc, Type type, double value);
/// The number of an fsm element as a register has it, with f8 as its bits; a constant of it.
TypedAttr registerNumber(Attribute element);
Value constantOf(OpBuilder &builder, Location loc, Attribute element, int64_t lanes);
/// A table in a module of numbers as memory has them; behind the last the first again, `more`
/// times.
LLVM::GlobalOp tableOf(OpBuilder &builder, Location loc, Operation *module,
                       DenseElementsAttr numbers, int64_t more, unsigned addressSpace = 0);
/// All bits zero.
Value zero(OpBuilder &builder, Location loc, Type type);

/// A scalar in every lane; unchanged when `lanes` is 0.
Value splat(OpBuilder &builder, Location loc, Value scalar, int64_t lanes);

/// What `make` gives of scalars, or of each lane of vectors; of the type of the first of them, or
/// null.
Value perLane(OpBuilder &builder, Location loc, ValueRange operands,
              function_ref<Value(ValueRange)> make);

/// f16 or bf16 to f32; other values stay.
Value widen(OpBuilder &builder, Location loc, Value value);

/// A scalar or vector of an operand of `fsm.dot` whose elements are of type `element`, as numbers
/// of the type that they are multiplied in: f32 for narrower floats, i32 for i8. Exact.
Value widenFactor(OpBuilder &builder, Location loc, Value value, Type element);

/// left * right + sum: of floats with one rounding, of integers modulo 2^32, or to `saturate` the
/// nearest that there is, where the product fits.
Value multiplyAdd(OpBuilder &builder, Location loc, Value left, Value right, Value sum,
                  bool saturate = false);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_VALUES_H
