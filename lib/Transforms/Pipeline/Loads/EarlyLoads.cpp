//===- EarlyLoads.cpp - Which loads of a loop may run ahead of it --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EarlyLoads.h"

#include "../Copies/CopiedTensors.h"

#include "fsm/Analysis/AxisInfo.h"
#include "fsm/Analysis/BlockRun.h"
#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/PipelinePlan.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/SharedBuffers.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

/// Words of a thread that are worth holding one iteration longer, of all loads of a loop.
static constexpr uint64_t kMaxWordsAhead = 32;

Slice fsm::sliceOf(scf::ForOp loop, ValueRange values, bool ofIterationsBefore) {
  Slice slice;
  llvm::DenseSet<Value> seen;
  llvm::DenseSet<Operation *> taken;
  SmallVector<Value> todo(values);
  while (!todo.empty()) {
    Value value = todo.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBody() || argument == loop.getInductionVar())
        continue;
      slice.carried.push_back(argument);
      if (ofIterationsBefore)
        todo.push_back(loop.getTiedLoopYieldedValue(argument)->get());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op->getBlock() != loop.getBody() || !taken.insert(op).second)
      continue;
    if (auto load = dyn_cast<LoadOp>(op)) {
      slice.loads.push_back(load);
      continue;
    }
    slice.ops.push_back(op);
    llvm::append_range(todo, op->getOperands());
  }
  auto isBefore = [](Operation *left, Operation *right) { return left->isBeforeInBlock(right); };
  llvm::sort(slice.ops, isBefore);
  llvm::sort(slice.loads, isBefore);
  return slice;
}

SmallVector<scf::ForOp> fsm::pipelinedLoops(KernelOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    if (PipelinePlan::writtenIn(loop).stages() > 1)
      loops.push_back(loop);
  });
  return loops;
}

std::optional<SmallVector<scf::ForOp>> fsm::loopsWithSlots(scf::ForOp loop) {
  if (loopsAround(loop).empty())
    return SmallVector<scf::ForOp>();
  // Stages are for loads of the loop itself.
  auto runsAhead = [](scf::ForOp around) {
    return integerAttrOr(around, kNumStagesAttr, 1) > 1 &&
           !around.getBody()->getOps<LoadOp>().empty();
  };
  std::optional<SmallVector<scf::ForOp>> loops = onlyLoopsAround(loop);
  return loops && llvm::any_of(*loops, runsAhead) ? std::nullopt : loops;
}

scf::ForOp fsm::withCarried(scf::ForOp loop, ValueRange inits, const NewYieldValuesFn &next) {
  IRRewriter rewriter(loop);
  NamedAttrList attributes(loop->getDiscardableAttrDictionary());
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, next));
  loop->setDiscardableAttrs(attributes);
  return loop;
}

bool fsm::isKnownEarly(scf::ForOp loop, ValueRange values) {
  Slice slice = sliceOf(loop, values);
  return slice.loads.empty() && llvm::all_of(slice.ops, canRunEarly);
}

/// In the order of LoadReason::Kind. {0} is the op, {1} the bytes.
static const char *const kReasons[] = {
    "it carries a value that its body does not compute",
    "'{0}' in the loop orders the accesses around it",
    "'{0}' before it in the same iteration may write what it reads",
    "its address needs '{0}', which cannot run ahead",
    "its address follows what the iteration before has loaded",
    "its address needs another load, which stays",
    "each iteration reads the same, which the cache keeps",
    "a thread has no registers for it",
    "shared memory has no room for it",
    "the kernel would have too many ops",
    "other programs are at work while this one waits",
    "it would leave a multiprocessor a single cta",
    "a scalar takes one register",
    "one thread copies all that is read, which lies in one piece",
    "each thread copies {1} bytes at a time",
    "each thread copies {1} bytes at a time, to where a product reads them",
    "one thread has boxes of a tensor copied to where a product reads them",
    "asynchronous copies begin with sm_80",
    "its accesses have {1} bytes each, and an asynchronous copy has 4, 8 or 16",
    "several threads hold each element",
    "addresses are computed from it",
};
static_assert(std::size(kReasons) == LoadReason::IsAwaited + 1);

