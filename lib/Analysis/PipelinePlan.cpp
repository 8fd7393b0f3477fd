//===- PipelinePlan.cpp - Which op of a loop runs in which stage ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/PipelinePlan.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/IR/Origins.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

bool fsm::canRunEarly(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return !load.getIsVolatile();
  if (isa<SlotCopy, CopyCommitOp, MBarrierExpectOp>(op))
    return true;
  // What threads exchange through shared memory is ordered by barriers, which stay.
  return op->getNumRegions() == 0 && isMemoryEffectFree(op);
}

PipelinePlan PipelinePlan::writtenIn(scf::ForOp loop) {
  PipelinePlan plan;
  plan.loop = loop;
  if (auto stages = loop->getAttrOfType<IntegerAttr>(kStagesAttr))
    plan.numStages = std::max<unsigned>(1, stages.getInt());
  return plan;
}

unsigned PipelinePlan::stageOf(Operation *op) const {
  auto stage = op->getAttrOfType<IntegerAttr>(kStageAttr);
  return stage ? static_cast<unsigned>(stage.getInt()) : lastStage();
}

/// These ops of a loop's body, and those that compute what they use in the last stage, or in any.
static llvm::DenseSet<Operation *> withOperands(scf::ForOp loop, SmallVector<Operation *> todo,
                                                const PipelinePlan *plan) {
  llvm::DenseSet<Operation *> all;
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val();
    if (op->getBlock() != loop.getBody() || (plan && plan->stageOf(op) != plan->lastStage()) ||
        !all.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        todo.push_back(definition);
  }
  return all;
}

/// Whether the hardware fills all slots of a loop, for products that it makes itself: threads have
/// only to meet in front of the copies.
static bool copiesTensorsAlone(scf::ForOp loop) {
  auto body = loop.getBody();
  bool readsSlots = llvm::any_of(body->getOps<SharedLoadOp>(),
                                 [](SharedLoadOp load) { return load.getSlot() != nullptr; });
  return !readsSlots && !body->getOps<CopyTensorOp>().empty() && body->getOps<CopyWaitOp>().empty();
}

/// The barrier at which threads meet that have waited for their copies, so that all of them may
/// read these: in front of it the last stage has only waited and read slots. Or null. Where threads
/// make no copies, they meet first of all.
static Operation *barrierBehindWait(scf::ForOp loop, const PipelinePlan &plan) {
  bool hasWaited = copiesTensorsAlone(loop);
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (plan.stageOf(&op) != plan.lastStage())
      continue;
    if (isa<SharedBarrierOp>(op))
      return hasWaited ? &op : nullptr;
    hasWaited |= isa<CopyWaitOp>(op);
    if (!isa<CopyWaitOp, MBarrierWaitOp, SharedLoadOp>(op) && !canRunEarly(&op))
      return nullptr;
  }
  return nullptr;
}

/// What is done in front of the copies where blocks are taken when they are used: all up to the
/// last of these, and to where threads meet that have waited.
static llvm::DenseSet<Operation *> upToLastRead(scf::ForOp loop, const PipelinePlan &plan) {
  Operation *last = nullptr;
  for (Operation &op : *loop.getBody()) {
    auto load = dyn_cast<SharedLoadOp>(op);
    bool isMeeting = isa<SharedBarrierOp>(op) && isa_and_present<CopyWaitOp>(op.getPrevNode());
    if (isa<CopyWaitOp>(op) || isMeeting || (load && load.getSlot()))
      last = &op;
  }
  llvm::DenseSet<Operation *> first;
  for (Operation *op = last; op; op = op->getPrevNode())
    if (plan.stageOf(op) == plan.lastStage())
      first.insert(op);
  return first;
}

