//===- ShareFactors.cpp - What several products read is stored once ------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/ScratchPlan.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>

namespace fsm {
#define GEN_PASS_DEF_SHAREFACTORSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// The store that fills memory which nothing but products reads; null where there is another one,
/// or a part of it, or slots.
static SharedStoreOp fillOf(SharedAllocOp alloc) {
  SharedStoreOp fill;
  for (Operation *user : alloc->getUsers()) {
    auto store = dyn_cast<SharedStoreOp>(user);
    if (isa<SharedDotOp>(user))
      continue;
    if (!store || fill || store.getAt() || store.getToFirst() || store.getMbarrier())
      return {};
    fill = store;
  }
  return fill;
}

/// Whether threads meet there for nothing: all that was stored in front of it they have met behind
/// already.
static bool isIdle(SharedBarrierOp barrier) {
  for (Operation *op = barrier->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<SharedBarrierOp>(op))
      return true;
    if (!isa<SharedAllocOp, SharedDotOp, LoadOp>(op) && !isMemoryEffectFree(op))
      return false;
  }
  return true;
}

/// Lets products that read the same block, in the same form, read it where the first of them does.
/// How many stores that saves.
static unsigned shareFactors(KernelOp kernel) {
  DominanceInfo dominance(kernel);
  llvm::MapVector<std::pair<Value, Type>, SmallVector<SharedStoreOp>> fills;
  kernel.walk([&](SharedAllocOp alloc) {
    if (SharedStoreOp fill = fillOf(alloc))
      fills[{fill.getValue(), alloc.getType()}].push_back(fill);
  });
  unsigned saved = 0;
  for (auto &[key, stores] : fills) {
    SmallVector<SharedStoreOp> kept;
    for (SharedStoreOp store : stores) {
      auto first = llvm::find_if(
          kept, [&](SharedStoreOp other) { return dominance.properlyDominates(other, store); });
      if (first == kept.end()) {
        kept.push_back(store);
        continue;
      }
      auto alloc = store.getShared().getDefiningOp<SharedAllocOp>();
      Operation *next = store->getNextNode();
      alloc.replaceAllUsesWith((*first).getShared());
      store.erase();
      alloc.erase();
      if (auto barrier = dyn_cast<SharedBarrierOp>(next); barrier && isIdle(barrier))
        barrier.erase();
      ++saved;
    }
  }
  return saved;
}

namespace {
struct ShareFactors : fsm::impl::ShareFactorsPassBase<ShareFactors> {
  using ShareFactorsPassBase::ShareFactorsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    // Parts of a program that run beside one another meet on their own.
    if (LoadRoleOp::of(kernel))
      return markAllAnalysesPreserved();
    OwningOpRef<KernelOp> tried(kernel.clone());
    if (!shareFactors(*tried) || ctasOf(*tried, *gpu) < ctasOf(kernel, *gpu))
      return markAllAnalysesPreserved();
    stores += shareFactors(kernel);
  }

  /// How many CTAs share a multiprocessor, as far as is known yet; 0 where one has no room.
  static unsigned ctasOf(KernelOp kernel, const GpuTarget &gpu) {
    ResourceEstimate needs = estimateResources(kernel);
    auto registers = std::min<uint64_t>(needs.blocks.held.registers + kOtherRegisters,
                                        gpu.maxRegistersPerThread);
    return classicalOccupancy(gpu, static_cast<unsigned>(registers),
                              static_cast<unsigned>(needs.threads),
                              static_cast<unsigned>(ScratchPlan::of(kernel).bytes()));
  }
};
} // namespace
