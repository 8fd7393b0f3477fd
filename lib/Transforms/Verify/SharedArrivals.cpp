//===- SharedArrivals.cpp - Checks what arrives at mbarriers --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedArrivals.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/IR/Origins.h"
#include "fsm/IR/Users.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;

static uint64_t arrivingBytes(SharedStoreOp store) {
  SharedType type = store.getShared().getType();
  // What goes to the first CTA comes from each of the others, to a slot of its own.
  uint64_t stores = store.getToFirst() ? std::max(1u, type.getSlots()) : 1;
  return static_cast<uint64_t>(ShapedType::getNumElements(type.getShape())) *
         bytesOf(type.getElementType()) * stores;
}

/// Whether a loop carries 0 and 1 alternately, 0 in its first round.
static bool isTurn(Value phase, scf::ForOp loop) {
  auto turn = dyn_cast<BlockArgument>(phase);
  if (!turn || turn.getOwner() != loop.getBody() || turn == loop.getInductionVar())
    return false;
  auto next = loop.getTiedLoopYieldedValue(turn)->get().getDefiningOp<arith::XOrIOp>();
  return next && next.getLhs() == turn && matchPattern(next.getRhs(), m_One()) &&
         matchPattern(loop.getTiedLoopInit(turn)->get(), m_Zero());
}

/// In each round the first threads expect the bytes in front of the store, and the wait is for the round's
/// phase; between two rounds another exchange has arrived.
static LogicalResult checkRounds(SharedStoreOp store) {
  if (!mbarrierOfRounds(store))
    return store.emitError("expected stores that arrive at an mbarrier outside of loops, or with another "
                           "exchange that arrives from all warps in each round of the kernel's loop");
  auto loop = store->getParentOfType<scf::ForOp>();
  bool isExpected = false, isAwaited = false;
  for (Operation &op : *store->getBlock()) {
    auto expect = dyn_cast<MBarrierExpectOp>(op);
    auto wait = dyn_cast<MBarrierWaitOp>(op);
    isExpected |= expect && expect.getMbarriers() == store.getMbarrier() &&
                  !expect.getCondition() && expect->isBeforeInBlock(store);
    isAwaited |= wait && wait.getMbarriers() == store.getMbarrier() &&
                 store->isBeforeInBlock(wait) && isTurn(wait.getPhase(), loop);
  }
  if (!isExpected)
    return store.emitError("expected an 'fsm.mbarrier_expect' in front of stores that arrive in each round of "
                           "a loop");
  if (!isAwaited)
    return store.emitError("expected a wait behind stores that arrive in each round of a loop, whose phase the "
                           "loop carries: 0, 1, 0 and so on");
  return success();
}

static LogicalResult checkArrival(SharedStoreOp store) {
  auto kernel = store->getParentOfType<KernelOp>();
  bool areMany = store.getToFirst() ? kernel->hasAttr(kPartsAttr) : kernel.getNumCtas().value_or(1) > 1;
  if (!areMany)
    return store.emitError("expected a kernel on several ctas where stores arrive at an mbarrier");
  if (!loopsAround(store).empty() && failed(checkRounds(store)))
    return failure();
  for (MBarrierInitOp init : usersOf<MBarrierInitOp>(store.getMbarrier()))
    if (init.getBytes())
      return success();
  return store.emitError("expected an 'fsm.mbarrier_init' with the bytes that arrive at the mbarrier "
                         "of this store");
}

static LogicalResult checkArrivingBytes(MBarrierInitOp init) {
  // The kernel's beginning makes it ready, when its bytes must not be another memory's yet.
  bool isFirst = isa<KernelOp>(init->getParentOp());
  for (Operation *op = init->getPrevNode(); op; op = op->getPrevNode())
    isFirst &= isPure(op) || isa<SharedAllocOp, MBarrierInitOp>(op);
  if (!isFirst)
    return init.emitError("expected what makes an mbarrier ready for the bytes of stores at the "
                          "beginning of the kernel, in front of all accesses to memory");
  uint64_t bytes = 0;
  for (SharedStoreOp store : usersOf<SharedStoreOp>(init.getMbarriers()))
    bytes += arrivingBytes(store);
  if (bytes == init.getBytes())
    return success();
  return init.emitError() << "expected as many bytes as stores bring, " << bytes << ", got "
                          << *init.getBytes();
}

/// Between panels of a slot there may be room that no copy fills.
static uint64_t copiedBytes(SharedType type) {
  return static_cast<uint64_t>(llvm::product_of(type.getShape())) * bytesOf(type.getElementType());
}

static LogicalResult checkBytes(MBarrierExpectOp expect) {
  uint64_t bytes = 0;
  for (CopyTensorOp copy : expect.getCopies())
    bytes += copiedBytes(copy.getShared().getType());
  for (Operation *op = expect->getNextNode(); op; op = op->getNextNode()) {
    auto next = dyn_cast<MBarrierExpectOp>(op);
    if (next && next.getMbarriers() == expect.getMbarriers())
      break;
    auto store = dyn_cast<SharedStoreOp>(op);
    if (store && store.getMbarrier() == expect.getMbarriers())
      bytes += arrivingBytes(store);
  }
  if (bytes == expect.getBytes())
    return success();
  bool isOfStores = llvm::any_of(expect.getMbarriers().getUsers(), llvm::IsaPred<SharedStoreOp>);
  return expect.emitError() << "expected as many bytes as the "
                            << (isOfStores ? "stores" : "copies of the slot") << " behind it bring, "
                            << bytes << ", got " << expect.getBytes();
}

