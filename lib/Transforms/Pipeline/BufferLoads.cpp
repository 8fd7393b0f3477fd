//===- BufferLoads.cpp - Early loads as copies into slots ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "EarlyLoads.h"

#include "fsm/Analysis/BlockRun.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/PipelinePlan.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/Analysis/SlotCounter.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>

namespace fsm {
#define GEN_PASS_DEF_BUFFERLOADSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// The loads of one stage that become copies.
struct StageCopies {
  SmallVector<LoadOp> loads;
  unsigned slots = 1;
  bool hasBulk = false, hasTile = false, isInFlight = false;
  /// Where the next copy goes, and where the next block is taken; null for a single slot. How
  /// often a slot was filled that is taken next, modulo 2; null without bulk copies.
  Value copySlot, readSlot, readPhase;
};

/// Makes ops of one stage.
class StageBuilder : OpBuilder::Listener, public ImplicitLocOpBuilder {
public:
  StageBuilder(Location loc, InsertPoint place, const PipelinePlan &plan, unsigned stage)
      : ImplicitLocOpBuilder(loc, loc.getContext(), static_cast<OpBuilder::Listener *>(this)) {
    restoreInsertionPoint(place);
    if (stage != plan.lastStage())
      mark = getI32IntegerAttr(static_cast<int32_t>(stage));
  }

  StageBuilder(const StageBuilder &) = delete; // It is its own listener.

  Value number(TypedAttr value) { return arith::ConstantOp::create(*this, value); }
  Value number(int32_t value) { return number(getI32IntegerAttr(value)); }

private:
  void notifyOperationInserted(Operation *op, InsertPoint) override {
    if (mark)
      op->setAttr(kStageAttr, mark);
  }

  Attribute mark;
};

class LoadBuffering {
public:
  explicit LoadBuffering(scf::ForOp loop) : loop(loop), plan(PipelinePlan::writtenIn(loop)) {}

  /// Returns the number of loads.
  unsigned run();

private:
  void carrySlots();
  SmallVector<Value> nextOf(OpBuilder &builder, ArrayRef<BlockArgument> arguments);
  void replace(StageCopies &copies, unsigned stage);
  CopyAsyncOp beginCopy(LoadOp load, const StageCopies &copies, unsigned stage);
  void takeBlock(LoadOp load, CopyAsyncOp copy, const StageCopies &copies);
  void multiplyFrom(LoadOp load, Value slots, const StageCopies &copies);
  void waitForProducts();
  void erase(Operation *op);
  Value slotOrZero(Value slot);
  arith::SelectOp choiceOf(LoadOp load);

  scf::ForOp loop;
  PipelinePlan plan;
  std::map<unsigned, StageCopies> stages;
  /// Blocks are taken in front of this: behind all that is early.
  Operation *end = nullptr;
};
} // namespace

static bool waitsIn(LoadOp load, LoadBuffer where) {
  auto buffer = load->getAttrOfType<LoadBufferAttr>(kBufferAttr);
  return buffer && buffer.getValue() == where;
}

static bool isBulk(LoadOp load) { return waitsIn(load, LoadBuffer::Bulk); }
static bool isTile(LoadOp load) { return waitsIn(load, LoadBuffer::Tile); }
/// Whether threads copy it themselves.
static bool isOwn(LoadOp load) { return waitsIn(load, LoadBuffer::Async) || isTile(load); }

/// Whether products read it that go on while the next iteration begins.
static bool isReadInFlight(LoadOp load) {
  return isTile(load) && llvm::any_of(productTileOf(load)->uses, [](FactorUse &use) {
           return use.product->hasAttr(kInFlightAttr);
         });
}

/// How wide the accesses of a load are, on what becomes of it.
static void copyAccess(LoadOp load, Operation *op) {
  for (StringRef name : {kAccessWidthAttr, kAccessDimAttr})
    if (Attribute value = load->getAttr(name))
      op->setAttr(name, value);
}

