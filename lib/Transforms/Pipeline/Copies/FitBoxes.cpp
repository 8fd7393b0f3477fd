//===- FitBoxes.cpp - Boxes that end where their tensor does -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of 64 rows of which a tensor has 33 takes the hardware longer than one that has all: it
// fills in zeros more slowly than it copies. A box as long as the tensor brings 33 rows, and the
// zeros behind them are there once for all iterations.

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/KnownMasks.h"
#include "fsm/Analysis/ProductTiles.h"

namespace fsm {
#define GEN_PASS_DEF_FITBOXESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// The memory that copies by a map fill; none where one of them is no copy of a program for itself
/// alone, whose tile has one box along the tensor's first dimension.
static llvm::SmallSetVector<Value, 2> filledBy(TensorMapOp map) {
  llvm::SmallSetVector<Value, 2> filled;
  for (Operation *user : map->getUsers()) {
    auto copy = dyn_cast<CopyTensorOp>(user);
    if (!copy || copy.getTogether() ||
        copy.getShared().getDefiningOp()->getBlock() != map->getBlock())
      return {};
    SharedType tile = copy.getShared().getType();
    if (tile.getShape()[1 - majorOf(tile)] != map.getType().getBox().front())
      return {};
    filled.insert(copy.getShared());
  }
  return filled;
}

/// Lets all threads meet with a fence behind an op, in front of all that may copy: where they do so
/// already, if they do.
static void meetBehind(Operation *op) {
  Operation *next = op->getNextNode();
  while (isa<SharedAllocOp, MBarrierInitOp, ClearLinesOp>(next) ||
         (!next->getNumRegions() && isMemoryEffectFree(next)))
    next = next->getNextNode();
  auto barrier = dyn_cast<SharedBarrierOp>(next);
  if (barrier && barrier.getScope() == ThreadScope::Program)
    return barrier.setFence(true);
  OpBuilder builder(next);
  SharedBarrierOp::create(builder, op->getLoc(), ThreadScope::Program, /*fence=*/true);
}

namespace {
struct FitBoxes : fsm::impl::FitBoxesPassBase<FitBoxes> {
  void runOnOperation() override {
    Block &body = getOperation().getBody().front();
    SmallVector<ClearLinesOp> clears;
    for (TensorMapOp map : llvm::make_early_inc_range(body.getOps<TensorMapOp>())) {
      std::optional<int64_t> most = knownMost(map.getSizes().front());
      if (!most || *most >= map.getType().getBox().front())
        continue;
      llvm::SmallSetVector<Value, 2> filled = filledBy(map);
      map.setBoxEnds(!filled.empty());
      for (Value slots : filled)
        clears.push_back(clear(slots, map));
      fitted += !filled.empty();
    }
    for (ClearLinesOp clear : clears)
      meetBehind(clear);
  }

  static ClearLinesOp clear(Value slots, TensorMapOp map) {
    OpBuilder builder(map->getContext());
    Operation *alloc = slots.getDefiningOp();
    builder.setInsertionPointAfter(alloc->isBeforeInBlock(map) ? map : alloc);
    return ClearLinesOp::create(builder, map.getLoc(), slots, map);
  }
};
} // namespace
