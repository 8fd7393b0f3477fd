//===- VerifyRoles.cpp - Checks who waits for whom ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot goes around: the role waits until it is empty, expects bytes and begins copies; the others
// wait until it is full, multiply, and say that it is empty. Each of the two is one loop, or one in
// loops, and all of its iterations do the same, so what is checked of one iteration holds for all: each
// step is there once, in this order, of one slot, and both sides count slots and iterations alike.
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/SlotCounter.h"
#include "fsm/IR/Origins.h"
#include "fsm/IR/Users.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_VERIFYROLESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// Whether two numbers are the same at the same time, one of the role and one of the others: both
/// compute them alike, from what their loops count and carry alike.
class SameNumbers {
public:
  bool operator()(Value one, Value other);
  /// As many iterations, and so have the loops around.
  bool operator()(scf::ForOp one, scf::ForOp other);

private:
  bool areSameArguments(BlockArgument one, BlockArgument other);

  /// What is taken for granted while it is looked into: a loop's next number depends on the one before.
  llvm::DenseSet<std::pair<Value, Value>> assumed;
};
} // namespace

bool SameNumbers::operator()(Value one, Value other) {
  if (one == other || !assumed.insert({one, other}).second)
    return true;
  auto argument = dyn_cast<BlockArgument>(one), its = dyn_cast<BlockArgument>(other);
  if (argument && its)
    return areSameArguments(argument, its);
  auto result = dyn_cast<OpResult>(one), otherResult = dyn_cast<OpResult>(other);
  if (!result || !otherResult)
    return false;
  auto loop = dyn_cast<scf::ForOp>(result.getOwner());
  auto otherLoop = dyn_cast<scf::ForOp>(otherResult.getOwner());
  if (loop && otherLoop)
    return (*this)(loop, otherLoop) && (*this)(loop.getTiedLoopRegionIterArg(result),
                                               otherLoop.getTiedLoopRegionIterArg(otherResult));
  return OperationEquivalence::isEquivalentTo(
      result.getOwner(), otherResult.getOwner(),
      [&](Value left, Value right) { return success((*this)(left, right)); },
      /*markEquivalent=*/nullptr,
      OperationEquivalence::IgnoreLocations | OperationEquivalence::IgnoreDiscardableAttrs) &&
         result.getResultNumber() == otherResult.getResultNumber() &&
         !result.getOwner()->getNumRegions() &&
         (isMemoryEffectFree(result.getOwner()) || readsConstant(result.getOwner()));
}

bool SameNumbers::areSameArguments(BlockArgument one, BlockArgument other) {
  auto loop = dyn_cast<scf::ForOp>(one.getOwner()->getParentOp());
  auto otherLoop = dyn_cast<scf::ForOp>(other.getOwner()->getParentOp());
  if (!loop || !otherLoop || !(*this)(loop, otherLoop))
    return false;
  bool isCounter = one == loop.getInductionVar(), isOther = other == otherLoop.getInductionVar();
  if (isCounter || isOther)
    return isCounter && isOther;
  return (*this)(loop.getTiedLoopInit(one)->get(), otherLoop.getTiedLoopInit(other)->get()) &&
         (*this)(loop.getTiedLoopYieldedValue(one)->get(),
                 otherLoop.getTiedLoopYieldedValue(other)->get());
}

bool SameNumbers::operator()(scf::ForOp one, scf::ForOp other) {
  auto around = dyn_cast<scf::ForOp>(one->getParentOp());
  auto otherAround = dyn_cast<scf::ForOp>(other->getParentOp());
  if (bool(around) != bool(otherAround) || one.getUnsignedCmp() != other.getUnsignedCmp() ||
      !(*this)(one.getLowerBound(), other.getLowerBound()) ||
      !(*this)(one.getUpperBound(), other.getUpperBound()) ||
      !(*this)(one.getStep(), other.getStep()))
    return false;
  return around ? (*this)(around, otherAround)
                : isa<LoadRoleOp>(one->getParentOp()) && isa<KernelOp>(other->getParentOp());
}

namespace {
/// The two sides of the slots that one expectation is for.
class SlotCheck {
public:
  SlotCheck(LoadRoleOp role, MBarrierExpectOp expect)
      : role(role), kernel(role->getParentOfType<KernelOp>()), expect(expect) {}

  LogicalResult run();

private:
  LogicalResult findEmptyWait();
  LogicalResult findFullWait();
  LogicalResult findArrival();
  LogicalResult checkMade(Value mbarriers, unsigned arrivals);
  LogicalResult checkCounters();
  LogicalResult checkRelease();
  LogicalResult checkLastRelease(bool isLater);
  LogicalResult checkCluster();
  bool awaitsLastSlots();
  template <typename Op>
  FailureOr<Op> onlyUser(Value mbarriers, StringRef what);

