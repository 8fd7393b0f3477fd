//===- HazardPair.cpp - Whether two accesses need a barrier --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/Hazards.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/Analysis/SlotCounter.h"
#include "fsm/IR/Users.h"
#include "fsm/Layout/ConversionPlan.h"

#include "mlir/IR/Matchers.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

llvm::StringRef fsm::hazardName(HazardKind kind) {
  constexpr llvm::StringLiteral names[] = {"RAW", "WAR", "WAW"};
  return names[static_cast<size_t>(kind)];
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A promise about more iterations is taken for one about so many.
static constexpr int64_t kMaxStages = 16;

uint8_t fsm::crossingLimit(Operation *loop) {
  auto stages = loop->getAttrOfType<IntegerAttr>(kNumStagesAttr);
  return stages ? std::clamp<int64_t>(stages.getInt(), 1, kMaxStages) : 1;
}

Crossings fsm::crossed(Crossings crossings, Operation *access, Operation *loop) {
  SmallVector<Operation *> loops = loopsAround(access);
  auto found = llvm::find(loops, loop);
  if (found == loops.end())
    return crossings;
  size_t depth = found - loops.begin();
  // All that an inner loop changes, one around it that was gone around changes, too.
  if (std::any_of(crossings.begin(), crossings.begin() + depth,
                  [](uint8_t count) { return count > 0; }))
    return crossings;
  crossings[depth] = std::min<uint8_t>(crossings[depth] + 1, crossingLimit(loop));
  std::fill(crossings.begin() + depth + 1, crossings.end(), 0);
  return crossings;
}

/// Whether `value` is the same number now as at the access.
static bool isUnchanged(Value value, ArrayRef<Operation *> loops, const Crossings &crossings) {
  for (auto [loop, count] : llvm::zip(loops, crossings))
    if (count > 0 && value && loop->isAncestor(value.getParentRegion()->getParentOp()))
      return false;
  return true;
}

/// The outermost loop whose back edge was taken; null if it is no `scf.for`, or there is none.
static scf::ForOp loopGoneAround(ArrayRef<Operation *> loops, const Crossings &crossings) {
  for (auto [loop, count] : llvm::zip_equal(loops, crossings))
    if (count > 0)
      return dyn_cast<scf::ForOp>(loop);
  return {};
}

bool fsm::readsForLoopOnly(Operation *access, const Crossings &crossings, scf::ForOp loop) {
  // Around a loop, its bounds may have become others.
  if (!access->hasAttr(kPrologueAttr) ||
      llvm::any_of(crossings, [](uint8_t count) { return count > 0; }))
    return false;
  Operation *next = access->getNextNode();
  while (next && !isa<scf::ForOp>(next))
    next = next->getNextNode();
  return next == loop;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

bool fsm::isSharedAccess(Operation *op) { return isa<GlobalAccess>(op) || !allocsOf(op).empty(); }

unsigned fsm::warpsOf(KernelOp kernel) {
  return kernel.getNumWarps().value_or(1) * kernel.getNumCtas().value_or(1);
}

bool fsm::hasProgramBarrier(Operation *op, unsigned numWarps) {
  if (auto barrier = dyn_cast<ThreadBarrier>(op))
    return numWarps == 1 || barrier.getScope() != ThreadScope::Warp;
  auto along = dyn_cast<AlongAxis>(op);
  return along && llvm::any_of(along.getExchange(), [&](Region &exchange) {
           return llvm::any_of(exchange.front(), [&](Operation &inner) {
             return hasProgramBarrier(&inner, numWarps);
           });
         });
}

/// Whether a load finds what its own warp has stored, behind a barrier that no way leads around.
static bool isOrderedInWarps(Operation *earlier, Operation *later) {
  auto store = dyn_cast<SharedStoreOp>(earlier);
  auto load = dyn_cast<SharedLoadOp>(later);
  if (!store || !load || store.getShared() != load.getShared())
    return false;
  auto stored = dyn_cast<RankedTensorType>(store.getValue().getType());
  auto loaded = dyn_cast<RankedTensorType>(load.getType());
  if (!stored || !loaded)
    return false;
  bool waits = false;
  for (Operation *op = load->getPrevNode(); op != store; op = op->getPrevNode()) {
    if (!op)
      return false;
    waits |= isa<ThreadBarrier>(op);
  }
  return waits && stored.getShape() == loaded.getShape() &&
         staysInWarps(linearLayoutOf(stored).overOneCta(), linearLayoutOf(loaded).overOneCta());
}

/// Whether each element of a block is in one thread only.
static bool isInOneThread(RankedTensorType block) {
  if (!layoutOf(block))
    return false;
  LinearLayout layout = linearLayoutOf(block);
  return layout.freeBits(Dim::Lane) == 0 && layout.freeBits(Dim::Warp) == 0 &&
         layout.freeBits(Dim::Cta) == 0;
}

/// The block that each thread copies its own elements of, or loads; null for other ops.
static RankedTensorType blockOfThreads(Operation *op) {
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    return copy.getMbarriers() ? RankedTensorType() : copy.getOffsets().getType();
  auto load = dyn_cast<SharedLoadOp>(op);
  return load ? dyn_cast<RankedTensorType>(load.getType()) : RankedTensorType();
}

/// Whether the program's first thread, which makes mbarriers ready, also begins copies that arrive at
/// them, and all others meet it in front of their waits for these.
static bool isOfFirstThread(Operation *making, Operation *later) {
  auto init = dyn_cast<MBarrierInitOp>(making);
  if (!init || !isa<MBarrierExpectOp, CopyTensorOp>(later) || later->getParentOfType<LoadRoleOp>())
    return false;
  return llvm::all_of(usersOf<MBarrierWaitOp>(init.getMbarriers()), [](MBarrierWaitOp wait) {
    Operation *before = wait->getPrevNode();
    while (before && !hasProgramBarrier(before, /*numWarps=*/2))
      before = before->getPrevNode();
    return before != nullptr;
  });
}

/// Whether a copy and another access of its memory need no barrier. Copies that the hardware makes by
/// itself one thread begins, one after the other, and who reads has waited for them. What each thread copies itself it reads
/// behind its own wait, and copies again when it has. That there is a wait `fsm-verify-shared`
/// checks.
static bool isOrderedByWaits(Operation *earlier, Operation *later) {
  if (isOfFirstThread(earlier, later))
    return true;
  auto copy = dyn_cast<SlotCopy>(earlier);
  if (copy && copy.getMbarriers())
    return isa<SlotCopy, SharedLoadOp, SharedDotOp>(later);
  RankedTensorType one = blockOfThreads(earlier), other = blockOfThreads(later);
  return one && other && isSpreadAs(one, other) && isInOneThread(one);
}

/// Whether a store of a later round comes behind what stored to its memory or read it in the round before.
static bool isOfNextRound(Operation *later, SharedAllocOp alloc) {
  auto store = dyn_cast<SharedStoreOp>(later);
  Value mbarrier = store ? mbarrierOfRounds(store) : Value();
  return mbarrier && (alloc.getResult() == mbarrier || alloc.getResult() == store.getShared());
}

/// Whether stores that arrive at an mbarrier are ordered by it: it is ready when the ctas have met, in front
/// of the first of them, and who reads what they brought has waited for it.
static bool isOrderedByArrival(Operation *earlier, const Crossings &crossings, Operation *later,
                               SharedAllocOp alloc) {
  if (auto init = dyn_cast<MBarrierInitOp>(earlier))
    return init.getBytes().has_value();
  bool isSameRound = llvm::all_of(crossings, [](uint8_t count) { return count == 0; });
  if (!isSameRound && isOfNextRound(later, alloc))
    return true;
  // Nothing is written there but by the stores that arrive.
  if (isa<MBarrierExpectOp>(earlier) && alloc.getType().isOfMBarriers() && isa<SharedStoreOp>(later))
    return true;
  auto store = dyn_cast<SharedStoreOp>(earlier);
  if (!store || !store.getMbarrier())
    return false;
  if (alloc.getResult() == store.getMbarrier())
    return isa<SharedStoreOp, MBarrierWaitOp, MBarrierExpectOp>(later);
  if (!isa<SharedLoadOp>(later))
    return false;
  for (Operation *op = later->getPrevNode(); op && op != earlier; op = op->getPrevNode())
    if (auto wait = dyn_cast<MBarrierWaitOp>(op); wait && wait.getMbarriers() == store.getMbarrier())
      return true;
  return false;
}

/// Whether a copy and a product of the same iteration, or a product in flight and a copy of the same
/// or a later one, have different slots of a memory.
static bool haveOtherSlots(Operation *earlier, const Crossings &crossings, Operation *later,
                           SharedAllocOp alloc) {
  auto areNone = [](ArrayRef<uint8_t> counts) {
    return llvm::all_of(counts, [](uint8_t count) { return count == 0; });
  };
  if (auto copy = dyn_cast<SlotCopy>(later))
    return earlier->hasAttr(kInFlightAttr) && !crossings.empty() &&
           areNone(ArrayRef(crossings).drop_back()) &&
           crossings.back() < std::max<uint8_t>(crossingLimit(earlier->getParentOp()), 2) &&
           (areApart(slotRead(earlier, alloc), copy.getSlot(), crossings.back()) ||
            (crossings.back() == 0 && isBehindLast(copy.getSlot(), slotRead(earlier, alloc))));
  auto copy = dyn_cast<SlotCopy>(earlier);
  bool isSameIteration = areNone(crossings);
  return copy && isSameIteration && areApart(copy.getSlot(), slotRead(later, alloc));
}

/// Two accesses to the same bytes of shared memory, of which one writes.
static std::optional<HazardKind> hazardOfBytes(Operation *earlier, const Crossings &crossings,
                                               Operation *later) {
  for (SharedAllocOp one : allocsOf(earlier))
    for (SharedAllocOp other : allocsOf(later)) {
      bool wrote = writesTo(earlier, one), writes = writesTo(later, other);
      if ((!wrote && !writes) || !sharesBytes(one, other))
        continue;
      bool isOrdered = one == other && (isOrderedByWaits(earlier, later) ||
                                        isOrderedByArrival(earlier, crossings, later, one) ||
                                        haveOtherSlots(earlier, crossings, later, one));
      if (!isOrdered && !isOrderedInWarps(earlier, later))
        return !wrote ? HazardKind::WAR : writes ? HazardKind::WAW : HazardKind::RAW;
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

static Value pointerOf(Operation *access) { return cast<GlobalAccess>(access).getPointer(); }
static Value offsetsOf(Operation *access) { return cast<GlobalAccess>(access).getOffsets(); }
static bool writes(Operation *access) { return cast<GlobalAccess>(access).writes(); }

/// Whether each byte of two accesses is touched by one thread, the same both times.
static bool isThreadOrdered(Operation *earlier, ArrayRef<Operation *> loops,
                            const Crossings &crossings, Operation *later, AffineOffsets &forms) {
  bool bothStore = writes(earlier) && writes(later);
  Value offsets = offsetsOf(later);
  // A scalar is stored by the program's first thread, and loaded by all.
  if (!offsetsOf(earlier) && !offsets)
    return bothStore;
  if (!sameAddress(earlier, later) || !isUnchanged(pointerOf(later), loops, crossings) ||
      !isUnchanged(offsets, loops, crossings))
    return false;
  // Of the threads that hold an element all load it, but the first one stores it.
  return forms.areDistinct(offsets) &&
         (bothStore || isInOneThread(cast<RankedTensorType>(offsets.getType())));
}

/// Whether `fsm.num_stages` promises that the load reads nothing of the store.
static bool isPromised(ArrayRef<Operation *> loops, const Crossings &crossings, Operation *load) {
  for (auto [loop, count] : llvm::zip(loops, crossings))
    if (count > 0) // With as many crossings as stages, or more, the promise says nothing.
      return loop->isProperAncestor(load) && count < crossingLimit(loop);
  return false;
}

/// What moves the addresses of an access from one iteration to the next.
static std::optional<Movement> movementOfAccess(Operation *access, scf::ForOp loop,
                                                AffineOffsets &forms) {
  std::optional<Movement> sum = Movement{};
  auto add = [&](Value number) {
    std::optional<Movement> moved = forms.movementOf(number, loop);
    sum = moved ? sumOf(*sum, *moved) : std::nullopt;
    return sum.has_value();
  };
  Value offsets = offsetsOf(access), pointer = pointerOf(access);
  if (offsets && !add(offsets))
    return std::nullopt;
  for (; !loop.isDefinedOutsideOfLoop(pointer);
       pointer = pointer.getDefiningOp<OffsetOp>().getPointer())
    if (!pointer.getDefiningOp<OffsetOp>() || !add(pointer.getDefiningOp<OffsetOp>().getOffset()))
      return std::nullopt;
  return sum;
}

/// Whether two accesses by the same numbers, in different iterations of the one
/// loop that was gone around, touch different elements.
static bool movesOn(Operation *earlier, ArrayRef<Operation *> loops, const Crossings &crossings,
                    Operation *later, AffineOffsets &forms) {
  scf::ForOp loop = loopGoneAround(loops, crossings);
  if (!loop || !sameAddress(earlier, later) || !loop->isProperAncestor(later))
    return false;
  std::optional<Movement> moved = movementOfAccess(later, loop, forms);
  return moved && forms.comesOnce(*moved, loop);
}

/// The least number of a scalar that grows with a loop's counter, which begins with a constant. One
/// that is compared without a sign may pass into the numbers below 0.
static std::optional<int64_t> leastOf(Value scalar, AffineOffsets &forms) {
  const AffineForm &form = forms.of(scalar);
  if (form.terms.size() != 1 || form.exactness != Exactness::Number || form.terms[0].factor <= 0)
    return std::nullopt;
  auto counter = dyn_cast_if_present<BlockArgument>(form.terms[0].symbol);
  auto loop = counter ? dyn_cast<scf::ForOp>(counter.getOwner()->getParentOp()) : scf::ForOp();
  APInt first;
  if (!loop || loop.getUnsignedCmp() || counter != loop.getInductionVar() ||
      !isPositive(loop.getStep()) || !matchPattern(loop.getLowerBound(), m_ConstantInt(&first)))
    return std::nullopt;
  return first.getSExtValue() * form.terms[0].factor + form.constant;
}

/// Whether an access ends in front of all that a loop behind it goes over: the first iteration of a
/// loop, which stands in front of it (fsm-peel-loops), and the others. Or two accesses are so far apart by their constants alone:
/// two iterations of a loop that is written out.
static bool endsInFront(Operation *earlier, const Crossings &crossings, Operation *later,
                        AffineOffsets &forms) {
  bool isSameRound = llvm::all_of(crossings, [](uint8_t count) { return count == 0; });
  if (!isSameRound || pointerOf(earlier) != pointerOf(later) || !offsetsOf(earlier) ||
      !offsetsOf(later))
    return false;
  const AffineForm one = forms.of(offsetsOf(earlier)), other = forms.of(offsetsOf(later));
  if (one.exactness != Exactness::Number || other.exactness != Exactness::Number ||
      other.terms.size() < one.terms.size() || other.terms.size() > one.terms.size() + 1)
    return false;
  bool isInLoop = other.terms.size() > one.terms.size();
  auto extents = cast<RankedTensorType>(offsetsOf(earlier).getType()).getShape();
  if (extents != cast<RankedTensorType>(offsetsOf(later).getType()).getShape())
    return false;
  int64_t spread = 0;
  std::optional<int64_t> least;
  for (const AffineTerm &term : other.terms) {
    bool isShared = llvm::any_of(one.terms, [&](const AffineTerm &own) {
      return own.symbol == term.symbol && own.dim == term.dim && own.factor == term.factor;
    });
    if (isShared && !term.symbol && term.factor >= 0)
      spread += term.factor * (extents[term.dim] - 1);
    else if (isShared || !term.symbol || term.isBlock() || term.factor != 1 || least)
      return false;
    else if (!(least = leastOf(term.symbol, forms)))
      return false;
  }
  int64_t apart = other.constant - one.constant;
  if (isInLoop)
    return least && *least + apart > spread;
  return !least && std::abs(apart) > spread;
}

/// Whether `fsm.assume` promises left >= right for the whole kernel.
static bool isPromisedAtLeast(KernelOp kernel, Value left, Value right) {
  if (left == right)
    return true;
  for (AssumeOp assume : kernel.getBody().front().getOps<AssumeOp>()) {
    auto compare = assume.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare)
      continue;
    arith::CmpIPredicate predicate = compare.getPredicate();
    Value low = compare.getRhs(), high = compare.getLhs();
    if (predicate == arith::CmpIPredicate::sle || predicate == arith::CmpIPredicate::slt)
      std::swap(low, high);
    else if (predicate != arith::CmpIPredicate::sge && predicate != arith::CmpIPredicate::sgt)
      continue;
    if (high == left && low == right)
      return true;
  }
  return false;
}

/// Whether an access touches a row per iteration, and the rows are promised to lie apart:
/// the first n elements from `iteration * stride` on, with stride >= n.
static bool hasRowsApart(Operation *earlier, ArrayRef<Operation *> loops,
                         const Crossings &crossings, Operation *later, AffineOffsets &forms) {
  scf::ForOp loop = loopGoneAround(loops, crossings);
  if (!loop || !sameAddress(earlier, later))
    return false;
  auto row = pointerOf(later).getDefiningOp<OffsetOp>();
  Value mask = cast<GlobalAccess>(later).getMask();
  Value offsets = offsetsOf(later);
  auto range = offsets ? offsets.getDefiningOp<RangeOp>() : RangeOp();
  Value count = mask ? forms.rowBound(mask) : Value();
  if (!row || !range || range.getStart() != 0 || !count ||
      !loop.isDefinedOutsideOfLoop(row.getPointer()) || !loop.isDefinedOutsideOfLoop(count))
    return false;
  auto product = row.getOffset().getDefiningOp<arith::MulIOp>();
  if (!product || !product.hasNoSignedWrap())
    return false;
  Value counter = product.getLhs(), stride = product.getRhs();
  if (loop.isDefinedOutsideOfLoop(counter))
    std::swap(counter, stride);
  std::optional<Movement> moved = forms.movementOf(counter, loop);
  return moved && forms.comesOnce(*moved, loop) && loop.isDefinedOutsideOfLoop(stride) &&
         isPromisedAtLeast(loop->getParentOfType<KernelOp>(), stride, count);
}

/// The first thread of a program stores scalars and updates them.
static bool isOneThreads(Operation *access) { return writes(access) && !offsetsOf(access); }

/// Whether a kernel leaves accesses through two arguments unordered, but for those of one element.
static bool leavesUnordered(Operation *access) {
  return access->getParentOfType<KernelOp>()->hasAttr(kUnorderedArgumentsAttr);
}

/// The offsets' type of an access by threads to elements of a block; null for a scalar. Nothing for
/// what the hardware does, nor what others look at.
static std::optional<RankedTensorType> elementsOf(Operation *access) {
  if (!isa<LoadOp, StoreOp, AtomicAccess>(access) || cast<GlobalAccess>(access).getIsVolatile())
    return std::nullopt;
  Value offsets = offsetsOf(access);
  return offsets ? cast<RankedTensorType>(offsets.getType()) : RankedTensorType();
}

/// Whether two accesses are through arguments that a kernel leaves unordered, and threads keep the
/// order of what is the same element by themselves: no element changes threads between them.
static bool isLeftUnordered(Operation *earlier, Operation *later) {
  if (!leavesUnordered(earlier) || !haveOtherArguments(earlier, later))
    return false;
  auto one = elementsOf(earlier), other = elementsOf(later);
  if (!one || !other)
    return false;
  // A scalar is no element of a block; of two scalars all threads load, and the first one stores.
  if (!*one || !*other)
    return *one || *other;
  bool bothStore = isa<StoreOp>(earlier) && isa<StoreOp>(later);
  return isSpreadAs(*one, *other) && (bothStore || isInOneThread(*one));
}

/// Whether a program's threads come behind what one of them acquires: in a kernel that leaves
/// accesses unordered not where nothing looks at what it found.
static bool acquiresForAll(Operation *access) {
  return cast<GlobalAccess>(access).acquires() &&
         !(leavesUnordered(access) && isOneThreads(access) && access->use_empty());
}

/// What a release comes behind, and what comes behind an acquire, waits wherever it is; a
/// relaxed atomic, for its own bytes only.
static std::optional<HazardKind> hazardOfAtomic(Operation *earlier, Operation *later) {
  if (isOneThreads(earlier) && isOneThreads(later))
    return std::nullopt;
  bool orders = acquiresForAll(earlier) || cast<GlobalAccess>(later).releases();
  if (!orders && (!mayAlias(earlier, later) || isLeftUnordered(earlier, later)))
    return std::nullopt;
  return !writes(earlier) ? HazardKind::WAR : !writes(later) ? HazardKind::RAW : HazardKind::WAW;
}

/// What a thread copies has been read for certain where it takes that from its slot, behind the
/// wait. What has been copied and not yet waited for is of a later iteration, which
/// `fsm.num_stages` promises to read nothing of what is stored until then. A product in flight reads
/// slots, and no global memory anymore: all threads have met behind their waits before it began.
static std::optional<HazardKind> hazardOfCopied(Operation *reader, Operation *later) {
  if (!isa<GlobalAccess>(later) || !writes(later) || reader->hasAttr(kInFlightAttr))
    return std::nullopt;
  for (SharedAllocOp alloc : allocsOf(reader))
    for (CopyAsyncOp copy : usersOf<CopyAsyncOp>(alloc)) {
      if (copy.getMbarriers())
        continue;
      if (isa<AtomicAccess>(later) ? hazardOfAtomic(copy, later).has_value()
                                   : mayAlias(copy, later))
        return HazardKind::WAR;
    }
  return std::nullopt;
}

std::optional<HazardKind> fsm::hazardOf(Operation *earlier, const Crossings &crossings,
                                        Operation *later, AffineOffsets &forms) {
  if (std::optional<HazardKind> kind = hazardOfBytes(earlier, crossings, later))
    return kind;
  if (isa<SharedLoadOp, SharedDotOp>(earlier))
    return hazardOfCopied(earlier, later);
  if (!isa<GlobalAccess>(earlier) || !isa<GlobalAccess>(later) || isa<CopyAsyncOp>(earlier))
    return std::nullopt;
  if (isa<AtomicAccess>(earlier) || isa<AtomicAccess>(later))
    return hazardOfAtomic(earlier, later);
  bool wrote = writes(earlier), isWrite = writes(later);
  if ((!wrote && !isWrite) || !mayAlias(earlier, later))
    return std::nullopt;
  SmallVector<Operation *> loops = loopsAround(earlier);
  if (isLeftUnordered(earlier, later) || isThreadOrdered(earlier, loops, crossings, later, forms) ||
      movesOn(earlier, loops, crossings, later, forms) ||
      endsInFront(earlier, crossings, later, forms) ||
      hasRowsApart(earlier, loops, crossings, later, forms))
    return std::nullopt;
  if (wrote && !isWrite && isPromised(loops, crossings, later))
    return std::nullopt;
  return !wrote ? HazardKind::WAR : isWrite ? HazardKind::WAW : HazardKind::RAW;
}

bool fsm::areIterationsApart(Operation *one, Operation *other, scf::ForOp loop,
                             AffineOffsets &forms) {
  if (!mayAlias(one, other))
    return true;
  SmallVector<Operation *> loops = loopsAround(one);
  Crossings crossings(loops.size());
  llvm::transform(loops, crossings.begin(),
                  [&](Operation *around) { return around == loop ? 1 : 0; });
  return movesOn(one, loops, crossings, other, forms) ||
         hasRowsApart(one, loops, crossings, other, forms);
}
