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
#include "fsm/Machine/GpuTarget.h"

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

LargeLoads::LargeLoads(KernelOp kernel) {
  int64_t largest = largestBlockIn(kernel);
  AxisInfoAnalysis axes(kernel);
  kernel.getBody().walk([&](LoadOp load) {
    auto block = dyn_cast<RankedTensorType>(load.getType());
    if (!block || block.getNumElements() < largest || load->hasAttr(kFollowsAttr))
      return;
    ++count;
    reduced += isReduced(load);
    AccessAxis access = axes.accessOf(load);
    int64_t bytes = bytesOf(block.getElementType());
    bool isWide = false;
    for (auto [contiguity, alignment] : llvm::zip_equal(access.contiguity, access.alignment))
      isWide |= std::min(contiguity * bytes, alignment) >= kVectorBytes;
    areVectors &= isWide;
    areWords &= bytes >= kWordBytes;
    areNarrow &= bytes < kWordBytes;
    areRows &= block.getRank() == 1;
    areInLoops |= load->getParentOp() != kernel;
  });
}
