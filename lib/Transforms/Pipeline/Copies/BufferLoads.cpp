//===- BufferLoads.cpp - Early loads as copies into slots ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../Loads/EarlyLoads.h"
#include "CopiedTensors.h"
#include "StageCopies.h"

#include "fsm/Analysis/BlockRun.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Analysis/ProductsInFlight.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/Analysis/TensorTile.h"
#include "fsm/IR/Users.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_BUFFERLOADSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
class LoadBuffering {
public:
  explicit LoadBuffering(scf::ForOp loop) : loop(loop), plan(PipelinePlan::writtenIn(loop)) {}

  /// Returns the number of loads, or fails behind an error at one of them.
  FailureOr<unsigned> run();

private:
  unsigned findCopies();
  LogicalResult replace(unsigned stage);
  void commit(ArrayRef<LoadOp> own, unsigned stage);
  SlotCopy beginCopy(LoadOp load, const StageCopies &copies, unsigned stage);
  SlotCopy beginTensorCopy(LoadOp load, const StageCopies &copies, unsigned stage);
  void expectTensors(StageCopies &copies, unsigned stage);
  void takeBlock(LoadOp load, SlotCopy copy, const StageCopies &copies);
  void delayUses();
  void multiplyFrom(LoadOp load, Value slots, const StageCopies &copies);
  void meet(bool fence);
  void waitForProducts();
  void erase(Operation *op);
  void eraseAddresses();
  Value slotOrZero(Value slot);
  /// In front of it are tensor maps and what the hardware fills.
  Operation *front() { return around.empty() ? loop : around.front(); }
  arith::SelectOp choiceOf(LoadOp load);

  scf::ForOp loop;
  PipelinePlan plan;
  CopiesByStage stages;
  /// Outermost first, if the hardware fills slots of tensors.
  SmallVector<scf::ForOp> around;
  /// Threads wait for copies in front of this, behind all that is early, and take blocks there
  /// unless that is to be late.
  Operation *end = nullptr;
  bool takesLate = false;
  /// Whether threads meet behind the product in flight, in front of their copies.
  bool meetsBehind = false;
};
} // namespace

static LoadBuffer bufferOf(LoadOp load) {
  auto buffer = load->getAttrOfType<LoadBufferAttr>(kBufferAttr);
  return buffer ? buffer.getValue() : LoadBuffer::None;
}

static bool isBulk(LoadOp load) { return bufferOf(load) == LoadBuffer::Bulk; }
static bool isTile(LoadOp load) { return bufferOf(load) == LoadBuffer::Tile; }
static bool isTensor(LoadOp load) { return bufferOf(load) == LoadBuffer::Tensor; }
/// Whether threads copy it themselves.
static bool isOwn(LoadOp load) { return bufferOf(load) == LoadBuffer::Async || isTile(load); }

/// Whether products read it that go on while the next iteration begins.
static bool isReadInFlight(LoadOp load) {
  std::optional<ProductTile> tile;
  if (isTile(load) || isTensor(load))
    tile = productTileOf(load);
  return tile && llvm::any_of(tile->uses, [](FactorUse &use) {
           return use.product->hasAttr(kInFlightAttr);
         });
}

/// How wide the accesses of a load are, on what becomes of it.
static void copyAccess(LoadOp load, Operation *op) {
  for (StringRef name : {kAccessWidthAttr, kAccessDimAttr, kMaskEndsAttr})
    if (Attribute value = load->getAttr(name))
      op->setAttr(name, value);
}

/// A single slot has no counters.
Value LoadBuffering::slotOrZero(Value slot) {
  if (slot)
    return slot;
  OpBuilder builder(front());
  return arith::ConstantOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(0));
}

