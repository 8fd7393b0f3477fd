//===- SplitPlan.cpp - Whether ctas may share a loop ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/SplitPlan.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/IR/PlanAttributes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fsm;

static Operation *findWrite(Operation *root, bool mayStore = false);

/// Whether all that an op does besides its results is to read memory, or to promise something.
/// Helpers that are not inlined yet are looked through.
static bool onlyReads(Operation *op) {
  if (isa<AssumeOp>(op) || op->getNumRegions() || isMemoryEffectFree(op))
    return true;
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    Operation *helper = call.resolveCallable();
    // One that calls others may call itself.
    auto calls = [](CallOpInterface) { return WalkResult::interrupt(); };
    return helper && !helper->walk(calls).wasInterrupted() && !findWrite(helper);
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.onlyHasEffect<MemoryEffects::Read>();
}

/// The first op in `root`, itself aside, that does more than read, plain stores aside where these
/// are allowed.
static Operation *findWrite(Operation *root, bool mayStore) {
  Operation *found = nullptr;
  root->walk([&](Operation *op) {
    auto store = dyn_cast<StoreOp>(op);
    if (op == root || op->hasTrait<OpTrait::IsTerminator>() || onlyReads(op) ||
        (mayStore && store && !store.getIsVolatile() && op->getParentOp() == root))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

static std::string named(Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; }

/// Whether an op adds terms to a sum in any order, and the operand is the sum.
static bool addsTo(OpOperand &sum) {
  Operation *op = sum.getOwner();
  if (auto dot = dyn_cast<DotOp>(op))
    return !dot.getSaturate() && &sum == &dot.getAccMutable();
  if (auto add = dyn_cast<arith::AddFOp>(op))
    return arith::bitEnumContainsAll(add.getFastmath(), arith::FastMathFlags::reassoc);
  return isa<arith::AddIOp>(op);
}

/// Whether all that becomes of what the loop carries is that terms are added and it is carried on:
/// nothing else, a term neither, sees a sum.
static bool isSum(BlockArgument carried, unsigned number) {
  Value sum = carried;
  while (sum.hasOneUse()) {
    OpOperand &use = *sum.getUses().begin();
    Operation *op = use.getOwner();
    if (isa<scf::YieldOp>(op))
      return op->getBlock() == carried.getOwner() && use.getOperandNumber() == number &&
             sum != carried;
    if (op->getBlock() != carried.getOwner() || !addsTo(use))
      return false;
    sum = op->getResult(0);
  }
  return false;
}

/// What an iteration adds to a counter; null where it is none.
static Value addedTo(scf::ForOp loop, BlockArgument carried, Value yielded) {
  Operation *op = yielded.getDefiningOp();
  if (!isa_and_present<arith::AddIOp, OffsetOp>(op) || op->getBlock() != carried.getOwner())
    return {};
  Value from = op->getOperand(0), added = op->getOperand(1);
  if (isa<arith::AddIOp>(op) && added == carried)
    std::swap(from, added);
  // A number of ctas has no room in an i1.
  bool isNumber = elementTypeOf(added.getType()).getIntOrFloatBitWidth() >= 8;
  return isNumber && from == carried && loop.isDefinedOutsideOfLoop(added) ? added : Value();
}

/// Threads exchange sums of 4 or 8 bytes; ctas, for which as many arrive as there are places, of
/// extents without padding.
static bool canBeExchanged(Type type, Sharers sharers) {
  auto block = dyn_cast<RankedTensorType>(type);
  return block && block.getNumElements() > 1 &&
         (bytesOf(block.getElementType()) == 4 || bytesOf(block.getElementType()) == 8) &&
         (sharers == Sharers::WarpGroups || llvm::all_of(block.getShape(), [](int64_t extent) {
            return llvm::isPowerOf2_64(static_cast<uint64_t>(extent));
          }));
}

std::optional<std::string> SplitPlan::obstacleInCarried(scf::ForOp loop) {
  for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (canBeExchanged(carried.getType(), sharers) && isSum(carried, number)) {
      sums.push_back(static_cast<unsigned>(number));
      continue;
    }
    Value added = addedTo(loop, carried, loop.getYieldedValues()[number]);
    if (!added || !loop.getResult(number).use_empty())
      return std::string("it carries what is no sum of 4 or 8 bytes") +
             (sharers == Sharers::Ctas ? ", of extents that are powers of two" : "");
    counters.push_back({static_cast<unsigned>(number), added});
  }
  if (sums.empty())
    return "it carries no sums";
  return std::nullopt;
}

/// Where each cta begins must be known to fit the counter's type. Groups of warps count in 64 bits.
std::optional<std::string> SplitPlan::obstacleInBounds(scf::ForOp loop) {
  if (sharers == Sharers::WarpGroups) {
    bool goesUp = startsNonNegative(loop) && isPositive(loop.getStep()) &&
                  loop.getStep().getType().isInteger(32);
    return goesUp ? std::nullopt
                  : std::optional<std::string>("it does not count up from 0 or more in 32 bits");
  }
  APInt lower, upper, step;
  if (loop.getUnsignedCmp() || !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive() ||
      lower.isNegative())
    return "its first number is no constant of 0 or more, or its step is none";
  unsigned bits = lower.getBitWidth();
  // Some of 64 bits would do, and nobody needs them.
  if (bits < 32 || step.getActiveBits() + 4 >= 32 || lower.getActiveBits() + 2 >= 32)
    return "its counter has too few bits";
  if (matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)))
    trips = upper.sgt(lower)
                ? (upper.getSExtValue() - lower.getSExtValue() + step.getSExtValue() - 1) /
                      step.getSExtValue()
                : 0;
  return std::nullopt;
}

