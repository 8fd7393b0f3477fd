//===- SharedBuffers.cpp - Who uses which shared memory, when ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/SharedBuffers.h"

#include "fsm/Analysis/ScratchSize.h"

using namespace mlir;
using namespace fsm;

uint64_t fsm::bufferBytes(Operation *op) {
  if (auto alloc = dyn_cast<SharedAllocOp>(op))
    return alloc.getType().getBytes();
  return isa<RingOp>(op) ? ringBytes(op) : scratchBytes(op);
}

SharedAllocOp fsm::allocOf(Operation *access) {
  if (auto store = dyn_cast<SharedStoreOp>(access))
    return store.getShared().getDefiningOp<SharedAllocOp>();
  auto load = dyn_cast<SharedLoadOp>(access);
  return load ? load.getShared().getDefiningOp<SharedAllocOp>() : SharedAllocOp();
}

/// The first byte that an access, or an op with scratch, uses, and the one behind the last.
static std::pair<uint64_t, uint64_t> bytesUsedBy(Operation *access) {
  SharedAllocOp alloc = allocOf(access);
  uint64_t bytes = alloc ? alloc.getType().getBytes() : scratchBytes(access);
  auto offset =
      (alloc ? alloc.getOperation() : access)->getAttrOfType<IntegerAttr>(kSharedOffsetAttr);
  uint64_t begin = offset ? static_cast<uint64_t>(offset.getInt()) : 0;
  return {begin, begin + bytes};
}

bool fsm::sharesBytes(Operation *left, Operation *right) {
  auto [begin, end] = bytesUsedBy(left);
  auto [otherBegin, otherEnd] = bytesUsedBy(right);
  return begin < otherEnd && otherBegin < end && begin < end && otherBegin < otherEnd;
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
