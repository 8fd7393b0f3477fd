//===- PiecePlan.cpp - Which loops walk over blocks ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 1. Each op that takes or gives a long block is a root, or computes a piece of its result from
//    pieces of its operands, or is in the way.
// 2. The roots of a block of ops, in their order, join a loop until one needs what a root of the
//    loop gives, or an access to memory stands between that pieces may not cross.
//    Scans that they need go the same way, which the loop goes; where a root needs scans that go
//    both ways, a loop in front of its own finds what a reverse scan makes of the pieces ahead of
//    each.
// 3. A loop computes again all that its roots are made of. So a load must find the same again: what
//    is written there must be what the same piece has read, in the last loop that reads it.

#include "PiecePlan.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/MemoryOrder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;

bool PiecePlan::isLong(ValueRange values) const {
  return llvm::any_of(values, [&](Value value) { return isLong(value); });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool PiecePlan::isRoot(Operation *op) const {
  auto access = dyn_cast<GlobalAccess>(op);
  if (access && access.writes())
    return access.getOffsets() && isLong(access.getOffsets());
  if (isa<AssertOp>(op))
    return isLong(op->getOperands());
  return dimensions.isAcross(op) && !cast<AlongAxis>(op).isScan();
}

static bool isSplatConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

/// Whether a piece of the result is a piece of the source: what is in front of the long dimension,
/// which the two have both, has as many elements.
static bool keepsLongDim(ReshapeOp op, const PieceDims &dims) {
  ArrayRef<int64_t> from = op.getSource().getType().getShape(), to = op.getType().getShape();
  std::optional<unsigned> source = dims.of(op.getSource()), result = dims.of(op.getResult());
  return source && result && from[*source] == to[*result] &&
         llvm::product_of(from.take_front(*source)) == llvm::product_of(to.take_front(*result));
}

static constexpr char kHandsOn[] = "a loop or a branch hands on more of a block than a piece";

/// Why an op that takes or gives long blocks cannot be walked, if so.
std::optional<std::string> PiecePlan::faultOf(Operation *op) const {
  auto isTwice = [&](Value value) { return dimensions.isTwice(value); };
  if (llvm::any_of(op->getOperands(), isTwice) || llvm::any_of(op->getResults(), isTwice))
    return "a block would be walked along two dimensions of more than " +
           std::to_string(dimensions.piece()) + " elements, which an op makes one";
  auto access = dyn_cast<GlobalAccess>(op);
  if (access && (access.getIsVolatile() || access.acquires() || access.releases()))
    return "it is no access that may be made again";
  if (isa<AtomicAccess>(op) && !op->getResult(0).use_empty())
    return "what memory held would have to be kept";
  if (isRoot(op) || isElementwise(op) || isSplatConstant(op) ||
      isa<RangeOp, SplatOp, ExpandDimsOp, BroadcastOp, TransposeOp, JoinOp, SplitOp, LoadOp,
          AlongAxis>(op))
    return std::nullopt;
  if (auto reshape = dyn_cast<ReshapeOp>(op); reshape && keepsLongDim(reshape, dimensions))
    return std::nullopt;
  // From what is there as a whole along the axis, any piece can be taken.
  if (auto gather = dyn_cast<GatherOp>(op);
      gather && dimensions.of(gather.getSource()) != gather.getAxis())
    return std::nullopt;
  if (op->getNumRegions() != 0)
    return kHandsOn;
  return "it needs more of a block than a piece";
}

void PiecePlan::refuse(Operation *op, std::string reason) {
  if (!found)
    found = {op, std::move(reason)};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether the op may neither come behind a later loop nor in front of an earlier one.
static bool isOrdered(Operation *op) {
  if (op->getNumRegions() != 0 && !isa<AlongAxis>(op))
    return true;
  return !isMemoryEffectFree(op) && !isa<LoadOp, AssumeOp>(op);
}

/// Whether what an op of these reads another one, or one of them, may write.
static bool mayWriteWhat(ArrayRef<Operation *> writers, ArrayRef<Operation *> readers) {
  return llvm::any_of(readers, [&](Operation *reader) {
    return isa<LoadOp>(reader) &&
           llvm::any_of(writers, [&](Operation *writer) { return mayWrite(writer, reader); });
  });
}

/// Whether elements of the two that are in different pieces may be the same place, one of which
/// writes it: then a loop would change the order of the two.
static bool mayMeetElsewhere(Operation *left, Operation *right) {
  auto one = dyn_cast<GlobalAccess>(left), other = dyn_cast<GlobalAccess>(right);
  if (!one || !other || !mayAlias(left, right))
    return false;
  AffineOffsets forms;
  return !sameAddress(left, right) || !forms.areDistinct(one.getOffsets());
}

void PiecePlan::planBlock(Block &block) {
  PieceLoop loop;
  // What needs, by whatever way, what a root of the loop gives.
  llvm::DenseSet<Operation *> needing;
  auto needs = [&](Operation *op) {
    bool answer = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *maker = operand.getDefiningOp())
          if (Operation *own = block.findAncestorOpInBlock(*maker); own && own != op)
            answer |= needing.contains(own) || llvm::is_contained(loop.roots, own);
    });
    return answer;
  };
  SmallVector<Operation *> moving;
  auto end = [&]() {
    if (!loop.roots.empty()) {
      for (Operation *op : moving)
        if (op->isBeforeInBlock(loop.roots.back()))
          loop.behind.push_back(op);
      collect(loop);
      all.push_back(loop);
    }
    loop = PieceLoop();
    needing.clear();
    moving.clear();
  };
  for (Operation &op : block) {
    bool isNeeding = needs(&op);
    if (isRoot(&op)) {
      PieceLoop own = loopOf(&op);
      bool isMeeting =
          llvm::any_of(loop.roots, [&](Operation *root) { return mayMeetElsewhere(root, &op); });
      bool isTurning = own.isReverse && loop.isReverse && *own.isReverse != *loop.isReverse;
      if (isNeeding || isMeeting || isTurning || own.isOpposed ||
          (loop.extent && loop.extent != own.extent) || mayWriteWhat(&op, moving))
        end();
      for (Operation *scan : own.isOpposed ? scansOf(own, true) : SmallVector<Operation *>())
        planAhead(scan, &op);
      loop.extent = own.extent;
      loop.isReverse = own.isReverse ? own.isReverse : loop.isReverse;
      loop.isOpposed |= own.isOpposed;
      loop.roots.push_back(&op);
      continue;
    }
    bool isWalked = isLong(op.getResults());
    if (isOrdered(&op) || (!isWalked && mayWriteWhat(loop.roots, &op)))
      end();
    else if (isNeeding) {
      needing.insert(&op);
      if (!isWalked)
        moving.push_back(&op);
    }
  }
  end();
}

