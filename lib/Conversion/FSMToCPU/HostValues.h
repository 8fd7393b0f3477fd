//===- HostValues.h - Scalars and vectors on the host ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H
#define FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H

#include "../Registers/Elementwise.h"
#include "../Registers/Values.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Builders.h"

namespace fsm::host {

// The types and values that every machine has.
using namespace registers;

/// f32 or f64 to `element`, rounded once to nearest even.
mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                   mlir::Type element);

/// What the host does in its own way.
const registers::ElementwiseBackend &hostBackend();

/// What an element-wise op of `arith`, `math` or `fsm.hint` gives for these
/// operands (all scalars or all vectors of equal lanes), or null when the op is
/// none the host knows. `uniformDivisor` tells that the second operand of a
/// division is the same number in every lane.
mlir::Value elementwise(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands,
                        bool uniformDivisor = false);

/// What a `math` function of f32 or f64 gives, or null.
mlir::Value mathFunction(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands);

/// The pieces of a reduction: the type its partial results have, the value that
/// changes nothing, one step, and all lanes of a vector combined into a scalar.
mlir::Type accumulatorType(AlongAxis op, int64_t lanes);
/// A quick step takes one instruction where an exact one takes five, but a result
/// for which `needsExact` holds may be wrong: NaN lost, or the sign of a zero.
enum class Step { Quick, Exact };
mlir::Value neutralElement(mlir::OpBuilder &builder, AlongAxis op, mlir::Type type, Step step);
mlir::Value combine(mlir::OpBuilder &builder, AlongAxis op, mlir::Value left, mlir::Value right,
                    Step step);
mlir::Value combineLanes(mlir::OpBuilder &builder, AlongAxis op, mlir::Value vector, Step step);
/// Whether quick and exact steps differ for this reduction.
bool hasQuickStep(AlongAxis op);
/// An i1: the quick result has to be computed again exactly.
mlir::Value needsExact(mlir::OpBuilder &builder, AlongAxis op, mlir::Value quick);

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H
