//===- PlanHostLoops.cpp - Decides how block ops become loops ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Each IR block is grouped into loops (HostLoops.h).
// 2. From the last op to the first, each block value is looked at with the loops
//    it is used in: it is recomputed in all of them, or kept in a buffer that
//    the first of them fills.
// 3. Loads and stores learn their inner stride, roots their loop's number,
//    kept values and carried blocks their place in the scratch memory.
// 4. Loops learn where their rows begin and end (RowEnds.h).
//
//===----------------------------------------------------------------------===//

#include "HostLoops.h"
#include "RowEnds.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/CombinePlan.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

#include <set>

namespace fsm {
#define GEN_PASS_DEF_PLANHOSTLOOPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Recomputing more than this many simple operations costs more than a store and
/// a load of the value.
static constexpr unsigned kMaxRecomputedCost = 8;

/// Rows of a tile of a product, and vectors of each, half of them where a number has 64 bits: of
/// the 16 or 32 registers for vectors, which have 32 bytes at least, the sums leave enough for the
/// factors.
static constexpr int64_t kTileRows = 4, kTileVectors = 2;

/// How far ahead of its use data is asked for: at 10 to 20 GB/s a core, this much
/// takes a few hundred nanoseconds, longer than a memory access.
static constexpr int64_t kPrefetchedBytes = 8192;

/// From so many vectors on the two partial ones at the ends of a row do not count.
static constexpr int64_t kLongRow = 8;

static unsigned costOf(Operation *op) {
  auto again = dyn_cast<Rematerializable>(op);
  return again ? again.elementCost() : 1;
}

/// Whether the op makes a block of no other.
static bool isConstant(Operation *op) {
  auto again = dyn_cast<Rematerializable>(op);
  return again && again.isCheap([](Value) { return false; });
}

namespace {
/// Decides for one IR block which values are kept.
class BlockPlan {
public:
  BlockPlan(Block &block, AffineOffsets &offsets, int64_t lanes)
      : loops(block, offsets), block(block), offsets(offsets), lanes(lanes) {
    // The grouping has moved ops; from here on their order stays.
    for (Operation &op : block)
      if (mayWrite(&op))
        writers.push_back(&op);
  }

  void decide();
  /// The loops in which an op's value is computed.
  const std::set<unsigned> &loopsReading(Operation *op) { return loopsOf[op]; }
  HostLoopGrouping loops;
  SmallVector<Operation *> kept;

private:
  struct Uses {
    std::set<unsigned> loops;
    /// It, or what is recomputed from it, is read in another IR block.
    bool isCrossing = false;
    /// A loop reads other elements of it than it is at.
    bool isReadElsewhere = false;
  };

  /// What computing one element of a value again takes, from roots and from
  /// what other IR blocks define.
  struct Recomputation {
    unsigned cost = 0;
    bool readsMemory = false;
  };

  Uses usesOf(Operation *op);
  bool mustKeep(Operation *op, const Uses &uses);
  bool isOverwrittenBefore(GlobalAccess load, unsigned loop);
  bool needsBuffer(Operation *op);
  bool isView(Operation *op);
  bool isReadByElements(Operation *op);
  void keep(Operation *op, const Uses &uses);
  void measure();
  bool feedsCarried(Operation *op);

