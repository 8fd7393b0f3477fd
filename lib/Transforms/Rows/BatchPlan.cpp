//===- BatchPlan.cpp - What differs between programs ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. fsm.program_id x differs, and what is computed from what differs. A loop carries what differs if
//    it begins so, or if its body makes it so; in a loop that programs leave at different times, all
//    that it carries.
// 2. Each op that touches what differs has a form for a block of programs, or is in the way.

#include "BatchPlan.h"

using namespace mlir;
using namespace fsm;

bool fsm::isBatchedId(Operation *op) {
  auto id = dyn_cast<ProgramIdOp>(op);
  return id && id.getAxis() == GridAxis::X;
}

bool BatchPlan::differs(Operation *op) const {
  auto isOne = [&](Value value) { return differs(value); };
  return llvm::any_of(op->getOperands(), isOne) || llvm::any_of(op->getResults(), isOne);
}

//===----------------------------------------------------------------------===//
// What differs
//===----------------------------------------------------------------------===//

/// Notes what the op makes of what differs; says whether that was news.
bool BatchPlan::spreadFrom(Operation *op) {
  bool isNews = false;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    bool isStaggeredLoop = isStaggered(loop);
    if (isStaggeredLoop)
      isNews |= note(loop.getInductionVar());
    Operation *yield = loop.getBody()->getTerminator();
    for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      if (isStaggeredLoop || differs(argument) || differs(loop.getInitArgs()[i]) ||
          differs(yield->getOperand(i))) {
        isNews |= note(argument);
        isNews |= note(loop.getResult(i));
      }
    return isNews;
  }
  if (auto choice = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : choice->getRegions())
      for (auto [i, result] : llvm::enumerate(choice.getResults()))
        if (!region.empty() && differs(region.front().getTerminator()->getOperand(i)))
          isNews |= note(result);
    return isNews;
  }
  if (isBatchedId(op) ||
      llvm::any_of(op->getOperands(), [&](Value value) { return differs(value); }))
    for (Value result : op->getResults())
      isNews |= note(result);
  return isNews;
}

/// Calls `see` for each op that a program executes: combinations of elements are no such ops.
static void walkProgram(KernelOp kernel, function_ref<WalkResult(Operation *)> see) {
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    WalkResult result = see(op);
    return result.wasInterrupted() || !isa<AlongAxis>(op) ? result : WalkResult::skip();
  });
}

BatchPlan::BatchPlan(KernelOp kernel) {
  bool isNews = true;
  while (isNews) {
    isNews = false;
    walkProgram(kernel, [&](Operation *op) {
      isNews |= spreadFrom(op);
      return WalkResult::advance();
    });
  }
  walkProgram(kernel, [&](Operation *op) {
    std::optional<std::string> fault = faultOf(op);
    if (!fault)
      return WalkResult::advance();
    found = {op, std::move(*fault)};
    return WalkResult::interrupt();
  });
}

//===----------------------------------------------------------------------===//
// What is in the way
//===----------------------------------------------------------------------===//

bool BatchPlan::isInStaggered(Operation *op) const {
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    if (isStaggered(loop))
      return true;
  return false;
}

std::optional<std::string> BatchPlan::faultOfControl(Operation *op) const {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (differs(loop.getUpperBound()) || differs(loop.getStep()))
      return "its bounds differ between programs";
    Operation *begin = loop.getLowerBound().getDefiningOp();
    if (isStaggered(loop) && (!begin || !isBatchedId(begin) || loop.getUnsignedCmp()))
      return "programs begin it at different numbers, which are not those of the programs";
  }
  if (auto choice = dyn_cast<scf::IfOp>(op); choice && differs(choice.getCondition()))
    return "programs go different ways";
  if (op->getNumRegions() == 0 || isa<scf::ForOp, scf::IfOp, AlongAxis>(op))
    return std::nullopt;
  WalkResult result = op->walk([&](Operation *inner) {
    return differs(inner) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return "programs may leave it at different times";
  return std::nullopt;
}

/// Why the op has no form for a block of programs, if so.
std::optional<std::string> BatchPlan::faultOf(Operation *op) const {
  auto access = dyn_cast<GlobalAccess>(op);
  if (access && (access.getIsVolatile() || isa<AtomicAccess>(op)))
    return "it is made in the order of the programs' own";
  if (isa<PrintOp, AssertOp, DotOp>(op))
    return "it is one program's";
  if (access && access.writes() && !differs(op) && isInStaggered(op))
    return "it is the same for all programs in a loop that some leave earlier";
  if (std::optional<std::string> fault = faultOfControl(op))
    return fault;
  if (!differs(op))
    return std::nullopt;
  if (auto store = dyn_cast<StoreOp>(op); store && isa<PointerType>(store.getValue().getType()))
    return "it stores a pointer";
  for (Type type : op->getResultTypes()) {
    if (isa<PointerType>(type) && !isa<OffsetOp>(op))
      return "it gives a pointer, which differs between programs";
    if (shapeOf(type).size() >= kMaxBlockRank)
      return "a block has no room for one more dimension";
  }
  if (isa<scf::ForOp, scf::IfOp, scf::YieldOp, ReturnOp, ProgramIdOp, LoadOp, StoreOp, OffsetOp,
          SplatOp, ExpandDimsOp, BroadcastOp, TransposeOp, ReshapeOp, JoinOp, SplitOp, GatherOp,
          AlongAxis, AssumeOp>(op) ||
      isElementwise(op))
    return std::nullopt;
  return "it has no form for a block of programs";
}
