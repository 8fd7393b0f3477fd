//===- PeelLoops.cpp - First iterations in front of their loops ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_PEELLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// A body of more ops is not written twice.
static constexpr size_t kMostOps = 64;
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

/// Whether a load brings as many elements of a row as a step of the loop, and enough of them to
/// each thread.
static bool takesStep(LoadOp load, int64_t step) {
  auto block = dyn_cast<RankedTensorType>(load.getType());
  // Which way a loop goes over a block of that many rows as well is not looked for.
  if (!block || block.getShape().back() != step ||
      llvm::is_contained(block.getShape().drop_back(), step))
    return false;
  int64_t threads =
      int64_t(kWarpThreads) * load->getParentOfType<KernelOp>().getNumWarps().value_or(1);
  return block.getNumElements() * int64_t(bytesOf(block.getElementType())) >= threads * kLeastBytes;
}

/// Whether a loop does nothing but load, compute and store, and takes as many elements at a time as
/// it counts.
static bool takesBlocks(scf::ForOp loop) {
  APInt step;
  if (!matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return false;
  size_t ops = 0;
  bool takes = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto access = dyn_cast<GlobalAccess>(&op);
    bool isPlain = access ? isa<LoadOp, StoreOp>(op) && !access.getIsVolatile()
                          : isMemoryEffectFree(&op) && !isa<DotOp>(op);
    if (!isPlain || op.getNumRegions() > 0 || ++ops > kMostOps)
      return false;
    if (auto load = dyn_cast<LoadOp>(op))
      takes |= takesStep(load, step.getSExtValue());
  }
  return takes;
}

/// Whether a row may be as long as a block, and the loop run once.
static bool mayRunOnce(scf::ForOp loop) {
  APInt end;
  return secondOf(loop) && !loop.getUnsignedCmp() &&
         !matchPattern(loop.getUpperBound(), m_ConstantInt(&end)) &&
         integerAttrOr(loop, kNumStagesAttr, 1) == 1 && takesBlocks(loop);
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