/// Notes what the loop computes again: of ops in blocks around it, then of its own block.
void PiecePlan::collect(PieceLoop &loop) {
  llvm::DenseSet<Operation *> seen;
  SmallVector<std::pair<Operation *, unsigned>> stack;
  auto visit = [&](Operation *op) {
    if (seen.insert(op).second)
      stack.push_back({op, 0});
  };
  Block *own = loop.roots.front()->getBlock();
  SmallVector<Operation *> inOwn;
  for (Operation *root : loop.roots) {
    visit(root);
    while (!stack.empty()) {
      auto &[op, next] = stack.back();
      if (next < op->getNumOperands()) {
        Value operand = op->getOperand(next++);
        if (isLong(operand) && operand.getDefiningOp())
          visit(operand.getDefiningOp());
        continue;
      }
      (op->getBlock() == own ? inOwn : loop.ops).push_back(op);
      stack.pop_back();
    }
  }
  llvm::sort(inOwn, [](Operation *left, Operation *right) { return left->isBeforeInBlock(right); });
  loop.ops.append(inOwn);
}

/// The scans of a loop that go one way.
SmallVector<Operation *> PiecePlan::scansOf(const PieceLoop &loop, bool isReverse) const {
  SmallVector<Operation *> scans;
  for (Operation *op : loop.ops) {
    auto along = dyn_cast<AlongAxis>(op);
    if (along && along.isScan() && dimensions.isAcross(op) && along.getReverse() == isReverse)
      scans.push_back(op);
  }
  return scans;
}