  LoadRoleOp role;
  KernelOp kernel;
  MBarrierExpectOp expect;
  MBarrierWaitOp emptyWait, fullWait;
  MBarrierArriveOp arrival;
  /// Behind the loop, where another one is around it and products stay in flight.
  MBarrierArriveOp lastArrival;
};
} // namespace

/// Mbarriers are made in front of a barrier of all warps.
LogicalResult SlotCheck::checkMade(Value mbarriers, unsigned arrivals) {
  bool meets = false;
  for (Operation *op = role->getPrevNode(); op; op = op->getPrevNode()) {
    auto barrier = dyn_cast<ThreadBarrier>(op);
    meets |= barrier && barrier.getScope() == ThreadScope::Program;
    auto init = dyn_cast<MBarrierInitOp>(op);
    if (!init || init.getMbarriers() != mbarriers)
      continue;
    if (!meets)
      return failBeside(role.emitError("expected a barrier between this role and its mbarriers"),
                        init, "the mbarriers are made here");
    if (init.getArrivals().value_or(1) == arrivals)
      return success();
    return init.emitError() << "expected " << arrivals << " arrivals in a phase, got "
                            << init.getArrivals().value_or(1);
  }
  return failBeside(role.emitError("expected mbarriers that are made in front of this role"),
                    mbarriers.getDefiningOp(), "the mbarriers are these");
}

/// The op of that kind, outside of the role, that names the mbarriers.
template <typename Op>
FailureOr<Op> SlotCheck::onlyUser(Value mbarriers, StringRef what) {
  SmallVector<Op> found;
  for (Operation *user : mbarriers.getUsers())
    if (auto op = dyn_cast<Op>(user); op && !role->isAncestor(op))
      found.push_back(op);
  if (found.size() == 1)
    return found.front();
  return failBeside(expect.emitError() << "expected one " << what << " the slot outside of the role, got "
                                       << found.size(),
                    mbarriers.getDefiningOp(), "the mbarriers are these");
}

/// Whether loops carry a phase that is 1 in front of all.
static bool beginsWithOne(Value phase) {
  auto argument = dyn_cast<BlockArgument>(phase);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || argument == loop.getInductionVar())
    return false;
  Value init = loop.getTiedLoopInit(argument)->get();
  auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!around)
    return matchPattern(init, m_One());
  auto carried = dyn_cast<BlockArgument>(init);
  return carried && carried.getOwner() == around.getBody() &&
         carried != around.getInductionVar() &&
         around.getTiedLoopYieldedValue(carried)->get() == loop.getTiedLoopResult(argument) &&
         beginsWithOne(init);
}

/// In front of the expectation the role waits for the same slot, which is empty at first.
LogicalResult SlotCheck::findEmptyWait() {
  for (Operation *op = expect->getPrevNode(); op && !emptyWait; op = op->getPrevNode())
    if (auto wait = dyn_cast<MBarrierWaitOp>(op); wait && wait.getSlot() == expect.getSlot())
      emptyWait = wait;
  if (!emptyWait || emptyWait.getMbarriers() == expect.getMbarriers())
    return expect.emitError("expected a wait for the empty slot in front of what it is filled with");
  if (beginsWithOne(emptyWait.getPhase()))
    return success();
  return emptyWait.emitError("expected a phase that begins with 1: nobody has read the first slots");
}

LogicalResult SlotCheck::findFullWait() {
  auto found = onlyUser<MBarrierWaitOp>(expect.getMbarriers(), "wait for");
  if (failed(found))
    return failure();
  fullWait = *found;
  return success();
}

/// One arrival in the iteration that waits, and perhaps one behind its loop.
LogicalResult SlotCheck::findArrival() {
  for (MBarrierArriveOp found : usersOf<MBarrierArriveOp>(emptyWait.getMbarriers())) {
    bool isBehind = found->getBlock() == fullWait->getParentOp()->getBlock();
    MBarrierArriveOp &one = isBehind ? lastArrival : arrival;
    if (one)
      return failBeside(found.emitError("expected one arrival that gives the slot back"), one,
                        "another one is here");
    one = found;
  }
  if (!arrival)
    return expect.emitError("expected an arrival that gives the slot back outside of the role");
  if (arrival->getBlock() == fullWait->getBlock() && fullWait->isBeforeInBlock(arrival))
    return success();
  return failBeside(arrival.emitError("expected the slot to be given back in the iteration that waits for it"),
                    fullWait, "the wait is here");
}

