//===- MemoryOrder.cpp - Which accesses may touch the same bytes ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/MemoryOrder.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace fsm;

static bool isExclusive(BlockArgument argument) {
  if (!argument)
    return false;
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  return kernel.getArgAttr(argument.getArgNumber(), kNoAliasAttr) != nullptr;
}

BlockArgument fsm::kernelArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool isKernels = argument && isa<KernelOp>(argument.getOwner()->getParentOp());
  return isKernels ? argument : BlockArgument();
}

BlockArgument fsm::rootArgument(Value pointer, size_t mostOffsets) {
  for (; mostOffsets > 0 && pointer.getDefiningOp<OffsetOp>(); --mostOffsets)
    pointer = pointer.getDefiningOp<OffsetOp>().getPointer();
  return kernelArgument(pointer);
}

llvm::SmallDenseSet<Value> fsm::constantArguments(KernelOp kernel) {
  llvm::SmallDenseSet<Value> constant;
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (isa<PointerType>(argument.getType()) && isExclusive(argument))
      constant.insert(argument);
  kernel.walk([&](GlobalAccess access) {
    if (!access.writes())
      return;
    if (BlockArgument root = rootArgument(access.getPointer()))
      constant.erase(root);
    else
      constant.clear(); // It may be any of them.
  });
  return constant;
}

bool fsm::isPlainAccess(Operation *op) {
  return isa<LoadOp, StoreOp>(op) && !cast<GlobalAccess>(op).getIsVolatile();
}

bool fsm::readsConstant(Operation *op) {
  auto load = dyn_cast<LoadOp>(op);
  if (!load || load.getIsVolatile() || isa<RankedTensorType>(load.getType()))
    return false;
  BlockArgument root = rootArgument(load.getPointer());
  return root && constantArguments(load->getParentOfType<KernelOp>()).contains(root);
}

/// Whether two accesses are parts of what was one.
static bool arePartsOfOne(Operation *left, Operation *right) {
  Attribute number = left->getAttr(kRowPartAttr);
  return left != right && number && number == right->getAttr(kRowPartAttr);
}

bool fsm::hasChainedLoads(KernelOp kernel) {
  return kernel
      .walk([](LoadOp load) {
        llvm::SetVector<Operation *> before;
        (void)getBackwardSlice(load.getOperation(), &before);
        return llvm::any_of(before, llvm::IsaPred<LoadOp>) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool fsm::mayAlias(Operation *left, Operation *right) {
  if (arePartsOfOne(left, right))
    return false;
  return mayAlias(cast<GlobalAccess>(left).getPointer(), cast<GlobalAccess>(right).getPointer());
}

/// The arguments that two pointers were moved from; none unless they are two.
static std::optional<std::pair<BlockArgument, BlockArgument>> twoArguments(Value left,
                                                                           Value right) {
  // A long way back is not followed, as every pair of accesses would go it.
  constexpr size_t kMaxOffsets = 64;
  auto leftRoot = rootArgument(left, kMaxOffsets), rightRoot = rootArgument(right, kMaxOffsets);
  // A pointer that control flow has chosen may come from any argument.
  if (!leftRoot || !rightRoot || leftRoot == rightRoot)
    return std::nullopt;
  return std::pair(leftRoot, rightRoot);
}

bool fsm::haveOtherArguments(Operation *left, Operation *right) {
  return twoArguments(cast<GlobalAccess>(left).getPointer(), cast<GlobalAccess>(right).getPointer())
      .has_value();
}

bool fsm::mayAlias(Value left, Value right) {
  auto roots = twoArguments(left, right);
  return !roots || (!isExclusive(roots->first) && !isExclusive(roots->second));
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
