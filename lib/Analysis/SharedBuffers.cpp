//===- SharedBuffers.cpp - Who uses which shared memory, when ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/SharedBuffers.h"

using namespace mlir;
using namespace fsm;

uint64_t fsm::bufferBytes(Operation *op) {
  if (auto alloc = dyn_cast<SharedAllocOp>(op))
    return alloc.getType().getBytes();
  auto ring = dyn_cast<RingOp>(op);
  return ring ? ring.getType().getBytes() : 0;
}

SmallVector<SharedAllocOp, 2> fsm::allocsOf(Operation *access) {
  SmallVector<SharedAllocOp, 2> allocs;
  for (Value operand : access->getOperands())
    if (isa<SharedType>(operand.getType()))
      allocs.push_back(operand.getDefiningOp<SharedAllocOp>());
  return allocs;
}

bool fsm::isFilledByCopies(Operation *buffer) {
  auto alloc = dyn_cast<SharedAllocOp>(buffer);
  return alloc ? alloc.getType().getSlots() > 0 || alloc.getType().isOfMBarriers()
               : isa<RingOp>(buffer);
}

bool fsm::writesTo(Operation *access, SharedAllocOp alloc) {
  if (auto copy = dyn_cast<CopyAsyncOp>(access))
    return copy.getShared() == alloc.getResult();
  return isa<SharedStoreOp, MBarrierInitOp>(access);
}

bool fsm::sharesBytes(SharedAllocOp left, SharedAllocOp right) {
  auto begin = [](SharedAllocOp alloc) {
    return static_cast<uint64_t>(integerAttrOr(alloc, kSharedOffsetAttr, 0));
  };
  auto end = [&](SharedAllocOp alloc) { return begin(alloc) + alloc.getType().getBytes(); };
  return begin(left) < end(right) && begin(right) < end(left);
}

Value fsm::storedBlock(SharedLoadOp load) {
  Value block;
  for (Operation *user : load.getShared().getUsers())
    if (auto store = dyn_cast<SharedStoreOp>(user)) {
      if (block)
        return {};
      block = store.getValue();
    }
  return block;
}

SharedLives::SharedLives(KernelOp kernel) {
  unsigned next = 0;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) { lives[op] = {next, next}, ++next; });
  // Inner ops come first: an op ends with the last one inside it.
  kernel->walk([&](Operation *op) {
    if (op != kernel)
      lives[op->getParentOp()].second = std::max(lives[op->getParentOp()].second, of(op).second);
  });
  kernel->walk([&](SharedAllocOp alloc) {
    for (Operation *user : alloc->getUsers()) {
      Operation *around = alloc->getBlock()->findAncestorOpInBlock(*user);
      lives[alloc].second = std::max(lives[alloc].second, of(around).second);
    }
  });
}