/// What the last stage does before the copies that reuse its slots: it waits, reads, and
/// computes what the reads need. A tile that products read, the copies of this iteration leave
/// alone; that all have read the one before, all threads say where they meet. Copies of tensors
/// come as soon as they have met, in front of the wait for those of this iteration.
static llvm::DenseSet<Operation *> readsOf(scf::ForOp loop, const PipelinePlan &plan) {
  SmallVector<Operation *> todo;
  auto products = loop.getBody()->getOps<SharedDotOp>();
  if (loop->hasAttr(kTakesLateAttr))
    return upToLastRead(loop, plan);
  if (copiesTensorsAlone(loop)) {
    if (Operation *barrier = barrierBehindWait(loop, plan))
      todo.push_back(barrier);
    return withOperands(loop, std::move(todo), &plan);
  }
  for (Operation &op : *loop.getBody()) {
    auto load = dyn_cast<SharedLoadOp>(op);
    // A product in flight begins in front of the copies, which leave what it reads alone, if it waits for no other.
    bool begins = op.hasAttr(kInFlightAttr) && *products.begin() == &op;
    // Copies that go to the slot of the product before come behind its end.
    if (auto limit = dyn_cast_if_present<ProductLimitOp>(begins ? op.getNextNode() : nullptr))
      if (auto barrier = dyn_cast_if_present<SharedBarrierOp>(limit->getNextNode()))
        todo.append({limit, barrier});
    if (begins || isa<CopyWaitOp, MBarrierWaitOp>(op) || (load && load.getSlot()))
      todo.push_back(&op);
  }
  if (Operation *barrier = barrierBehindWait(loop, plan))
    todo.push_back(barrier);
  return withOperands(loop, std::move(todo), &plan);
}

/// The op of the last stage behind which bulk copies begin: the first that all threads wait in,
/// where they cost no barrier of their own. Null if there is none, or if something else runs
/// early, too, which gains from each moment.
static Operation *barrierBefore(scf::ForOp loop, const PipelinePlan &plan) {
  unsigned numWarps = warpsOf(loop->getParentOfType<KernelOp>());
  Operation *barrier = nullptr;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto copy = dyn_cast<CopyAsyncOp>(op);
    bool isLast = plan.stageOf(&op) == plan.lastStage();
    if (isLast && !barrier && hasProgramBarrier(&op, numWarps))
      barrier = &op;
    if (!isLast && (isa<LoadOp>(op) || (copy && !copy.getMbarriers())))
      return nullptr;
  }
  return barrier;
}

bool PipelinePlan::readsEndBeforeCopies() const {
  Operation *barrier = barrierBefore(loop, *this);
  // What is reduced goes into what is written in front of the barrier.
  if (!isa_and_present<AlongAxis>(barrier))
    return false;
  llvm::DenseSet<Operation *> used = withOperands(loop, {barrier}, /*plan=*/nullptr);
  return llvm::all_of(loop.getBody()->getOps<SharedLoadOp>(),
                      [&](SharedLoadOp load) { return !load.getSlot() || used.contains(load); });
}

/// Of the early stages the numbers that all threads load, with what makes their addresses, where
/// threads wait for copies. They begin in front of the wait, and take its time: ptxas moves such a
/// number to a register of the whole warp as soon as it is there, and the warp waits for that. None
/// beside blocks in registers, whose loads may not begin there: one wait would be for both.
static llvm::DenseSet<Operation *> numbersOf(scf::ForOp loop, const PipelinePlan &plan) {
  llvm::DenseSet<Operation *> all;
  if (loop.getBody()->getOps<CopyWaitOp>().empty())
    return all;
  SmallVector<Operation *> todo;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    if (plan.stageOf(load) == plan.lastStage())
      continue;
    if (isa<RankedTensorType>(load.getType()))
      return all;
    todo.push_back(load);
  }
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val();
    if (!isa<LoadOp>(op) && !isMemoryEffectFree(op))
      return {};
    if (!all.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *made = operand.getDefiningOp();
          made && made->getBlock() == loop.getBody() && plan.stageOf(made) == plan.stageOf(op))
        todo.push_back(made);
  }
  return all;
}

