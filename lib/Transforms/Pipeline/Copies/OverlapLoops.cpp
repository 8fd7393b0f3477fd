//===- OverlapLoops.cpp - Copies of a loop's next run begin early --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose loads run ahead begins with the copies of its first iterations, and waits for them.
// Where it is in another loop, whose iterations each do something with its results, that wait is
// there once in each of these:
//
//   for each tile                       copies of the first tile
//     copies of the first iterations    for each tile
//     for each step along k               for each step along k
//       wait, copy, multiply                wait, copy, multiply
//     store the tile                      copies of the next tile
//                                         store the tile
//
// What computes the addresses of copies is computed again, for the next number of the outer loop's
// counter. The copies begin beside the inner loop's last product, which is still on its way when
// that ends: they go to the slots behind the one that it reads, so that slots are counted on from
// one run of the inner loop to the next.

#include "fsm/Transforms/Passes.h"

#include "../../Shared/Conversions.h"
#include "../../TargetOption.h"
#include "CopyStream.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/ScratchPlan.h"
#include "fsm/Analysis/SlotCounter.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_OVERLAPLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// So many copies at once behind a run are in one another's way, and memory had nothing to do in its last iterations; fewer cost less
/// than rows that are carried through all iterations (docs/decisions/0126-what-a-tile-waits-for.md).
static constexpr int64_t kManyAhead = 3;

/// Of so many parts at most is what threads exchange, each of which they meet twice for.
static constexpr uint64_t kMostPartsOfAnExchange = 4;

namespace {
/// An outer loop, the inner one, and what is done in front of that to begin its copies.
class LoopOverlap {
public:
  explicit LoopOverlap(scf::ForOp outer) : outer(outer) {}

  /// Whether the copies can begin in the iteration before.
  bool find();
  /// Lets the slots keep their places all through the outer loop; undone by the same call.
  void moveAllocs(bool isOut);
  /// What threads exchange in the outer loop.
  SmallVector<SharedAllocOp> exchanges() const;
  void write();

private:
  bool findCopies();
  bool isOrdered() const;
  bool addComputed(Value value, SmallVectorImpl<Operation *> &ops);
  bool findCounters();
  bool addCounter(Value slot);
  void findCarried();
  void addCarried(Value value);
  void carry(Value end, const IRMapping &first, const IRMapping &later);
  void begin(ImplicitLocOpBuilder &builder, Value counter, Value slot, IRMapping &mapping);
  IRMapping carriedOn(ImplicitLocOpBuilder &builder);
  void compute(ImplicitLocOpBuilder &builder, IRMapping &mapping) const;
  Value endOfSlots();
  void goOn(CopyStream &stream, IRMapping &later);
  Value slotBehind(ImplicitLocOpBuilder &builder, Value slot, int64_t number) const;

  scf::ForOp outer, inner;
  SmallVector<Operation *> allocs, copies;
  /// What the copies, and the next values of what the outer loop carries, are computed of, in
  /// program order.
  SmallVector<Operation *> computed, next;
  llvm::DenseSet<Operation *> added;
  /// What the inner loop counts slots by, with the slot where each begins.
  llvm::SmallMapVector<BlockArgument, int64_t, 4> counters;
  int64_t slots = 0;
  /// What the rest of an iteration uses of that which the copies' addresses are computed of.
  SetVector<Value> carried;
};
} // namespace

/// Takes the copies in front of the only loop of the body, where nothing else has an effect.
bool LoopOverlap::findCopies() {
  for (Operation &op : outer.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      inner = loop;
      break;
    }
    auto copy = dyn_cast<CopyAsyncOp>(op);
    if (copy && copy.getMbarriers())
      return false;
    if (copy || isa<CopyCommitOp>(op))
      copies.push_back(&op);
    else if (isa<SharedAllocOp>(op))
      allocs.push_back(&op);
    else if (!isMemoryEffectFree(&op))
      return false;
  }
  auto isCopy = [](Operation *op) { return isa<CopyAsyncOp>(op); };
  return inner && llvm::any_of(copies, isCopy);
}

