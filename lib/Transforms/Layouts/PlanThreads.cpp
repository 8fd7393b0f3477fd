//===- PlanThreads.cpp - What a thread computes for all of its elements --===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A thread has seven predicates, and reductions between a load and a store take them all. So
// ptxas compares masks again, for which it needs the sides of the comparison: the index of each
// register, or its sum once more. A mask that ends (MaskEnd) is compared from one number of the
// thread instead, how many indices it has left (`fsm.counts_left`). Where a thread loads one block,
// registers are not what it lacks, and it has masks as the kernel has them. Of products it says
// which need no zeros to be added to (`fsm.from_zero`), and in which loops of them the next
// iteration's first numbers come in time for the last multiply-adds (`fsm.read_ahead`); of loads
// whose words are shifted, which nobody stores to (`fsm.non_coherent`); of maps that a program
// makes at the same time, which are released by another one's fence (`fsm.released_later`); of
// copies beside products of groups of warps, that they are to multiply no offsets
// (`fsm.offsets_held`): a product of 64 bits holds up the tensor cores; beside those of single
// warps, that their rows' addresses are made one apart from the other (`fsm.rows_apart`); of
// quotients and remainders, what neighbours have in common (`fsm.groups`); of positions that are
// reduced, what comparing them says of a thread's own (`fsm.in_order`).

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/AxisInfo.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Analysis/TupleOrder.h"

#include "mlir/IR/Matchers.h"

#include <set>