/// The other phase when all slots have been taken.
static Value nextPhase(StageBuilder builder, const StageCopies &copies) {
  Value change = builder.number(1);
  if (copies.slots > 1) {
    Value last = builder.number(copies.slots - 1), zero = builder.number(0);
    Value isLast = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, copies.readSlot, last);
    change = arith::SelectOp::create(builder, isLast, change, zero);
  }
  return arith::XOrIOp::create(builder, copies.readPhase, change);
}

/// What each stage counts, for the next iteration.
SmallVector<Value> LoadBuffering::nextOf(OpBuilder &builder, ArrayRef<BlockArgument> arguments) {
  auto in = [&](unsigned stage) {
    return StageBuilder(loop.getLoc(), builder.saveInsertionPoint(), plan, stage);
  };
  auto next = [&](unsigned stage, Value slot, unsigned slots) {
    StageBuilder inside = in(stage);
    return nextSlot(inside, slot, slots);
  };
  SmallVector<Value> yields;
  for (auto &[stage, copies] : stages) {
    if (copies.slots > 1) {
      copies.copySlot = arguments[yields.size()];
      yields.push_back(next(stage, copies.copySlot, copies.slots));
      copies.readSlot = arguments[yields.size()];
      yields.push_back(next(plan.lastStage(), copies.readSlot, copies.slots));
    }
    if (copies.hasBulk) {
      copies.readPhase = arguments[yields.size()];
      yields.push_back(nextPhase(in(plan.lastStage()), copies));
    }
  }
  return yields;
}

/// Each stage counts its slots, and the last stage those that it takes.
void LoadBuffering::carrySlots() {
  SmallVector<Value> inits;
  Value zero = slotOrZero({});
  for (auto &[stage, copies] : stages)
    inits.append((copies.slots > 1 ? 2 : 0) + copies.hasBulk, zero);
  if (inits.empty())
    return;
  loop = withCarried(loop, inits,
                     [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
                       return nextOf(builder, arguments);
                     });
}

/// A single slot has no counters.
Value LoadBuffering::slotOrZero(Value slot) {
  if (slot)
    return slot;
  OpBuilder builder(loop);
  return arith::ConstantOp::create(builder, loop.getLoc(), builder.getI32IntegerAttr(0));
}

