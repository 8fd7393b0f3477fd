//===- DotOperands.h - Factors and sums of a product of matrices -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_DOTOPERANDS_H
#define FSM_CONVERSION_REGISTERS_DOTOPERANDS_H

#include "mlir/IR/Builders.h"

namespace fsm::registers {

/// A scalar or vector of an operand of `fsm.dot` whose elements are of type `element`, as numbers
/// of the type that they are multiplied in: f32 for narrower floats, i32 for i8. Exact.
mlir::Value widenFactor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                        mlir::Type element);

/// left * right + sum: of floats with one rounding, of integers modulo 2^32.
mlir::Value multiplyAdd(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left,
                        mlir::Value right, mlir::Value sum);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_DOTOPERANDS_H
