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
/// renaming of bits.
std::optional<LinearLayout> operandLayout(mlir::Operation *op, const LinearLayout &result);

/// Whether `op` computes one element of its result from the elements at the same place of
/// its operands: an op of arith or math, or `fsm.hint`.
bool isElementwise(mlir::Operation *op);

/// Whether the block that `op` gives is cheaper to compute again than to move: ranges,
/// splats, constants, and integer arithmetic on such, which `isOnDemand` tells of the
/// operands. Also changes of shape of anything, which move nothing.
bool isComputedOnDemand(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isOnDemand);

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_SHAPELAYOUTS_H
