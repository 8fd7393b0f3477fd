//===- StageExchanges.cpp - Elements that go through shared memory --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../Pipeline/Loads/EarlyLoads.h"
#include "Conversions.h"
#include "StageProducts.h"

#include "fsm/Analysis/Atomics.h"
#include "fsm/Analysis/CombinePlan.h"
#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ScratchSize.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/Layout/ConversionPlan.h"
#include "fsm/Layout/NamedLayouts.h"
#include "fsm/Layout/SharedSwizzle.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace fsm {
#define GEN_PASS_DEF_STAGEEXCHANGESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Behind so many products of a kernel their code is fetched from memory, of which there should be
/// little, and each takes a compile 2 ms.
static constexpr size_t kManyProducts = 256;

/// Brings what a reduction or a scan works on to the layouts in which it does, and from there to
/// its results'.
static void convertAround(Operation *op, const CombinePlan &plan) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<RankedTensorType>(operand.get().getType());
    RankedTensorType wanted = withLayout(type, plan.operand);
    if (type != wanted)
      operand.set(ConvertLayoutOp::create(builder, loc, wanted, operand.get()));
  }
  builder.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    RankedTensorType given = type ? withLayout(type, *plan.combined) : type;
    if (type == given)
      continue;
    result.setType(given);
    auto moved = ConvertLayoutOp::create(builder, loc, type, result);
    result.replaceAllUsesExcept(moved, moved);
  }
}

/// The memory of a block without gaps, the dimensions in an order.
static SharedType packedType(MLIRContext *context, ArrayRef<int64_t> shape, Type element,
                             const std::vector<unsigned> &order) {
  LinearLayout layout = sharedLayout({shape.begin(), shape.end()}, order);
  return SharedType::get(context, shape, element,
                         layout.from().bits() ? LayoutAttr::get(context, layout) : LayoutAttr());
}

/// The memory of what warps exchange: parts of one line side by side, so that one access fetches
/// several, or, where lanes that hold different lines would meet in a bank, as an exchange of
/// blocks has it.
static SharedType partsType(AlongAxis op, const WarpParts &parts, Type element) {
  Extents extents(parts.shape.begin(), parts.shape.end());
  auto bytes = static_cast<unsigned>(bytesOf(element));
  LinearLayout memory = sharedLayout(extents, orderFrom(op.getAxis(), parts.shape.size()));
  auto cost = [&](const LinearLayout &candidate) {
    return costOfStores(parts.own, candidate, bytes).total() +
           costOfStores(parts.all, candidate, bytes).total();
  };
  if (!isOnCtas(op)) {
    LinearLayout swizzled = findSwizzle(parts.own, parts.all, bytes);
    if (cost(swizzled) < cost(memory))
      memory = swizzled;
  }
  MLIRContext *context = op->getContext();
  return SharedType::get(context, parts.shape, element,
                         memory.from().bits() ? LayoutAttr::get(context, memory) : LayoutAttr());
}

/// An mbarrier at which so many bytes arrive, ready from the kernel's beginning on.
static Value makeArrival(KernelOp kernel, Location loc, int64_t bytes) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  auto type = SharedType::get(builder.getContext(), {1}, MBarrierType::get(builder.getContext()),
                              LayoutAttr());
  Value mbarrier = SharedAllocOp::create(builder, loc, type);
  MBarrierInitOp::create(builder, loc, mbarrier, /*arrivals=*/IntegerAttr(),
                         builder.getI64IntegerAttr(bytes));
  return mbarrier;
}

/// Whether what warps exchange may arrive at an mbarrier, wherever the op is.
static bool canArrive(Operation *op, ArrayRef<int64_t> shape, ArrayRef<Type> elements) {
  auto isWord = [](Type element) { return bytesOf(element) == 4 || bytesOf(element) == 8; };
  // Where an extent is no power of two, threads store more places than there are elements.
  auto isWhole = [](int64_t extent) { return llvm::isPowerOf2_64(static_cast<uint64_t>(extent)); };
  // Nor does a region that sees nothing from around it see the mbarrier.
  return isOnCtas(op) && llvm::all_of(elements, isWord) && llvm::all_of(shape, isWhole) &&
         !op->hasTrait<OpTrait::IsIsolatedFromAbove>();
}

