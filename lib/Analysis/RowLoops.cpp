//===- RowLoops.cpp - Loops over the blocks of a row ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/RowLoops.h"

#include "fsm/Analysis/MemoryOrder.h"

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
  if (isa<GlobalAccess>(op))
    return isPlainAccess(&op);
  return isMemoryEffectFree(&op) && !isa<DotOp>(op) && (op.getNumRegions() == 0 || isa<AlongAxis, scf::IfOp>(op));
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
  WalkResult result = loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::YieldOp>(op))
      return WalkResult::advance();
    if (!isPlain(*op) || ++ops > kMostOps)
      return WalkResult::interrupt();
    auto load = dyn_cast<LoadOp>(op);
    takes |= load && takesStep(load, found.step);
    return isa<AlongAxis>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return takes && !result.wasInterrupted() ? std::optional(found) : std::nullopt;
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
