//===- ChooseWarps.cpp - How many threads a program gets -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. The words of a program are the 32-bit words of its largest block: what is computed
//    on demand does not count, for it is spread over no registers of its own.
// 2. It gets a warp for each 32 words of 32 lanes, a power of two of them; when its threads
//    exchange nothing, for each 4 words.
// 3. Where that leaves a thread more to hold at a time than it has registers, it gets more.
// 4. Programs of one warp share a cta, when nobody else owns the grid.

#include "fsm/Transforms/Passes.h"

#include "LayoutPlan.h"

#include "../TargetOption.h"

#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ResourceEstimate.h"

#include "llvm/ADT/DenseSet.h"

namespace fsm {
#define GEN_PASS_DEF_CHOOSEWARPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Measured best on an H200 for rows of softmax: more values a thread are fewer loads in
/// flight, fewer are more barriers. Threads that never wait for one another gain nothing by
/// holding much: one access of 16 bytes was best for sums of vectors.
static constexpr uint64_t kWordsPerThread = 32, kWordsPerLoneThread = 4;
/// Each warp reads all rows and columns of its sums: more sums a thread are fewer reads. Of groups of
/// four warps each reads its rows and columns once.
static constexpr uint64_t kWordsPerThreadOfMma = 64, kWordsPerThreadOfGroup = 128;
static constexpr unsigned kMaxWarps = 32, kPackedPrograms = 4;

/// What memory needs for it (decision 22 measured that), not registers.
static uint64_t wordsOf(RankedTensorType type) {
  uint64_t bits = static_cast<uint64_t>(type.getNumElements()) * type.getElementTypeBitWidth();
  return llvm::divideCeil(bits, 32);
}

/// The words of the largest block that is held in registers.
static uint64_t largestBlock(KernelOp kernel) {
  uint64_t most = 0;
  llvm::DenseSet<Value> onDemand;
  auto see = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      most = std::max(most, wordsOf(type));
  };
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        see(argument);
    // A store of a constant still needs its registers.
    if (auto access = dyn_cast<GlobalAccess>(op); access && access.writes())
      see(access.getValue());
    bool isCheap = op->getNumResults() == 1 && isa<RankedTensorType>(op->getResult(0).getType()) &&
                   isComputedOnDemand(op, [&](Value v) { return onDemand.contains(v); });
    if (isCheap)
      onDemand.insert(op->getResult(0));
    else
      llvm::for_each(op->getResults(), see);
  });
  return most;
}

namespace {
/// What threads do together.
struct Exchanges {
  bool hasMma = false, hasGroups = false, hasOther = false;

  Exchanges(KernelOp kernel, const GpuTarget &target) {
    kernel.getBody().walk([&](Operation *op) {
      auto dot = dyn_cast<DotOp>(op);
      const MmaInstruction *mma = dot ? findMma(dot, target) : nullptr;
      hasMma |= mma != nullptr;
      hasGroups |= mma && mma->isOfWarpGroup();
      hasOther |= dot ? !mma : isa<AlongAxis>(op);
    });
  }

  uint64_t wordsPerThread() const {
    if (hasMma && !hasOther)
      return hasGroups ? kWordsPerThreadOfGroup : kWordsPerThreadOfMma;
    return hasOther ? kWordsPerThread : kWordsPerLoneThread;
  }
};
} // namespace

/// At least so many warps that a thread's registers suffice; `warps`, where none do.
static uint64_t warpsWithRoom(KernelOp kernel, const GpuTarget &target, uint64_t warps) {
  for (uint64_t more = warps; more <= kMaxWarps; more *= 2)
    if (registersOver(kernel, more * kWarpThreads) + kOtherRegisters <=
        registersAllowed(kernel, target, more))
      return more;
  return warps;
}

namespace {
struct ChooseWarps : fsm::impl::ChooseWarpsPassBase<ChooseWarps> {
  using ChooseWarpsPassBase::ChooseWarpsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    if (!kernel.getNumWarps()) {
      Exchanges exchanges(kernel, *gpu);
      uint64_t threads = llvm::divideCeil(largestBlock(kernel), exchanges.wordsPerThread());
      uint64_t warps = llvm::PowerOf2Ceil(llvm::divideCeil(threads, kWarpThreads));
      uint64_t least = exchanges.hasGroups ? kGroupWarps : 1;
      warps = warpsWithRoom(kernel, *gpu, std::clamp<uint64_t>(warps, least, kMaxWarps));
      kernel.setNumWarps(static_cast<unsigned>(warps));
    }
    bool shares = packPrograms && *kernel.getNumWarps() == 1;
    Builder builder(kernel.getContext());
    kernel->setAttr(kProgramsPerCtaAttr, builder.getI32IntegerAttr(shares ? kPackedPrograms : 1));
  }
};
} // namespace