/// Whether what the outer loop writes is not what the copies of its next iteration read: other
/// memory, or its author has promised so.
bool LoopOverlap::isOrdered() const {
  bool isPromised = integerAttrOr(outer, kNumStagesAttr, 1) > 1;
  WalkResult result = const_cast<LoopOverlap *>(this)->outer.walk([&](Operation *op) {
    auto barrier = dyn_cast<BarrierOp>(op);
    auto access = dyn_cast<GlobalAccess>(op);
    bool orders =
        barrier || (access && (access.acquires() || access.releases() || access.getIsVolatile()));
    bool isWritten =
        access && access.writes() && !isPromised && llvm::any_of(copies, [&](Operation *copy) {
          return isa<CopyAsyncOp>(copy) && mayAlias(copy, op);
        });
    return orders || isWritten ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Adds what computes a value in the outer loop's body, if that is computed of its counter and what
/// it carries alone.
bool LoopOverlap::addComputed(Value value, SmallVectorImpl<Operation *> &ops) {
  if (outer.isDefinedOutsideOfLoop(value) || isa<BlockArgument>(value))
    return outer.isDefinedOutsideOfLoop(value) ||
           cast<BlockArgument>(value).getOwner() == outer.getBody();
  Operation *op = value.getDefiningOp();
  if (isa<SharedAllocOp>(op) || !added.insert(op).second)
    return true;
  if (op->getBlock() != outer.getBody() || !isMemoryEffectFree(op) || op->getNumRegions() > 0)
    return false;
  ops.push_back(op);
  return llvm::all_of(op->getOperands(), [&](Value operand) { return addComputed(operand, ops); });
}

bool LoopOverlap::find() {
  if (outer.getUnsignedCmp() || !findCopies() || !isOrdered())
    return false;
  for (Operation *copy : copies)
    for (Value operand : copy->getOperands())
      if (!addComputed(operand, computed))
        return false;
  added.clear();
  for (Value yielded : outer.getYieldedValues())
    if (!addComputed(yielded, next))
      return false;
  auto isBefore = [](Operation *one, Operation *other) { return one->isBeforeInBlock(other); };
  if (!findCounters())
    return false;
  llvm::append_range(computed, copies);
  llvm::sort(computed, isBefore);
  llvm::sort(next, isBefore);
  return true;
}

void LoopOverlap::moveAllocs(bool isOut) {
  for (Operation *alloc : allocs)
    isOut ? alloc->moveBefore(outer) : alloc->moveBefore(outer.getBody(), outer.getBody()->begin());
}

SmallVector<SharedAllocOp> LoopOverlap::exchanges() const {
  SmallVector<SharedAllocOp> found;
  for (auto alloc : LoopOverlap(*this).outer.getBody()->getOps<SharedAllocOp>())
    if (SharedExchange::of(alloc))
      found.push_back(alloc);
  return found;
}

/// Whether a slot is the inner loop's to count, of as many as those before.
bool LoopOverlap::addCounter(Value slot) {
  std::optional<SlotCounter> counter = slotCounterOf(slot);
  if (!counter || counter->loop != inner || counter->from || (slots && slots != counter->slots))
    return false;
  slots = counter->slots;
  counters[cast<BlockArgument>(slot)] = counter->first;
  return true;
}

/// Finds what counts slots, where a product is on its way when the inner loop ends. Where none is,
/// threads compute while copies are on their way, and nothing is gained.
bool LoopOverlap::findCounters() {
  bool isKnown =
      isa<ProductWaitOp>(inner->getNextNode()) && llvm::all_of(copies, [](Operation *op) {
        auto copy = dyn_cast<CopyAsyncOp>(op);
        return !copy || matchPattern(copy.getSlot(), m_Constant());
      });
  inner.getBody()->walk([&](Operation *op) {
    if (auto copy = dyn_cast<SlotCopy>(op))
      isKnown = isKnown && addCounter(copy.getSlot());
    else if (auto product = dyn_cast<SharedDotOp>(op))
      isKnown = isKnown && product->hasAttr(kInFlightAttr) && product.getLeftSlot() &&
                product.getRightSlot() && addCounter(product.getLeftSlot()) &&
                addCounter(product.getRightSlot());
    else if (isa<SharedLoadOp>(op))
      isKnown = false;
  });
  // The first slot that is read is the first one that was filled.
  return isKnown && llvm::any_of(counters, [](auto &counter) { return counter.second == 0; });
}

/// The slot so many behind another one.
Value LoopOverlap::slotBehind(ImplicitLocOpBuilder &builder, Value slot, int64_t number) const {
  for (int64_t i = 0; i < number; ++i)
    slot = nextSlot(builder, slot, static_cast<unsigned>(slots));
  return slot;
}

void LoopOverlap::addCarried(Value value) {
  if (isInvariant(value, outer) || !value.getDefiningOp())
    return;
  if (repeatsElements(value.getDefiningOp()))
    addCarried(value.getDefiningOp()->getOperand(0));
  else
    carried.insert(value);
}

void LoopOverlap::findCarried() {
  llvm::DenseSet<Operation *> early(computed.begin(), computed.end());
  for (Operation *op : computed)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !early.contains(user); }))
        addCarried(result);
}

