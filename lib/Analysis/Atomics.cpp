//===- Atomics.cpp - How threads learn what one has read -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/Atomics.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;

bool fsm::isMadeOnce(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  bool isVolatileScalar =
      access && access.onlyReads() && access.getIsVolatile() && !access.getOffsets();
  return isVolatileScalar || isa<AtomicAccess>(op);
}

unsigned fsm::bytesChangedAtOnce(AtomicAccess access, bool addsVectors) {
  Type element = elementTypeOf(access.getAccessedType());
  bool isAdded = access.updateKind() == AtomicKind::Add;
  if (isAdded && addsVectors && (element.isF16() || element.isBF16() || element.isF32()))
    return kVectorBytes;
  return isAdded && element.isF16() ? kWordBytes : bytesOf(element);
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

/// Whether only the thread that performs it goes there.
static bool isInLoopOfFirst(Operation *op) {
  auto loop = dyn_cast<scf::WhileOp>(op->getParentOp());
  return loop && loop->hasAttr(kFirstThreadAttr);
}

HandingOn fsm::handingOnOf(Operation *op) {
  Value result = op->getResult(0);
  if (isInLoopOfFirst(op))
    return HandingOn::None;
  if (llvm::all_of(result.getUsers(), [](Operation *user) { return isa<SharedStoreOp>(user); }))
    return HandingOn::None;
  auto type = dyn_cast<RankedTensorType>(result.getType());
  auto kernel = op->getParentOfType<KernelOp>();
  if (!type)
    return kernel && warpsOf(kernel) > 1 ? HandingOn::Shared : HandingOn::Shuffle;
  LinearLayout layout = linearLayoutOf(type).overOneCta();
  if (!layout.freeBits(Dim::Lane) && !layout.freeBits(Dim::Warp))
    return HandingOn::None;
  bool isWithinWarps = !layout.freeBits(Dim::Warp) && hasPlainReplicas(layout);
  return isWithinWarps ? HandingOn::Shuffle : HandingOn::Shared;
}