std::vector<std::pair<Operation *, unsigned>> PipelinePlan::order() const {
  std::vector<std::pair<Operation *, unsigned>> list;
  llvm::DenseSet<Operation *> first = readsOf(loop, *this);
  if (Operation *barrier = first.empty() ? nullptr : barrierBefore(loop, *this))
    for (Operation &op : loop.getBody()->without_terminator())
      if (stageOf(&op) == lastStage() && (&op == barrier || op.isBeforeInBlock(barrier)))
        first.insert(&op);
  auto append = [&](unsigned stage, auto &&accepts) {
    for (Operation &op : loop.getBody()->without_terminator())
      if (stageOf(&op) == stage && accepts(&op))
        list.push_back({&op, stage});
  };
  llvm::DenseSet<Operation *> numbers = first.empty() ? first : numbersOf(loop, *this);
  for (unsigned stage = lastStage(); stage-- > 0;)
    append(stage, [&](Operation *op) { return numbers.contains(op); });
  append(lastStage(), [&](Operation *op) { return first.contains(op); });
  for (unsigned stage = lastStage(); stage-- > 0;)
    append(stage, [&](Operation *op) { return !numbers.contains(op); });
  append(lastStage(), [&](Operation *op) { return !first.contains(op); });
  return list;
}

/// Each early stage with copies ends them with a group of its own, in each iteration. While the
/// pipeline fills, step t has the stages up to t. Stage `a` begins the groups of the first
/// iteration in step a, in front of those of the stages before it, and the wait for them is in
/// the step of its own number.
unsigned PipelinePlan::pendingAt(CopyWaitOp wait) const {
  SmallVector<unsigned> groups;
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<CopyCommitOp>(op))
      groups.push_back(stageOf(&op));
  auto before = [&](unsigned end) {
    return llvm::count_if(groups, [&](unsigned stage) { return stage < end; });
  };
  std::optional<unsigned> pending;
  for (unsigned stage : groups) {
    unsigned behind = before(stage);
    for (unsigned step = stage + 1; step < stageOf(wait); ++step)
      behind += before(step + 1);
    if (stage < stageOf(wait))
      pending = std::min(behind, pending.value_or(behind));
  }
  return pending.value_or(0);
}

Operation *PipelinePlan::madeLater(Operation *user, Value operand) const {
  if (auto argument = dyn_cast<BlockArgument>(operand)) {
    if (argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
      return nullptr;
    operand = loop.getTiedLoopYieldedValue(argument)->get();
  }
  Operation *definition = operand.getDefiningOp();
  bool isInBody = definition && definition->getBlock() == loop.getBody();
  return isInBody && stageOf(definition) > stageOf(user) ? definition : nullptr;
}

LogicalResult PipelinePlan::verify(Operation *op) const {
  unsigned stage = stageOf(op);
  auto fail = [&] { return op->emitError("stage ") << stage << " is wrong here: "; };
  if (stage > lastStage())
    return failBeside(fail() << "the loop has " << numStages << " stages, counted from 0", loop,
                      "the loop is here");
  if (stage < lastStage() && !canRunEarly(op))
    return fail() << "'" << op->getName() << "' cannot run ahead of its iteration";
  Operation *later = nullptr;
  auto look = [&](Value operand) { later = later ? later : madeLater(op, operand); };
  llvm::for_each(op->getOperands(), look);
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *operand) { look(operand->get()); });
  if (!later)
    return success();
  return failBeside(fail() << "it uses what stage " << stageOf(later) << " makes", later,
                    "it is made here");
}

LogicalResult PipelinePlan::verify() const {
  if (numStages == 1)
    return success();
  for (Operation &op : loop.getBody()->without_terminator())
    if (failed(verify(&op)))
      return failure();
  for (Value yielded : loop.getYieldedValues())
    if (!yielded.getDefiningOp() || yielded.getDefiningOp()->getBlock() != loop.getBody())
      return loop.emitError("it carries a value that its body does not compute");
  return success();
}
