//===- LayoutPlan.cpp - Which layout each block of a kernel gets ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "ShapeLayouts.h"

#include "fsm/Layout/ConversionPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;

static bool isBlock(Value value) { return isa<RankedTensorType>(value.getType()); }

LayoutPlan::LayoutPlan(KernelOp kernel, ThreadCounts threads)
    : kernel(kernel), context(kernel.getContext()), threads(threads), accesses(kernel, threads) {}

LayoutAttr LayoutPlan::attribute(const LinearLayout &layout) const {
  return LayoutAttr::get(context, layout);
}

LayoutAttr LayoutPlan::otherwise(Value block) const {
  return attribute(accesses.otherwise(cast<RankedTensorType>(block.getType())));
}

/// In quarters of a cycle, for all warps.
uint64_t LayoutPlan::conversionCost(LayoutAttr from, LayoutAttr to, RankedTensorType type) const {
  if (from == to)
    return 0;
  unsigned bytes = std::max(8u, type.getElementTypeBitWidth()) / 8;
  auto plan = planConversion(from.toLinear(type.getShape()), to.toLinear(type.getShape()), bytes);
  return plan ? uint64_t(plan->cost().total()) * threads.warps : UINT64_MAX / 4;
}

//===----------------------------------------------------------------------===//
// Ops without regions
//===----------------------------------------------------------------------===//

LayoutAttr LayoutPlan::elementwiseHome(Operation *op) {
  llvm::SmallSetVector<LayoutAttr, 4> candidates;
  for (Value operand : op->getOperands())
    if (LayoutAttr home = isBlock(operand) ? homeOf(operand) : LayoutAttr())
      candidates.insert(home);
  if (candidates.empty())
    return otherwise(op->getResult(0));
  auto cost = [&](LayoutAttr candidate) {
    uint64_t sum = 0;
    for (Value operand : op->getOperands())
      if (LayoutAttr home = isBlock(operand) ? homeOf(operand) : LayoutAttr())
        sum += conversionCost(home, candidate, cast<RankedTensorType>(operand.getType()));
    return sum;
  };
  if (candidates.size() == 1)
    return candidates.front();
  return *llvm::min_element(candidates,
                            [&](LayoutAttr a, LayoutAttr b) { return cost(a) < cost(b); });
}

LayoutAttr LayoutPlan::loadHome(LoadOp load) {
  if (!load.getOffsets())
    return otherwise(load.getResult());
  if (LayoutAttr home = homeOf(load.getOffsets()))
    return home;
  return attribute(accesses.wanted(load));
}

LayoutAttr LayoutPlan::storeHome(StoreOp store) {
  if (!store.getOffsets())
    return otherwise(store.getValue());
  LayoutAttr wanted = attribute(accesses.wanted(store));
  LayoutAttr home = homeOf(store.getValue());
  if (!home || home == wanted)
    return wanted;
  auto type = cast<RankedTensorType>(store.getValue().getType());
  // Four quarters of a cycle for each instruction and each line.
  auto made = [&](LayoutAttr layout) {
    return 4 * accesses.cost(store, layout.toLinear(type.getShape()));
  };
  return made(home) <= made(wanted) + conversionCost(home, wanted, type) ? home : wanted;
}

void LayoutPlan::visit(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitFor(loop);
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return visitIf(choice);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop);
  if (auto store = dyn_cast<StoreOp>(op)) {
    if (isBlock(store.getValue()))
      places[op] = storeHome(store);
    return;
  }
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    LayoutAttr home = homeOf(reduce.getSource());
    places[op] = home ? home : otherwise(reduce.getSource());
    if (isBlock(reduce.getResult())) {
      LinearLayout source = places[op].toLinear(reduce.getSource().getType().getShape());
      homes[reduce.getResult()] = attribute(slicedLayout(source, reduce.getAxis()));
    }
    return;
  }
  if (op->getNumResults() != 1 || !isBlock(op->getResult(0)))
    return;
  Value result = op->getResult(0);
  if (isComputedOnDemand(op, [&](Value operand) { return isOnDemand(operand); }))
    onDemand.insert(result);
  else if (auto load = dyn_cast<LoadOp>(op))
    homes[result] = loadHome(load);
  else if (isElementwise(op))
    homes[result] = elementwiseHome(op);
  else
    homes[result] = otherwise(result);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void LayoutPlan::visitBlock(Block &block) {
  for (Operation &op : block)
    visit(&op);
}

