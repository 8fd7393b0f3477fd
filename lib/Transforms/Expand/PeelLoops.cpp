//===- PeelLoops.cpp - First iterations in front of their loops ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/KnownMasks.h"
#include "fsm/Analysis/RowLoops.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace fsm {
#define GEN_PASS_DEF_PEELLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Who gives each thread less of a block than one access of it brings goes over rows in many
/// blocks.
static constexpr int64_t kLeastBytes = 16;

/// The number of the second iteration, if the first one's is known.
static std::optional<APInt> secondOf(scf::ForOp loop) {
  APInt first, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&first)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || step.sle(1))
    return std::nullopt;
  bool isTooLarge = false;
  APInt second = first.sadd_ov(step, isTooLarge);
  return isTooLarge ? std::nullopt : std::optional(second);
}

/// Whether a step of a loop brings enough to each thread; of one that combines the elements of a block the code would be long.
static bool bringsEnough(scf::ForOp loop, int64_t step) {
  int64_t threads = int64_t(kWarpThreads) * loop->getParentOfType<KernelOp>().getNumWarps().value_or(1);
  auto isEnough = [&](LoadOp load) {
    auto block = dyn_cast<RankedTensorType>(load.getType());
    return takesStep(load, step) &&
           block.getNumElements() * int64_t(bytesOf(block.getElementType())) >= threads * kLeastBytes;
  };
  return llvm::any_of(loop.getOps<LoadOp>(), isEnough) &&
         llvm::all_of(*loop.getBody(), [](Operation &op) { return op.getNumRegions() == 0; });
}

/// Whether a number is promised to be more than another one.
static bool isMoreThan(Value number, const APInt &other) {
  IntegerAttr least = promisedOf(number, kAtLeastAttr);
  return least && other.slt(least.getInt());
}

/// Whether a row may be as long as a block, and the loop run once.
static bool mayRunOnce(scf::ForOp loop) {
  APInt end;
  std::optional<APInt> second = secondOf(loop);
  if (!second || matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) || isMoreThan(loop.getUpperBound(), *second))
    return false;
  std::optional<RowLoop> row = rowLoopOf(loop);
  return row && bringsEnough(loop, row->step);
}

/// Writes the first iteration in front of the loop, which begins with the second one.
static void peel(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  APInt number = *secondOf(loop);
  Value runs = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                     loop.getUpperBound());
  auto first = scf::IfOp::create(builder, loc, loop.getResultTypes(), runs,
                                 /*withElseRegion=*/loop.getNumResults() > 0);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
  OpBuilder inside = first.getThenBodyBuilder();
  for (Operation &op : loop.getBody()->without_terminator())
    inside.clone(op, mapping);
  if (loop.getNumResults() > 0) {
    auto yielded = llvm::map_to_vector(loop.getYieldedValues(),
                                       [&](Value value) { return mapping.lookupOrDefault(value); });
    scf::YieldOp::create(inside, loc, yielded);
    OpBuilder otherwise = first.getElseBodyBuilder();
    scf::YieldOp::create(otherwise, loc, loop.getInitArgs());
    loop.getInitArgsMutable().assign(first.getResults());
  }
  Type type = loop.getInductionVar().getType();
  loop.setLowerBound(arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, number)));
  loop->setAttr(kPeeledAttr, builder.getUnitAttr());
}

namespace {
struct PeelLoops : fsm::impl::PeelLoopsPassBase<PeelLoops> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (mayRunOnce(loop))
        loops.push_back(loop);
    });
    if (loops.empty())
      return markAllAnalysesPreserved();
    llvm::for_each(loops, peel);
    peeled += loops.size();
  }
};
} // namespace