/// The choice between a load and other elements by its mask, if reads may wait for that mask:
/// each of their accesses has one condition, but elements by themselves have one each.
arith::SelectOp LoadBuffering::choiceOf(LoadOp load) {
  // What becomes of the choice asks of the first element of an access alone.
  if (!load->hasOneUse() || load->hasAttr(kMaskEndsAttr))
    return {};
  auto choice = dyn_cast<arith::SelectOp>(*load->user_begin());
  if (!choice || !choice->hasAttr(kOtherElementsAttr) || choice.getTrueValue() != load)
    return {};
  return isKnownEarly(loop, {choice.getCondition(), choice.getFalseValue()}) ? choice
                                                                             : arith::SelectOp();
}

/// How many elements a bulk copy takes, of i32: the bound, less where the block begins, between
/// none and all. In 64 bits, where nothing wraps.
static Value countOf(StageBuilder &builder, LoadOp load) {
  std::optional<BlockRun> run = runOf(load);
  if (!run || !run->bound)
    return {};
  Type wide = builder.getI64Type();
  auto number = [&](int64_t value) { return builder.number(builder.getI64IntegerAttr(value)); };
  auto widened = [&](Value value) {
    return value.getType() == wide ? value
                                   : arith::ExtSIOp::create(builder, wide, value).getResult();
  };
  Value left = widened(run->bound);
  if (run->base)
    left = arith::SubIOp::create(builder, left, widened(run->base));
  if (run->start)
    left = arith::SubIOp::create(builder, left, number(run->start));
  int64_t all = cast<RankedTensorType>(load.getType()).getDimSize(0);
  left = arith::MaxSIOp::create(builder, left, number(0));
  left = arith::MinSIOp::create(builder, left, number(all));
  return arith::TruncIOp::create(builder, builder.getI32Type(), left);
}

/// The mbarriers of slots that the hardware fills, made ready.
static Value mbarriersOf(OpBuilder &builder, Location loc, unsigned slots) {
  auto type = SharedType::get(builder.getContext(), {int64_t(slots)},
                              MBarrierType::get(builder.getContext()), LayoutAttr());
  Value mbarriers = SharedAllocOp::create(builder, loc, type);
  MBarrierInitOp::create(builder, loc, mbarriers, /*arrivals=*/IntegerAttr());
  return mbarriers;
}

/// Copies of the tensor that the load's address and mask describe, to where products read the block.
SlotCopy LoadBuffering::beginTensorCopy(LoadOp load, const StageCopies &copies, unsigned stage) {
  TileFault why = nullptr;
  std::optional<TensorTile> tile = anyTensorTileOf(load, why);
  std::optional<ProductTile> product = productTileOf(load);
  if (!tile || !product) {
    load.emitError("expected a load of a tensor's tile for products: ")
        << (product ? why : "no product reads it in place");
    return {};
  }
  ImplicitLocOpBuilder before(load.getLoc(), front());
  SharedType slots = tileSlots(load, *product, copies.slots, /*isOfTensor=*/true);
  Value shared = SharedAllocOp::create(before, slots);
  CopiedTensor tensor = describeTensor(before, *tile, TensorMapType::of(slots), {loop, around, /*isForLoop=*/true, copies.slots});
  StageBuilder builder(load.getLoc(), OpBuilder(load).saveInsertionPoint(), plan, stage);
  Value map = tensor.map;
  SmallVector<Value> coordinates = tensor.coordinates(builder, *tile);
  auto copy = CopyTensorOp::create(builder, map, coordinates, shared, slotOrZero(copies.copySlot),
                                   copies.mbarriers, /*condition=*/Value(), /*together=*/Value());
  if (load->hasAttr(kStreamsAttr))
    copy->setAttr(kStreamsAttr, UnitAttr::get(load.getContext()));
  return copy;
}

