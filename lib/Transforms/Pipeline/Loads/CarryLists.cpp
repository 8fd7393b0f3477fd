//===- CarryLists.cpp - Numbers of a list read an iteration ahead ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../../TargetOption.h"
#include "EarlyLoads.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/PipelinePlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_CARRYLISTSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// So many registers a thread gives to what it carries: four pointers and as many numbers of 64 bits.
static constexpr unsigned kMostCarried = 16;

/// Whether a loop inside of it multiplies, which takes longer than memory does to answer.
static bool isAroundProducts(scf::ForOp loop) {
  return loop
      .walk([&](Operation *op) {
        bool isInner = isa<DotOp, SharedDotOp>(op) && op->getParentOfType<scf::ForOp>() != loop;
        return isInner ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static unsigned registersOf(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 32 ? 1 : 2;
}

/// The loads that stand in the loop itself, of numbers that are the same whenever they are read, at a place that is known
/// in the iteration before.
static SmallVector<LoadOp> listsOf(scf::ForOp loop) {
  SmallVector<LoadOp> loads;
  unsigned registers = 0;
  for (auto load : loop.getBody()->getOps<LoadOp>()) {
    if (!readsConstant(load) || load.getMask())
      continue;
    Slice slice = sliceOf(loop, load.getPointer());
    if (!slice.loads.empty() || !slice.carried.empty() || !llvm::all_of(slice.ops, canRunEarly))
      continue;
    registers += registersOf(load.getType());
    if (registers > kMostCarried)
      break;
    loads.push_back(load);
  }
  return loads;
}

namespace {
/// Carries around a loop what its next iteration reads of lists.
class ListCarrier {
public:
  ListCarrier(scf::ForOp loop, ArrayRef<LoadOp> loads) : loop(loop), loads(loads) {
    SmallVector<Value> pointers = llvm::map_to_vector(loads, [](LoadOp load) -> Value { return load.getPointer(); });
    ops = sliceOf(loop, pointers).ops;
  }

  void run();

private:
  SmallVector<Value> loadAt(OpBuilder &builder, Value number, Value mask);

  scf::ForOp loop;
  ArrayRef<LoadOp> loads;
  /// What computes where they read.
  std::vector<Operation *> ops;
};
} // namespace

/// What the loads give in the iteration of that number, under a mask if there is one.
SmallVector<Value> ListCarrier::loadAt(OpBuilder &builder, Value number, Value mask) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), number);
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  return llvm::map_to_vector(loads, [&](LoadOp load) -> Value {
    auto copy = cast<LoadOp>(builder.clone(*load, mapping));
    copy.getMaskMutable().assign(mask ? ValueRange(mask) : ValueRange());
    return copy.getResult();
  });
}

void ListCarrier::run() {
  Location loc = loop.getLoc();
  auto isBelow = [&](OpBuilder &builder, Value number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, number, loop.getUpperBound());
  };
  OpBuilder front(loop);
  SmallVector<Value> inits = loadAt(front, loop.getLowerBound(), isBelow(front, loop.getLowerBound()));
  OpBuilder body(loads.front());
  // The last iteration reads its own numbers again, which costs no branch.
  Value counter = loop.getInductionVar();
  Value next = arith::AddIOp::create(body, loc, counter, loop.getStep(), arith::IntegerOverflowFlags::nsw);
  Value number = arith::SelectOp::create(body, loc, isBelow(body, next), next, counter);
  SmallVector<Value> nexts = loadAt(body, number, Value());
  unsigned before = loop.getNumRegionIterArgs();
  loop = withCarried(loop, inits, [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return nexts; });
  for (unsigned i = 0; i < loads.size(); ++i) {
    LoadOp load = loads[i];
    load.getResult().replaceAllUsesWith(loop.getRegionIterArg(before + i));
    load.erase();
  }
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

namespace {
struct CarryLists : fsm::impl::CarryListsPassBase<CarryLists> {
  using CarryListsPassBase::CarryListsPassBase;

  void runOnOperation() override {
    const GpuTarget *gpu = targetOrError(getOperation(), target);
    if (!gpu)
      return signalPassFailure();
    if (!gpu->features.wgmma)
      return markAllAnalysesPreserved();
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (!loop.getUnsignedCmp() && integerAttrOr(loop, kNumStagesAttr, 1) == 1 && isAroundProducts(loop))
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      SmallVector<LoadOp> loads = listsOf(loop);
      if (loads.empty())
        continue;
      carried += loads.size();
      ListCarrier(loop, loads).run();
    }
  }
};
} // namespace