std::string LoadReason::text() const {
  StringRef name = cause ? cause->getName().getStringRef() : "";
  std::string text = llvm::formatv(/*Validate=*/false, kReasons[kind], name, bytes).str();
  return noTensor ? text + "; no copies of a tensor: " + noTensor : text;
}

/// Whether a kernel's atomic adds to something, say, and looks at nothing: in one that leaves
/// accesses through two arguments unordered nobody can know what it has acquired, and what it
/// releases may as well be more.
static bool isUnobserved(Operation *op) {
  return isa<AtomicAccess>(op) && op->use_empty() &&
         op->getParentOfType<KernelOp>()->hasAttr(kUnorderedArgumentsAttr);
}

/// Whether no access behind `op` may come before it.
static bool ordersAccesses(Operation *op) {
  auto barrier = dyn_cast<ThreadBarrier>(op);
  auto access = dyn_cast<GlobalAccess>(op);
  if (!access)
    return barrier && barrier.ordersGlobalMemory();
  bool orders = access.acquires() || access.releases();
  return access.getIsVolatile() || (orders && !isUnobserved(op));
}

/// Whether a product of the loop takes what a load has loaded, by way of shared memory as well.
static bool isForProduct(scf::ForOp loop, LoadOp load) {
  llvm::SetVector<Operation *> made;
  made.insert(load);
  auto addUsers = [&](auto &&users) {
    for (Operation *user : users)
      if (Operation *op = loop.getBody()->findAncestorOpInBlock(*user))
        op->walk([&](Operation *inner) { made.insert(inner); });
  };
  for (size_t i = 0; i < made.size(); ++i) {
    if (isa<DotOp, SharedDotOp>(made[i]))
      return true;
    addUsers(made[i]->getUsers());
    if (auto store = dyn_cast<SharedStoreOp>(made[i]))
      addUsers(store.getShared().getUsers());
  }
  return false;
}

