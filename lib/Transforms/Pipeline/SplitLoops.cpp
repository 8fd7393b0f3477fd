//===- SplitLoops.cpp - Loops that ctas share -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"
#include "LoopSplitter.h"

namespace fsm {
#define GEN_PASS_DEF_SPLITLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// What the first cta's memory has room for beside the slots of a loop.
static constexpr int64_t kMostExchanged = 64 << 10;

namespace {
struct SplitLoops : fsm::impl::SplitLoopsPassBase<SplitLoops> {
  using SplitLoopsPassBase::SplitLoopsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    scf::ForOp loop = loopToSplit(kernel);
    if (!loop || kernel->hasAttr(kPartsAttr))
      return markAllAnalysesPreserved();
    SplitPlan plan(loop);
    unsigned ctas = ctasFor(kernel, loop, plan);
    if (ctas == 1)
      return markAllAnalysesPreserved();
    Location loc = loop.getLoc();
    std::optional<std::string> why = plan.obstacle;
    if (!why)
      why = obstacleInMemory(loop);
    if (!gpu->features.clusters)
      why = (StringRef(gpu->name) + " has no clusters").str();
    bool isAsked = loop->hasAttr(kSplitAttr);
    if (!why) {
      LoopSplitter(loop, plan, ctas).split();
      ++split;
    }
    if (remarks && why)
      emitRemark(loc) << "one cta runs all of this loop: " << *why;
    else if (remarks)
      emitRemark(loc) << ctas << " ctas share this loop: "
                      << (isAsked ? "'fsm.split' says so" : "the launch leaves room for them");
  }

  /// As many as the author says; or as a launch has multiprocessors or room on them for, the loop iterations, and
  /// the first cta memory.
  static unsigned ctasFor(KernelOp kernel, scf::ForOp loop, const SplitPlan &plan) {
    if (int64_t asked = integerAttrOr(loop, kSplitAttr, 0))
      return static_cast<unsigned>(asked);
    int64_t ctas = integerAttrOr(kernel, kSpreadAttr, 1), bytes = bytesOfSums(loop, plan);
    while (ctas > 1 && ((ctas - 1) * bytes > kMostExchanged ||
                        (plan.trips && *plan.trips < ctas * kLeastTripsOfPart)))
      ctas /= 2;
    return static_cast<unsigned>(ctas);
  }
};
} // namespace
