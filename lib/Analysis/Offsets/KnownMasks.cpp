//===- KnownMasks.cpp - Masks that a launch makes no masks ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/KnownMasks.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/MemoryOrder.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;

IntegerAttr fsm::promisedOf(Value bound, StringRef name) {
  BlockArgument argument = kernelArgument(bound);
  if (!argument)
    return {};
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  return kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), name);
}

std::optional<int64_t> fsm::knownMost(Value number) {
  while (auto wide = number.getDefiningOp<arith::ExtSIOp>())
    number = wide.getIn();
  APInt constant;
  if (matchPattern(number, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  IntegerAttr most = promisedOf(number, kAtMostAttr);
  return most ? std::optional(most.getInt()) : std::nullopt;
}

std::optional<bool> fsm::knownMask(arith::CmpIOp mask) {
  for (Value side : mask->getOperands()) {
    auto splat = side.getDefiningOp<SplatOp>();
    if (!splat)
      continue;
    IntegerAttr least = promisedOf(splat.getScalar(), kAtLeastAttr), most = promisedOf(splat.getScalar(), kAtMostAttr);
    if (!least && !most)
      continue;
    std::optional<MaskEnd> end = AffineOffsets(Wrapping::Heeded, AffineOffsets::kFewValues).endOf(mask);
    if (!end || end->base || end->bound != splat.getScalar())
      continue;
    int64_t extent = cast<RankedTensorType>(mask.getType()).getDimSize(end->dim);
    if (least && end->start >= 0 && end->start + extent <= least.getInt())
      return true;
    if (most && end->start >= most.getInt())
      return false;
  }
  return std::nullopt;
}
