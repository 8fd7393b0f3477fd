//===- KnownMasks.cpp - Masks that a launch makes no masks ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/KnownMasks.h"

#include "fsm/Analysis/AffineOffsets.h"

using namespace mlir;
using namespace fsm;

/// What is promised of the argument of a kernel that the indices of a mask are compared with; null for nothing.
static IntegerAttr promisedOf(Value bound, StringRef name) {
  auto argument = dyn_cast<BlockArgument>(bound);
  auto kernel = argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp()) : KernelOp();
  return kernel ? kernel.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), name) : IntegerAttr();
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

bool fsm::staysForLoad(OpOperand &use) {
  auto load = dyn_cast<LoadOp>(use.getOwner());
  auto mask = use.get().getDefiningOp<arith::CmpIOp>();
  if (!load || !mask || load.getMask() != use.get() || !isa<BlockArgument>(load.getPointer()) ||
      load->getParentOp() != load->getParentOfType<KernelOp>())
    return false;
  // Of the blocks that a row is walked in, masks cost more than waiting does.
  std::optional<MaskEnd> end = AffineOffsets(Wrapping::Heeded, AffineOffsets::kFewValues).endOf(mask);
  IntegerAttr least = end ? promisedOf(end->bound, kAtLeastAttr) : IntegerAttr();
  return least && !end->base && end->start == 0 &&
         cast<RankedTensorType>(mask.getType()).getDimSize(end->dim) == least.getInt();
}