/// Both sides have the same slot in the same iteration.
LogicalResult SlotCheck::checkCounters() {
  std::optional<SlotCounter> put = slotCounterOf(expect.getSlot()),
                             taken = slotCounterOf(fullWait.getSlot());
  int64_t slots = expect.getMbarriers().getType().getShape().front();
  SameNumbers areSame;
  if (!put || !taken || put->slots != slots || taken->slots != slots)
    return failBeside(expect.emitError() << "expected " << slots << " slots that both sides count alike",
                      fullWait, "the other side is here");
  if (!areSame(put->loop, taken->loop))
    return failBeside(put->loop.emitError("expected as many iterations as the loop has that takes its slots"),
                      taken->loop, "that loop is here");
  if (areSame(expect.getSlot(), fullWait.getSlot()))
    return success();
  return failBeside(expect.emitError() << "expected " << slots << " slots that both sides count alike",
                    fullWait, "the other side is here");
}

/// Whether a condition says that a loop has an iteration: either way round, for a constant comes to
/// the right where something folds.
static bool asksForIteration(Value condition, scf::ForOp loop) {
  auto compare = condition ? condition.getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
  if (!compare)
    return false;
  arith::CmpIPredicate isBelow = belowBound(loop);
  arith::CmpIPredicate isAbove =
      loop.getUnsignedCmp() ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  auto says = [&](arith::CmpIPredicate predicate, Value left, Value right) {
    return compare.getPredicate() == predicate && compare.getLhs() == left &&
           compare.getRhs() == right;
  };
  return says(isBelow, lower, upper) || says(isAbove, upper, lower);
}

/// Where the loop is entered again, the last of its products is over behind it, and its slot is given
/// back there if it had an iteration.
LogicalResult SlotCheck::checkLastRelease(bool isLater) {
  auto loop = cast<scf::ForOp>(fullWait->getParentOp());
  bool isEnteredAgain = isa<scf::ForOp>(loop->getParentOp());
  if (!isLater || !isEnteredAgain) {
    if (!lastArrival)
      return success();
    return lastArrival.emitError("expected no slot to be given back behind the loop, where all have been");
  }
  if (!lastArrival)
    return arrival.emitError("expected the last slot to be given back behind the loop, which is entered again");
  bool isRight =
      asksForIteration(lastArrival.getCondition(), loop) &&
      lastArrival.getSlot() == loop.getTiedLoopResult(cast<BlockArgument>(arrival.getSlot()));
  for (Value result : loop.getResults())
    for (ProductWaitOp wait : usersOf<ProductWaitOp>(result))
      isRight &= wait->isBeforeInBlock(lastArrival);
  if (isRight)
    return success();
  return lastArrival.emitError("expected the loop's last slot to be given back if it had one, behind the "
                               "end of its products");
}

/// A product has read its slot when it is over: behind the op, or behind the limit of the next
/// iteration.
LogicalResult SlotCheck::checkRelease() {
  bool isLater = false;
  Operation *last = nullptr;
  for (Operation &op : *fullWait->getBlock()) {
    auto product = dyn_cast<SharedDotOp>(op);
    if (product && (product.getLeftSlot() == fullWait.getSlot() ||
                    product.getRightSlot() == fullWait.getSlot())) {
      if (product->isBeforeInBlock(fullWait))
        return product.emitError("expected the wait for its slots in front of this product");
      isLater |= product->hasAttr(kInFlightAttr);
      last = product;
    }
    if (isa<ProductLimitOp>(op) && isLater)
      last = &op;
  }
  auto loop = cast<scf::ForOp>(fullWait->getParentOp());
  auto carried = dyn_cast<BlockArgument>(arrival.getSlot());
  bool isOfBefore = carried && carried.getOwner() == loop.getBody() &&
                    carried != loop.getInductionVar() &&
                    loop.getTiedLoopYieldedValue(carried)->get() == fullWait.getSlot();
  auto other = arrival.getCondition() ? arrival.getCondition().getDefiningOp<arith::CmpIOp>()
                                      : arith::CmpIOp();
  bool isAnyBefore = other && other.getPredicate() == arith::CmpIPredicate::ne &&
                     other.getLhs() == loop.getInductionVar() &&
                     other.getRhs() == loop.getLowerBound();
  bool isRight = isLater ? isOfBefore && isAnyBefore
                         : arrival.getSlot() == fullWait.getSlot() && !arrival.getCondition();
  if (isRight && last && last->isBeforeInBlock(arrival) &&
      (!isLater || isa<ProductLimitOp>(last)))
    return checkLastRelease(isLater);
  return arrival.emitError() << "expected the slot of " << (isLater ? "the iteration before" : "this iteration")
                             << " to be given back, behind the end of the product that reads it";
}

