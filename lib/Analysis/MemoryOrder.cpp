//===- MemoryOrder.cpp - Which accesses may touch the same bytes ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/MemoryOrder.h"

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
  BlockArgument leftRoot = nearRoot(cast<GlobalAccess>(left).getPointer());
  BlockArgument rightRoot = nearRoot(cast<GlobalAccess>(right).getPointer());
  // A pointer that control flow has chosen may come from any argument.
  if (!leftRoot || !rightRoot || leftRoot == rightRoot)
    return true;
  return !isExclusive(leftRoot) && !isExclusive(rightRoot);
}

bool fsm::sameAddress(Operation *left, Operation *right) {
  auto one = cast<GlobalAccess>(left), other = cast<GlobalAccess>(right);
  return one.getPointer() == other.getPointer() && one.getOffsets() == other.getOffsets();
}

bool fsm::mayWrite(Operation *op) {
  WalkResult result = op->walk([](GlobalAccess inner) {
    return inner.writes() ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

bool fsm::mayWrite(Operation *op, Operation *access) {
  WalkResult result = op->walk([&](GlobalAccess inner) {
    // Behind an atomic that orders, any byte may be another program's.
    bool orders = inner.acquires() || inner.releases();
    return orders || (inner.writes() && mayAlias(inner, access)) ? WalkResult::interrupt()
                                                                 : WalkResult::advance();
  });
  return result.wasInterrupted();
}