  Block &block;
  AffineOffsets &offsets;
  int64_t lanes;
  /// In their order.
  SmallVector<Operation *> writers;
  DenseMap<Operation *, std::set<unsigned>> loopsOf;
  DenseSet<Operation *> isKept;
  /// Recomputed where other IR blocks read it.
  DenseSet<Operation *> isCrossing;
  /// Recomputed where loops read other elements of it than they are at.
  DenseSet<Operation *> isReadElsewhere;
  DenseMap<Operation *, Recomputation> recomputations;
};
} // namespace

/// Whether the bits of an element's number are those of its coordinates.
static bool hasWholeBits(ArrayRef<int64_t> shape) {
  return llvm::all_of(shape, [](int64_t extent) { return llvm::isPowerOf2_64(extent); });
}

/// Whether neighbours in a row of the result are none in a row of the source: row-major order
/// is all that those of such a reshape share.
static bool changesRows(Operation *op) {
  auto shape = dyn_cast<LayoutTransfer>(op);
  // A join has rows of its own, which are none of either source.
  if (!shape || op->getNumOperands() != 1 || shapeOf(op->getResult(0).getType()).back() == 1)
    return false;
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0).getType());
  if (std::optional<SmallVector<int64_t>> dims = shape.sourceDims())
    return dims->back() >= 0 && dims->back() + 1 != static_cast<int64_t>(from.size());
  return op->getNumResults() != 1 || from.back() != shapeOf(op->getResult(0).getType()).back();
}

/// Whether a loop over the result reads other elements of the source than it is at, so that
/// all of the source has to be there before.
static bool readsElsewhere(Operation *op) {
  auto shape = dyn_cast<LayoutTransfer>(op);
  if (!shape)
    return false;
  std::optional<SmallVector<int64_t>> dims = shape.sourceDims();
  if (!dims)
    return op->getNumResults() != 1 || changesRows(op);
  llvm::erase_if(*dims, [&](int64_t dim) {
    return dim < 0 || shapeOf(op->getOperand(0).getType())[dim] == 1;
  });
  return !llvm::is_sorted(*dims) || changesRows(op);
}

/// The loops in which a value is needed: those of the roots that read it and,
/// for values that are recomputed, of everything computed from it.
BlockPlan::Uses BlockPlan::usesOf(Operation *op) {
  Uses uses;
  for (Operation *user : op->getUsers()) {
    if (user->getBlock() != &block) {
      uses.isCrossing = true;
    } else if (needsLoop(user) || isKept.contains(user)) {
      uses.loops.insert(loops.indexOf(user));
    } else {
      const std::set<unsigned> &further = loopsOf[user];
      uses.loops.insert(further.begin(), further.end());
      uses.isCrossing |= isCrossing.contains(user);
      uses.isReadElsewhere |= isReadElsewhere.contains(user);
    }
    uses.isReadElsewhere |= readsElsewhere(user);
  }
  return uses;
}

/// From the first op to the last, so that each is looked at once.
void BlockPlan::measure() {
  for (Operation &op : block) {
    if (!definesBlock(&op))
      continue;
    Recomputation work{costOf(&op), isa<GlobalAccess>(op)};
    for (Value operand : op.getOperands()) {
      Operation *definition = operand.getDefiningOp();
      auto found = definition ? recomputations.find(definition) : recomputations.end();
      if (found == recomputations.end() || needsLoop(definition))
        continue;
      work.cost = std::min(work.cost + found->second.cost, kHeavyElement);
      work.readsMemory |= found->second.readsMemory;
    }
    recomputations[&op] = work;
  }
}

/// Whether a load's bytes may be written before, or by, the loop that reads them.
bool BlockPlan::isOverwrittenBefore(GlobalAccess load, unsigned loop) {
  Operation *end = loops.loops()[loop].roots.back();
  auto *behind = llvm::partition_point(
      writers, [&](Operation *writer) { return writer->isBeforeInBlock(load); });
  for (Operation *op : llvm::make_range(behind, writers.end())) {
    if (load->isBeforeInBlock(end) && end->isBeforeInBlock(op))
      return false;
    bool sameLoop = needsLoop(op) && loops.indexOf(op) == loop;
    auto store = dyn_cast<GlobalAccess>(op);
    bool harmless = sameLoop && store && store.onlyWrites() && meetInPlace(op, load, offsets);
    if (!harmless && mayWrite(op, load))
      return true;
  }
  return false;
}

