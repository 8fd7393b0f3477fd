//===- GroupWarps.cpp - Loops that groups of warps share -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"
#include "LoopSplitter.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/ResourceEstimate.h"

namespace fsm {
#define GEN_PASS_DEF_GROUPWARPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Whether programs go through the iterations of a loop side by side, each as many as there are
/// programs at a time, so that a launch has as many as run at once, and each of them its sums.
static bool isWalk(scf::ForOp loop) {
  auto first = loop.getLowerBound().getDefiningOp<ProgramIdOp>();
  auto step = loop.getStep().getDefiningOp<NumProgramsOp>();
  return first && step && first.getAxis() == step.getAxis();
}

/// Whether threads of all warps wait for one another in each iteration, for what they reduce. Of
/// what moves blocks through shared memory, such as a gather, nobody knows yet whether groups have
/// room for it.
static bool onlyReduces(scf::ForOp loop) {
  bool reduces = false;
  for (Operation &op : *loop.getBody()) {
    bool isReduction = isa<ReduceOp, ReduceWithOp>(op);
    reduces |= isReduction;
    if (!isReduction && !isElementwise(&op) && !op.hasTrait<OpTrait::IsTerminator>() &&
        !isa<LoadOp, StoreOp, RangeOp, SplatOp, ExpandDimsOp, BroadcastOp, OffsetOp, AssumeOp>(op))
      return false;
  }
  return reduces;
}

static bool carriesBlocks(scf::ForOp loop) {
  return llvm::any_of(loop.getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// The loop of a kernel that asks for groups, or the only one that programs walk.
static scf::ForOp loopToShare(KernelOp kernel) {
  scf::ForOp found;
  unsigned count = 0;
  for (auto loop : kernel.getBody().front().getOps<scf::ForOp>()) {
    if (integerAttrOr(loop, kWarpGroupsAttr, 0) > 1)
      return loop;
    if (loop->hasAttr(kWarpGroupsAttr) || !isWalk(loop) || !carriesBlocks(loop) ||
        !onlyReduces(loop))
      continue;
    ++count;
    found = loop;
  }
  return count == 1 ? found : scf::ForOp();
}

namespace {
struct GroupWarps : fsm::impl::GroupWarpsPassBase<GroupWarps> {
  using GroupWarpsPassBase::GroupWarpsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    scf::ForOp loop = loopToShare(kernel);
    if (!loop || kernel->hasAttr(kPartsAttr))
      return markAllAnalysesPreserved();
    Location loc = loop.getLoc();
    SplitPlan plan(loop, Sharers::WarpGroups);
    std::optional<std::string> why = plan.obstacle;
    if (!why && (kernel.getNumCtas().value_or(1) > 1 || programsOfCluster(kernel) > 1))
      why = "the cta is one of a cluster";
    unsigned groups = why ? 1 : groupsFor(kernel, loop, plan, *gpu);
    bool isAsked = loop->hasAttr(kWarpGroupsAttr);
    if (groups > 1) {
      LoopSplitter(loop, plan, groups).split();
      // Programs of one warp would have shared the cta.
      kernel->setAttr(kProgramsPerCtaAttr, Builder(kernel.getContext()).getI32IntegerAttr(1));
      ++shared;
    }
    if (remarks && why)
      emitRemark(loc) << "one group of warps runs all of this loop: " << *why;
    else if (remarks && groups > 1)
      emitRemark(loc) << groups << " groups of warps share this loop: "
                      << (isAsked ? "'fsm.warp_groups' says so"
                                  : "a multiprocessor has room for so many programs");
  }

  /// As many as the author says; or as have registers on a multiprocessor, where the sums of the
  /// others have room in its memory.
  static unsigned groupsFor(KernelOp kernel, scf::ForOp loop, const SplitPlan &plan,
                            const GpuTarget &gpu) {
    uint64_t warps = kernel.getNumWarps().value_or(1), bytes = bytesOfSums(loop, plan);
    auto fits = [&](unsigned groups) {
      return groups * warps * kWarpThreads <= gpu.maxThreadsPerCta &&
             2 * groups * bytes <= gpu.maxSharedBytesPerCta;
    };
    if (int64_t asked = integerAttrOr(loop, kWarpGroupsAttr, 0))
      return fits(static_cast<unsigned>(asked)) ? static_cast<unsigned>(asked) : 1;
    uint64_t held = registersOver(kernel, warps * kWarpThreads) + kRegistersOfSharedLoop;
    unsigned groups = kMostSharers;
    while (groups > 1 && (!fits(groups) || held > registersAllowed(kernel, gpu, groups * warps)))
      groups /= 2;
    return groups;
  }
};
} // namespace