/// In front of the first copy of a stage stands how many bytes all of them bring.
void LoadBuffering::expectTensors(StageCopies &copies, unsigned stage) {
  auto *first = llvm::find_if(copies.loads, isTensor);
  if (first == copies.loads.end())
    return;
  OpBuilder before(front());
  copies.mbarriers = mbarriersOf(before, first->getLoc(), copies.slots);
  int64_t bytes = 0;
  for (LoadOp load : copies.loads)
    // Which load has none is said where its copy is made.
    if (auto product = isTensor(load) ? productTileOf(load) : std::nullopt) {
      SharedType slots = tileSlots(load, *product, copies.slots, /*isOfTensor=*/true);
      bytes += llvm::product_of(slots.getShape()) * static_cast<int64_t>(bytesOf(slots.getElementType()));
    }
  StageBuilder builder(first->getLoc(), OpBuilder(*first).saveInsertionPoint(), plan, stage);
  MBarrierExpectOp::create(builder, copies.mbarriers, slotOrZero(copies.copySlot),
                           /*condition=*/Value(), bytes);
  OpBuilder waits(end);
  MBarrierWaitOp::create(waits, first->getLoc(), copies.mbarriers, slotOrZero(copies.readSlot),
                         copies.readPhase);
}

SlotCopy LoadBuffering::beginCopy(LoadOp load, const StageCopies &copies, unsigned stage) {
  if (isTensor(load))
    return beginTensorCopy(load, copies, stage);
  Location loc = load.getLoc();
  OpBuilder before(loop);
  SharedType type = isTile(load) ? tileSlots(load, *productTileOf(load), copies.slots, /*isOfTensor=*/false)
                                 : slotsFor(load, copies.slots, isBulk(load));
  Value shared = SharedAllocOp::create(before, loc, type);
  StageBuilder builder(loc, OpBuilder(load).saveInsertionPoint(), plan, stage);
  Value mbarriers, count, mask = load.getMask();
  if (isBulk(load)) {
    mbarriers = mbarriersOf(before, loc, copies.slots);
    mask = {};
    count = countOf(builder, load);
  }
  auto copy = CopyAsyncOp::create(builder, load.getPointer(), load.getOffsets(), mask, shared,
                                  slotOrZero(copies.copySlot), mbarriers, count,
                                  /*condition=*/Value(), /*fence=*/false);
  if (!isBulk(load))
    copyAccess(load, copy);
  return copy;
}

/// Whether a factor of a product is stored in the same iteration.
static bool isStoredInFrontOf(SharedDotOp product) {
  return llvm::any_of(ValueRange{product.getLeft(), product.getRight()}, [&](Value factor) {
    return llvm::any_of(usersOf<SharedStoreOp>(factor), [&](SharedStoreOp store) {
      return store.getShared() == factor && store->getBlock() == product->getBlock();
    });
  });
}

/// Lets products read a tile from its slot, and not from memory that it would be stored in.
void LoadBuffering::multiplyFrom(LoadOp load, Value slots, const StageCopies &copies) {
  Value slot = slotOrZero(copies.readSlot);
  std::optional<ProductTile> tile = productTileOf(load);
  llvm::SmallSetVector<Operation *, 4> stores;
  for (FactorUse &use : tile->uses) {
    bool isTransposed = use.isTransposed();
    (use.isRight ? use.product.getRightMutable() : use.product.getLeftMutable()).assign(slots);
    if (use.isRight) {
      use.product.setRightTransposed(isTransposed);
      use.product.getRightSlotMutable().assign(slot);
    } else {
      use.product.setLeftTransposed(isTransposed);
      use.product.getLeftSlotMutable().assign(slot);
    }
    stores.insert(use.store);
    // Nothing is stored in front of it.
    auto barrier = dyn_cast_if_present<SharedBarrierOp>(use.product->getPrevNode());
    if (barrier && !isStoredInFrontOf(use.product))
      erase(barrier);
  }
  for (Operation *store : stores) {
    Operation *alloc = cast<SharedStoreOp>(store).getShared().getDefiningOp();
    erase(store);
    erase(alloc);
  }
  for (Operation *user : llvm::make_early_inc_range(load->getUsers()))
    if (isOpTriviallyDead(user))
      erase(user);
}

