//===- SplitEdges.cpp - Rows that begin anywhere, by whole vectors -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"
#include "EdgePlan.h"

#include "fsm/Analysis/KnownMasks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_SPLITEDGESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Bytes of rows with which a thread waits at most: a multiprocessor has room for three CTAs of
/// eight warps then (docs/decisions/0115-narrow-numbers-are-held.md). With seven whole vectors it keeps some of them in memory
/// (docs/decisions/0146-short-rows-as-vectors-and-edges.md).
static constexpr int64_t kBytesOfThread = 104;
/// With no more than these, CTAs of eight warps were faster than those of four.
static constexpr int64_t kBytesWithRoom = 80;
static constexpr int64_t kWarpsOfCta = 8, kMostWarps = 32, kMostCtas = 16, kMostSmallCtas = 8;
/// Vectors of a thread, of which each has its own ops.
static constexpr int64_t kMostVectors = 16;

/// Bytes of rows that threads wait with.
static int64_t bytesHeld(EdgePlan &plan) {
  int64_t bytes = 0;
  for (Operation *op : plan.ops)
    if (auto load = dyn_cast<LoadOp>(op); load && plan.holds(load))
      bytes += plan.extent * kVectorBytes / plan.vector;
  return bytes;
}

/// Gives a kernel the threads that its rows want, if its author gave it none; says how many it has,
/// or 0 where there are not as many.
static int64_t giveThreads(KernelOp kernel, EdgePlan &plan, const GpuTarget &gpu) {
  int64_t ctas = kernel.getNumCtas().value_or(1);
  if (std::optional<uint32_t> warps = kernel.getNumWarps())
    return *warps * kWarpThreads * ctas;
  uint64_t least = llvm::PowerOf2Ceil(llvm::divideCeil(bytesHeld(plan), kBytesOfThread));
  auto wanted = std::max<int64_t>(static_cast<int64_t>(least) / kWarpThreads, 1);
  int64_t warps = std::min(wanted, kWarpsOfCta);
  if (kernel.getNumCtas() || !gpu.features.clusters)
    warps = std::clamp<int64_t>(wanted / ctas, 1, kMostWarps);
  else
    ctas = std::min(wanted / warps, kMostCtas);
  if (ctas * warps < wanted)
    return 0;
  // Who waits twice, with little room beside what is waited with, waits for fewer threads.
  bool waitsAgain = llvm::count_if(plan.ops, llvm::IsaPred<ReduceOp>) > 1;
  bool isTight = bytesHeld(plan) > kBytesWithRoom * wanted * kWarpThreads;
  if (waitsAgain && isTight && !kernel.getNumCtas() && ctas > 1 && 2 * ctas <= kMostSmallCtas) {
    warps /= 2;
    ctas *= 2;
  }
  kernel.setNumWarps(static_cast<unsigned>(warps));
  if (ctas > 1)
    kernel.setNumCtas(static_cast<unsigned>(ctas));
  return warps * kWarpThreads * ctas;
}

/// Takes the masks of weights away that are known to hold: those of vectors and edges are loaded where they are used anyway.
static SmallVector<std::pair<LoadOp, Value>> dropMasks(KernelOp kernel) {
  SmallVector<std::pair<LoadOp, Value>> dropped;
  for (LoadOp load : kernel.getBody().front().getOps<LoadOp>()) {
    auto mask = load.getMask() ? load.getMask().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    if (!mask || load.getOther() || !isa<RankedTensorType>(mask.getType()) || knownMask(mask) != std::optional(true))
      continue;
    dropped.push_back({load, mask});
    load.getMaskMutable().clear();
  }
  return dropped;
}

namespace {
struct SplitEdges : fsm::impl::SplitEdgesPassBase<SplitEdges> {
  using SplitEdgesPassBase::SplitEdgesPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    // A launch of few programs has other needs.
    auto masks = dropMasks(kernel);
    EdgePlan plan(kernel);
    int64_t threads = 0;
    if (integerAttrOr(kernel, kSpreadAttr, 1) == 1 && plan.find())
      threads = giveThreads(kernel, plan, *gpu);
    if (!threads || plan.extent > kMostVectors * plan.vector * threads) {
      for (auto [load, mask] : masks)
        load.getMaskMutable().assign(mask);
      return markAllAnalysesPreserved();
    }
    writeEdges(plan, threads);
    kernel->setAttr(kHoldNarrowAttr, UnitAttr::get(&getContext()));
    ++split;
    // Indices that nobody asks for.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(kernel.getBody().front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};
} // namespace
