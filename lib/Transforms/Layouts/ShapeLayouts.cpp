//===- ShapeLayouts.cpp - Layouts across ops that move nothing -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeLayouts.h"

using namespace mlir;
using namespace fsm;

std::optional<LinearLayout> fsm::operandLayout(Operation *op, const LinearLayout &result) {
  auto transfer = dyn_cast<LayoutTransfer>(op);
  return transfer ? transfer.operandLayout(result) : result;
}

bool fsm::followsOperands(Operation *op) {
  if (auto transfer = dyn_cast<LayoutTransfer>(op))
    return transfer.followsOperands();
  return isa<HintOp>(op) || OpTrait::hasElementwiseMappableTraits(op);
}

bool fsm::isComputedOnDemand(Operation *op, function_ref<bool(Value)> isOnDemand) {
  auto again = dyn_cast<Rematerializable>(op);
  auto transfer = dyn_cast<LayoutTransfer>(op);
  bool movesNothing = transfer && !transfer.followsOperands();
  return again && again.isCheap([&](Value operand) { return movesNothing || isOnDemand(operand); });
}