namespace fsm {
#define GEN_PASS_DEF_PLANTHREADSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// So many comparisons have one number in common that is computed for them: fewer keep no more.
static constexpr size_t kFewestCompared = 4;
/// Loads under masks beside which there is no room for the indices of each register.
static constexpr ptrdiff_t kFewestLoads = 2;
/// Groups of reads of an iteration, and multiply-adds behind the last one, from which on the next iteration's first
/// reads come in time in front of these.
static constexpr uint64_t kFewestReads = 4, kFewestBehind = 32;
/// Addresses of an iteration that are made instead of carried: so many at least.
static constexpr size_t kFewestAtOnce = 3;
/// Steps of a product of single warps by tensor cores that are all written out, and of more, those
/// that are one iteration of a loop: enough of them to read the next fragments beside a product.
static constexpr uint64_t kMostSteps = 8;
static constexpr int32_t kStepsOfLoop = 4;
/// Quotients by one number that share a branch: all are divided anew where one of them is not
/// right.
static constexpr int32_t kDividedTogether = 8;
/// Registers of sums and of rows' distances beside which ptxas has room for all else: 128 and 24 are no more, 128 and 48 spill.
static constexpr size_t kMostHeld = 160;

/// How many elements each load under a mask has.
static SmallVector<int64_t> maskedLoads(KernelOp kernel) {
  SmallVector<int64_t> sizes;
  kernel.getBody().walk([&](GlobalAccess access) {
    auto block = dyn_cast<RankedTensorType>(access.getAccessedType());
    if (access.onlyReads() && access.getMask() && block)
      sizes.push_back(block.getNumElements());
  });
  return sizes;
}

/// Whether what a thread's registers add to an index along a dimension is added, to each of its threads' own.
static bool isSumOfParts(const LinearLayout &layout, Dim dim) {
  uint64_t threads = 0, registers = 0;
  for (uint64_t base : layout.basesOf({Dim::Lane, Dim::Warp, Dim::Cta}))
    threads |= layout.to().get(base, dim);
  for (uint64_t reg : layout.liveRegisters())
    registers |= layout.to().get(layout.apply(reg, 0, 0), dim);
  return (threads & registers) == 0;
}

/// How many comparisons a mask is for a thread: neighbours whose bound is a multiple of them all share one.
static size_t comparisons(const LinearLayout &layout, Dim dim, int64_t divisor) {
  const BitSpace &block = layout.to();
  std::set<std::pair<uint64_t, uint64_t>> all;
  for (uint64_t reg : layout.liveRegisters()) {
    uint64_t at = layout.apply(reg, 0, 0);
    all.emplace(at & ~block.maskOf(dim), block.get(at, dim) & ~static_cast<uint64_t>(divisor - 1));
  }
  return all.size();
}

/// Whether sums by wgmma are zero in front of a product, whose first products are then the sums: registers that are
/// set to zero would take an instruction each. What is promoted is added to the sums in registers.
static bool beginsFromZero(SharedDotOp product) {
  const MmaInstruction *mma = plannedMma(product);
  Value sums = product.getAcc();
  return mma && mma->isOfWarpGroup() && !isPromoted(product) &&
         (matchPattern(sums, m_AnyZeroFloat()) || matchPattern(sums, m_Zero()));
}

/// Whether the steps of a product of single warps are too many to be written out. Those of tiles
/// have places of their own.
static bool stepsInLoop(SharedDotOp product) {
  const MmaInstruction *mma = plannedMma(product);
  return mma && !mma->isOfWarpGroup() && product.getInner() / mma->k > kMostSteps &&
         product.leftMemory() && !product.leftMemory().getLayout() &&
         !product.getRight().getType().getLayout();
}

/// Whether a thread divides several numbers that were of 16 bits by one: their quotients by its
/// reciprocal are right but for few.
static bool dividesByReciprocal(DivRNOp division) {
  auto type = dyn_cast<RankedTensorType>(division.getType());
  return type && division.narrowDividend() && linearLayoutOf(type).liveRegisters().size() > 1;
}

namespace {
/// How a thread reads what it multiplies and adds: in how many groups, and how much it adds behind the last one.
struct Reads {
  uint64_t groups = 0, behind = 0;
};
} // namespace

/// How many lines of its right factor a thread multiplies by.
static uint64_t linesOfRight(RankedTensorType sums) {
  LinearLayout layout = linearLayoutOf(sums);
  uint64_t rows = layout.to().maskOf(blockDim(static_cast<unsigned>(sums.getRank()) - 2));
  std::set<uint64_t> lines;
  for (uint64_t reg : layout.liveRegisters())
    lines.insert(layout.apply(reg, 0, 0) & ~rows);
  return lines.size();
}

static Reads readsOf(SharedDotOp product) {
  uint64_t steps = product.getInner(), sums = linearLayoutOf(product.getType()).liveRegisters().size();
  if (!liesAlongInner(product, false) || !liesAlongInner(product, true))
    return {steps, sums};
  // Of both it reads vectors of steps, and of the right one a line after the other.
  uint64_t atOnce = stepsAtOnce(product), rest = steps % atOnce, lines = linesOfRight(product.getType());
  return {lines * (steps / atOnce + rest), (rest ? 1 : atOnce) * sums / lines};
}

/// Whether the multiply-adds behind the last reads of an iteration are enough to wait for the next one's first.
static bool readsAhead(scf::ForOp loop) {
  Reads all;
  for (auto product : loop.getOps<SharedDotOp>()) {
    if (product->hasAttr(kMmaAttr) || !isa<FloatType>(product.getType().getElementType()))
      continue;
    Reads reads = readsOf(product);
    all = {all.groups + reads.groups, reads.behind};
  }
  return all.groups >= kFewestReads && all.behind >= kFewestBehind;
}

/// By dimension, how many neighbours of a block are equal, or negative, of how many each is one
/// more than the one before it.
static SmallVector<int64_t> groupsOf(const AxisInfo &info, const LinearLayout &layout) {
  SmallVector<int64_t> sizes;
  for (auto [dim, axis] : llvm::enumerate(info.dims)) {
    bool runs = axis.contiguity > axis.constancy &&
                isSumOfParts(layout, blockDim(static_cast<unsigned>(dim)));
    sizes.push_back(runs ? -axis.contiguity : axis.constancy);
  }
  return sizes;
}

/// How many groups of elements a thread has.
static size_t groupsOfThread(ArrayRef<int64_t> sizes, const LinearLayout &layout) {
  std::set<uint64_t> groups;
  for (uint64_t reg : layout.liveRegisters()) {
    uint64_t at = layout.apply(reg, 0, 0);
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      Dim along = blockDim(static_cast<unsigned>(dim));
      uint64_t within = layout.to().get(at, along) & (static_cast<uint64_t>(std::abs(size)) - 1);
      at ^= layout.to().place(along, within);
    }
    groups.insert(at);
  }
  return groups.size();
}

