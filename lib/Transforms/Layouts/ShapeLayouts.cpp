//===- ShapeLayouts.cpp - Layouts across ops that move nothing -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeLayouts.h"

#include "fsm/Layout/NamedLayouts.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace fsm;

static RankedTensorType sourceType(Operation *op) {
  return cast<RankedTensorType>(op->getOperand(0).getType());
}

/// The layout of a block that is repeated along its dimensions of extent 1: the
/// coordinates along the others.
static LinearLayout beforeBroadcast(const LinearLayout &result, RankedTensorType source) {
  BitSpace block = BitSpace::block(extentsOf(source));
  std::vector<uint64_t> bases;
  for (uint64_t base : result.bases()) {
    uint64_t kept = 0;
    for (unsigned i = 0; i < source.getRank(); ++i)
      if (source.getDimSize(i) != 1)
        kept |= block.place(blockDim(i), result.to().get(base, blockDim(i)));
    bases.push_back(kept);
  }
  return LinearLayout(result.from(), block, bases).canonical();
}

/// A reshape whose extents are all powers of two gives the row-major index, and so the
/// packed position, another name.
static std::optional<LinearLayout> beforeReshape(const LinearLayout &result,
                                                 RankedTensorType source, RankedTensorType type) {
  for (RankedTensorType block : {source, type})
    for (int64_t extent : block.getShape())
      if (!llvm::isPowerOf2_64(static_cast<uint64_t>(extent)))
        return std::nullopt;
  return LinearLayout(result.from(), BitSpace::block(extentsOf(source)), result.bases());
}

std::optional<LinearLayout> fsm::operandLayout(Operation *op, const LinearLayout &result) {
  if (auto expand = dyn_cast<ExpandDimsOp>(op))
    return result.withoutDim(blockDim(expand.getAxis()));
  if (isa<BroadcastOp>(op))
    return beforeBroadcast(result, sourceType(op));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return beforeReshape(result, sourceType(op), reshape.getType());
  return result;
}

bool fsm::isElementwise(Operation *op) {
  return isa<HintOp>(op) ||
         (isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
          !isa<arith::ConstantOp>(op));
}

bool fsm::isComputedOnDemand(Operation *op, function_ref<bool(Value)> isOnDemand) {
  if (isa<RangeOp, SplatOp, arith::ConstantOp, ub::PoisonOp, ExpandDimsOp, BroadcastOp>(op))
    return true;
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    LinearLayout any = rowMajorLayout(extentsOf(reshape.getType()), 1, {kWarpThreads, 1});
    return operandLayout(op, any).has_value();
  }
  if (!isElementwise(op) || !elementTypeOf(op->getResult(0).getType()).isInteger())
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || isOnDemand(operand);
  });
}
