//===- HostLoops.cpp - A plan: which block ops share a loop --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLoops.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/IR/DebugTable.h"

using namespace mlir;
using namespace fsm;

static bool isBlock(Type type) { return isa<RankedTensorType>(type); }

bool fsm::definesBlock(Operation *op) { return llvm::any_of(op->getResultTypes(), isBlock); }

bool fsm::needsLoop(Operation *op) {
  if (auto root = dyn_cast<HostRoot>(op))
    return root.needsLoop();
  bool passesBlocks =
      isDebugOp(op) || op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>();
  return passesBlocks && llvm::any_of(op->getOperandTypes(), isBlock);
}

/// The blocks a root walks over.
static ArrayRef<int64_t> spaceOf(Operation *op) {
  auto root = dyn_cast<HostRoot>(op);
  return root ? shapeOf(root.walkedBlock().getType()) : ArrayRef<int64_t>();
}

static bool isShareable(Operation *op) {
  auto root = dyn_cast<HostRoot>(op);
  return root && root.sharesLoop();
}

static bool isRead(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  return access && access.onlyReads();
}

static bool isWrite(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  return access && access.writes();
}

void fsm::collectSlice(Operation *op, Operation *since, SetVector<Operation *> &slice) {
  // An op waits, with the number of its next operand, until its operands are in
  // the slice. No recursion: a chain may be as long as the source.
  SmallVector<std::pair<Operation *, unsigned>> waiting = {{op, 0}};
  while (!waiting.empty()) {
    auto &[user, next] = waiting.back();
    if (next == user->getNumOperands()) {
      if (user != op)
        slice.insert(user);
      waiting.pop_back();
      continue;
    }
    Operation *definition = user->getOperand(next++).getDefiningOp();
    if (!definition || definition->getBlock() != op->getBlock() || slice.contains(definition) ||
        (since && definition->isBeforeInBlock(since)))
      continue;
    waiting.emplace_back(definition, 0);
  }
}

bool fsm::meetInPlace(Operation *one, Operation *other, AffineOffsets &forms) {
  Value offsets = cast<GlobalAccess>(one).getOffsets();
  return offsets && sameAddress(one, other) && forms.areDistinct(offsets);
}

HostLoopGrouping::HostLoopGrouping(Block &block, AffineOffsets &forms) : forms(forms) {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ops) {
    if (needsLoop(op))
      place(op);
    bool scalarWrite = isWrite(op) && !needsLoop(op);
    if (scalarWrite || op->getNumRegions() != 0)
      isOpen = false;
  }
}

void HostLoopGrouping::place(Operation *root) {
  if (!isOpen)
    return open(root);
  HostLoop &last = all.back();
  Slice slice;
  collectSlice(root, last.roots.front(), slice);
  if (!canJoin(last, root, slice))
    return open(root);
  // Nothing the root needs depends on the loop's results, so it can stand
  // directly behind the roots that are there.
  Operation *behind = last.roots.back();
  for (Operation *needed : slice) {
    if (needed->isBeforeInBlock(behind))
      continue;
    needed->moveAfter(behind);
    behind = needed;
  }
  root->moveAfter(behind);
  index[root] = all.size() - 1;
  last.roots.push_back(root);
}

void HostLoopGrouping::open(Operation *root) {
  isOpen = isShareable(root);
  index[root] = all.size();
  all.push_back({{root}, SmallVector<int64_t>(spaceOf(root)), /*isPrivate=*/!isOpen});
}

/// Each root is compared with those of its loop; a bound on them bounds the time.
static constexpr size_t kMaxRootsOfLoop = 16;

/// Whether a load that the root does not need stands between the loop and the root and may
/// read what the root stores, which would come before it.
static bool overtakesLoad(const HostLoop &loop, Operation *root,
                          const SetVector<Operation *> &slice) {
  if (!isWrite(root))
    return false;
  for (Operation *op = loop.roots.back()->getNextNode(); op != root; op = op->getNextNode())
    if (isRead(op) && !slice.contains(op) && mayAlias(op, root))
      return true;
  return false;
}

bool HostLoopGrouping::canJoin(const HostLoop &loop, Operation *root, const Slice &slice) const {
  if (loop.roots.size() >= kMaxRootsOfLoop || !isShareable(root) ||
      spaceOf(root) != ArrayRef<int64_t>(loop.shape))
    return false;
  // A result of the loop is complete only when the loop is over.
  for (Operation *other : loop.roots)
    if (slice.contains(other))
      return false;
  return !overtakesLoad(loop, root, slice) && keepsMemoryOrder(loop, root, slice);
}

/// Sharing a loop makes the accesses of a later root alternate with those of
/// earlier ones, element by element.
bool HostLoopGrouping::keepsMemoryOrder(const HostLoop &loop, Operation *root,
                                        const Slice &slice) const {
  Slice whole;
  collectSlice(root, nullptr, whole);
  for (Operation *earlier : loop.roots) {
    if (isWrite(earlier)) {
      // The root's loads stand before or behind the store; in a shared loop they
      // would see it half done. A scalar load would come before all of it.
      for (Operation *op : whole)
        if (isRead(op) && mayAlias(op, earlier))
          return false;
      if (llvm::any_of(slice, [](Operation *op) { return isRead(op) && !definesBlock(op); }))
        return false;
      if (isWrite(root) && mayAlias(earlier, root) && !meetInPlace(earlier, root, forms))
        return false;
    }
    if (!isWrite(root))
      continue;
    Slice read;
    collectSlice(earlier, nullptr, read);
    for (Operation *op : read)
      if (isRead(op) && mayAlias(op, root) && !meetInPlace(op, root, forms))
        return false;
  }
  return true;
}

void HostLoopGrouping::join(unsigned loop, Operation *value) {
  index[value] = loop;
  all[loop].roots.insert(all[loop].roots.begin(), value);
}

void HostLoopGrouping::addOwnLoop(Operation *value) {
  SmallVector<int64_t> shape(shapeOf(value->getResult(0).getType()));
  index[value] = all.size();
  all.push_back({{value}, shape, /*isPrivate=*/true});
}