/// Whether a thread divides several integers.
static bool dividesIntegers(Operation *op) {
  auto type = isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  return type && linearLayoutOf(type).liveRegisters().size() > 1;
}

/// Whether a counter is used as a number of 32 bits alone.
static bool isNarrowed(Value counter) {
  return llvm::all_of(counter.getUsers(), [](Operation *user) {
    auto narrow = dyn_cast<arith::TruncIOp>(user);
    return narrow && narrow.getType().isInteger(32);
  });
}

/// Whether a loop from 0 on, which counts in 64 bits because the number behind its last one may have more than 32, can count
/// what is left instead: that has no more.
static bool countsLeft(scf::ForOp loop) {
  APInt step;
  auto upper = loop.getUpperBound().getDefiningOp<arith::ExtSIOp>();
  return !loop.getUnsignedCmp() && loop.getInductionVar().getType().isInteger(64) && upper &&
         upper.getIn().getType().isInteger(32) && matchPattern(loop.getLowerBound(), m_Zero()) &&
         matchPattern(loop.getStep(), m_ConstantInt(&step)) && step.isStrictlyPositive() && step.isSignedIntN(32) &&
         isNarrowed(loop.getInductionVar());
}

/// Whether the offsets of an access are a loop's counter and an index, of 32 bits: so is all that a thread's registers share.
static bool goesWith(GlobalAccess access, Value counter, AffineOffsets &forms) {
  Value offsets = access.getOffsets();
  auto type = offsets ? dyn_cast<RankedTensorType>(offsets.getType()) : RankedTensorType();
  if (!type || !type.getElementType().isInteger(32))
    return false;
  const AffineForm &form = forms.of(offsets);
  if (form.exactness != Exactness::Number || form.constant < 0 || form.terms.size() != 2)
    return false;
  return llvm::all_of(form.terms, [&](const AffineTerm &term) {
    if (!term.symbol)
      return term.factor == 1 && isSumOfParts(linearLayoutOf(type), blockDim(term.dim));
    auto narrow = term.symbol.getDefiningOp<arith::TruncIOp>();
    return term.factor == 1 && narrow && narrow.getIn() == counter;
  });
}

/// Whether the offsets of an access outside of loops are a scalar times a number and an index, of 32 bits: an address is one
/// product for each pointer then, instead of two, with a carry each.
static bool goesAtOnce(GlobalAccess access, AffineOffsets &forms) {
  Value offsets = access.getOffsets();
  auto type = offsets ? dyn_cast<RankedTensorType>(offsets.getType()) : RankedTensorType();
  if (!type || !type.getElementType().isInteger(32) || access->getParentOfType<LoopLikeOpInterface>())
    return false;
  const AffineForm &form = forms.of(offsets);
  return form.exactness == Exactness::Number && form.constant >= 0 && form.terms.size() == 2 &&
         llvm::all_of(form.terms, [&](const AffineTerm &term) {
           return term.symbol ? term.symbol.getType().isInteger(32)
                              : term.factor == 1 && isSumOfParts(linearLayoutOf(type), blockDim(term.dim));
         });
}

/// The loads and stores of a loop whose offsets are its counter and an index.
static SmallVector<Operation *> accessesWith(scf::ForOp loop, AffineOffsets &forms) {
  SmallVector<Operation *> found;
  for (Operation &op : *loop.getBody()) {
    auto access = dyn_cast<GlobalAccess>(op);
    if (access && isa<LoadOp, StoreOp>(op) && goesWith(access, loop.getInductionVar(), forms))
      found.push_back(&op);
  }
  return found;
}

/// Whether a load that goes to the code generator as inline PTX, for it begins anywhere or says what caches keep, may be moved
/// behind stores as others are that it knows to read what nobody stores.
static bool readsConstants(LoadOp load, const llvm::SmallDenseSet<Value> &constants) {
  if (load.getIsVolatile() || !isa<RankedTensorType>(load.getType()))
    return false;
  bool isByWords = load->hasAttr(kAnyStartAttr) && !load.getEvict() && !load.getCache();
  return (isByWords || load.getEvict()) && constants.contains(rootArgument(load.getPointer()));
}