/// Whether a value reaches the terminator and changes shape on the way there
/// from a block the loop carries: the terminator's loop would read elements of
/// the carried block it has already replaced.
bool BlockPlan::feedsCarried(Operation *op) {
  if (!isa<LayoutTransfer, BlockLookup>(op) || !isa<RankedTensorType>(op->getOperand(0).getType()))
    return false;
  Operation *terminator = block.getTerminator();
  return needsLoop(terminator) && loopsOf.lookup(op).count(loops.indexOf(terminator));
}

/// Whether a reshape gets its elements only from a buffer, for the bits of a number in the one
/// block are not those in the other, and the source has several rows. Where rows are the same,
/// and read as such, and of offsets that are neighbours in memory, of which only the first of a
/// vector is wanted, it needs none.
bool BlockPlan::needsBuffer(Operation *op) {
  auto reshape = dyn_cast<LayoutTransfer>(op);
  ArrayRef<int64_t> from = reshape ? shapeOf(op->getOperand(0).getType()) : ArrayRef<int64_t>();
  bool hasRows = llvm::count_if(from, [](int64_t extent) { return extent != 1; }) > 1;
  if (!hasRows || reshape.sourceDims() || op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      hasWholeBits(from))
    return false;
  // Whether it is kept in another IR block will be known when that one is planned.
  Value rows = op->getResult(0);
  bool isReadHere = op->getBlock() == &block && llvm::all_of(op->getUsers(), [&](Operation *user) {
                      return user->getBlock() == &block && !readsElsewhere(user) &&
                             !isReadElsewhere.contains(user);
                    });
  if (isReadHere && !changesRows(op) && shapeOf(rows.getType()).back() != 1)
    return false;
  if (isKept.contains(op) || op->getBlock() != &block || offsets.innerStep(rows) != 1)
    return true;
  return llvm::any_of(rows.getUses(), [&](OpOperand &use) {
    auto access = dyn_cast<GlobalAccess>(use.getOwner());
    return !access || isa<AtomicAccess>(use.getOwner()) || access.getOffsets() != rows ||
           llvm::count(access->getOperands(), rows) != 1;
  });
}

/// Whether the op only says where in another block its elements are.
bool BlockPlan::isView(Operation *op) {
  return isa<LayoutTransfer>(op) && op->getNumOperands() == 1 && !needsBuffer(op) &&
         isa<RankedTensorType>(op->getOperand(0).getType());
}

/// Whether an op reads the value element by element, which a vector at a time computes
/// sooner: a scan of rows, or a reduction of tuples of short ones.
bool BlockPlan::isReadByElements(Operation *op) {
  return llvm::any_of(op->getUsers(), [this](Operation *user) {
    auto along = dyn_cast<AlongAxis>(user);
    if (!along || !isCombine(user))
      return false;
    ArrayRef<int64_t> shape = shapeOf(user->getOperand(0).getType());
    return along.getAxis() + 1 == shape.size() && (along.isScan() || shape.back() < lanes);
  });
}

/// Whether an op looks the elements of the block up, in a loop that others may share.
static bool isLookedUpInRows(Operation *op) {
  return llvm::any_of(op->getUses(), [](OpOperand &use) {
    return BlockLookup::looksUp(use) && !isa<HostRoot>(use.getOwner());
  });
}

bool BlockPlan::mustKeep(Operation *op, const Uses &uses) {
  auto load = dyn_cast<GlobalAccess>(op);
  auto isReadByNumbers = [this](Operation *user) { return this->needsBuffer(user); };
  if (isLookedUpInRows(op) || llvm::any_of(op->getUsers(), isReadByNumbers))
    return true;
  if (isConstant(op))
    return false;
  if ((load && load.getIsVolatile()) || llvm::any_of(op->getUses(), BlockLookup::looksUp))
    return true;
  if (uses.loops.empty() && !uses.isCrossing)
    return false;
  Recomputation work = recomputations.lookup(op);
  bool isLong = work.readsMemory || work.cost > kMaxRecomputedCost;
  // Of a view in one loop the elements are read where they are kept.
  if (uses.isReadElsewhere && isLong && !(isView(op) && uses.loops.size() < 2))
    return true;
  if (uses.isCrossing && isLong)
    return true;
  if (uses.loops.size() > 1 && work.cost > kMaxRecomputedCost)
    return true;
  if (load)
    for (unsigned loop : uses.loops)
      if (isOverwrittenBefore(load, loop))
        return true;
  return feedsCarried(op) || (work.cost > 0 && isReadByElements(op));
}

