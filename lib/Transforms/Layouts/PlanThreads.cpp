//===- PlanThreads.cpp - What a thread computes for all of its elements --===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A thread has seven predicates, and reductions between a load and a store take them all. So
// ptxas compares masks again, for which it needs the sides of the comparison: the index of each register, or
// its sum once more. A mask that ends (MaskEnd) is compared from one number of the thread instead, how many
// indices it has left (`fsm.counts_left`). Where a thread loads one block, registers are not what it lacks, and
// it has masks as the kernel has them. Of products it says which need no zeros to be added to (`fsm.from_zero`).

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/MmaPlan.h"

#include "mlir/IR/Matchers.h"

#include <set>

namespace fsm {
#define GEN_PASS_DEF_PLANTHREADSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// So many comparisons have one number in common that is computed for them: fewer keep no more.
static constexpr size_t kFewestCompared = 4;
/// Loads under masks beside which there is no room for the indices of each register.
static constexpr ptrdiff_t kFewestLoads = 2;

/// How many elements each load under a mask has.
static SmallVector<int64_t> maskedLoads(KernelOp kernel) {
  SmallVector<int64_t> sizes;
  kernel.getBody().walk([&](GlobalAccess access) {
    auto block = dyn_cast<RankedTensorType>(access.getAccessedType());
    if (access.onlyReads() && access.getMask() && block)
      sizes.push_back(block.getNumElements());
  });
  return sizes;
}

/// Whether what a thread's registers add to an index along a dimension is added, to each of its threads' own.
static bool isSumOfParts(const LinearLayout &layout, Dim dim) {
  uint64_t threads = 0, registers = 0;
  for (uint64_t base : layout.basesOf({Dim::Lane, Dim::Warp, Dim::Cta}))
    threads |= layout.to().get(base, dim);
  for (uint64_t reg : layout.liveRegisters())
    registers |= layout.to().get(layout.apply(reg, 0, 0), dim);
  return (threads & registers) == 0;
}

/// How many comparisons a mask is for a thread: neighbours whose bound is a multiple of them all share one.
static size_t comparisons(const LinearLayout &layout, Dim dim, int64_t divisor) {
  const BitSpace &block = layout.to();
  std::set<std::pair<uint64_t, uint64_t>> all;
  for (uint64_t reg : layout.liveRegisters()) {
    uint64_t at = layout.apply(reg, 0, 0);
    all.emplace(at & ~block.maskOf(dim), block.get(at, dim) & ~static_cast<uint64_t>(divisor - 1));
  }
  return all.size();
}

/// Whether sums by wgmma are zero in front of a product, whose first products are then the sums: registers that are
/// set to zero would take an instruction each. What is promoted is added to the sums in registers.
static bool beginsFromZero(SharedDotOp product) {
  const MmaInstruction *mma = plannedMma(product);
  Value sums = product.getAcc();
  return mma && mma->isOfWarpGroup() && !isPromoted(product) &&
         (matchPattern(sums, m_AnyZeroFloat()) || matchPattern(sums, m_Zero()));
}

namespace {
struct PlanThreads : fsm::impl::PlanThreadsPassBase<PlanThreads> {
  void runOnOperation() override {
    planMasks();
    getOperation().walk([&](SharedDotOp product) {
      if (beginsFromZero(product))
        product->setAttr(kFromZeroAttr, UnitAttr::get(&getContext()));
    });
  }

private:
  void planMasks() {
    SmallVector<int64_t> loads = maskedLoads(getOperation());
    AffineOffsets forms;
    getOperation().walk([&](arith::CmpIOp mask) {
      if (!countsLeft(mask, loads, forms))
        return;
      mask->setAttr(kCountsLeftAttr, UnitAttr::get(&getContext()));
      ++counted;
    });
  }

  bool countsLeft(arith::CmpIOp mask, ArrayRef<int64_t> loads, AffineOffsets &forms) {
    auto type = dyn_cast<RankedTensorType>(mask.getType());
    if (!type || llvm::count_if(loads, [&](int64_t size) { return size >= type.getNumElements(); }) < kFewestLoads)
      return false;
    std::optional<MaskEnd> end = forms.endOf(mask.getResult());
    if (!end || !isShort(*end))
      return false;
    LinearLayout layout = linearLayoutOf(type);
    Dim dim = blockDim(end->dim);
    return isSumOfParts(layout, dim) && comparisons(layout, dim, end->divisor) >= kFewestCompared;
  }
};
} // namespace
