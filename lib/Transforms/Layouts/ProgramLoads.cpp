//===- ProgramLoads.cpp - What a program holds and loads -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramLoads.h"

#include "LayoutPlan.h"

#include "fsm/Analysis/AxisInfo.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/SplitPlan.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Analysis/SliceAnalysis.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace fsm;

/// What memory needs for it (decision 22 measured that), not registers.
static uint64_t wordsOf(RankedTensorType type) {
  uint64_t bits = static_cast<uint64_t>(type.getNumElements()) * type.getElementTypeBitWidth();
  return llvm::divideCeil(bits, 32);
}

uint64_t fsm::largestHeldWords(KernelOp kernel) {
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

uint64_t fsm::registersOfNarrowLoads(KernelOp kernel) {
  uint64_t words = 0;
  AxisInfoAnalysis axes(kernel);
  kernel.getBody().walk([&](LoadOp load) {
    auto block = dyn_cast<RankedTensorType>(load.getType());
    int64_t group = block ? kWordBytes / bytesOf(block.getElementType()) : 0;
    if (group <= 1)
      return;
    // Whatever the mask: copies of tensors take any.
    bool isWide = llvm::any_of(axes.of(load.getOffsets()).dims, [&](const AxisGroups &axis) {
      return axis.contiguity >= group && axis.start(group) >= group;
    });
    if (!isWide)
      words += block.getNumElements() - wordsOf(block);
  });
  return words;
}

NarrowLoads::NarrowLoads(KernelOp kernel) {
  AxisInfoAnalysis axes(kernel);
  kernel.getBody().walk([&](LoadOp load) {
    auto block = dyn_cast<RankedTensorType>(load.getType());
    if (!block || load->hasAttr(kFollowsAttr))
      return;
    areOneByOne |= bytesOf(block.getElementType()) < kWordBytes &&
                   llvm::all_of(axes.accessOf(load).alignment,
                                [](int64_t alignment) { return alignment < kWordBytes; });
    ++count;
    most = std::max<uint64_t>(most, block.getNumElements());
  });
}

/// Whether a thread may access so many bytes at once along some axis.
static bool isByVectors(const AccessAxis &access, int64_t bytesOfElement) {
  return llvm::any_of(llvm::zip_equal(access.contiguity, access.alignment), [&](auto pair) {
    auto [contiguity, alignment] = pair;
    return std::min(contiguity * bytesOfElement, alignment) >= kVectorBytes;
  });
}

LargeLoads::LargeLoads(KernelOp kernel) {
  int64_t largest = largestBlockIn(kernel);
  AxisInfoAnalysis axes(kernel);
  kernel.getBody().walk([&](LoadOp load) {
    auto block = dyn_cast<RankedTensorType>(load.getType());
    if (!block || block.getNumElements() < largest || load->hasAttr(kFollowsAttr))
      return;
    ++count;
    int64_t bytes = bytesOf(block.getElementType());
    if (isReduced(load)) {
      ++reduced;
      bytesReduced += block.getNumElements() * bytes;
    }
    areVectors &= isByVectors(axes.accessOf(load), bytes);
    areWords &= bytes >= kWordBytes;
    areNarrow &= bytes < kWordBytes;
    areRows &= block.getRank() == 1;
    areInLoops |= load->getParentOp() != kernel;
  });
}

/// The loads that a factor is made of.
static SmallVector<LoadOp> loadsFor(Value factor) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.inclusive = true;
  options.filter = [](Operation *op) { return !isa<DotOp>(op); };
  // It fails for graphs alone.
  (void)getBackwardSlice(factor, &slice, options);
  SmallVector<LoadOp> loads;
  for (Operation *op : slice)
    if (auto load = dyn_cast<LoadOp>(op))
      loads.push_back(load);
  return loads;
}

ProductBlocks::ProductBlocks(KernelOp kernel) {
  AxisInfoAnalysis axes(kernel);
  auto most = [](uint64_t &words, Value block) {
    words = std::max(words, wordsOf(cast<RankedTensorType>(block.getType())));
  };
  kernel.getBody().walk([&](DotOp dot) {
    most(sums, dot.getResult());
    for (Value side : {dot.getLeft(), dot.getRight()}) {
      most(factor, side);
      for (LoadOp load : loadsFor(side))
        // Lines, as scales of columns, are no factors.
        if (auto block = dyn_cast<RankedTensorType>(load.getType()); block && block.getRank() > 1)
          areVectors &= isByVectors(axes.accessOf(load), bytesOf(block.getElementType()));
    }
  });
  kernel.getBody().walk([&](scf::ForOp loop) {
    for (Value side : computedFactors(loop))
      most(computed, side);
  });
}