/// Lets what an iteration does with the sums of the one before wait for them, behind a product of its own that it
/// waits for anyway.
static void waitInLoop(SharedDotOp product, BlockArgument sums) {
  if (sums.hasOneUse() && *sums.getUsers().begin() == product)
    return;
  OpBuilder builder(product->getContext());
  builder.setInsertionPointAfter(awaitedBefore(product));
  auto wait = ProductWaitOp::create(builder, product.getLoc(), sums);
  sums.replaceAllUsesExcept(wait, wait);
}

/// Where an iteration ends, the products of the one before have ended, or in front of its copies, where all threads
/// say so; behind the loop, all have.
void LoadBuffering::waitForProducts() {
  int32_t count = 0;
  OpBuilder behind(loop->getContext());
  behind.setInsertionPointAfter(loop);
  for (SharedDotOp product : loop.getBody()->getOps<SharedDotOp>()) {
    if (!product->hasAttr(kInFlightAttr))
      continue;
    ++count;
    BlockArgument carried = carriedSums(product);
    waitInLoop(product, carried);
    Value sums = loop.getTiedLoopResult(carried);
    auto wait = ProductWaitOp::create(behind, product.getLoc(), sums);
    sums.replaceAllUsesExcept(wait, wait);
  }
  if (!count)
    return;
  OpBuilder end(loop.getBody()->getTerminator());
  if (meetsBehind)
    end.setInsertionPointAfter(*loop.getBody()->getOps<SharedDotOp>().begin());
  ProductLimitOp::create(end, loop.getLoc(), count);
  if (!meetsBehind)
    return;
  // Nor has the last one ended for all where they met.
  for (OpBuilder *place : {&end, &behind})
    SharedBarrierOp::create(*place, loop.getLoc(), ThreadScope::Program, /*fence=*/false);
}

/// It may be the first op behind the early loads.
void LoadBuffering::erase(Operation *op) {
  if (end == op)
    end = op->getNextNode();
  op->erase();
}

/// The first op of the loop's body that uses a load.
static Operation *firstUserOf(LoadOp load) {
  Operation *first = nullptr;
  for (Operation *user : load->getUsers()) {
    Operation *op = load->getBlock()->findAncestorOpInBlock(*user);
    if (!first || op->isBeforeInBlock(first))
      first = op;
  }
  return first;
}

/// Moves what is computed of a load to where something else is first done with that.
static void delayUsesOf(LoadOp load) {
  SetVector<Operation *> made;
  getForwardSlice(load.getOperation(), &made);
  llvm::DenseSet<Operation *> here;
  for (Operation *op : made)
    here.insert(load->getBlock()->findAncestorOpInBlock(*op));
  SmallVector<Operation *> computed;
  for (Operation *op = load->getNextNode(); op; op = op->getNextNode()) {
    if (!here.contains(op))
      continue;
    if (op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
        !op->hasTrait<OpTrait::IsTerminator>()) {
      computed.push_back(op);
      continue;
    }
    for (Operation *early : computed)
      early->moveBefore(op);
    return;
  }
}

/// The first op of the loop's body that needs what has been copied, and the barrier in front of a
/// product.
static Operation *firstNeedOf(LoadOp load) {
  std::optional<ProductTile> tile = isTile(load) ? productTileOf(load) : std::nullopt;
  if (!tile || !tile->isAll)
    return firstUserOf(load);
  Operation *first = tile->uses.front().product;
  for (FactorUse &use : tile->uses)
    if (use.product->isBeforeInBlock(first))
      first = use.product;
  return isa_and_present<SharedBarrierOp>(first->getPrevNode()) ? first->getPrevNode() : first;
}

/// Where blocks are taken late, threads wait in front of the first of them.
void LoadBuffering::delayUses() {
  SmallVector<LoadOp> loads;
  for (auto &[key, copies] : stages)
    llvm::append_range(loads, copies.loads);
  llvm::for_each(loads, delayUsesOf);
  end = firstNeedOf(loads.front());
  for (LoadOp load : loads)
    if (Operation *need = firstNeedOf(load); need->isBeforeInBlock(end))
      end = need;
}