void BlockPlan::keep(Operation *op, const Uses &uses) {
  kept.push_back(op);
  isKept.insert(op);
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0).getType());
  auto load = dyn_cast<GlobalAccess>(op);
  bool joins = !uses.isCrossing && !uses.loops.empty() && !(load && load.getIsVolatile()) &&
               !isLookedUpInRows(op) && !uses.isReadElsewhere;
  if (joins) {
    // The earliest loop in the text, which is not always the lowest number.
    unsigned first = *uses.loops.begin();
    for (unsigned loop : uses.loops)
      if (loops.loops()[loop].roots.back()->isBeforeInBlock(loops.loops()[first].roots.back()))
        first = loop;
    const HostLoop &loop = loops.loops()[first];
    joins = !loop.isPrivate && ArrayRef<int64_t>(loop.shape) == shape &&
            !(load && isOverwrittenBefore(load, first)) && !feedsCarried(op);
    if (joins)
      loops.join(first, op);
  }
  if (!joins)
    loops.addOwnLoop(op);
  loopsOf[op] = {loops.indexOf(op)};
}

void BlockPlan::decide() {
  measure();
  for (Operation &op : llvm::reverse(block)) {
    if (needsLoop(&op) || op.getNumRegions() != 0 || !definesBlock(&op))
      continue;
    Uses uses = usesOf(&op);
    loopsOf[&op] = uses.loops;
    if (mustKeep(&op, uses)) {
      keep(&op, uses);
      continue;
    }
    if (uses.isCrossing)
      isCrossing.insert(&op);
    if (uses.isReadElsewhere)
      isReadElsewhere.insert(&op);
  }
}

namespace {
struct PlanHostLoops : fsm::impl::PlanHostLoopsPassBase<PlanHostLoops> {
  using PlanHostLoopsPassBase::PlanHostLoopsPassBase;

  void runOnOperation() override {
    nextLoop = 0;
    scratchBytes = 0;
    KernelOp kernel = getOperation();
    FailureOr<int64_t> known = hostLanesOrError(kernel, vectorBytes);
    if (failed(known))
      return signalPassFailure();
    lanes = *known;
    dropPlan(kernel);
    SmallVector<Block *> blocks;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          blocks.push_back(&block);
    });
    AffineOffsets forms;
    for (Block *block : blocks)
      planBlock(*block, forms);
    planAccesses(kernel, forms);
    planRowEnds(kernel);
    kernel.walk([&](DotOp product) { planTile(product); });
    kernel->setAttr(kHostScratchAttr, Builder(&getContext()).getI64IntegerAttr(scratchBytes));
  }

