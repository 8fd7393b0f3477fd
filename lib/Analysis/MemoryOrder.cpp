//===- MemoryOrder.cpp - Which accesses may touch the same bytes ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/MemoryOrder.h"

#include "fsm/Analysis/Atomics.h"

using namespace mlir;
using namespace fsm;

static bool isExclusive(BlockArgument argument) {
  if (!argument)
    return false;
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  return kernel.getArgAttr(argument.getArgNumber(), kNoAliasAttr) != nullptr;
}

BlockArgument fsm::rootArgument(Value pointer) {
  while (auto offset = pointer.getDefiningOp<OffsetOp>())
    pointer = offset.getPointer();
  auto argument = dyn_cast<BlockArgument>(pointer);
  if (argument && isa<KernelOp>(argument.getOwner()->getParentOp()))
    return argument;
  return nullptr;
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
  BlockArgument leftRoot = nearRoot(partsOf(left).pointer);
  BlockArgument rightRoot = nearRoot(partsOf(right).pointer);
  // A pointer that control flow has chosen may come from any argument.
  if (!leftRoot || !rightRoot || leftRoot == rightRoot)
    return true;
  return !isExclusive(leftRoot) && !isExclusive(rightRoot);
}

bool fsm::sameAddress(Operation *left, Operation *right) {
  AccessParts one = partsOf(left), other = partsOf(right);
  return one.pointer == other.pointer && one.offsets == other.offsets;
}

bool fsm::mayWrite(Operation *op) {
  WalkResult result = op->walk([](Operation *inner) {
    return isa<StoreOp>(inner) || isAtomic(inner) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool fsm::mayWrite(Operation *op, Operation *access) {
  WalkResult result = op->walk([&](Operation *inner) {
    // Behind an atomic that orders, any byte may be another program's.
    bool orders = isAtomic(inner) && (acquires(inner) || releases(inner));
    bool writes = isa<StoreOp>(inner) || isAtomic(inner);
    return orders || (writes && mayAlias(inner, access)) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
  });
  return result.wasInterrupted();
}
