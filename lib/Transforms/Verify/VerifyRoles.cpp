//===- VerifyRoles.cpp - Checks who waits for whom ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot goes around: the role waits until it is empty, expects bytes and begins copies; the others
// wait until it is full, multiply, and say that it is empty. Each of the two is one loop, and all of
// its iterations do the same, so what is checked of one iteration holds for all: each step is there
// once, in this order, of one slot, and both loops count slots and iterations alike.
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/SlotCounter.h"
#include "fsm/IR/Origins.h"
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
  template <typename Op>
  FailureOr<Op> onlyUser(Value mbarriers, StringRef what);

  LoadRoleOp role;
  KernelOp kernel;
  MBarrierExpectOp expect;
  MBarrierWaitOp emptyWait, fullWait;
  MBarrierArriveOp arrival;
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

/// In front of the expectation the role waits for the same slot, which is empty at first.
LogicalResult SlotCheck::findEmptyWait() {
  for (Operation *op = expect->getPrevNode(); op && !emptyWait; op = op->getPrevNode())
    if (auto wait = dyn_cast<MBarrierWaitOp>(op); wait && wait.getSlot() == expect.getSlot())
      emptyWait = wait;
  if (!emptyWait || emptyWait.getMbarriers() == expect.getMbarriers())
    return expect.emitError("expected a wait for the empty slot in front of what it is filled with");
  auto phase = dyn_cast<BlockArgument>(emptyWait.getPhase());
  auto loop = phase ? dyn_cast<scf::ForOp>(phase.getOwner()->getParentOp()) : scf::ForOp();
  if (loop && phase != loop.getInductionVar() &&
      matchPattern(loop.getTiedLoopInit(phase)->get(), m_One()))
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

LogicalResult SlotCheck::findArrival() {
  auto found = onlyUser<MBarrierArriveOp>(emptyWait.getMbarriers(), "arrival that gives back");
  if (failed(found))
    return failure();
  arrival = *found;
  if (arrival->getBlock() == fullWait->getBlock() && fullWait->isBeforeInBlock(arrival))
    return success();
  return failBeside(arrival.emitError("expected the slot to be given back in the iteration that waits for it"),
                    fullWait, "the wait is here");
}

/// Both loops begin with one slot, have as many, and take as many iterations.
LogicalResult SlotCheck::checkCounters() {
  std::optional<SlotCounter> put = slotCounterOf(expect.getSlot()),
                             taken = slotCounterOf(fullWait.getSlot());
  int64_t slots = expect.getMbarriers().getType().getShape().front();
  if (!put || !taken || put->from != taken->from || put->first != taken->first ||
      put->slots != slots || taken->slots != slots)
    return failBeside(expect.emitError() << "expected " << slots << " slots that both sides count alike",
                      fullWait, "the other side is here");
  if (put->loop.getLowerBound() == taken->loop.getLowerBound() &&
      put->loop.getUpperBound() == taken->loop.getUpperBound() &&
      put->loop.getStep() == taken->loop.getStep() &&
      put->loop.getUnsignedCmp() == taken->loop.getUnsignedCmp())
    return success();
  return failBeside(put->loop.emitError("expected as many iterations as the loop has that takes its slots"),
                    taken->loop, "that loop is here");
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
    return success();
  return arrival.emitError() << "expected the slot of " << (isLater ? "the iteration before" : "this iteration")
                             << " to be given back, behind the end of the product that reads it";
}

LogicalResult SlotCheck::run() {
  if (failed(findEmptyWait()) || failed(findFullWait()) || failed(findArrival()) ||
      failed(checkMade(expect.getMbarriers(), 1)) ||
      failed(checkMade(emptyWait.getMbarriers(), kernel.getNumWarps().value_or(1))) ||
      failed(checkCounters()))
    return failure();
  return checkRelease();
}

namespace {
struct VerifyRoles : fsm::impl::VerifyRolesPassBase<VerifyRoles> {
  void runOnOperation() override {
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
                     (!op->getNumRegions() && isMemoryEffectFree(op) &&
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
