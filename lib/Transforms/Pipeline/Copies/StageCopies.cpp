//===- StageCopies.cpp - Loops that count their slots --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageCopies.h"

#include "../Loads/EarlyLoads.h"

#include "fsm/Analysis/SlotCounter.h"

using namespace mlir;
using namespace fsm;

namespace {
class SlotCounting {
public:
  SlotCounting(scf::ForOp loop, const PipelinePlan &plan, CopiesByStage &stages,
               MutableArrayRef<scf::ForOp> around, Value zero)
      : loop(loop), plan(plan), stages(stages), around(around), zero(zero) {}

  scf::ForOp run();

private:
  SmallVector<Value> carryAround();
  void goOnAround(ValueRange counters);
  SmallVector<Value> nextOf(OpBuilder &builder, ArrayRef<BlockArgument> arguments);

  scf::ForOp loop;
  const PipelinePlan &plan;
  CopiesByStage &stages;
  MutableArrayRef<scf::ForOp> around;
  Value zero;
};
} // namespace

/// What each stage counts, for the next iteration.
SmallVector<Value> SlotCounting::nextOf(OpBuilder &builder, ArrayRef<BlockArgument> arguments) {
  auto in = [&](unsigned stage) {
    return StageBuilder(loop.getLoc(), builder.saveInsertionPoint(), plan, stage);
  };
  auto next = [&](unsigned stage, Value slot, unsigned slots) {
    StageBuilder inside = in(stage);
    return nextSlot(inside, slot, slots);
  };
  SmallVector<Value> yields;
  for (auto &[key, copies] : stages) {
    if (copies.slots > 1) {
      copies.copySlot = arguments[yields.size()];
      yields.push_back(next(key.first, copies.copySlot, copies.slots));
      copies.readSlot = arguments[yields.size()];
      yields.push_back(next(plan.lastStage(), copies.readSlot, copies.slots));
    }
    if (copies.hasPhase()) {
      copies.readPhase = arguments[yields.size()];
      StageBuilder inside = in(plan.lastStage());
      yields.push_back(nextPhase(inside, copies.readPhase, copies.readSlot, copies.slots));
    }
  }
  return yields;
}

/// Loops around carry what slots of tensors were counted to: an mbarrier is made once, and its
/// phases go on when the loop is entered again. Gives the counters there.
SmallVector<Value> SlotCounting::carryAround() {
  unsigned count = 0;
  for (auto &[key, copies] : stages)
    count += copies.countersAround();
  SmallVector<Value> counters(count, zero);
  for (scf::ForOp &outer : around) {
    outer = withCarried(outer, counters, [](OpBuilder &, Location, ArrayRef<BlockArgument> same) {
      return SmallVector<Value>(same.begin(), same.end());
    });
    counters = llvm::to_vector_of<Value>(outer.getRegionIterArgs().take_back(count));
  }
  return counters;
}

/// What the loop has counted to is what the ones around carry on.
void SlotCounting::goOnAround(ValueRange counters) {
  for (scf::ForOp outer : llvm::reverse(around)) {
    auto yielded = outer.getYieldedValuesMutable()->take_back(counters.size());
    for (auto [operand, counter] : llvm::zip_equal(yielded, counters))
      operand.set(counter);
    counters = outer.getResults().take_back(counters.size());
  }
}

/// Each stage counts its slots, and the last stage those that it takes. Copies begin at the slot
/// that is taken first: where the loop has ended, they have run ahead of what was taken.
scf::ForOp SlotCounting::run() {
  SmallVector<Value> counters = carryAround(), inits;
  ArrayRef<Value> next = counters;
  auto firstOf = [&](const StageCopies &copies) {
    return copies.hasTensor && !around.empty() ? next.consume_front() : zero;
  };
  for (auto &[key, copies] : stages) {
    if (copies.slots > 1)
      inits.append(2, firstOf(copies));
    if (copies.hasPhase())
      inits.push_back(firstOf(copies));
  }
  if (inits.empty())
    return loop;
  loop = withCarried(loop, inits,
                     [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
                       return nextOf(builder, arguments);
                     });
  SmallVector<Value> taken;
  for (auto &[key, copies] : stages)
    if (copies.hasTensor)
      for (Value counter : {copies.readSlot, copies.readPhase})
        if (counter)
          taken.push_back(loop.getTiedLoopResult(cast<BlockArgument>(counter)));
  goOnAround(taken);
  return loop;
}

scf::ForOp fsm::carrySlots(scf::ForOp loop, const PipelinePlan &plan, CopiesByStage &stages,
                           MutableArrayRef<scf::ForOp> around, Value zero) {
  return SlotCounting(loop, plan, stages, around, zero).run();
}