static LogicalResult checkReads(CopyTensorOp copy) {
  Operation *before = copy;
  auto isItsExpect = [&] {
    auto expect = dyn_cast<MBarrierExpectOp>(before);
    return expect && llvm::is_contained(expect.getCopies(), copy);
  };
  while (before && !isItsExpect())
    before = before->getPrevNode();
  if (!before)
    return copy.emitError() << "expected an 'fsm.mbarrier_expect' with the mbarriers, slot and "
                               "condition of this '"
                            << copy->getName() << "' in front of it";
  for (Operation *user : copy.getShared().getUsers()) {
    auto product = dyn_cast<SharedDotOp>(user);
    if (!isa<CopyTensorOp, ClearLinesOp>(user) && (!product || !isByWarpGroups(product)))
      return failBeside(user->emitError()
                            << "expected products of warp groups alone to read the slots of '"
                            << copy->getName() << "', got '" << user->getName() << "'",
                        copy, "the copy is here");
  }
  return success();
}

/// How many rows or columns of a tile there are one behind the other.
static int64_t linesOf(SharedType tile) { return tile.getShape()[1 - majorOf(tile)]; }

/// What boxes that end with their tensor leave of the slots is zero: in front of all loops threads
/// have cleared it and met, with a fence, and nobody else writes there.
static LogicalResult checkCleared(CopyTensorOp copy) {
  auto map = copy.getMap().getDefiningOp<TensorMapOp>();
  if (!map || !map.getBoxEnds())
    return success();
  if (copy.getTogether() || linesOf(copy.getShared().getType()) != map.getType().getBox()[0])
    return failBeside(copy.emitError("expected one box along the tensor's first dimension, of this "
                                     "program alone, where it ends with the tensor"),
                      map, "the map is here");
  Operation *inKernel =
      copy->getParentOfType<KernelOp>().getBody().front().findAncestorOpInBlock(*copy);
  ClearLinesOp clear;
  bool isFenced = false;
  for (Operation *op = inKernel->getPrevNode(); op && !clear; op = op->getPrevNode()) {
    auto barrier = dyn_cast<SharedBarrierOp>(op);
    isFenced |= barrier && barrier.getScope() == ThreadScope::Program && barrier.getFence();
    auto found = dyn_cast<ClearLinesOp>(op);
    if (found && found.getShared() == copy.getShared() && found.getMap() == copy.getMap())
      clear = found;
  }
  if (!clear)
    return copy.emitError(
        "expected an 'fsm.clear_lines' of the slots by this map in front of all loops");
  if (!isFenced)
    return clear.emitError(
        "expected a barrier of the program with a fence behind it, in front of the copies");
  return success();
}

/// Others have the bytes of a slot behind the loop that has waited for its copies, or in front of it if the
/// hardware fills them, too: its writes are not ordered against what threads did there before.
static LogicalResult checkBytesAlone(CopyTensorOp copy, const SharedLives &lives) {
  auto own = copy.getShared().getDefiningOp<SharedAllocOp>();
  SharedAllocOp wrong;
  copy->getParentOfType<KernelOp>().walk([&](SharedAllocOp other) {
    bool isApart = lives.isBehind(other, own) ||
                   (areFilledByTensors(other) && lives.isBehind(own, other));
    if (other != own && sharesBytes(own, other) && !isApart)
      wrong = other;
  });
  if (!wrong)
    return success();
  return failBeside(copy.emitError() << "expected no other memory in the bytes of the slots of this '"
                                     << copy->getName()
                                     << "' in front of their last use",
                    wrong, "the other memory is here");
}

LogicalResult fsm::checkArrivals(KernelOp kernel) {
  WalkResult walked = kernel.walk([&](Operation *op) {
    auto store = dyn_cast<SharedStoreOp>(op);
    auto init = dyn_cast<MBarrierInitOp>(op);
    if (store && store.getMbarrier() && failed(checkArrival(store)))
      return WalkResult::interrupt();
    if (init && init.getBytes() && failed(checkArrivingBytes(init)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

static LogicalResult checkPart(SharedLoadOp load) {
  auto alloc = load.getShared().getDefiningOp<SharedAllocOp>();
  for (Operation *op = load->getPrevNode(); op; op = op->getPrevNode()) {
    auto meeting = dyn_cast<SharedBarrierOp>(op);
    if (meeting && meeting.getScope() == ThreadScope::Parts)
      return success();
    if (llvm::is_contained(allocsOf(op), alloc) && writesTo(op, alloc))
      break;
  }
  return load.emitError("expected a barrier of all parts between this '")
         << load->getName() << "' and the store of what it reads";
}

LogicalResult fsm::checkParts(KernelOp kernel) {
  WalkResult walked = kernel.walk([](SharedLoadOp load) {
    bool isWrong = load.getFromPart() && failed(checkPart(load));
    return isWrong ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult fsm::checkTensorCopies(KernelOp kernel) {
  WalkResult expected = kernel.walk([](MBarrierExpectOp expect) {
    return failed(checkBytes(expect)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (expected.wasInterrupted())
    return failure();
  SharedLives lives(kernel);
  WalkResult copied = kernel.walk([&](CopyTensorOp copy) {
    bool isWrong = failed(checkReads(copy)) || failed(checkCleared(copy)) ||
                   failed(checkBytesAlone(copy, lives));
    return isWrong ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(copied.wasInterrupted());
}