/// The ops of which exchanges arrive in each round of a loop, with whose turn it is, 0 and 1 alternately, which
/// the loop carries. There are several in a round, to which all warps store: who waits for one knows that all have
/// read what the others brought, so that the next round may store there.
static llvm::DenseMap<Operation *, Value> carryTurns(ArrayRef<AlongAxis> ops) {
  llvm::MapVector<Operation *, SmallVector<Operation *>> ofLoops;
  for (AlongAxis op : ops) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    CombinePlan plan = planCombine(op);
    if (!loop || !isa<KernelOp>(loop->getParentOp()) || !plan.axisWarps)
      continue;
    WarpParts parts = warpParts(op, plan);
    if (canArrive(op, parts.shape, exchangedElements(op, plan)) && isOfAllWarps(parts.own))
      ofLoops[loop].push_back(op);
  }
  llvm::DenseMap<Operation *, Value> turns;
  for (auto &[loop, exchanges] : ofLoops) {
    if (exchanges.size() < 2)
      continue;
    OpBuilder builder(loop);
    Value zero = arith::ConstantIntOp::create(builder, loop->getLoc(), 0, 32);
    Value one = arith::ConstantIntOp::create(builder, loop->getLoc(), 1, 32);
    scf::ForOp carrying = withCarried(
        cast<scf::ForOp>(loop), zero,
        [&](OpBuilder &inside, Location loc, ArrayRef<BlockArgument> turn) -> SmallVector<Value> {
          return {arith::XOrIOp::create(inside, loc, turn.front(), one)};
        });
    for (Operation *op : exchanges)
      turns[op] = carrying.getRegionIterArgs().back();
  }
  return turns;
}

namespace {
/// An mbarrier, and how many bytes bring it to the end of its phase.
struct Arrival {
  Value mbarrier;
  int64_t bytes = 0;
};
} // namespace

/// An mbarrier at which what warps exchange arrives, ready from the kernel's beginning on; null where they
/// meet at a barrier. That of a cluster waits for all that its threads have stored and loaded, which an
/// mbarrier does not.
static Arrival arrivalOf(Operation *op, ArrayRef<int64_t> shape, ArrayRef<Type> elements,
                         bool hasTurn) {
  auto kernel = op->getParentOfType<KernelOp>();
  if ((op->getParentOp() != kernel && !hasTurn) || !canArrive(op, shape, elements))
    return {};
  int64_t bytes = 0;
  for (Type element : elements)
    bytes += ShapedType::getNumElements(shape) * bytesOf(element);
  return {makeArrival(kernel, op->getLoc(), bytes), bytes};
}

/// Writes how warps exchange what each of them has combined. `turn` is 0 and 1 in alternate rounds
/// of a loop, or null.
static void exchangeParts(AlongAxis op, const CombinePlan &plan, Value turn) {
  MLIRContext *context = op->getContext();
  WarpParts parts = warpParts(op, plan);
  Location loc = op->getLoc();
  OperationState state(loc, op->getName(), op->getOperands(), op->getResultTypes(), op->getAttrs());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Block &block = state.addRegion()->emplaceBlock();
  SmallVector<Type> elements = exchangedElements(op, plan);
  auto [mbarrier, bytes] = arrivalOf(op, parts.shape, elements, turn != nullptr);
  Value zero;
  OpBuilder builder(context);
  builder.setInsertionPointToStart(&block);
  if (mbarrier)
    zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
  if (mbarrier && turn)
    MBarrierExpectOp::create(builder, loc, mbarrier, /*slot=*/zero, /*condition=*/Value(),
                             bytes);
  SmallVector<std::pair<Value, Type>> loads;
  for (Type element : elements) {
    auto own = withLayout(RankedTensorType::get(parts.shape, element), parts.own);
    Value shared = SharedAllocOp::create(builder, loc, partsType(op, parts, element));
    SharedStoreOp::create(builder, loc, block.addArgument(own, loc), DenseI64ArrayAttr(), shared,
                          /*to_first=*/false, mbarrier);
    loads.push_back({shared, withLayout(RankedTensorType::get(parts.shape, element), parts.all)});
  }
  if (mbarrier) {
    MBarrierWaitOp::create(builder, loc, mbarrier, /*slot=*/zero, /*phase=*/turn ? turn : zero);
  } else {
    SharedBarrierOp::create(builder, loc, ThreadScope::Program, /*fence=*/false);
  }
  SmallVector<Value> all;
  for (auto [shared, type] : loads)
    all.push_back(SharedLoadOp::create(builder, loc, type, shared));
  YieldOp::create(builder, loc, all);
  builder.setInsertionPoint(op);
  op->replaceAllUsesWith(builder.create(state)->getResults());
  op->erase();
}

