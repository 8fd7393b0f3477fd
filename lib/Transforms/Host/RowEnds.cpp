//===- RowEnds.cpp - A plan: where rows of loops begin and end -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowEnds.h"

#include "HostLoops.h"

#include "fsm/Analysis/RowMask.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace fsm;

/// Of no more pages is a line fetched; the first of them would leave the cache before they are
/// written to.
static constexpr int64_t kMaxTouchedPages = 64;

/// A root of the first loop in front of a store's own one, in its IR block, from which on there is
/// no control flow; or the store.
static Operation *firstLoopBefore(Operation *op) {
  Operation *first = op;
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    Attribute loop = before->getAttr(kHostLoopAttr);
    if (loop && loop != op->getAttr(kHostLoopAttr))
      first = before;
    else if (!loop && before->getNumRegions() != 0)
      break;
  }
  return first;
}

/// Lets the addresses and the mask of a store be computed in front of an op of its IR block. Fails
/// where that would take what loops compute, or what is in memory.
static LogicalResult computeBefore(StoreOp store, Operation *front) {
  SetVector<Operation *> slice;
  for (Value value :
       {Value(store.getPointer()), Value(store.getOffsets()), Value(store.getMask())}) {
    Operation *op = value ? value.getDefiningOp() : nullptr;
    if (!op || op->getBlock() != front->getBlock() || op->isBeforeInBlock(front))
      continue;
    collectSlice(op, front, slice);
    slice.insert(op);
  }
  auto stays = [](Operation *op) {
    return op->hasAttr(kHostLoopAttr) || op->getNumRegions() != 0 || !isMemoryEffectFree(op);
  };
  if (llvm::any_of(slice, stays))
    return failure();
  for (Operation *op : slice)
    op->moveBefore(front);
  return success();
}

/// A store that goes around the caches waits where its page is not translated yet, and all stores
/// behind it do, too. A loop in front of it leaves time for that.
static void planTouchedPages(StoreOp store) {
  ArrayRef<int64_t> shape = shapeOf(store.getAccessedType());
  unsigned width = elementTypeOf(store.getAccessedType()).getIntOrFloatBitWidth();
  int64_t rowPages = shape.back() * std::max(1u, width / 8) / kHostPageBytes + 1;
  Operation *front = firstLoopBefore(store);
  if (front != store && rowPages * llvm::product_of(shape.drop_back()) <= kMaxTouchedPages &&
      succeeded(computeBefore(store, front)))
    store->setAttr(kHostTouchPagesAttr, front->getAttr(kHostLoopAttr));
}

void fsm::planRowEnds(KernelOp kernel) {
  llvm::MapVector<Attribute, SmallVector<Operation *>> loops;
  kernel.walk([&](Operation *op) {
    if (Attribute loop = op->getAttr(kHostLoopAttr))
      loops[loop].push_back(op);
  });
  UnitAttr flag = UnitAttr::get(kernel.getContext());
  for (auto &[loop, roots] : loops) {
    // A vector of several rows is behind the mask of one and in front of that of the next.
    bool ends = !roots.front()->hasAttr(kHostAcrossRowsAttr) && endsWithMask(roots);
    for (Operation *root : roots) {
      if (ends)
        root->setAttr(kHostEndsAttr, flag);
      if (roots.size() > 1 || !mayBeginAnywhere(root))
        root->removeAttr(kHostFromLineAttr);
      if (root->hasAttr(kHostFromLineAttr) || root->hasAttr(kHostStreamAttr))
        planTouchedPages(cast<StoreOp>(root));
    }
  }
}
