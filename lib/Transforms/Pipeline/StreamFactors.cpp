//===- StreamFactors.cpp - What passes through the L2 cache --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where all rows of one factor are in each program's tile, programs differ by the other factor
// alone: of weights for few rows each reads its own columns, once.
//
//   for each step                                     for each step
//     %x = load all rows of %a [step]                   %x = load all rows of %a [step]
//     %y = load columns of %b [step, program]           %y = load columns of %b [step, program]
//     {fsm.streams} %sum = dot %x, %y, %sum                           %sum = dot %x, %y, %sum
//
// Such lines leave the L2 cache first, so that neither what all programs read goes for them, nor
// what the launch before has left there, of which much has to be written to memory first.

#include "fsm/Transforms/Passes.h"

#include "Loads/EarlyLoads.h"

#include "fsm/Analysis/KnownMasks.h"
#include "fsm/Analysis/TensorTile.h"
#include "fsm/Machine/GpuTarget.h"

namespace fsm {
#define GEN_PASS_DEF_STREAMFACTORSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// The most that a sum of one number and a constant may be; nothing where nobody knows.
static std::optional<int64_t> knownMost(const ScalarSum &sum) {
  if (sum.terms.empty())
    return sum.constant;
  if (sum.terms.size() > 1 || sum.terms.front().second != 1)
    return std::nullopt;
  std::optional<int64_t> most = knownMost(sum.terms.front().first);
  return most ? std::optional(*most + sum.constant) : std::nullopt;
}

/// Whether a load in a loop reads all of a tensor along the dimension that the loop does not go
/// along.
static bool readsAllLines(LoadOp load, scf::ForOp loop) {
  auto block = dyn_cast<RankedTensorType>(load.getType());
  TileFault why = nullptr;
  std::optional<TensorTile> tile =
      block && block.getRank() == 2 ? tensorTileOf(load, why) : std::nullopt;
  for (unsigned dim = 0; tile && dim < 2; ++dim) {
    bool moves = llvm::any_of(tile->origins[dim].terms,
                              [&](auto term) { return !loop.isDefinedOutsideOfLoop(term.first); });
    std::optional<int64_t> size = knownMost(tile->sizes[dim]);
    if (!moves && size && *size <= block.getDimSize(tile->dims[dim]))
      return true;
  }
  return false;
}

/// Whether a load may get a hint: of memory that the cache has no room for.
static bool mayStream(LoadOp load) {
  auto argument = dyn_cast<BlockArgument>(load.getPointer());
  auto kernel = load->getParentOfType<KernelOp>();
  return argument && argument.getOwner()->getParentOp() == kernel &&
         kernel.getArgAttr(argument.getArgNumber(), kLargeAttr) &&
         isa<RankedTensorType>(load.getType()) && !load.getEvict() && !load.getCache() &&
         !load.getIsVolatile();
}

namespace {
struct StreamFactors : fsm::impl::StreamFactorsPassBase<StreamFactors> {
  using StreamFactorsPassBase::StreamFactorsPassBase;

  void runOnOperation() override {
    const GpuTarget *gpu = findGpuTarget(target);
    if (!gpu || !gpu->features.cacheHints)
      return markAllAnalysesPreserved();
    getOperation().walk([&](scf::ForOp loop) {
      auto loads = llvm::to_vector(loop.getBody()->getOps<LoadOp>());
      if (!loop->hasAttr(kNumStagesAttr) || loop.getBody()->getOps<SharedDotOp>().empty())
        return;
      auto apart = llvm::partition(loads, [&](LoadOp load) { return readsAllLines(load, loop); });
      if (apart == loads.begin())
        return;
      for (LoadOp load : llvm::make_range(apart, loads.end()))
        if (mayStream(load)) {
          load->setAttr(kStreamsAttr, UnitAttr::get(&getContext()));
          ++streams;
        }
    });
  }
};
} // namespace
