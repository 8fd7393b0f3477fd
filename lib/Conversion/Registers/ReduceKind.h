//===- ReduceKind.h - What a kind does to two elements ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_REDUCEKIND_H
#define FSM_CONVERSION_REGISTERS_REDUCEKIND_H

#include "Elementwise.h"

#include "fsm/IR/FSMDialect.h"

namespace fsm::registers {

/// The number that, combined with any other, changes nothing.
mlir::Value neutralElement(mlir::OpBuilder &builder, mlir::Location loc, ReduceKind kind,
                           bool propagateNan, mlir::Type type);

/// What two scalars or vectors of one type combine to; f16 and bf16 have been widened to f32.
mlir::Value combineElements(mlir::OpBuilder &builder, const ElementwiseBackend &backend,
                            mlir::Location loc, ReduceKind kind, bool propagateNan,
                            mlir::Value left, mlir::Value right);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_REDUCEKIND_H