/// A store, a barrier and a load instead of an op that moves elements.
static void exchange(Operation *op, SharedType type, ThreadScope scope) {
  OpBuilder builder(op);
  Type result = op->getResult(0).getType();
  Value moved = exchange(builder, op->getLoc(), op->getOperand(0), result, type, scope);
  op->replaceAllUsesWith(ValueRange(moved));
  op->erase();
}

/// Hands what the threads have found that perform an op on to the others.
static void handOn(Operation *op) {
  Value result = op->getResult(0);
  auto block = dyn_cast<RankedTensorType>(result.getType());
  SmallVector<int64_t> shape = block ? llvm::to_vector(block.getShape()) : SmallVector<int64_t>{1};
  SharedType type = packedType(op->getContext(), shape, elementTypeOf(result.getType()),
                               orderFrom(shape.size() - 1, shape.size()));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Value handed =
      exchange(builder, op->getLoc(), result, result.getType(), type, ThreadScope::Program);
  result.replaceUsesWithIf(handed,
                           [](OpOperand &use) { return !isa<SharedStoreOp>(use.getOwner()); });
}

/// A reshape that is a linear map moves its elements first, to where the result has them.
/// Another one exchanges them row by row.
static void stage(ReshapeOp op) {
  auto layouts = alignedLayouts(op);
  if (!layouts) {
    auto type = SharedType::get(op.getContext(), {op.getType().getNumElements()},
                                op.getType().getElementType(), LayoutAttr());
    return exchange(op, type, ThreadScope::Program);
  }
  RankedTensorType source = op.getSource().getType();
  LinearLayout wanted(layouts->second.from(), linearLayoutOf(source).to(), layouts->second.bases());
  if (wanted == linearLayoutOf(source))
    return;
  OpBuilder builder(op);
  Value moved =
      ConvertLayoutOp::create(builder, op.getLoc(), withLayout(source, wanted), op.getSource());
  op.getSourceMutable().assign(moved);
}

/// Whether warps exchange something in it.
static bool stage(AlongAxis op, Value turn) {
  CombinePlan plan = planCombine(op);
  convertAround(op, plan);
  if (plan.axisWarps)
    exchangeParts(op, plan, turn);
  return plan.axisWarps;
}

/// Adds up sums behind the end of all but the first one of those who share a loop; `partOf` gives
/// those of another one.
static void addUpParts(SumPartsOp op, EndPartsOp end, unsigned others,
                       llvm::function_ref<Value(OpBuilder &, unsigned)> partOf) {
  // A change of layout stands directly behind what it changes, in front of other sums.
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    if (user->getBlock() == end->getBlock() && user->isBeforeInBlock(end))
      user->moveAfter(end);
  OpBuilder builder(end->getContext());
  builder.setInsertionPointAfter(end);
  Location loc = op.getLoc();
  Value sum = op.getSums();
  for (unsigned other = 0; other < others; ++other) {
    Value part = partOf(builder, other);
    sum = isa<FloatType>(op.getType().getElementType())
              ? arith::AddFOp::create(builder, loc, sum, part).getResult()
              : arith::AddIOp::create(builder, loc, sum, part).getResult();
  }
  op.replaceAllUsesWith(sum);
  op.erase();
}

