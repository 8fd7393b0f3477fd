//===- MemoryOrder.cpp - Which accesses may touch the same bytes ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/MemoryOrder.h"

#include "fsm/Analysis/InnerStride.h"

using namespace mlir;
using namespace fsm;

static Value accessedPointer(Operation *access) {
  if (auto load = dyn_cast<LoadOp>(access))
    return load.getPointer();
  return cast<StoreOp>(access).getPointer();
}

static Value accessedOffsets(Operation *access) {
  if (auto load = dyn_cast<LoadOp>(access))
    return load.getOffsets();
  return cast<StoreOp>(access).getOffsets();
}

static bool isExclusive(BlockArgument argument) {
  if (!argument)
    return false;
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  return kernel.getArgAttr(argument.getArgNumber(), kNoAliasAttr) != nullptr;
}

/// The argument a pointer starts from, or null; a long way back is not followed, as
/// every pair of accesses would go it.
static BlockArgument nearRoot(Value pointer) {
  constexpr unsigned kMaxOffsets = 64;
  for (unsigned i = 0; i < kMaxOffsets && pointer.getDefiningOp<OffsetOp>(); ++i)
    pointer = pointer.getDefiningOp<OffsetOp>().getPointer();
  return pointer.getDefiningOp() ? BlockArgument() : rootArgument(pointer);
}

bool fsm::mayAlias(Operation *left, Operation *right) {
  BlockArgument leftRoot = nearRoot(accessedPointer(left));
  BlockArgument rightRoot = nearRoot(accessedPointer(right));
  // A pointer that control flow has chosen may come from any argument.
  if (!leftRoot || !rightRoot || leftRoot == rightRoot)
    return true;
  return !isExclusive(leftRoot) && !isExclusive(rightRoot);
}

bool fsm::sameAddress(Operation *left, Operation *right) {
  return accessedPointer(left) == accessedPointer(right) &&
         accessedOffsets(left) == accessedOffsets(right);
}

bool fsm::mayWrite(Operation *op, Operation *access) {
  WalkResult result = op->walk([&](StoreOp store) {
    return mayAlias(store, access) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}