/// Each of the ctas does what stands in front of the loop.
std::optional<std::string> SplitPlan::obstacleAround(scf::ForOp loop) {
  auto kernel = dyn_cast<KernelOp>(loop->getParentOp());
  if (!kernel)
    return "it stands in " + named(loop->getParentOp());
  if (kernel.getNumCtas().value_or(1) > 1)
    return "the program has several ctas";
  for (Operation &op : kernel.getBody().front()) {
    if (&op == loop)
      break;
    if (!onlyReads(&op))
      return "there is " + named(&op) + " in front of it";
    if (Operation *write = findWrite(&op))
      return "there is " + named(write) + " in front of it";
  }
  return std::nullopt;
}

/// What one iteration stores another one neither reads nor stores, whoever runs it, and nobody has
/// read it in front of the loop, which another group of warps may only begin with.
std::optional<std::string> SplitPlan::obstacleInBody(scf::ForOp loop) {
  bool areGroups = sharers == Sharers::WarpGroups;
  if (Operation *write = findWrite(loop, /*mayStore=*/areGroups))
    return "there is " + named(write) + " in it";
  if (!areGroups)
    return std::nullopt;
  if (!loop.getBody()->getOps<DotOp>().empty())
    return "it multiplies matrices";
  AffineOffsets forms;
  Block *body = loop->getBlock();
  std::optional<std::string> found;
  for (auto store : loop.getBody()->getOps<StoreOp>())
    body->walk([&](GlobalAccess access) {
      bool isInLoop = loop->isAncestor(access);
      if (found || (!isInLoop && !body->findAncestorOpInBlock(*access)->isBeforeInBlock(loop)))
        return;
      if (isInLoop ? !areIterationsApart(store, access, loop, forms) : mayAlias(store, access))
        found = "another iteration, or what is in front of it, may touch what " + named(store) +
                " in it stores";
    });
  return found;
}

SplitPlan::SplitPlan(scf::ForOp loop, Sharers sharers) : sharers(sharers) {
  obstacle = obstacleAround(loop);
  if (!obstacle)
    obstacle = obstacleInBody(loop);
  if (!obstacle)
    obstacle = obstacleInBounds(loop);
  if (!obstacle)
    obstacle = obstacleInCarried(loop);
}

/// The pointer that one was moved from, which may be carried by the loop.
static Value originOf(Value pointer, scf::ForOp loop) {
  while (true) {
    auto carried = dyn_cast<BlockArgument>(pointer);
    if (auto offset = pointer.getDefiningOp<OffsetOp>())
      pointer = offset.getPointer();
    else if (carried && carried.getOwner() == loop.getBody() && carried != loop.getInductionVar())
      pointer = loop.getTiedLoopInit(carried)->get();
    else
      return pointer;
  }
}

std::optional<std::string> fsm::obstacleInMemory(scf::ForOp loop) {
  auto kernel = loop->getParentOfType<KernelOp>();
  llvm::SmallDenseSet<Value> constant = constantArguments(kernel);
  GlobalAccess found;
  for (Operation &op : kernel.getBody().front()) {
    op.walk([&](GlobalAccess access) {
      if (!constant.contains(originOf(access.getPointer(), loop)))
        found = access;
    });
    if (&op == loop || found)
      break;
  }
  if (!found)
    return std::nullopt;
  return "the kernel may write what " + named(found) + " reads, while other ctas read it";
}

static bool hasProduct(scf::ForOp loop) { return !loop.getBody()->getOps<DotOp>().empty(); }

scf::ForOp fsm::loopToSplit(KernelOp kernel) {
  scf::ForOp found;
  // One that is asked for and cannot be split says why, wherever it stands.
  kernel.getBody().walk([&](scf::ForOp loop) {
    bool isAsked = integerAttrOr(loop, kSplitAttr, 0) > 1;
    found = isAsked ? loop : found;
    return isAsked ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (found)
    return found;
  unsigned count = 0;
  for (auto loop : kernel.getBody().front().getOps<scf::ForOp>()) {
    if (loop->hasAttr(kSplitAttr) || !hasProduct(loop))
      continue;
    ++count;
    found = loop;
  }
  return count == 1 && !SplitPlan(found).obstacle ? found : scf::ForOp();
}

SmallVector<Value> fsm::computedFactors(scf::ForOp loop) {
  SmallVector<Value> found;
  for (auto dot : loop.getBody()->getOps<DotOp>())
    for (Value factor : {dot.getLeft(), dot.getRight()})
      if (Operation *op = factor.getDefiningOp();
          op && op->getBlock() == loop.getBody() && op->hasTrait<OpTrait::Elementwise>())
        found.push_back(factor);
  return found;
}

static uint64_t bytesOfBlock(Type type) {
  auto block = dyn_cast<RankedTensorType>(type);
  return block ? static_cast<uint64_t>(block.getNumElements()) * bytesOf(block.getElementType()) : 0;
}

uint64_t fsm::bytesToShare(scf::ForOp loop) {
  uint64_t loaded = 0, others = 0;
  for (Operation &op : *loop.getBody())
    if (isa<LoadOp, LoadTileOp>(op))
      loaded += bytesOfBlock(op.getResult(0).getType());
  for (Value factor : computedFactors(loop))
    others += bytesOfBlock(factor.getType());
  for (Type result : loop.getResultTypes())
    others += bytesOfBlock(result);
  auto stages = static_cast<uint64_t>(std::max<int64_t>(1, integerAttrOr(loop, kNumStagesAttr, 1)));
  return loaded * stages + others;
}
