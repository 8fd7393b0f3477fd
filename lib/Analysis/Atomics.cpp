//===- Atomics.cpp - What atomics order and exchange ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/Atomics.h"

#include "fsm/Analysis/Hazards.h"

using namespace mlir;
using namespace fsm;

bool fsm::isAtomic(Operation *op) { return isa<AtomicRMWOp, AtomicCASOp>(op); }

bool fsm::isMadeOnce(Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  return isAtomic(op) || (load && load.getIsVolatile() && !load.getOffsets());
}

bool fsm::isGlobalAccess(Operation *op) {
  return isa<LoadOp, StoreOp, CopyAsyncOp>(op) || isAtomic(op);
}

template <typename AccessOp>
static AccessParts partsOfOp(AccessOp op) {
  return {op.getPointer(), op.getOffsets(), op.getMask()};
}

bool fsm::onlyReads(Operation *access) { return isa<LoadOp, CopyAsyncOp>(access); }

AccessParts fsm::partsOf(Operation *access) {
  if (auto load = dyn_cast<LoadOp>(access))
    return partsOfOp(load);
  if (auto store = dyn_cast<StoreOp>(access))
    return partsOfOp(store);
  if (auto copy = dyn_cast<CopyAsyncOp>(access))
    return partsOfOp(copy);
  if (auto rmw = dyn_cast<AtomicRMWOp>(access))
    return partsOfOp(rmw);
  return partsOfOp(cast<AtomicCASOp>(access));
}

static MemorySemantics semanticsOf(Operation *atomic) {
  if (auto rmw = dyn_cast<AtomicRMWOp>(atomic))
    return rmw.getSem();
  return cast<AtomicCASOp>(atomic).getSem();
}

bool fsm::acquires(Operation *atomic) {
  MemorySemantics sem = semanticsOf(atomic);
  return sem == MemorySemantics::Acquire || sem == MemorySemantics::AcqRel;
}

bool fsm::releases(Operation *atomic) {
  MemorySemantics sem = semanticsOf(atomic);
  return sem == MemorySemantics::Release || sem == MemorySemantics::AcqRel;
}

/// Whether the lanes that hold a replica hold it in the register of the lane in which
/// those bits are 0: a basis of such a bit moves nothing.
static bool hasPlainReplicas(const LinearLayout &layout) {
  uint64_t free = layout.freeBits(Dim::Lane);
  for (auto [bit, base] : llvm::enumerate(layout.basesOf(Dim::Lane)))
    if (free >> bit & 1 && base != 0)
      return false;
  return true;
}

HandingOn fsm::handingOnOf(Operation *op) {
  Value result = op->getResult(0);
  if (llvm::all_of(result.getUsers(), [](Operation *user) { return isa<SharedStoreOp>(user); }))
    return HandingOn::None;
  auto type = dyn_cast<RankedTensorType>(result.getType());
  auto kernel = op->getParentOfType<KernelOp>();
  if (!type)
    return kernel && warpsOf(kernel) > 1 ? HandingOn::Shared : HandingOn::Shuffle;
  LinearLayout layout = linearLayoutOf(type);
  if (!layout.freeBits(Dim::Lane) && !layout.freeBits(Dim::Warp))
    return HandingOn::None;
  bool isWithinWarps = !layout.freeBits(Dim::Warp) && hasPlainReplicas(layout);
  return isWithinWarps ? HandingOn::Shuffle : HandingOn::Shared;
}