void LoadBuffering::takeBlock(LoadOp load, SlotCopy copy, const StageCopies &copies) {
  if (isTile(load) || isTensor(load))
    multiplyFrom(load, copy.getShared(), copies);
  if (load->use_empty())
    return load.erase();
  arith::SelectOp choice = choiceOf(load);
  OpBuilder builder(end);
  Value slot = slotOrZero(copies.readSlot);
  if (Value mbarriers = copy.getMbarriers())
    MBarrierWaitOp::create(builder, load.getLoc(), mbarriers, slot, copies.readPhase);
  if (choice)
    builder.setInsertionPoint(choice);
  else if (takesLate)
    builder.setInsertionPoint(firstUserOf(load));
  Value mask = choice ? choice.getCondition() : Value();
  Value other = choice ? choice.getFalseValue() : Value();
  auto read = SharedLoadOp::create(builder, load.getLoc(), load.getType(), copy.getShared(), slot,
                                   /*from_part=*/IntegerAttr(), mask, other);
  if (isBulk(load))
    copyAccess(load, read);
  load.getResult().replaceAllUsesWith(read.getResult());
  if (choice) {
    choice.replaceAllUsesWith(read.getResult());
    erase(choice);
  }
  load.erase();
}

/// Where the last stage begins, all threads meet, or behind their waits where they take blocks
/// late.
void LoadBuffering::meet(bool fence) {
  OpBuilder builder(end);
  if (takesLate)
    builder.setInsertionPointAfter(*llvm::to_vector(loop.getBody()->getOps<CopyWaitOp>()).rbegin());
  SharedBarrierOp::create(builder, loop.getLoc(), ThreadScope::Program, fence);
}

/// Threads commit the copies of a stage together, and wait for them.
void LoadBuffering::commit(ArrayRef<LoadOp> own, unsigned stage) {
  auto isBefore = [](LoadOp left, LoadOp right) { return left->isBeforeInBlock(right); };
  auto [first, last] = std::minmax_element(own.begin(), own.end(), isBefore);
  StageBuilder commits(LoadOp(*last).getLoc(), OpBuilder(*last).saveInsertionPoint(), plan, stage);
  CopyCommitOp::create(commits);
  OpBuilder waits(end);
  CopyWaitOp::create(waits, LoadOp(*first).getLoc(), 0);
}

LogicalResult LoadBuffering::replace(unsigned stage) {
  SmallVector<std::pair<LoadOp, SlotCopy>> begun;
  SmallVector<LoadOp> own;
  for (bool isInPlace : {false, true}) {
    StageCopies &copies = stages[{stage, isInPlace}];
    expectTensors(copies, stage);
    for (LoadOp load : copies.loads) {
      begun.push_back({load, beginCopy(load, copies, stage)});
      if (!begun.back().second)
        return failure();
      if (isOwn(load))
        own.push_back(load);
    }
  }
  if (!own.empty())
    commit(own, stage);
  for (auto [load, copy] : begun)
    takeBlock(load, copy, stages[{stage, isReadInPlace(bufferOf(load))}]);
  return success();
}

/// What addresses and masks were made of that tensor maps describe.
void LoadBuffering::eraseAddresses() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*loop.getBody())))
    if (isOpTriviallyDead(&op))
      erase(&op);
}