/// Lets the outer loop carry the slot that the inner one begins with, and what is computed for the
/// next iteration.
void LoopOverlap::carry(Value end, const IRMapping &first, const IRMapping &later) {
  IRRewriter rewriter(outer);
  SmallVector<Value> inits = {
      arith::ConstantOp::create(rewriter, outer.getLoc(), rewriter.getI32IntegerAttr(0))};
  SmallVector<Value> yields = {end};
  for (Value value : carried) {
    inits.push_back(first.lookup(value));
    yields.push_back(later.lookup(value));
  }
  unsigned before = outer.getNumRegionIterArgs();
  auto yield = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return yields; };
  auto replaced = outer.replaceWithAdditionalYields(rewriter, inits,
                                                    /*replaceInitOperandUsesInLoop=*/false, yield);
  outer = cast<scf::ForOp>(replaced->getOperation());
  ArrayRef<BlockArgument> arguments = outer.getRegionIterArgs().drop_front(before);
  ImplicitLocOpBuilder builder(inner.getLoc(), inner);
  for (auto [argument, number] : counters)
    inner.getTiedLoopInit(argument)->set(slotBehind(builder, arguments.front(), number));
  for (auto [index, argument] : llvm::enumerate(arguments.drop_front()))
    Value(carried[index]).replaceAllUsesWith(argument);
}

/// Copies for an iteration of the outer loop, if there is one with that counter, to slots from
/// `slot` on, or the first one.
void LoopOverlap::begin(ImplicitLocOpBuilder &builder, Value counter, Value slot,
                        IRMapping &mapping) {
  Value exists =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, counter, outer.getUpperBound());
  mapping.map(outer.getInductionVar(), counter);
  for (Operation *op : computed) {
    Operation *own = builder.clone(*op, mapping);
    auto copy = dyn_cast<CopyAsyncOp>(own);
    if (!copy)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(own);
    MutableOperandRange condition = copy.getConditionMutable();
    // A choice, because the condition of an iteration that is none may be no number: what computes
    // it may overflow.
    Value both = exists;
    if (!condition.empty()) {
      Value none = arith::ConstantOp::create(builder, builder.getBoolAttr(false));
      both = arith::SelectOp::create(builder, exists, condition[0].get(), none);
    }
    condition.assign(both);
    APInt number;
    if (slot && matchPattern(copy.getSlot(), m_ConstantInt(&number)))
      copy.getSlotMutable().assign(slotBehind(builder, slot, number.getSExtValue()));
  }
}

/// What an iteration of the outer loop carries on, for the next one, and that one's counter.
IRMapping LoopOverlap::carriedOn(ImplicitLocOpBuilder &builder) {
  IRMapping now, later;
  for (Operation *op : next)
    builder.clone(*op, now);
  for (auto [argument, yielded] :
       llvm::zip_equal(outer.getRegionIterArgs(), outer.getYieldedValues()))
    later.map(argument, now.lookupOrDefault(yielded));
  // fsm-normalize-loops has left it room.
  later.map(outer.getInductionVar(),
            arith::AddIOp::create(builder, outer.getInductionVar(), outer.getStep()).getResult());
  return later;
}

/// Computes what copies are made of, for another iteration.
void LoopOverlap::compute(ImplicitLocOpBuilder &builder, IRMapping &mapping) const {
  for (Operation *op : computed)
    if (isMemoryEffectFree(op))
      builder.clone(*op, mapping);
}

/// The slot with which the inner loop's next run begins.
Value LoopOverlap::endOfSlots() {
  auto reads = llvm::find_if(counters, [](auto &counter) { return counter.second == 0; });
  return inner.getTiedLoopResult(reads->first);
}

/// The copies of the next run come behind those of this one, in the inner loop's own iterations. Where these are fewer than
/// copies are ahead, they begin behind the loop.
void LoopOverlap::goOn(CopyStream &stream, IRMapping &later) {
  ImplicitLocOpBuilder builder(inner.getLoc(), inner);
  later = carriedOn(builder);
  Value counter = later.lookup(Value(outer.getInductionVar()));
  Value exists =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, counter, outer.getUpperBound());
  auto rowsOf = [&](ImplicitLocOpBuilder &inside, IRMapping mapping) {
    compute(inside, mapping);
    return llvm::map_to_vector(stream.rows(), [&](Value row) { return mapping.lookup(row); });
  };
  // The loop that has the counters so far goes.
  SmallVector<std::pair<unsigned, int64_t>> before;
  for (auto [argument, number] : counters)
    before.emplace_back(argument.getArgNumber(), number);
  counters.clear();
  inner = stream.write(exists, [&](ImplicitLocOpBuilder &inside) { return rowsOf(inside, later); });
  for (auto [argument, number] : before)
    counters[inner.getBody()->getArgument(argument)] = number;

  builder.setInsertionPointAfter(inner);
  ValueRange reached = inner.getResults().take_back(stream.rows().size());
  auto isLong = scf::IfOp::create(builder, reached.getTypes(), stream.isLong(builder), /*withElseRegion=*/true);
  builder.setInsertionPointAfter(isLong);
  ImplicitLocOpBuilder then(inner.getLoc(), isLong.thenBlock(), isLong.thenBlock()->end());
  scf::YieldOp::create(then, reached);
  ImplicitLocOpBuilder otherwise(inner.getLoc(), isLong.elseBlock(), isLong.elseBlock()->end());
  IRMapping own = later;
  begin(otherwise, counter, endOfSlots(), own);
  scf::YieldOp::create(otherwise,
                       llvm::map_to_vector(stream.rows(), [&](Value row) { return own.lookup(row); }));
  compute(builder, later);
  for (auto [row, result] : llvm::zip_equal(stream.rows(), isLong.getResults()))
    later.map(row, result);
}

