//===- Partials.h - Results of parts, combined -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_ROWS_PARTIALS_H
#define FSM_TRANSFORMS_ROWS_PARTIALS_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fsm {

/// What a kind makes of two blocks, element by element, or of two scalars.
mlir::Value combine(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind, bool propagateNan,
                    mlir::Value left, mlir::Value right);

/// The scalar that changes nothing that it is combined with.
mlir::Value neutral(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind, bool propagateNan,
                    mlir::Type element);

/// What is combined of operands: half formats that a kind combines are rounded once.
llvm::SmallVector<mlir::Value> widened(mlir::ImplicitLocOpBuilder &builder, AlongAxis op,
                                       mlir::ValueRange values);
/// The results of an op, of what has been combined.
llvm::SmallVector<mlir::Value> narrowed(mlir::ImplicitLocOpBuilder &builder, mlir::Operation *op,
                                        mlir::ValueRange values);

} // namespace fsm

#endif // FSM_TRANSFORMS_ROWS_PARTIALS_H
