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
/// `result` without moving anything: that of a LayoutTransfer, and of element-wise ops the same.
/// Nothing where there is none.
std::optional<LinearLayout> operandLayout(mlir::Operation *op, const LinearLayout &result);

/// Whether the result of `op` is at home where its operands are: of a LayoutTransfer that says so,
/// and of each op that computes one element of its result from those at the same place of its
/// operands.
bool followsOperands(mlir::Operation *op);

/// Whether the block that `op` gives is cheaper to compute again than to move: a Rematerializable
/// that is cheap, as far as `isOnDemand` tells of the operands, or a change of shape of anything
/// that moves nothing.
bool isComputedOnDemand(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isOnDemand);

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_SHAPELAYOUTS_H