/// Whether the next map is made when `map` is, with nothing in between that could copy by this one: one release, which
/// takes most of the time of a map, is enough for both.
static bool isReleasedLater(OwnTensorMapOp map) {
  OwnTensorMapOp next = map.nextMap();
  if (!next || next.getCondition() != map.getCondition())
    return false;
  return llvm::none_of(llvm::make_range(std::next(map->getIterator()), next->getIterator()),
                       [](Operation &op) { return op.getNumRegions() || !isMemoryEffectFree(&op); });
}

/// Whether tensor cores of a group of warps are busy beside what a loop's threads do.
static bool multipliesByGroups(scf::ForOp loop) {
  return llvm::any_of(loop.getOps<SharedDotOp>(), [](SharedDotOp product) {
    const MmaInstruction *mma = plannedMma(product);
    return mma && mma->isOfWarpGroup();
  });
}

/// How many registers a thread holds while a loop runs: sums of tensor cores, and a distance for each row that it copies; nothing
/// where no tensor cores multiply.
static size_t heldBesideProducts(scf::ForOp loop) {
  size_t sums = 0, distances = 0;
  loop->walk([&](Operation *op) {
    if (auto product = dyn_cast<SharedDotOp>(op); product && product->hasAttr(kMmaAttr))
      sums = std::max(sums, linearLayoutOf(product.getType()).liveRegisters().size());
    if (auto copy = dyn_cast<CopyAsyncOp>(op); copy && !copy.getMbarriers() && copy->getParentOfType<scf::ForOp>() == loop)
      distances += 2 * linearLayoutOf(copy.getOffsets().getType()).liveRegisters().size() /
                   static_cast<size_t>(integerAttrOr(copy, kAccessWidthAttr, 1));
  });
  return sums ? sums + distances : 0;
}

/// Warps that copy beside products of their own wait for an address that is made of another one, and nothing else is left
/// for them to do; but spilled registers are worse.
static bool keepsRowsApart(scf::ForOp loop) {
  size_t held = heldBesideProducts(loop);
  return held && held <= kMostHeld;
}

/// Whether each row of a copied block is a part of a line of the L2 cache, of memory that the cache
/// has no room for: other programs ask for the other parts at about the same time, or this one in
/// its next iteration (docs/decisions/0226-slots-begin-with-a-line-of-banks.md).
static bool bringsPartsOfLines(CopyAsyncOp copy) {
  constexpr uint64_t lineBytes = 128;
  RankedTensorType block = copy.getOffsets().getType();
  auto dim = static_cast<unsigned>(integerAttrOr(copy, kAccessDimAttr, 0));
  uint64_t rowBytes = block.getDimSize(dim) * bytesOf(copy.getShared().getType().getElementType());
  BlockArgument argument = rootArgument(copy.getPointer());
  auto kernel = copy->getParentOfType<KernelOp>();
  return block.getRank() > 1 && rowBytes < lineBytes && argument && kernel &&
         kernel.getArgAttr(argument.getArgNumber(), kLargeAttr);
}

namespace {
struct PlanThreads : fsm::impl::PlanThreadsPassBase<PlanThreads> {
  void runOnOperation() override {
    AffineOffsets forms;
    planMasks(forms);
    llvm::SmallDenseSet<Value> constants = constantArguments(getOperation());
    getOperation().walk([&](LoadOp load) {
      if (readsConstants(load, constants))
        load->setAttr(kNonCoherentAttr, UnitAttr::get(&getContext()));
    });
    getOperation().walk([&](OwnTensorMapOp map) {
      if (isReleasedLater(map))
        map->setAttr(kReleasedLaterAttr, UnitAttr::get(&getContext()));
    });
    getOperation().walk([&](SharedDotOp product) { planProduct(product); });
    getOperation().walk([&](DivRNOp division) {
      if (dividesByReciprocal(division))
        division->setAttr(kDividedTogetherAttr, number(kDividedTogether));
    });
    planQuotients();
    getOperation().walk([&](ReduceWithOp reduction) {
      for (OrderedCompare known : orderedCompares(reduction, forms))
        known.compare->setAttr(kInOrderAttr, number(known.holds));
    });
    getOperation().walk([&](GlobalAccess access) {
      if (isa<LoadOp, StoreOp>(access.getOperation()) && goesAtOnce(access, forms))
        access->setAttr(kOffsetAtOnceAttr, UnitAttr::get(&getContext()));
    });
    getOperation().walk([&](CopyAsyncOp copy) { planCopy(copy); });
    getOperation().walk([&](scf::ForOp loop) {
      if (readsAhead(loop))
        loop->setAttr(kReadAheadAttr, UnitAttr::get(&getContext()));
      if (countsLeft(loop))
        planCounter(loop, accessesWith(loop, forms));
    });
  }

private:
  IntegerAttr number(int32_t value) {
    return IntegerAttr::get(IntegerType::get(&getContext(), 32), value);
  }

