//===- AdvanceLoads.cpp - Early loads at the beginning of the body -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "EarlyLoads.h"
#include "LoadPlan.h"

#include "fsm/Analysis/ProductTiles.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

namespace fsm {
#define GEN_PASS_DEF_ADVANCELOADSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// Moves the early loads of a loop to the beginning of its body, with copies of what computes their
/// addresses.
class LoadAdvancer {
public:
  explicit LoadAdvancer(const LoadPlan &plan);

  /// Returns the number of loads.
  size_t run();

private:
  void carryAgain();
  void copySlices();
  std::vector<Operation *> opsOf(ArrayRef<LoadOp> loads);
  void yieldAgain(const IRMapping &mapping);

  scf::ForOp loop;
  /// Those that run ahead, in program order.
  std::vector<LoadPlan::Entry> early;
  /// What stands for the values of the body in each stage.
  std::map<unsigned, IRMapping> inStage;
};
} // namespace

LoadAdvancer::LoadAdvancer(const LoadPlan &plan) : loop(plan.loop) {
  llvm::copy_if(plan.loads, std::back_inserter(early),
                [&](const LoadPlan::Entry &entry) { return plan.iterationsAhead(entry) > 0; });
}

/// A carried value that an early address needs is carried once more for its stage, because
/// early stages are some iterations further.
void LoadAdvancer::carryAgain() {
  SmallVector<std::pair<unsigned, BlockArgument>> again;
  for (const LoadPlan::Entry &entry : early)
    for (BlockArgument carried : sliceOf(loop, entry.load->getOperands()).carried)
      if (std::pair found(entry.stage, carried); !llvm::is_contained(again, found))
        again.push_back(found);
  if (again.empty())
    return;
  SmallVector<Value> inits;
  SmallVector<unsigned> numbers;
  for (auto &[stage, carried] : again) {
    inits.push_back(loop.getTiedLoopInit(carried)->get());
    numbers.push_back(carried.getArgNumber() - 1);
  }
  unsigned before = loop.getNumRegionIterArgs();
  loop = withCarried(loop, inits, [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    return SmallVector<Value>(arguments.begin(), arguments.end());
  });
  for (auto [i, number] : llvm::enumerate(numbers))
    inStage[again[i].first].map(loop.getRegionIterArg(number), loop.getRegionIterArg(before + i));
}

/// A copy leaves zeros where the mask is false, or, a bulk one, what was there. Another number is
/// put there when the block is taken, where the load was.
static void chooseOther(LoadOp load, LoadBuffer buffer) {
  Value other = load.getOther();
  bool isZero = leavesZeros(load);
  load.getOtherMutable().clear();
  if ((isZero && buffer != LoadBuffer::Bulk) || !load.getMask())
    return;
  OpBuilder builder(load);
  builder.setInsertionPointAfter(load);
  Location loc = load.getLoc();
  auto type = cast<RankedTensorType>(load.getType());
  if (!other)
    other = arith::ConstantOp::create(builder, loc,
                                      cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
  if (!isa<RankedTensorType>(other.getType()))
    other = SplatOp::create(builder, loc, type, other);
  auto chosen = arith::SelectOp::create(builder, loc, load.getMask(), load.getResult(), other);
  chosen->setAttr(kOtherElementsAttr, builder.getUnitAttr());
  load.getResult().replaceAllUsesExcept(chosen, chosen);
}

/// The loads of a stage and what computes their addresses, in program order.
std::vector<Operation *> LoadAdvancer::opsOf(ArrayRef<LoadOp> loads) {
  llvm::DenseSet<Operation *> wanted(loads.begin(), loads.end());
  for (LoadOp load : loads)
    for (Operation *op : sliceOf(loop, load->getOperands()).ops)
      wanted.insert(op);
  std::vector<Operation *> ops;
  for (Operation &op : *loop.getBody())
    if (wanted.contains(&op))
      ops.push_back(&op);
  return ops;
}

/// What is carried again has its own next value.
void LoadAdvancer::yieldAgain(const IRMapping &mapping) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (Value again = mapping.lookupOrNull(argument)) {
      Value next = yield.getOperand(argument.getArgNumber() - 1);
      yield.setOperand(cast<BlockArgument>(again).getArgNumber() - 1,
                       mapping.lookupOrDefault(next));
    }
}

/// In front of the body, stage by stage: copies of what computes the addresses, and the loads.
void LoadAdvancer::copySlices() {
  std::map<unsigned, SmallVector<LoadOp>> loads;
  for (const LoadPlan::Entry &entry : early)
    loads[entry.stage].push_back(entry.load);
  // Slices are taken before anything moves.
  std::map<unsigned, std::vector<Operation *>> ops;
  for (auto &[stage, list] : loads)
    ops[stage] = opsOf(list);
  Operation *first = &loop.getBody()->front();
  while (isa<LoadOp>(first))
    first = first->getNextNode();
  OpBuilder builder(first);
  for (auto &[stage, list] : ops) {
    IRMapping &mapping = inStage[stage];
    for (Operation *op : list) {
      if (!isa<LoadOp>(op)) {
        builder.clone(*op, mapping)->setAttr(kStageAttr, builder.getI32IntegerAttr(stage));
        continue;
      }
      op->moveBefore(first);
      for (OpOperand &operand : op->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    }
    yieldAgain(mapping);
  }
}

size_t LoadAdvancer::run() {
  carryAgain();
  for (const LoadPlan::Entry &entry : early)
    if (entry.buffer != LoadBuffer::Registers)
      chooseOther(entry.load, entry.buffer);
  copySlices();
  // What only the addresses of early loads needed.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (isOpTriviallyDead(&op))
      op.erase();
  return early.size();
}

namespace {
struct AdvanceLoads : fsm::impl::AdvanceLoadsPassBase<AdvanceLoads> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops = pipelinedLoops(getOperation());
    if (loops.empty())
      return markAllAnalysesPreserved();
    for (scf::ForOp loop : loops) {
      LoadPlan plan = LoadPlan::writtenIn(loop);
      if (failed(plan.verify()))
        return signalPassFailure();
      advanced += LoadAdvancer(plan).run();
    }
  }
};
} // namespace
