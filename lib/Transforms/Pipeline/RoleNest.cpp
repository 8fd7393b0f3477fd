//===- RoleNest.cpp - The loops of a load role ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A role goes through the same loops as the others, one thread by itself. So it computes once more
// what its copies need: scalars in the bodies of loops, from what these carry. A slot that has been
// taken is, behind a loop, the one that would be filled next; so one counter stands for both.
//
//===----------------------------------------------------------------------===//

#include "RoleNest.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/SlotCounter.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fsm;

RoleNest::RoleNest(scf::ForOp loop, ArrayRef<Operation *> ops) : early(ops.begin(), ops.end()) {
  for (scf::ForOp around = loop; around; around = dyn_cast<scf::ForOp>(around->getParentOp()))
    levels.push_back({around, {}, {}});
  std::reverse(levels.begin(), levels.end());
}

//===----------------------------------------------------------------------===//
// What it needs
//===----------------------------------------------------------------------===//

/// Its number, or how many there are for the block in front of them.
unsigned RoleNest::levelOf(Block *block) const {
  auto found = llvm::find_if(levels, [&](const Level &level) {
    return block == scf::ForOp(level.loop).getBody();
  });
  return static_cast<unsigned>(found - levels.begin());
}

void RoleNest::need(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument) {
    Operation *op = value.getDefiningOp();
    bool isLoop =
        llvm::any_of(levels, [&](const Level &level) { return scf::ForOp(level.loop) == op; });
    return isLoop ? needResult(cast<OpResult>(value)) : needOp(op);
  }
  unsigned number = levelOf(argument.getOwner());
  if (number == levels.size())
    return;
  Level &level = levels[number];
  if (argument == level.loop.getInductionVar() || !level.carried.insert(argument))
    return;
  todo.push_back(level.loop.getTiedLoopInit(argument)->get());
  todo.push_back(level.loop.getTiedLoopYieldedValue(argument)->get());
}

/// What the innermost loop carries is known in the end.
void RoleNest::needResult(OpResult result) {
  auto loop = cast<scf::ForOp>(result.getOwner());
  results.push_back(result);
  if (loop != levels.back().loop)
    need(loop.getTiedLoopRegionIterArg(result));
}

void RoleNest::needOp(Operation *op) {
  unsigned number = levelOf(op->getBlock());
  bool isInnermost = number + 1 == levels.size(), isInFront = number == levels.size();
  if (isInnermost && early.contains(op))
    return;
  bool isMemory = isInFront && isa<SharedAllocOp>(op);
  if (isInnermost || (isInFront && op->getBlock() != levels.front().loop->getBlock()) ||
      op->getNumRegions() || (!isMemory && !isMemoryEffectFree(op) && !readsConstant(op))) {
    why = ("its copies need '" + op->getName().getStringRef() + "', which stays").str();
    return;
  }
  llvm::DenseSet<Operation *> &needed = isInFront ? inFrontOfAll : levels[number].needed;
  if (needed.insert(op).second)
    llvm::append_range(todo, op->getOperands());
}

std::optional<std::string> RoleNest::obstacle() {
  for (Level &level : levels)
    todo.append({level.loop.getLowerBound(), level.loop.getUpperBound(), level.loop.getStep()});
  for (Operation *op : early)
    llvm::append_range(todo, op->getOperands());
  for (size_t i = 0; i < todo.size() && !why; ++i)
    need(todo[i]);
  for (OpResult result : results)
    if (!why && !carriedFor(levelOf(cast<scf::ForOp>(result.getOwner()).getBody()), result))
      why = "its copies need what the loop results in";
  for (Operation &op : *levels.front().loop->getBlock())
    if (inFrontOfAll.contains(&op))
      front.push_back(&op);
  return why;
}

SmallVector<unsigned> RoleNest::carriedNumbers() const {
  return llvm::map_to_vector(levels.back().carried,
                             [](BlockArgument argument) { return argument.getArgNumber(); });
}

BlockArgument RoleNest::carriedFor(unsigned number, OpResult result) const {
  const Level &level = levels[number];
  BlockArgument argument = cast<scf::ForOp>(result.getOwner()).getTiedLoopRegionIterArg(result);
  if (level.carried.contains(argument))
    return argument;
  std::optional<SlotCounter> taken = slotCounterOf(argument);
  for (BlockArgument other : level.carried)
    if (std::optional<SlotCounter> filled = slotCounterOf(other);
        filled && taken && filled->from == taken->from && filled->first == taken->first &&
        filled->slots == taken->slots)
      return other;
  return {};
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

void RoleNest::clone(ImplicitLocOpBuilder &builder, Value phase, Body body) {
  IRMapping mapping;
  cloneLevel(builder, 0, mapping, phase, body);
}

/// Gives the phase behind the loop.
Value RoleNest::cloneLevel(ImplicitLocOpBuilder &builder, unsigned number, IRMapping &mapping,
                           Value phase, Body body) {
  Level &level = levels[number];
  scf::ForOp loop = level.loop;
  auto same = [&](Value value) { return mapping.lookupOrDefault(value); };
  SmallVector<Value> inits = llvm::map_to_vector(level.carried, [&](BlockArgument argument) {
    return same(loop.getTiedLoopInit(argument)->get());
  });
  inits.push_back(phase);
  auto clone = scf::ForOp::create(builder, same(loop.getLowerBound()), same(loop.getUpperBound()),
                                  same(loop.getStep()), inits, nullptr, loop.getUnsignedCmp());
  mapping.map(loop.getInductionVar(), clone.getInductionVar());
  for (auto [from, to] : llvm::zip(level.carried, clone.getRegionIterArgs()))
    mapping.map(from, to);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(clone.getBody());
  Value next = cloneOps(builder, number, mapping, clone.getRegionIterArgs().back(), body);
  SmallVector<Value> yielded = llvm::map_to_vector(level.carried, [&](BlockArgument argument) {
    return same(loop.getTiedLoopYieldedValue(argument)->get());
  });
  yielded.push_back(next);
  scf::YieldOp::create(builder, yielded);
  for (OpResult result : results)
    if (result.getOwner() == loop)
      mapping.map(result, clone.getResult(static_cast<unsigned>(
                              llvm::find(level.carried, carriedFor(number, result)) -
                              level.carried.begin())));
  return clone.getResults().back();
}

/// What an iteration computes for the role; gives the phase behind it.
Value RoleNest::cloneOps(ImplicitLocOpBuilder &builder, unsigned number, IRMapping &mapping,
                         Value phase, Body body) {
  if (number + 1 == levels.size())
    return body(builder, mapping, phase);
  for (Operation &op : *levels[number].loop.getBody())
    if (levels[number + 1].loop == &op)
      phase = cloneLevel(builder, number + 1, mapping, phase, body);
    else if (levels[number].needed.contains(&op))
      builder.clone(op, mapping);
  return phase;
}
