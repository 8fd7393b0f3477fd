//===- HostValues.h - Scalars and vectors on the host ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H
#define FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H

#include "../Registers/Elementwise.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Builders.h"

namespace fsm::host {

// The types and values that every machine has.
using namespace registers;

/// f32 or f64 to `element`, rounded once to nearest even.
Value narrow(OpBuilder &builder, Location loc, Value value, Type element);

/// What the host does in its own way.
const registers::ElementwiseBackend &hostBackend();

/// What an element-wise op of `arith`, `math` or `fsm.hint` gives for these
/// operands (all scalars or all vectors of equal lanes), or null when the op is
/// none the host knows. `uniformDivisor` tells that the second operand of a
/// division is the same number in every lane.
Value elementwise(OpBuilder &builder, Operation *op, ValueRange operands,
                  bool uniformDivisor = false);

/// What a `math` function of f32 or f64 gives, or null.
Value mathFunction(OpBuilder &builder, Operation *op, ValueRange operands);

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_HOSTVALUES_H
