//===- RowLoops.cpp - Loops over the blocks of a row ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/RowLoops.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fsm;

/// A body of more ops is not written more than once.
static constexpr size_t kMostOps = 64;
/// Of numbers that a loop begins at and steps by, so that they can be counted with.
static constexpr unsigned kMostBits = 32;

int64_t RowLoop::tripsTo(int64_t end) const { return end > first ? (end - first - 1) / step + 1 : 0; }

bool fsm::takesStep(LoadOp load, int64_t step) {
  auto block = dyn_cast<RankedTensorType>(load.getType());
  // Which way a loop goes over a block of that many rows as well is not looked for.
  return block && block.getRank() > 0 && block.getShape().back() == step &&
         !llvm::is_contained(block.getShape().drop_back(), step);
}

/// Whether an op loads, stores or computes, by itself alone.
static bool isPlain(Operation &op) {
  if (auto access = dyn_cast<GlobalAccess>(&op))
    return isa<LoadOp, StoreOp>(op) && !access.getIsVolatile();
  return isMemoryEffectFree(&op) && !isa<DotOp>(op) && (op.getNumRegions() == 0 || isa<AlongAxis>(op));
}

std::optional<RowLoop> fsm::rowLoopOf(scf::ForOp loop) {
  APInt first, step;
  if (loop.getUnsignedCmp() || integerAttrOr(loop, kNumStagesAttr, 1) != 1 ||
      !matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || step.sle(1) ||
      first.getSignificantBits() > kMostBits || step.getSignificantBits() > kMostBits)
    return std::nullopt;
  RowLoop found{first.getSExtValue(), step.getSExtValue()};
  size_t ops = 0;
  bool takes = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!isPlain(op) || ++ops > kMostOps)
      return std::nullopt;
    auto load = dyn_cast<LoadOp>(op);
    takes |= load && takesStep(load, found.step);
  }
  return takes ? std::optional(found) : std::nullopt;
}

std::vector<int64_t> fsm::rowStepsUpTo(BlockArgument argument) {
  std::vector<int64_t> steps;
  for (OpOperand &use : argument.getUses()) {
    auto loop = dyn_cast<scf::ForOp>(use.getOwner());
    if (!loop || loop.getUpperBound() != argument)
      continue;
    std::optional<RowLoop> row = rowLoopOf(loop);
    if (row && row->first == 0 && row->step <= kMaxBlockElements && !llvm::is_contained(steps, row->step))
      steps.push_back(row->step);
  }
  return steps;
}

/// Rows of 16 bits an element that begin anywhere gain by having no mask; those that begin at vectors lose up to a seventh of their
/// speed, and others have not been measured (docs/decisions/0152-rows-that-fill-their-block.md).
static constexpr int64_t kMeasuredBytes = 2, kElementsOfVector = kVectorBytes / kMeasuredBytes;

/// Whether a mask is of loads of rows that are faster without one.
static bool isOfRowsAnywhere(arith::CmpIOp mask) {
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  return type && type.getRank() == 1 && type.getDimSize(0) % kElementsOfVector != 0 &&
         llvm::any_of(mask->getUsers(), [&](Operation *user) {
           auto load = dyn_cast<LoadOp>(user);
           return load && load.getMask() == mask.getResult() && bytesOf(elementTypeOf(load.getType())) == kMeasuredBytes;
         });
}

/// Behind the last element of a mask's block, if it begins at a constant and the mask ends at an argument.
static std::optional<int64_t> blockEnd(Operation *op, BlockArgument argument) {
  auto mask = dyn_cast<arith::CmpIOp>(op);
  std::optional<MaskEnd> end;
  if (mask && isOfRowsAnywhere(mask))
    end = AffineOffsets(Wrapping::Heeded, AffineOffsets::kFewValues).endOf(mask);
  if (!end || end->base || end->bound != argument || end->start < 0 || end->start > kMaxBlockElements)
    return std::nullopt;
  return end->start + cast<RankedTensorType>(mask.getType()).getDimSize(end->dim);
}

std::vector<int64_t> fsm::rowBlocksUpTo(BlockArgument argument) {
  std::vector<int64_t> ends;
  // Rows in loops were slower without masks than with them when this was measured (docs/decisions/0152-rows-that-fill-their-block.md).
  if (hasLoop(argument.getOwner()->getParentOp()))
    return ends;
  for (Operation *user : argument.getUsers()) {
    if (!isa<SplatOp>(user))
      continue;
    for (Operation *compare : user->getUsers())
      if (std::optional<int64_t> end = blockEnd(compare, argument); end && !llvm::is_contained(ends, *end))
        ends.push_back(*end);
  }
  return ends;
}