  void planQuotients() {
    SmallVector<Operation *> divisions;
    getOperation().walk([&](Operation *op) {
      if (dividesIntegers(op))
        divisions.push_back(op);
    });
    if (divisions.empty())
      return;
    AxisInfoAnalysis axes(getOperation());
    for (Operation *op : divisions) {
      LinearLayout layout = linearLayoutOf(cast<RankedTensorType>(op->getResult(0).getType()));
      SmallVector<int64_t> sizes = groupsOf(axes.of(op->getResult(0)), layout);
      if (groupsOfThread(sizes, layout) < layout.liveRegisters().size())
        op->setAttr(kGroupsAttr, DenseI64ArrayAttr::get(&getContext(), sizes));
    }
  }

  void planProduct(SharedDotOp product) {
    if (beginsFromZero(product))
      product->setAttr(kFromZeroAttr, UnitAttr::get(&getContext()));
    if (stepsInLoop(product))
      product->setAttr(kStepsOfLoopAttr, number(kStepsOfLoop));
  }

  /// Of copies by threads, most of them in a loop that multiplies.
  void planCopy(CopyAsyncOp copy) {
    if (copy.getMbarriers())
      return;
    if (bringsPartsOfLines(copy))
      copy->setAttr(kWholeLinesAttr, UnitAttr::get(&getContext()));
    auto loop = copy->getParentOfType<scf::ForOp>();
    if (!loop)
      return;
    if (multipliesByGroups(loop))
      copy->setAttr(kOffsetsHeldAttr, UnitAttr::get(&getContext()));
    else if (keepsRowsApart(loop))
      copy->setAttr(kRowsApartAttr, UnitAttr::get(&getContext()));
  }

  /// Of a loop over blocks. To carry an address takes an addition with a carry and two registers; where the loop is written out,
  /// those of several iterations differ by immediates. Others wait for their loads, not for instructions.
  void planCounter(scf::ForOp loop, ArrayRef<Operation *> accesses) {
    bool isWrittenOut = loop->hasAttr(kMayUnrollAttr) && !accesses.empty();
    if (!isWrittenOut && accesses.size() < kFewestAtOnce)
      return;
    loop->setAttr(kCountsLeftAttr, UnitAttr::get(&getContext()));
    if (isWrittenOut)
      return;
    for (Operation *access : accesses)
      access->setAttr(kOffsetAtOnceAttr, UnitAttr::get(&getContext()));
  }

  void planMasks(AffineOffsets &forms) {
    SmallVector<int64_t> loads = maskedLoads(getOperation());
    getOperation().walk([&](arith::CmpIOp mask) {
      if (!comparesLeft(mask, loads, forms))
        return;
      mask->setAttr(kCountsLeftAttr, UnitAttr::get(&getContext()));
      ++counted;
    });
  }

  bool comparesLeft(arith::CmpIOp mask, ArrayRef<int64_t> loads, AffineOffsets &forms) {
    auto type = dyn_cast<RankedTensorType>(mask.getType());
    if (!type || llvm::count_if(loads, [&](int64_t size) { return size >= type.getNumElements(); }) < kFewestLoads)
      return false;
    std::optional<MaskEnd> end = forms.endOf(mask.getResult());
    if (!end || !isOfShorts(*end))
      return false;
    LinearLayout layout = linearLayoutOf(type);
    Dim dim = blockDim(end->dim);
    return isSumOfParts(layout, dim) && comparisons(layout, dim, end->divisor) >= kFewestCompared;
  }
};
} // namespace