/// Whether an op only stores, and through other arguments than a load's, in a kernel that leaves
/// accesses through two arguments unordered: `fsm.num_stages` promises that what a product takes is
/// not read there.
static bool isPromisedApart(scf::ForOp loop, Operation *before, LoadOp load) {
  if (!loop->getParentOfType<KernelOp>()->hasAttr(kUnorderedArgumentsAttr))
    return false;
  WalkResult result = before->walk([&](GlobalAccess access) {
    bool isApart = !access.writes() ||
                   (isa<StoreOp>(access.getOperation()) && haveOtherArguments(access, load));
    return isApart ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted() && isForProduct(loop, load);
}

/// Whether the iteration stores in front of a load.
static bool comesBehindStore(scf::ForOp loop, LoadOp load) {
  WalkResult result = loop.getBody()->walk([&](GlobalAccess access) {
    bool isInFront =
        access.writes() && loop.getBody()->findAncestorOpInBlock(*access)->isBeforeInBlock(load);
    return isInFront ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

std::optional<LoadReason> fsm::obstacleTo(scf::ForOp loop) {
  for (Value yielded : loop.getYieldedValues())
    if (!yielded.getDefiningOp() || yielded.getDefiningOp()->getBlock() != loop.getBody())
      return LoadReason{LoadReason::CarriedUnchanged};
  return std::nullopt;
}

/// Whether a load's address follows, over other loads as well, what it has loaded itself in an
/// iteration before.
static bool isAwaitedByItself(scf::ForOp loop, LoadOp load) {
  llvm::SetVector<Operation *> awaited;
  auto follow = [&](Operation *next) {
    for (LoadOp other : sliceOf(loop, next->getOperands()).loads)
      awaited.insert(other);
  };
  follow(load);
  for (size_t i = 0; i < awaited.size(); ++i)
    follow(awaited[i]);
  return awaited.contains(load);
}

std::optional<LoadReason> fsm::obstacleTo(scf::ForOp loop, LoadOp load) {
  std::optional<LoadReason> ordered;
  loop.getBody()->walk([&](Operation *op) {
    if (!ordered && ordersAccesses(op))
      ordered = {LoadReason::OrderedAccesses, op};
  });
  if (ordered)
    return ordered;
  for (Operation &before : *loop.getBody()) {
    if (&before == load)
      break;
    if (mayWrite(&before, load) && !isPromisedApart(loop, &before, load))
      return LoadReason{LoadReason::WrittenBefore, &before};
  }
  Slice address = sliceOf(loop, load->getOperands());
  for (Operation *op : address.ops)
    if (!canRunEarly(op))
      return LoadReason{LoadReason::FixedAddress, op};
  return isAwaitedByItself(loop, load) ? std::optional(LoadReason{LoadReason::LoadedAddress})
                                       : std::nullopt;
}

namespace {
class EarlyLoadFinder {
public:
  EarlyLoadFinder(scf::ForOp loop, const GpuTarget &target, bool tensorMaps)
      : loop(loop), target(target), tensorMaps(tensorMaps) {}

  std::vector<EarlyLoad> run();

private:
  EarlyLoad decide(LoadOp load);
  void choose(EarlyLoad &early);
  bool isWritten(LoadOp load) const;
  bool isSame(LoadOp load) const;
  bool isBulk(const EarlyLoad &early) const;
  TileFault whyNoTensor(LoadOp load, ProductTile &tile) const;
  static void copyOwn(EarlyLoad &early);
  bool copyTensor(EarlyLoad &early) const;
  bool followAwaited(EarlyLoad &early);
  void followAllAwaited();
  void findAwaited();
  EarlyLoad *find(Operation *load);

  mutable scf::ForOp loop;
  const GpuTarget &target;
  bool tensorMaps;
  std::vector<EarlyLoad> all;
  llvm::DenseMap<Operation *, size_t> indices;
  /// Words that wait in registers so far.
  uint64_t wordsAhead = 0;
};
} // namespace

EarlyLoad *EarlyLoadFinder::find(Operation *load) {
  auto found = indices.find(load);
  return found == indices.end() ? nullptr : &all[found->second];
}

/// Bulk copies move multiples of so many bytes, between addresses that are multiples, too (PTX
/// ISA, "cp.async.bulk").
static constexpr int64_t kBulkAlignment = 16;
/// The smallest block that gains from a bulk copy (docs/decisions/0037-bulk-copies.md).
static constexpr uint64_t kMinBulkBytes = 32 * 1024;

/// Whether the kernel writes what a load reads, which copies by the hardware would have to be
/// fenced from.
bool EarlyLoadFinder::isWritten(LoadOp load) const {
  bool isWritten = false;
  loop->getParentOfType<KernelOp>().walk(
      [&](GlobalAccess access) { isWritten |= access.writes() && mayAlias(access, load); });
  return isWritten;
}

/// Whether one thread may copy the whole block: it lies in one piece, in memory that the kernel
/// does not write, which would have to be fenced, and the loop is entered only once, because an
/// mbarrier must not be initialised twice.
bool EarlyLoadFinder::isBulk(const EarlyLoad &early) const {
  LoadOp load = early.load;
  if (!target.features.bulkCopy || early.isAwaited)
    return false;
  if (slotsFor(load, 1, /*isBulk=*/true).getSlotBytes() < kMinBulkBytes)
    return false;
  std::optional<BlockRun> run = runOf(load);
  if (!run || run->alignment < kBulkAlignment || !loopsAround(loop).empty())
    return false;
  // When the block is read, its mask, behind pointer and offsets, says which elements were not
  // copied.
  return isKnownEarly(loop, load->getOperands().drop_front(2)) && !isWritten(load);
}

/// Whether a tensor's sizes and strides are there in front of a loop.
static bool isDescribedBefore(const TensorTile &tensor, scf::ForOp loop) {
  return llvm::all_of(
      ArrayRef{tensor.sizes[0], tensor.sizes[1], tensor.stride, tensor.base}, [&](const ScalarSum &sum) {
        return llvm::all_of(sum.terms,
                            [&](auto &term) { return loop.isDefinedOutsideOfLoop(term.first); });
      }) && loop.isDefinedOutsideOfLoop(tensor.pointer);
}

/// Why a program cannot make the map of a tensor itself; null where it can.
static TileFault whyNoOwnMap(const TensorTile &tensor, scf::ForOp loop) {
  auto kernel = loop->getParentOfType<KernelOp>();
  if (kernel.getNumCtas().value_or(1) > 1 || integerAttrOr(kernel, kPartsAttr, 1) > 1)
    return "the program has several ctas";
  return isDescribedBefore(tensor, loop) ? nullptr : "its sizes or its stride are computed in its loop";
}

/// Why the hardware may not copy boxes of a tensor to a tile; null where it may.
TileFault EarlyLoadFinder::whyNoTensor(LoadOp load, ProductTile &tile) const {
  if (!tensorMaps)
    return "the launch makes no tensor maps";
  if (!tile.isAll || !llvm::all_of(tile.uses, [](FactorUse &use) {
        return isByWarpGroups(use.product);
      }))
    return "threads read it as well";
  std::optional<SmallVector<scf::ForOp>> around = loopsWithSlots(loop);
  if (!around)
    return "what is around its loop has stages or is no 'scf.for'";
  if (isWritten(load))
    return "the kernel may write to its memory";
  TileFault why = nullptr;
  std::optional<TensorTile> tensor = anyTensorTileOf(load, why);
  if (tensor && !beginsInside(*tensor, loop))
    return "its coordinates may begin below 0";
  if (tensor && tensor->maker == MapMaker::Program)
    return around->empty() ? kMapOfOneTile : whyNoOwnMap(*tensor, loop);
  if (tensor && !around->empty() && !isDescribedBefore(*tensor, around->front()))
    why = "its sizes or its stride are computed in a loop around its own";
  return why;
}

/// Into a tile where products read the block, else to where the thread itself reads it.
void EarlyLoadFinder::copyOwn(EarlyLoad &early) {
  std::optional<ProductTile> tile = productTileOf(early.load);
  early.buffer = tile ? LoadBuffer::Tile : LoadBuffer::Async;
  SharedType slots =
      tile ? tileSlots(early.load, *tile, 1, /*isOfTensor=*/false) : slotsFor(early.load, 1, /*isBulk=*/false);
  early.slotBytes = slots.getSlotBytes();
  early.slotAlignment = slots.getAlignment();
  if (!tile)
    return;
  early.reason.kind = LoadReason::ReadInPlace;
  // What products alone read is in no thread's registers.
  if (tile->isAll)
    early.words = 0;
}

/// By the hardware, to a tile that products of warp groups alone read, however threads would access
/// it; false where that cannot be, with the reason.
bool EarlyLoadFinder::copyTensor(EarlyLoad &early) const {
  std::optional<ProductTile> tile = productTileOf(early.load);
  auto isByGroups = [](FactorUse &use) { return isByWarpGroups(use.product); };
  if (!tile || llvm::none_of(tile->uses, isByGroups))
    return false;
  early.reason.noTensor = whyNoTensor(early.load, *tile);
  if (early.reason.noTensor)
    return false;
  SharedType slots = tileSlots(early.load, *tile, 1, /*isOfTensor=*/true);
  early.buffer = LoadBuffer::Tensor;
  early.reason.kind = LoadReason::OfTensor;
  early.slotBytes = slots.getSlotBytes() + SharedType::kMBarrierBytes;
  early.slotAlignment = slots.getAlignment();
  early.words = 0;
  return true;
}

/// One bulk copy where the block lies in one piece, or copies of a tensor; else asynchronous copies
/// where each thread moves whole words of its own.
void EarlyLoadFinder::choose(EarlyLoad &early) {
  auto type = dyn_cast<RankedTensorType>(early.load.getType());
  early.buffer = LoadBuffer::Registers;
  early.reason = {LoadReason::OneRegister};
  early.words = 1;
  if (!type)
    return;
  LinearLayout layout = linearLayoutOf(type);
  uint64_t bytes = bytesOf(type.getElementType());
  early.reason.bytes = bytes * integerAttrOr(early.load, kAccessWidthAttr, 1);
  early.words = registersOf(type);
  // What is taken in front of a store waits behind it: halves in a register each.
  if (type.getElementTypeBitWidth() == 16 && comesBehindStore(loop, early.load))
    early.words *= 2;
  bool isOnCtas = layout.from().bitsOf(Dim::Cta) > 0;
  if (!isOnCtas && isBulk(early)) {
    early.buffer = LoadBuffer::Bulk;
    SharedType slots = slotsFor(early.load, 1, /*isBulk=*/true);
    early.slotBytes = slots.getSlotBytes() + SharedType::kMBarrierBytes;
    early.slotAlignment = slots.getAlignment();
    early.reason.kind = LoadReason::InOnePiece;
    return;
  }
  if (!isOnCtas && !early.isAwaited && copyTensor(early))
    return;
  if (!target.features.cpAsync)
    early.reason.kind = LoadReason::NoCopies;
  else if (early.reason.bytes < kMinCopyBytes)
    early.reason.kind = LoadReason::NarrowAccesses;
  else if (layout.freeBits(Dim::Lane) || layout.freeBits(Dim::Warp) || layout.freeBits(Dim::Cta))
    early.reason.kind = LoadReason::ElementsTwice;
  else if (early.isAwaited)
    early.reason.kind = LoadReason::IsAwaited;
  else
    early.reason.kind = LoadReason::WholeWords;
  if (early.reason.kind == LoadReason::WholeWords) {
    copyOwn(early);
  } else if (early.words + wordsAhead > kMaxWordsAhead) {
    early.buffer = LoadBuffer::None;
  } else {
    wordsAhead += early.words;
  }
}

EarlyLoad EarlyLoadFinder::decide(LoadOp load) {
  EarlyLoad early;
  early.load = load;
  if (std::optional<LoadReason> why = obstacleTo(loop, load)) {
    early.reason = *why;
    return early;
  }
  if (isSame(load)) {
    early.reason = {LoadReason::SameEachTime};
    return early;
  }
  early.buffer = LoadBuffer::Registers;
  return early;
}

/// Whether every iteration loads the same block, from memory that the kernel does not write: only the
/// first of them waits for it.
bool EarlyLoadFinder::isSame(LoadOp load) const {
  Slice address = sliceOf(loop, load->getOperands());
  auto isOfLoop = [&](Operation *op) {
    return llvm::is_contained(op->getOperands(), loop.getInductionVar());
  };
  return address.loads.empty() && address.carried.empty() && !isOfLoop(load) &&
         llvm::none_of(address.ops, isOfLoop) && !isWritten(load);
}

/// A load comes behind those that it waits for, and stays where one of them does. What an iteration
/// before has loaded is there where it begins together with what this one loads. Whether anything
/// has changed.
bool EarlyLoadFinder::followAwaited(EarlyLoad &early) {
  if (!isEarly(early))
    return false;
  std::vector<LoadOp> ofThisIteration =
      sliceOf(loop, early.load->getOperands(), /*ofIterationsBefore=*/false).loads;
  unsigned level = early.level;
  for (LoadOp awaited : sliceOf(loop, early.load->getOperands()).loads) {
    EarlyLoad *other = find(awaited);
    if (!other || !isEarly(*other)) {
      early.buffer = LoadBuffer::None;
      early.reason = {LoadReason::AwaitedLoadStays};
      return true;
    }
    early.level =
        std::max(early.level, other->level + llvm::is_contained(ofThisIteration, awaited));
  }
  return early.level != level;
}

/// No load waits for itself, so that this comes to an end.
void EarlyLoadFinder::followAllAwaited() {
  while (llvm::count_if(all, [&](EarlyLoad &early) { return followAwaited(early); }))
    ;
  findAwaited();
}

void EarlyLoadFinder::findAwaited() {
  for (EarlyLoad &early : all)
    early.isAwaited = false;
  for (EarlyLoad &early : all)
    if (isEarly(early))
      for (LoadOp awaited : sliceOf(loop, early.load->getOperands()).loads)
        if (EarlyLoad *other = find(awaited))
          other->isAwaited = true;
}

std::vector<EarlyLoad> EarlyLoadFinder::run() {
  for (LoadOp load : loop.getBody()->getOps<LoadOp>())
    if (!load->use_empty()) {
      all.push_back(decide(load));
      indices[load] = all.size() - 1;
    }
  followAllAwaited();
  for (EarlyLoad &early : all)
    if (isEarly(early))
      choose(early);
  // A load that was given up takes with it what waits for it.
  followAllAwaited();
  return std::move(all);
}

std::vector<EarlyLoad> fsm::findEarlyLoads(scf::ForOp loop, const GpuTarget &target,
                                           bool tensorMaps) {
  return EarlyLoadFinder(loop, target, tensorMaps).run();
}