/// Each group of warps stores what it has summed to its own memory. When all have, the first one
/// reads it there.
static void stageOfGroups(SumPartsOp op, EndPartsOp end, unsigned others) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType block = op.getType();
  Value shared = SharedAllocOp::create(builder, loc, slotsForParts(block, /*slots=*/0));
  SharedStoreOp::create(builder, loc, op.getSums(), DenseI64ArrayAttr(), shared);
  builder.setInsertionPoint(end);
  auto meeting = dyn_cast_if_present<SharedBarrierOp>(end->getPrevNode());
  if (!meeting || meeting.getScope() != ThreadScope::Parts)
    SharedBarrierOp::create(builder, loc, ThreadScope::Parts);
  addUpParts(op, end, others, [&](OpBuilder &behind, unsigned other) -> Value {
    auto part = SharedLoadOp::create(behind, loc, block, shared);
    part.setFromPart(other + 1);
    return part;
  });
}

/// Brings the sums of all ctas that share a loop to the first one, which adds them up in their order. Others
/// write to its memory while it runs the loop, so that has the memory from the kernel's beginning on.
static void stage(SumPartsOp op, EndPartsOp end) {
  auto kernel = op->getParentOfType<KernelOp>();
  auto block = op.getType();
  auto others = static_cast<unsigned>(integerAttrOr(kernel, kPartsAttr, 2) - 1);
  if (kernel->hasAttr(kPartsInCtaAttr))
    return stageOfGroups(op, end, others);
  SharedType type = slotsForParts(block, others);
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Location loc = op.getLoc();
  Value shared = SharedAllocOp::create(builder, loc, type);
  Value mbarrier = makeArrival(kernel, loc,
                               others * block.getNumElements() * bytesOf(block.getElementType()));
  builder.setInsertionPoint(op);
  SharedStoreOp::create(builder, loc, op.getSums(), DenseI64ArrayAttr(), shared, /*to_first=*/true,
                        mbarrier);
  bool waits = false;
  auto number = [&](OpBuilder &behind, unsigned value) -> Value {
    return arith::ConstantOp::create(behind, loc,
                                     behind.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  addUpParts(op, end, others, [&](OpBuilder &behind, unsigned other) -> Value {
    if (!std::exchange(waits, true))
      MBarrierWaitOp::create(behind, loc, mbarrier, /*slot=*/number(behind, 0),
                             /*phase=*/number(behind, 0));
    Value slot = number(behind, other);
    return SharedLoadOp::create(behind, loc, block, shared, slot, /*from_part=*/IntegerAttr(),
                                /*mask=*/Value(),
                                /*other=*/Value());
  });
}

/// The outermost loop around an op in which a value is not computed; null if there is none.
static Operation *loopWithout(Value value, Operation *op) {
  Operation *home = value.getParentBlock()->getParentOp();
  SmallVector<Operation *> loops = loopsAround(op);
  auto found = llvm::find_if(loops, [&](Operation *loop) { return !loop->isAncestor(home); });
  return found == loops.end() ? nullptr : *found;
}

namespace {
/// Stores what is gathered from row by row, where all threads find it: in front of a loop what that
/// does not compute, once for all who gather from it, as long as there is room.
class GatherStaging {
public:
  explicit GatherStaging(KernelOp kernel)
      : room(uint64_t(kBytesOfThread) * 32 * kernel.getNumWarps().value_or(1)) {}

  void stage(GatherOp op) {
    OpBuilder builder(op);
    Value found = SharedGatherOp::create(builder, op.getLoc(), op.getType(), storedFor(op),
                                         op.getIndices(), op.getAxis());
    op.replaceAllUsesWith(found);
    op.erase();
  }

private:
  /// Of each thread's share of a multiprocessor's memory so much that kernels which gather in
  /// loops, and hold some registers for it, are no fewer at a time.
  static constexpr unsigned kBytesOfThread = 96;

  Value storedFor(GatherOp op) {
    RankedTensorType source = op.getSource().getType();
    uint64_t bytes = source.getNumElements() * bytesOf(source.getElementType());
    Operation *loop = loopWithout(op.getSource(), op);
    if (loop && !stored.contains({op.getSource(), loop}) && bytes > room)
      loop = nullptr;
    Value &shared = stored[{op.getSource(), loop ? loop : op}];
    if (shared)
      return shared;
    room -= loop ? bytes : 0;
    OpBuilder builder(loop ? loop : op);
    auto type =
        SharedType::get(op.getContext(), source.getShape(), source.getElementType(), LayoutAttr());
    shared = SharedAllocOp::create(builder, op.getLoc(), type);
    SharedStoreOp::create(builder, op.getLoc(), op.getSource(), DenseI64ArrayAttr(), shared);
    SharedBarrierOp::create(builder, op.getLoc(), ThreadScope::Program, /*fence=*/false);
    return shared;
  }

  uint64_t room;
  llvm::DenseMap<std::pair<Value, Operation *>, Value> stored;
};
} // namespace

/// Threads count in memory that begins with zeros.
static void stage(HistogramOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType counts = op.getType();
  auto barrier = [&] {
    SharedBarrierOp::create(builder, loc, ThreadScope::Program, /*fence=*/false);
  };
  auto type =
      SharedType::get(op.getContext(), counts.getShape(), counts.getElementType(), LayoutAttr());
  Value shared = SharedAllocOp::create(builder, loc, type);
  Value zeros = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(counts));
  SharedStoreOp::create(builder, loc, zeros, DenseI64ArrayAttr(), shared);
  barrier();
  SharedCountOp::create(builder, loc, op.getSource(), shared);
  barrier();
  op.replaceAllUsesWith(SharedLoadOp::create(builder, loc, counts, shared).getResult());
  op.erase();
}

namespace {
struct StageExchanges : fsm::impl::StageExchangesPassBase<StageExchanges> {
  void runOnOperation() override {
    // An op with a fault, which the lowering reports, stays as it is.
    SmallVector<Operation *> handingOn;
    SmallVector<AlongAxis> alongAxis;
    getOperation().walk([&](Operation *op) {
      auto along = dyn_cast<AlongAxis>(op);
      if ((!along && !isMadeOnce(op)) || layoutFault(op))
        return;
      if (along)
        alongAxis.push_back(along);
      else if (handingOnOf(op) == HandingOn::Shared)
        handingOn.push_back(op);
    });
    for (Operation *op : handingOn)
      handOn(op);
    exchanges += handingOn.size();
    llvm::DenseMap<Operation *, Value> turns = carryTurns(alongAxis);
    for (AlongAxis op : alongAxis)
      exchanges += stage(op, turns.lookup(op));
    auto collect = [&](auto op) {
      SmallVector<decltype(op)> ops;
      getOperation().walk([&](decltype(op) found) {
        if (!layoutFault(found))
          ops.push_back(found);
      });
      return ops;
    };
    SmallVector<DotOp> dots = collect(DotOp());
    for (DotOp dot : dots) {
      ++exchanges;
      stageProduct(dot, dots.size() > kManyProducts);
    }
    for (SumPartsOp sums : collect(SumPartsOp())) {
      Operation *end = sums;
      while (!isa<EndPartsOp>(end))
        end = end->getNextNode();
      ++exchanges;
      stage(sums, cast<EndPartsOp>(end));
    }
    GatherStaging gathers(getOperation());
    for (GatherOp gather : collect(GatherOp())) {
      ++exchanges;
      gathers.stage(gather);
    }
    for (HistogramOp histogram : collect(HistogramOp())) {
      ++exchanges;
      stage(histogram);
    }
    for (ReshapeOp reshape : collect(ReshapeOp())) {
      exchanges += !alignedLayouts(reshape);
      stage(reshape);
    }
    for (ConvertLayoutOp convert : collect(ConvertLayoutOp()))
      exchanges += stageConversion(convert);
  }
};
} // namespace