private:
  /// A plan that stands in the text is not ours: code that trusted it could
  /// write anywhere.
  void dropPlan(KernelOp kernel) {
    kernel->walk([](Operation *op) {
      for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
        if (attribute.getName().strref().starts_with("fsm.host_"))
          op->removeDiscardableAttr(attribute.getName());
    });
  }

  void planBlock(Block &block, AffineOffsets &forms) {
    BlockPlan plan(block, forms, lanes);
    plan.decide();
    Builder builder(&getContext());
    for (Operation *value : plan.kept)
      value->setAttr(kHostBufferAttr, builder.getDenseI64ArrayAttr(allocate(value->getResults())));
    planPrefetches(plan, block, nextLoop);
    for (const HostLoop &loop : plan.loops.loops()) {
      bool isAcross = goesAcrossRows(loop);
      for (Operation *root : loop.roots) {
        root->setAttr(kHostLoopAttr, builder.getI32IntegerAttr(nextLoop));
        root->setAttr(kHostUnrollAttr, builder.getI32IntegerAttr(unrollOf(loop)));
        if (isAcross)
          root->setAttr(kHostAcrossRowsAttr, builder.getUnitAttr());
      }
      ++nextLoop;
    }
    for (Operation &op : block)
      planResults(op);
  }

  /// Whether vectors go on in the next row, since rows are shorter than a vector. Elements of
  /// several rows are gathered from memory sooner than rows are read one by one.
  bool goesAcrossRows(const HostLoop &loop) {
    auto storesOrKeeps = [](Operation *root) {
      auto access = dyn_cast<GlobalAccess>(root);
      return (access && access.onlyWrites()) || !needsLoop(root);
    };
    return !loop.shape.empty() && loop.shape.back() < lanes && hasWholeBits(loop.shape) &&
           llvm::all_of(loop.roots, storesOrKeeps);
  }

  /// Reductions to blocks and region ops define blocks that live in buffers; a
  /// while loop has a second set, for what its condition is computed from.
  void planResults(Operation &op) {
    if (!isa<HostRoot>(op) && op.getNumRegions() == 0)
      return;
    SmallVector<int64_t> places = allocate(op.getResults());
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      llvm::append_range(places, allocate(loop.getBeforeArguments()));
    if (llvm::any_of(places, [](int64_t place) { return place >= 0; }))
      op.setAttr(kHostBufferAttr, Builder(&getContext()).getDenseI64ArrayAttr(places));
  }

  /// Places for the blocks among the values; -1 for scalars.
  SmallVector<int64_t> allocate(ValueRange values) {
    SmallVector<int64_t> places;
    for (Value value : values) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      places.push_back(type ? scratchBytes : -1);
      if (!type)
        continue;
      int64_t elementBytes = std::max(1u, type.getElementTypeBitWidth() / 8);
      // A whole vector may be read at the end, whatever the extent is.
      int64_t bytes = (type.getNumElements() + lanes) * elementBytes;
      scratchBytes += llvm::alignTo(bytes, 64);
    }
    return places;
  }

  /// A product's sums of a tile stay in registers.
  void planTile(DotOp product) {
    bool isWide = product.getType().getElementTypeBitWidth() == 64;
    product->setAttr(
        kHostTileAttr,
        Builder(&getContext()).getDenseI64ArrayAttr({kTileRows, isWide ? 1 : kTileVectors}));
  }

  /// Several vectors at once hide the latency of a reduction's chain; long
  /// bodies hide it themselves.
  int32_t unrollOf(const HostLoop &loop) {
    bool reduces = llvm::any_of(loop.roots, [](Operation *root) {
      auto along = dyn_cast<AlongAxis>(root);
      return along && !along.isScan();
    });
    bool keeps = llvm::any_of(loop.roots, [](Operation *root) { return !needsLoop(root); });
    return reduces && !keeps ? 4 : 2;
  }

  void planAccesses(KernelOp kernel, AffineOffsets &forms) {
    Builder builder(&getContext());
    kernel.walk([&](GlobalAccess access) {
      // Atomics are performed one element at a time.
      if (!access.getOffsets() || isa<AtomicAccess>(access.getOperation()))
        return;
      std::optional<int64_t> stride = forms.innerStep(access.getOffsets());
      if (stride)
        access->setAttr(kHostStrideAttr, builder.getI64IntegerAttr(*stride));
      if (isDense(access, forms))
        access->setAttr(kHostDenseAttr, builder.getUnitAttr());
      if (access.writes())
        planStore(access, stride == 1, forms);
    });
    kernel.walk([&](arith::CmpIOp compare) {
      if (std::optional<int64_t> step = forms.rowStep(compare))
        compare->setAttr(kHostRowStepAttr, builder.getI64IntegerAttr(*step));
    });
  }

  /// Whether neighbours in row-major order are neighbours in memory, in rows shorter than a vector,
  /// whose first element the mask has.
  bool isDense(GlobalAccess access, AffineOffsets &forms) {
    Value offsets = access.getOffsets();
    if (shapeOf(access.getAccessedType()).back() >= lanes ||
        !forms.hasFirst(access.getMask(), offsets))
      return false;
    while (auto reshape = offsets.getDefiningOp<ReshapeOp>())
      offsets = reshape.getSource();
    const AffineForm &form = forms.of(offsets);
    ArrayRef<int64_t> shape = shapeOf(offsets.getType());
    int64_t apart = 1;
    for (size_t dim = shape.size(); dim-- > 0; apart *= shape[dim])
      if (shape[dim] != 1 && form.steps[dim] != apart)
        return false;
    return !form.inGroups;
  }

  /// In a loop that asks for stages, a contiguous load that is read again in a later
  /// loop over the row fetches the next iteration's row there, while the arithmetic
  /// keeps the memory idle.
  void planPrefetches(BlockPlan &plan, Block &block, int32_t firstLoop) {
    auto around = dyn_cast<scf::ForOp>(block.getParentOp());
    auto stages = around ? around->getAttrOfType<IntegerAttr>(kNumStagesAttr) : IntegerAttr();
    if (!stages || stages.getInt() < 2)
      return;
    for (LoadOp load : block.getOps<LoadOp>()) {
      const std::set<unsigned> &loops = plan.loopsReading(load);
      if (!load.getOffsets() || loops.size() < 2)
        continue;
      int64_t ahead = std::min<int64_t>(stages.getInt() - 1, iterationsAhead(load));
      load->setAttr(kHostPrefetchAttr,
                    Builder(&getContext())
                        .getDenseI64ArrayAttr({int64_t(firstLoop) + *loops.rbegin(), ahead}));
    }
  }

  /// How many iterations take about as long as memory takes to answer.
  static int64_t iterationsAhead(LoadOp load) {
    auto type = cast<RankedTensorType>(load.getType());
    int64_t bytes = type.getNumElements() * std::max(1u, type.getElementTypeBitWidth() / 8);
    return std::max<int64_t>(1, kPrefetchedBytes / bytes);
  }

  /// Whole, aligned vectors that go to a buffer larger than the caches are written
  /// around them, which saves reading the lines first. Where a row's start is anywhere, a loop that
  /// only stores may begin its vectors at the first line.
  void planStore(GlobalAccess store, bool isContiguous, AffineOffsets &forms) {
    BlockArgument root = rootArgument(store.getPointer());
    if (!isContiguous || !root || store.getIsVolatile() ||
        !getOperation().getArgAttr(root.getArgNumber(), kLargeAttr))
      return;
    unsigned width = elementTypeOf(store.getAccessedType()).getIntOrFloatBitWidth();
    int64_t bytes = lanes * std::max(1u, width / 8);
    ArrayRef<int64_t> shape = shapeOf(store.getAccessedType());
    bool wholeRows = shape.size() == 1 || shape.back() % lanes == 0;
    int64_t alignment = forms.alignment(store.getPointer(), store.getOffsets());
    UnitAttr flag = UnitAttr::get(&getContext());
    if (wholeRows && alignment >= bytes)
      store->setAttr(kHostStreamAttr, flag);
    else if (alignment >= bytes / lanes && shape.back() >= kLongRow * lanes)
      store->setAttr(kHostFromLineAttr, flag);
  }

  int64_t lanes = 0;
  int32_t nextLoop = 0;
  int64_t scratchBytes = 0;
};
} // namespace
