//===- ShapeLayouts.h - Layouts across ops that move nothing ---*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_LAYOUTS_SHAPELAYOUTS_H
#define FSM_TRANSFORMS_LAYOUTS_SHAPELAYOUTS_H

#include "fsm/IR/FSMDialect.h"

#include <optional>

namespace fsm {

/// The layout the block operands of `op` need so that `op` gives its result in the layout
/// `result` without moving anything: for element-wise ops the same, for a shape op the one
/// whose elements stand where the result's do. Nothing for a reshape that is not a
/// renaming of bits, or for a join whose pairs are not in two registers of one thread.
std::optional<LinearLayout> operandLayout(mlir::Operation *op, const LinearLayout &result);

/// The reverse: the layout in which `op` gives its result when its block operands have the
/// layout `source`, for element-wise ops, `fsm.transpose`, `fsm.join`, whose pairs one thread
/// then has in neighbouring registers, and `fsm.split`. Nothing for a split whose pairs are
/// not in two registers of one thread.
std::optional<LinearLayout> resultLayout(mlir::Operation *op, const LinearLayout &source);

/// The layout of pairs whose parts have the layout `part`.
LinearLayout layoutOfPairs(const LinearLayout &part);

/// Whether `op` computes one element of its result from the elements at the same place of
/// its operands: an op of arith or math, or `fsm.hint`.
bool isElementwise(mlir::Operation *op);

/// Whether the block that `op` gives is cheaper to compute again than to move: ranges,
/// splats, constants, and integer arithmetic on such, which `isOnDemand` tells of the
/// operands. Also changes of shape of anything, which move nothing.
bool isComputedOnDemand(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isOnDemand);

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_SHAPELAYOUTS_H