/// Gives `to` the homes of `from`; what is computed on demand asks for none. Whether
/// anything has changed.
bool LayoutPlan::carry(ValueRange to, ValueRange from) {
  bool changed = false;
  for (auto [target, source] : llvm::zip_equal(to, from)) {
    if (!isBlock(target))
      continue;
    LayoutAttr home = homeOf(source);
    if (!home)
      home = homeOf(target) ? homeOf(target) : otherwise(target);
    changed |= homeOf(target) != home;
    homes[target] = home;
  }
  return changed;
}

/// The homes of a loop's blocks follow what its body makes of them. Two blocks that a loop
/// exchanges would chase one another for ever, so the third round is the last.
void LayoutPlan::settle(ValueRange carried, ValueRange yielded, function_ref<void()> body) {
  for (int round = 0; round < 3; ++round) {
    body();
    if (!carry(carried, yielded))
      return;
  }
  body();
}

void LayoutPlan::visitFor(scf::ForOp loop) {
  // Without a guess the body has nothing to start from.
  carry(loop.getRegionIterArgs(), loop.getInitArgs());
  settle(loop.getRegionIterArgs(), loop.getYieldedValues(),
         [&] { visitBlock(*loop.getBody()); });
  carry(loop.getResults(), loop.getRegionIterArgs());
}

void LayoutPlan::visitIf(scf::IfOp choice) {
  visitBlock(*choice.thenBlock());
  if (!choice.elseBlock())
    return;
  visitBlock(*choice.elseBlock());
  carry(choice.getResults(), choice.elseYield().getOperands());
  carry(choice.getResults(), choice.thenYield().getOperands());
}

void LayoutPlan::visitWhile(scf::WhileOp loop) {
  carry(loop.getBeforeArguments(), loop.getInits());
  settle(loop.getBeforeArguments(), loop.getYieldedValues(), [&] {
    visitBlock(*loop.getBeforeBody());
    carry(loop.getAfterArguments(), loop.getConditionOp().getArgs());
    visitBlock(*loop.getAfterBody());
  });
  carry(loop.getResults(), loop.getAfterArguments());
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

void LayoutPlan::decide() { visitBlock(kernel.getBody().front()); }

LayoutAttr LayoutPlan::demandOf(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  if (LayoutAttr place = places.lookup(op))
    return place;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return homeOf(loop.getTiedLoopRegionIterArg(&operand));
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return homeOf(loop.getBeforeArguments()[operand.getOperandNumber()]);
  if (isa<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    return homeOf(loop.getAfterArguments()[operand.getOperandNumber() - 1]);
  }
  if (isa<scf::YieldOp>(op)) {
    unsigned index = operand.getOperandNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      return homeOf(loop.getRegionIterArg(index));
    if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
      return homeOf(loop.getBeforeArguments()[index]);
    return homeOf(op->getParentOp()->getResult(index));
  }
  if (op->getNumResults() == 1 && isBlock(op->getResult(0)) && !isa<ReshapeOp>(op))
    return homeOf(op->getResult(0));
  // A reshape through shared memory takes what there is.
  LayoutAttr home = homeOf(operand.get());
  return home ? home : otherwise(operand.get());
}

unsigned LayoutPlan::widthOf(Operation *access) const {
  LayoutAttr layout = isa<StoreOp>(access) ? places.lookup(access) : homeOf(access->getResult(0));
  return accesses.width(access, layout.toLinear(accessedBlock(access).getShape()));
}