/// Whether threads write to shared memory outside of the loop, perhaps where its slots will lie:
/// the hardware's copies are not ordered behind that without a fence.
static bool storesElsewhere(scf::ForOp loop) {
  WalkResult result = loop->getParentOfType<KernelOp>().getBody().walk([&](Operation *op) {
    auto copy = dyn_cast<CopyAsyncOp>(op);
    bool isStore = isa<SharedStoreOp>(op) || (copy && !copy.getMbarriers());
    return isStore && !loop->isProperAncestor(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Finds what is copied, by the stage that it is copied in and who reads it, and how many slots
/// that takes; says how many loads there are.
unsigned LoadBuffering::findCopies() {
  unsigned count = 0;
  SmallVector<SharedDotOp> inFlight;
  llvm::copy_if(loop.getBody()->getOps<SharedDotOp>(), std::back_inserter(inFlight),
                [](SharedDotOp product) { return product->hasAttr(kInFlightAttr); });
  meetsBehind = meetsBehindProduct(loop, inFlight) &&
                llvm::none_of(loop.getBody()->getOps<LoadOp>(), isTensor);
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    unsigned stage = plan.stageOf(load);
    if ((!isOwn(load) && !isBulk(load) && !isTensor(load)) || stage == plan.lastStage() ||
        !isa<RankedTensorType>(load.getType()))
      continue;
    StageCopies &copies = stages[{stage, isReadInPlace(bufferOf(load))}];
    copies.loads.push_back(load);
    copies.hasBulk |= isBulk(load);
    copies.hasTile |= isTile(load) || isTensor(load);
    copies.hasTensor |= isTensor(load);
    copies.isInFlight |= isReadInFlight(load);
    // While products read a tile, the next copies go to another one, and while one goes on that read
    // the tile before, to a third.
    bool hasOneMore = copies.isInFlight && !meetsBehind;
    copies.slots = plan.lastStage() - stage + copies.hasTile + hasOneMore;
    ++count;
  }
  return count;
}

FailureOr<unsigned> LoadBuffering::run() {
  unsigned count = findCopies();
  if (count == 0)
    return 0;
  if (llvm::any_of(stages, [](auto &entry) { return entry.second.hasTensor; }))
    around = loopsWithSlots(loop).value_or(SmallVector<scf::ForOp>());
  takesLate = loop->hasAttr(kTakesLateAttr);
  loop = carrySlots(loop, plan, stages, around, slotOrZero({}));
  // All have read the slots that were filled when the loop was entered before.
  if (!around.empty()) {
    OpBuilder entry(loop);
    SharedBarrierOp::create(entry, loop.getLoc(), ThreadScope::Program, /*fence=*/false);
  }
  plan = PipelinePlan::writtenIn(loop);
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<LoadOp>(op) && plan.stageOf(&op) < plan.lastStage())
      end = op.getNextNode();
  if (takesLate)
    delayUses();
  auto isAny = [&](auto isMeant) {
    return llvm::any_of(stages, [&](auto &entry) { return isMeant(entry.second); });
  };
  bool hasTile = isAny([](const StageCopies &copies) { return copies.hasTile; });
  bool areTensors = isAny([](const StageCopies &copies) { return copies.hasTensor; }) &&
                    !isAny([](const StageCopies &copies) {
                      return !llvm::all_of(copies.loads, isTensor);
                    });
  // All have read the slots that the hardware fills behind it.
  if (areTensors)
    meet(/*fence=*/false);
  for (unsigned stage = 0; stage < plan.lastStage(); ++stage)
    if (failed(replace(stage)))
      return failure();
  // Products read what other threads have copied, some by the hardware's own accesses.
  if (hasTile && !areTensors)
    meet(/*fence=*/llvm::any_of(loop.getBody()->getOps<SharedDotOp>(), isByWarpGroups));
  waitForProducts();
  eraseAddresses();
  if (isAny([](const StageCopies &copies) { return copies.hasBulk; }) && storesElsewhere(loop)) {
    OpBuilder entry(loop);
    SharedBarrierOp::create(entry, loop.getLoc(), ThreadScope::Program, /*fence=*/true);
  }
  bool needsFence = !plan.readsEndBeforeCopies();
  for (CopyAsyncOp copy : loop.getBody()->getOps<CopyAsyncOp>())
    copy.setFence(needsFence && copy.getMbarriers());
  return count;
}

namespace {
struct BufferLoads : fsm::impl::BufferLoadsPassBase<BufferLoads> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops = pipelinedLoops(getOperation());
    if (loops.empty())
      return markAllAnalysesPreserved();
    for (scf::ForOp loop : loops) {
      FailureOr<unsigned> count = LoadBuffering(loop).run();
      if (failed(count))
        return signalPassFailure();
      copies += *count;
    }
  }
};
} // namespace