/// A loop for one root.
PieceLoop PiecePlan::loopOf(Operation *root) {
  PieceLoop loop;
  loop.roots.push_back(root);
  Value walked = root->getOperand(0);
  if (auto access = dyn_cast<GlobalAccess>(root))
    walked = access.getOffsets();
  if (isa<AssertOp>(root))
    walked = *llvm::find_if(root->getOperands(), [&](Value value) { return isLong(value); });
  loop.extent = shapeOf(walked.getType())[*dimensions.of(walked)];
  collect(loop);
  bool isForward = !scansOf(loop, false).empty(), isBackward = !scansOf(loop, true).empty();
  if (isForward || isBackward)
    loop.isReverse = !isForward;
  loop.isOpposed = isForward && isBackward;
  return loop;
}

/// Plans the loop that a reverse scan needs where a root needs a forward one too, unless there is
/// one.
void PiecePlan::planAhead(Operation *scan, Operation *root) {
  for (const PieceLoop &loop : all)
    if (loop.ahead && loop.roots.front() == scan && loop.ahead->getBlock() == root->getBlock())
      return;
  PieceLoop loop = loopOf(scan);
  loop.ahead = root;
  loop.isReverse = false;
  loop.isOpposed = true;
  all.push_back(loop);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// A longer way from a pointer to its argument is not followed.
static constexpr size_t kMostOffsets = 64;

/// Why what a long load has read may be other numbers when it is made again, if so.
std::optional<std::string> PiecePlan::memoryFault(Operation *load, Operation *write) {
  std::string other = "'" + write->getName().getStringRef().str() + "' may write what it reads, ";
  Operation *own = load->getBlock()->findAncestorOpInBlock(*write);
  // What is around the load is done before it, or behind all that reads it again.
  if (!own || ((own != write || !isRoot(write)) && own->isBeforeInBlock(load)))
    return std::nullopt;
  auto reads = [&](const PieceLoop &loop) { return llvm::is_contained(loop.ops, load); };
  if (own != write || !isRoot(write)) {
    for (const PieceLoop &loop : all)
      if (reads(loop) &&
          !load->getBlock()->findAncestorOpInBlock(*loop.place())->isBeforeInBlock(own))
        return other + "and a loop behind that reads it again";
    return std::nullopt;
  }
  AffineOffsets forms;
  if (!isa<StoreOp>(write) || !sameAddress(load, write) ||
      !isLong(cast<GlobalAccess>(write).getOffsets()) ||
      !forms.areDistinct(cast<GlobalAccess>(write).getOffsets()))
    return other + "and another piece of it";
  // The pieces are read in the loop of the store at last; or, behind it, in that at first.
  bool isBefore = load->isBeforeInBlock(write), isPast = false;
  for (const PieceLoop &loop : all) {
    if (reads(loop) && loop.place()->getBlock() != load->getBlock())
      return other + "and it is read again in a loop";
    bool writes = llvm::is_contained(loop.roots, write);
    if (reads(loop) && (isBefore ? isPast : !isPast && !writes))
      return other + "and a loop behind that reads it again";
    isPast |= writes;
  }
  return std::nullopt;
}

void PiecePlan::checkMemory(KernelOp kernel) {
  SmallVector<Operation *> loads, writes;
  // Nobody writes to these, whatever else a lock may let one see.
  llvm::SmallDenseSet<Value> constant = constantArguments(kernel);
  kernel.getBody().walk([&](Operation *op) {
    auto access = dyn_cast<GlobalAccess>(op);
    if (!access)
      return;
    if (access.writes())
      writes.push_back(op);
    else if (access.getOffsets() && isLong(access.getOffsets()) &&
             !constant.contains(rootArgument(access.getPointer(), kMostOffsets)))
      loads.push_back(op);
  });
  for (Operation *load : loads)
    for (Operation *write : writes)
      if (mayWrite(write, load))
        if (std::optional<std::string> fault = memoryFault(load, write))
          refuse(load, *fault);
}

/// Looks for ops with long blocks that cannot be walked, and for long blocks that come from none.
void PiecePlan::checkOps(KernelOp kernel) {
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isLong(op->getOperands()) || isLong(op->getResults()))
      if (std::optional<std::string> fault = faultOf(op))
        refuse(op, *fault);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (isLong(block.getArguments()))
          refuse(op, kHandsOn);
  });
}

PiecePlan::PiecePlan(KernelOp kernel, int64_t piece) : dimensions(kernel, piece) {
  checkOps(kernel);
  if (found)
    return;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (!isa<AlongAxis>(op))
        for (Block &block : region)
          planBlock(block);
  });
  planBlock(kernel.getBody().front());
  checkMemory(kernel);
}
