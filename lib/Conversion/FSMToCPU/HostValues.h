//===- HostValues.h - Scalars and vectors on the host ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H
#define FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Builders.h"

namespace fsm::host {

/// The type of one element, or of `lanes` of them, in a host register: f8 is
/// carried as i8, a pointer as an LLVM pointer. `lanes` 0 means a scalar.
mlir::Type registerType(mlir::Type element, int64_t lanes);

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

/// f16 or bf16 to f32; other values stay.
mlir::Value widen(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
/// f32 or f64 to `element`, rounded once to nearest even.
mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                   mlir::Type element);

/// What an element-wise op of `arith`, `math` or `fsm.hint` gives for these
/// operands (all scalars or all vectors of equal lanes), or null when the op is
/// none the host knows. `uniformDivisor` tells that the second operand of a
/// division is the same number in every lane.
mlir::Value elementwise(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands,
                        bool uniformDivisor = false);

/// What a `math` function of f32 or f64 gives, or null.
mlir::Value mathFunction(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands);

/// max or min of two floats: +0 is greater than -0; a NaN is ignored, or
/// propagated.
mlir::Value extremum(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left,
                     mlir::Value right, bool isMax, bool propagateNan);

/// The pieces of a reduction: the type its partial results have, the value that
/// changes nothing, one step, and all lanes of a vector combined into a scalar.
mlir::Type accumulatorType(ReduceOp op, int64_t lanes);
/// A quick step takes one instruction where an exact one takes five, but a result
/// for which `needsExact` holds may be wrong: NaN lost, or the sign of a zero.
enum class Step { Quick, Exact };
mlir::Value neutralElement(mlir::OpBuilder &builder, ReduceOp op, mlir::Type type, Step step);
mlir::Value combine(mlir::OpBuilder &builder, ReduceOp op, mlir::Value left, mlir::Value right,
                    Step step);
mlir::Value combineLanes(mlir::OpBuilder &builder, ReduceOp op, mlir::Value vector, Step step);
/// Whether quick and exact steps differ for this reduction.
bool hasQuickStep(ReduceOp op);
/// An i1: the quick result has to be computed again exactly.
mlir::Value needsExact(mlir::OpBuilder &builder, ReduceOp op, mlir::Value quick);

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H