/// In front of a role the programs of a cluster have met since their mbarriers were made. Slots are
/// given back to all by the same condition, and none ends before all have given back its last
/// slots.
LogicalResult SlotCheck::checkCluster() {
  if (programsOfCluster(kernel) == 1)
    return success();
  auto isIn = [](Operation *op) { return isa<MBarrierInitOp, ClusterArriveOp, ClusterWaitOp>(op); };
  Operation *met = role->getPrevNode();
  while (met && !isIn(met))
    met = met->getPrevNode();
  Operation *arrived = met ? met->getPrevNode() : nullptr;
  while (arrived && !isIn(arrived))
    arrived = arrived->getPrevNode();
  if (!isa_and_present<ClusterWaitOp>(met) || !isa_and_present<ClusterArriveOp>(arrived))
    return role.emitError(
        "expected the programs of a cluster to meet between their mbarriers and this role");
  for (MBarrierArriveOp arrive : usersOf<MBarrierArriveOp>(emptyWait.getMbarriers()))
    if (!arrive.getTogether() || arrive.getTogether() != arrival.getTogether())
      return arrive.emitError("expected the slot to be given back to all programs of the "
                              "cluster, or to none other, as the others are");
  if (awaitsLastSlots())
    return success();
  return role.emitError("expected a role of a program of a cluster to end with a wait for each of "
                        "its slots that others give back, too");
}

/// Whether the last op of the role is a loop that waits for each slot from the next one on. The
/// last one that was filled may be kept: then nobody arrives for it.
bool SlotCheck::awaitsLastSlots() {
  auto loop = dyn_cast<scf::ForOp>(role.getBody().front().back());
  if (!loop || loop.getBody()->getOps<MBarrierWaitOp>().empty())
    return false;
  MBarrierWaitOp wait = *loop.getBody()->getOps<MBarrierWaitOp>().begin();
  auto slot = dyn_cast<BlockArgument>(wait.getSlot()),
       phase = dyn_cast<BlockArgument>(wait.getPhase());
  auto isCarried = [&](BlockArgument argument, Value before) {
    Value behind = behindLoops(before);
    return argument && argument.getOwner() == loop.getBody() &&
           argument != loop.getInductionVar() && behind &&
           loop.getTiedLoopInit(argument)->get() == behind;
  };
  int64_t slots = emptyWait.getMbarriers().getType().getShape().front();
  int64_t isLastKept = arrival.getCondition() && !lastArrival;
  std::optional<APInt> rounds = loop.getStaticTripCount();
  std::optional<SlotCounter> counter = slotCounterOf(wait.getSlot());
  return wait.getMbarriers() == emptyWait.getMbarriers() && rounds &&
         *rounds == slots - isLastKept && isCarried(slot, emptyWait.getSlot()) &&
         isCarried(phase, emptyWait.getPhase()) && counter && counter->loop == loop &&
         counter->slots == slots &&
         isNextPhase(loop.getTiedLoopYieldedValue(phase)->get(), phase, slot,
                     static_cast<unsigned>(slots));
}

LogicalResult SlotCheck::run() {
  if (failed(findEmptyWait()) || failed(findFullWait()) || failed(findArrival()) ||
      failed(checkMade(expect.getMbarriers(), 1)) ||
      failed(checkMade(emptyWait.getMbarriers(),
                       kernel.getNumWarps().value_or(1) * programsOfCluster(kernel))) ||
      failed(checkCounters()) || failed(checkCluster()))
    return failure();
  return checkRelease();
}

namespace {
struct VerifyRoles : fsm::impl::VerifyRolesPassBase<VerifyRoles> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    LoadRoleOp role = LoadRoleOp::of(getOperation());
    if (role && (failed(checkRegisters(role)) || failed(checkOps(role))))
      signalPassFailure();
  }

  LogicalResult checkRegisters(LoadRoleOp role) {
    uint64_t warps = getOperation().getNumWarps().value_or(1);
    uint64_t all = 32 * (uint64_t(role.getRegisters().value_or(0)) * LoadRoleOp::kWarps +
                         uint64_t(role.getOthers().value_or(0)) * warps);
    if (all <= kRegistersOfMultiprocessor)
      return success();
    return role.emitError() << "expected at most " << kRegistersOfMultiprocessor
                            << " registers of all threads, got " << all;
  }

  /// One thread runs it: of what warps do together there is nothing.
  static LogicalResult checkOps(LoadRoleOp role) {
    WalkResult result = role.getBody().walk([&](Operation *op) {
      bool isKnown = isa<MBarrierWaitOp, MBarrierExpectOp, CopyTensorOp, scf::ForOp>(op) ||
                     (!op->getNumRegions() && (isMemoryEffectFree(op) || readsConstant(op)) &&
                      llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>));
      if (!isKnown) {
        op->emitError() << "expected copies, waits and scalars in a load role, got '"
                        << op->getName() << "'";
        return WalkResult::interrupt();
      }
      auto expect = dyn_cast<MBarrierExpectOp>(op);
      return expect && failed(SlotCheck(role, expect).run()) ? WalkResult::interrupt()
                                                             : WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};
} // namespace