void LoopOverlap::write() {
  findCarried();
  ImplicitLocOpBuilder builder(outer.getLoc(), outer);
  IRMapping first, later;
  first.map(outer.getRegionIterArgs(), outer.getInitArgs());
  begin(builder, outer.getLowerBound(), /*slot=*/{}, first);

  auto commits = llvm::count_if(copies, llvm::IsaPred<CopyCommitOp>);
  std::optional<CopyStream> stream;
  if (commits >= kManyAhead)
    stream = CopyStream::of(outer, inner, commits);
  if (stream && llvm::all_of(stream->rows(), [&](Value row) { return carried.contains(row); })) {
    goOn(*stream, later);
  } else {
    builder.setInsertionPointAfter(inner);
    later = carriedOn(builder);
    begin(builder, later.lookup(Value(outer.getInductionVar())), endOfSlots(), later);
  }
  for (Operation *copy : copies)
    copy->erase();
  carry(endOfSlots(), first, later);
}

namespace {
struct OverlapLoops : fsm::impl::OverlapLoopsPassBase<OverlapLoops> {
  using OverlapLoopsPassBase::OverlapLoopsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      LoopOverlap overlap(loop);
      if (!overlap.find())
        continue;
      unsigned ctas = ctasWith(*gpu, kernel, ScratchPlan::of(kernel).bytes());
      overlap.moveAllocs(/*isOut=*/true);
      if (ctas == 0 || !makeRoom(*gpu, kernel, overlap.exchanges(), ctas)) {
        overlap.moveAllocs(/*isOut=*/false);
        continue;
      }
      overlap.write();
      ++overlapped;
    }
  }

  /// Whether a multiprocessor has room for so many ctas, where what is exchanged may go in up to four parts.
  bool makeRoom(const GpuTarget &gpu, KernelOp kernel, ArrayRef<SharedAllocOp> exchanges, unsigned ctas) {
    if (ctasWith(gpu, kernel, ScratchPlan::of(kernel).bytes()) >= ctas)
      return true;
    llvm::DenseSet<Operation *> all;
    for (Operation *exchange : exchanges)
      all.insert(exchange);
    uint64_t others = ScratchPlan::of(kernel, all).bytes();
    auto fits = [&](SharedAllocOp alloc, uint64_t parts) {
      uint64_t begin = llvm::alignTo(others, alloc.getType().getAlignment());
      return ctasWith(gpu, kernel, begin + alloc.getType().getBytes() / parts) >= ctas;
    };
    if (!llvm::all_of(exchanges, [&](SharedAllocOp alloc) { return fits(alloc, kMostPartsOfAnExchange); }))
      return false;
    SmallVector<SharedAllocOp> left(exchanges);
    while (!left.empty()) {
      SharedAllocOp alloc = left.pop_back_val();
      if (fits(alloc, 1))
        continue;
      SmallVector<SharedAllocOp> halves = SharedExchange::of(alloc)->halve();
      if (halves.empty())
        break;
      halved += 1;
      llvm::append_range(left, halves);
    }
    return ctasWith(gpu, kernel, ScratchPlan::of(kernel).bytes()) >= ctas;
  }

  /// How many ctas a multiprocessor has room for where a program takes so many bytes of shared
  /// memory.
  static unsigned ctasWith(const GpuTarget &gpu, KernelOp kernel, uint64_t bytes) {
    ResourceEstimate needs = estimateResources(kernel);
    bytes *= needs.programsPerCta;
    uint64_t registers = std::min<uint64_t>(gpu.maxRegistersPerThread,
                                            needs.blocks.held.registers + kOtherRegisters);
    return bytes > gpu.maxSharedBytesPerCta
               ? 0
               : classicalOccupancy(gpu, static_cast<unsigned>(registers),
                                    static_cast<unsigned>(needs.threads),
                                    static_cast<unsigned>(bytes));
  }
};
} // namespace