/// The choice between a load and other elements by its mask, if reads may wait for that mask:
/// each of their accesses has one condition, but elements by themselves have one each.
arith::SelectOp LoadBuffering::choiceOf(LoadOp load) {
  if (!load->hasOneUse())
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

/// The mbarriers of slots that bulk copies fill, made ready.
static Value mbarriersOf(OpBuilder &builder, Location loc, unsigned slots) {
  auto type = SharedType::get(builder.getContext(), {int64_t(slots)},
                              MBarrierType::get(builder.getContext()), LayoutAttr());
  Value mbarriers = SharedAllocOp::create(builder, loc, type);
  MBarrierInitOp::create(builder, loc, mbarriers);
  return mbarriers;
}

CopyAsyncOp LoadBuffering::beginCopy(LoadOp load, const StageCopies &copies, unsigned stage) {
  Location loc = load.getLoc();
  OpBuilder before(loop);
  SharedType type = isTile(load) ? tileSlots(load, *productTileOf(load), copies.slots)
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
    if (barrier && use.product.getLeftSlot() && use.product.getRightSlot())
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

/// Where an iteration ends, the products of the one before have ended; behind the loop, all have.
void LoadBuffering::waitForProducts() {
  int32_t count = 0;
  OpBuilder behind(loop->getContext());
  behind.setInsertionPointAfter(loop);
  for (SharedDotOp product : loop.getBody()->getOps<SharedDotOp>()) {
    if (!product->hasAttr(kInFlightAttr))
      continue;
    ++count;
    Value sums = loop.getTiedLoopResult(cast<BlockArgument>(product.getAcc()));
    auto wait = ProductWaitOp::create(behind, product.getLoc(), sums);
    sums.replaceAllUsesExcept(wait, wait);
  }
  if (!count)
    return;
  OpBuilder end(loop.getBody()->getTerminator());
  ProductLimitOp::create(end, loop.getLoc(), count);
}

/// It may be the first op behind the early loads.
void LoadBuffering::erase(Operation *op) {
  if (end == op)
    end = op->getNextNode();
  op->erase();
}

void LoadBuffering::takeBlock(LoadOp load, CopyAsyncOp copy, const StageCopies &copies) {
  if (isTile(load))
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
  Value mask = choice ? choice.getCondition() : Value();
  Value other = choice ? choice.getFalseValue() : Value();
  auto read = SharedLoadOp::create(builder, load.getLoc(), load.getType(), copy.getShared(), slot,
                                   mask, other);
  if (isBulk(load))
    copyAccess(load, read);
  load.getResult().replaceAllUsesWith(read.getResult());
  if (choice) {
    choice.replaceAllUsesWith(read.getResult());
    erase(choice);
  }
  load.erase();
}

void LoadBuffering::replace(StageCopies &copies, unsigned stage) {
  auto begun = llvm::map_to_vector(copies.loads,
                                   [&](LoadOp load) { return beginCopy(load, copies, stage); });
  auto last = llvm::find_if(llvm::reverse(copies.loads), isOwn);
  if (last != copies.loads.rend()) {
    StageBuilder commits(last->getLoc(), OpBuilder(*last).saveInsertionPoint(), plan, stage);
    CopyCommitOp::create(commits);
    OpBuilder waits(end);
    CopyWaitOp::create(waits, copies.loads.front().getLoc(), 0);
  }
  for (auto [load, copy] : llvm::zip(copies.loads, begun))
    takeBlock(load, copy, copies);
}

unsigned LoadBuffering::run() {
  unsigned count = 0;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    unsigned stage = plan.stageOf(load);
    if ((!isOwn(load) && !isBulk(load)) || stage == plan.lastStage() ||
        !isa<RankedTensorType>(load.getType()))
      continue;
    StageCopies &copies = stages[stage];
    copies.loads.push_back(load);
    copies.hasBulk |= isBulk(load);
    copies.hasTile |= isTile(load);
    copies.isInFlight |= isReadInFlight(load);
    // While products read a tile, the next copies go to another one, and while one goes on that read
    // the tile before, to a third.
    copies.slots = plan.lastStage() - stage + copies.hasTile + copies.isInFlight;
    ++count;
  }
  if (count == 0)
    return 0;
  carrySlots();
  plan = PipelinePlan::writtenIn(loop);
  for (Operation &op : loop.getBody()->without_terminator())
    if (isa<LoadOp>(op) && plan.stageOf(&op) < plan.lastStage())
      end = op.getNextNode();
  for (auto &[stage, copies] : stages)
    replace(copies, stage);
  // Products read what other threads have copied, some by the hardware's own accesses.
  if (llvm::any_of(stages, [](auto &entry) { return entry.second.hasTile; })) {
    OpBuilder builder(end);
    bool fence = llvm::any_of(loop.getBody()->getOps<SharedDotOp>(), isByWarpGroups);
    SharedBarrierOp::create(builder, loop.getLoc(), ThreadScope::Program, fence);
  }
  waitForProducts();
  bool needsFence = !plan.readsEndBeforeCopies();
  for (CopyAsyncOp copy : loop.getBody()->getOps<CopyAsyncOp>())
    copy.setFence(needsFence && copy.getMbarriers());
  return count;
}

namespace {
struct BufferLoads : fsm::impl::BufferLoadsPassBase<BufferLoads> {
  void runOnOperation() override {
    for (scf::ForOp loop : pipelinedLoops(getOperation()))
      copies += LoadBuffering(loop).run();
  }
};
} // namespace
