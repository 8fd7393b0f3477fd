//===- StoreTensors.cpp - Stores that the hardware makes ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads exchange only to store it row by row:
//
//   fsm.shared_store %block, %memory        fsm.shared_store %block, %tile
//   fsm.shared_barrier <program>            fsm.shared_barrier <program> fence
//   %rows = fsm.shared_load %memory         fsm.store_tensor %tile into %map[...]
//   fsm.store %rows, ...
//
// A block of several panels that is stored once goes in parts, each of which the hardware stores while threads bring the
// next one:
//
//   fsm.shared_store %block at [0, 0], %left      fsm.shared_store %block at [0, 64], %right
//   fsm.shared_barrier <program> fence            fsm.shared_barrier <program> fence
//   fsm.store_tensor %left into %map[...]         fsm.store_tensor %right into %map[...]
//
// In loops and branches the tile is there for the whole kernel, where shared memory has room for it, and in
// front of what is stored to it stands a wait. The kernel ends with one. Of a block that would take more than half of shared
// memory a loop stores parts from two tiles in turns, before slots take what is left:
//
//   fsm.shared_store %block at [0, 32], %odd
//   fsm.store_wait read %even
//   fsm.shared_barrier <program> fence
//   fsm.store_tensor %odd into %map[...]
//
// The hardware stores nothing at coordinates below 0. Where they may be, threads look, and store what
// begins there by themselves, with all that only this way needs:
//
//   scf.if %below {
//     %rows = fsm.shared_load %tile
//     fsm.store %rows, ...
//   } else {
//     fsm.store_tensor %tile into %map[...]
//   }
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../../TargetOption.h"
#include "CopiedTensors.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/ScalarRanges.h"
#include "fsm/Analysis/ScratchPlan.h"
#include "fsm/Analysis/SharedBuffers.h"
#include "fsm/Analysis/TensorTile.h"
#include "fsm/Layout/LayoutPart.h"
#include "fsm/Layout/TensorTiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/ControlFlowSinkUtils.h"

namespace fsm {
#define GEN_PASS_DEF_STORETENSORSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// A store of a block that comes through shared memory for nothing else.
class TensorStore {
public:
  explicit TensorStore(StoreOp store) : store(store), kernel(store->getParentOfType<KernelOp>()) {}

  /// Whether it is one.
  bool findExchange();
  /// Why the hardware may not store it; null where it may.
  TileFault obstacle(const GpuTarget &gpu);
  /// Whether it is in a loop, and more than half of shared memory.
  bool isLarge(const GpuTarget &gpu) const;
  void replace(const GpuTarget &gpu);

  SharedType typeOfPart(const GpuTarget &gpu) const;

private:
  /// Whether it is made once in each program, outside of loops and branches.
  bool isOnce() const { return store->getBlock() == &KernelOp(kernel).getBody().front(); }
  TileFault obstacleAround();
  SharedType tileType() const;
  SmallVector<Value> coordinatesAt(ImplicitLocOpBuilder &builder, Value &least) const;
  Value mapOf(SharedType tile);
  void replaceByParts(SharedType part);
  void replaceByTurns(SharedType part);
  SmallVector<Value> coordinatesOfPart(ImplicitLocOpBuilder &builder, ArrayRef<Value> coordinates, int64_t column) const;
  bool hasRoom(SharedType tile, const GpuTarget &gpu) const;
  void storeByHardware(Value tile, Value map);

  StoreOp store;
  KernelOp kernel;
  SharedStoreOp write;
  SharedLoadOp read;
  std::optional<TensorTile> tensor;
  CopiedTensor copied;
};
} // namespace

bool TensorStore::findExchange() {
  read = store.getValue().getDefiningOp<SharedLoadOp>();
  auto alloc = read ? read.getShared().getDefiningOp<SharedAllocOp>() : SharedAllocOp();
  if (!alloc || !read->hasOneUse() || read.getSlot() || read.getMask() ||
      read->getBlock() != store->getBlock() || isFilledByCopies(alloc))
    return false;
  for (Operation *user : alloc->getUsers()) {
    if (user == read)
      continue;
    auto store = dyn_cast<SharedStoreOp>(user);
    if (write || !store || store->getBlock() != read->getBlock())
      return false;
    write = store;
  }
  return write && write->isBeforeInBlock(read);
}

/// The tile of the block that boxes of a tensor make up.
SharedType TensorStore::tileType() const {
  auto block = cast<RankedTensorType>(StoreOp(store).getValue().getType());
  unsigned major = tensor->dims[1];
  uint64_t bytes = bytesOf(block.getElementType());
  unsigned swizzle = widestSwizzle(static_cast<uint64_t>(block.getDimSize(major)) * bytes);
  // Boxes make up all of it: of lines that are no power of two there is one.
  int64_t lines = block.getDimSize(1 - major);
  if (!swizzle || (!llvm::isPowerOf2_64(lines) && lines > TensorMapType::kMostExtent))
    return {};
  LinearLayout layout = tensorTileLayout({block.getShape().begin(), block.getShape().end()},
                                         static_cast<unsigned>(bytes), major, swizzle);
  return SharedType::get(block.getContext(), block.getShape(), block.getElementType(), /*pitch=*/0,
                         /*slots=*/0, LayoutAttr::get(block.getContext(), layout));
}

/// A block is stored in as many parts at most, of so many bytes at least: each costs a barrier of all threads.
static constexpr int64_t kMostParts = 4, kMostPartsByTurns = 16;
static constexpr uint64_t kLeastPartBytes = 16 * 1024;

bool TensorStore::isLarge(const GpuTarget &gpu) const {
  return !isOnce() && 2 * SharedStoreOp(write).getShared().getType().getBytes() > gpu.maxSharedBytesPerCta;
}

/// The tile of one of the parts, each of some panels, by which a block is stored; null where it is in one, or threads have
/// no registers of each part. In a loop parts are small, for slots have what they leave.
SharedType TensorStore::typeOfPart(const GpuTarget &gpu) const {
  SharedType whole = tileType();
  unsigned major = tensor->dims[1];
  SmallVector<int64_t> shape(whole.getShape());
  int64_t columns = shape[major], width = TensorMapType::of(whole).getBox()[1];
  auto bytesOfPart = [&] { return whole.getBytes() / static_cast<uint64_t>(columns / width); };
  bool isByTurns = isLarge(gpu) && hasNoCoordinateBelow(*tensor);
  int64_t most = isByTurns ? kMostPartsByTurns : kMostParts;
  while ((columns / width > most || bytesOfPart() < kLeastPartBytes) && columns % (2 * width) == 0)
    width *= 2;
  shape[major] = width;
  Extents extents(shape.begin(), shape.end()), first = {0, 0};
  first[major] = static_cast<uint64_t>(columns - width);
  LinearLayout threads = linearLayoutOf(cast<RankedTensorType>(SharedStoreOp(write).getValue().getType()));
  if (!(isOnce() || isByTurns) || columns / width < 2 || columns / width > most || !partOf(threads, extents, first))
    return {};
  auto bytes = static_cast<unsigned>(bytesOf(whole.getElementType()));
  LinearLayout layout = tensorTileLayout(extents, bytes, major, TensorMapType::of(whole).getSwizzle());
  return SharedType::get(whole.getContext(), shape, whole.getElementType(), /*pitch=*/0, /*slots=*/0,
                         LayoutAttr::get(whole.getContext(), layout));
}

/// What else the kernel does that the hardware's store would not be in order with.
TileFault TensorStore::obstacleAround() {
  TileFault why = nullptr;
  kernel.walk([&](Operation *op) {
    Value copied;
    if (auto map = dyn_cast<TensorMapOp>(op))
      copied = map.getPointer();
    if (auto map = dyn_cast<OwnTensorMapOp>(op))
      copied = map.getPointer();
    bool isOther = op != store && isa<GlobalAccess>(op);
    if (isa<AtomicAccess, BarrierOp>(op))
      why = "the kernel orders it by atomics or barriers";
    else if ((copied && mayAlias(copied, store.getPointer())) ||
             (isOther && mayAlias(op, store)))
      why = "the kernel may access its memory otherwise";
  });
  return why;
}

/// Whether a tile that is there for the whole kernel has room beside all else; elsewhere it takes the place of
/// what threads exchange.
bool TensorStore::hasRoom(SharedType tile, const GpuTarget &gpu) const {
  if (isOnce())
    return true;
  uint64_t others =
      ScratchPlan::of(kernel, {SharedStoreOp(write).getShared().getDefiningOp()}).bytes();
  // By turns there are two tiles.
  if (SharedType part = typeOfPart(gpu))
    return llvm::alignTo(others, part.getAlignment()) + 2 * part.getBytes() <= gpu.maxSharedBytesPerCta;
  return llvm::alignTo(others, tile.getAlignment()) + tile.getBytes() <= gpu.maxSharedBytesPerCta;
}

TileFault TensorStore::obstacle(const GpuTarget &gpu) {
  if (kernel.getNumCtas().value_or(1) > 1 || estimateResources(kernel).programsPerCta > 1)
    return "the cta has several programs, or the program several ctas";
  if (store.getIsVolatile())
    return "it is volatile";
  TileFault why = nullptr;
  tensor = anyTensorTileOf(store, why);
  if (!tensor)
    return why;
  if (tensor->maker == MapMaker::Program && (isOnce() || !onlyLoopsAround(store)))
    return isOnce() ? kMapOfOneTile : "the program would make its map in something else than 'scf.for'";
  if (!tensor->hasWholeEnds)
    return "its rows may begin or end inside of 16 bytes";
  SharedType tile = tileType();
  if (!tile || !TensorMapType::of(tile))
    return "no boxes make up its block";
  if (!hasRoom(tile, gpu))
    return "shared memory has no room for its block beside the loop's slots";
  return obstacleAround();
}

/// Moves an op and what only it needs into a block, in front of its end.
static void sinkInto(Region &region, ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    op->moveBefore(region.front().getTerminator());
  DominanceInfo dominance(region.getParentOp()->getParentOp());
  controlFlowSink(
      RegionRange(region), dominance, [](Operation *op, Region *) { return isPure(op); },
      [](Operation *op, Region *into) { op->moveBefore(&into->front(), into->front().begin()); });
}

/// Where the block begins, and in `least`, if it may do so below 0, what is below 0 then.
SmallVector<Value> TensorStore::coordinatesAt(ImplicitLocOpBuilder &builder, Value &least) const {
  SmallVector<Value> coordinates = copied.coordinates(builder, *tensor);
  for (auto [begin, origin] : llvm::zip(coordinates, tensor->origins)) {
    if (isNonNegative(origin))
      continue;
    // The sign of both together is that of either.
    least = least ? arith::OrIOp::create(builder, least, begin).getResult() : begin;
  }
  return coordinates;
}

/// In place of the threads' store; beside it, where the part may begin below 0.
void TensorStore::storeByHardware(Value tile, Value map) {
  ImplicitLocOpBuilder builder(store.getLoc(), store);
  Value least;
  SmallVector<Value> coordinates = coordinatesAt(builder, least);
  if (!least) {
    StoreTensorOp::create(builder, tile, map, coordinates);
    store.erase();
    read.erase();
    return;
  }
  Value zero = arith::ConstantIntOp::create(builder, 0, 32);
  Value isBelow = arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, least, zero);
  auto both = scf::IfOp::create(builder, isBelow, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(both.elseBlock());
  StoreTensorOp::create(builder, tile, map, coordinates);
  read.getSharedMutable().assign(tile);
  sinkInto(both.getThenRegion(), {read, store});
}

/// Whether all that describes a tensor is there in front of an op.
static bool isDescribedBefore(const TensorTile &tensor, Operation *op) {
  auto isBefore = [&](Value value) {
    Operation *maker = value.getDefiningOp();
    return !maker || maker->getBlock() != op->getBlock() || maker->isBeforeInBlock(op);
  };
  return isBefore(tensor.pointer) &&
         llvm::all_of(ArrayRef{tensor.sizes[0], tensor.sizes[1], tensor.stride, tensor.base}, [&](const ScalarSum &sum) {
           return llvm::all_of(sum.terms, [&](auto &term) { return isBefore(term.first); });
         });
}

/// Where the program makes a store's map: in front of the first loop beside it, which waits for its first copies meanwhile.
static Operation *placeOfMap(StoreOp store, const TensorTile &tensor) {
  auto loops = store->getBlock()->getOps<scf::ForOp>();
  if (loops.empty() || !(*loops.begin())->isBeforeInBlock(store) || !isDescribedBefore(tensor, *loops.begin()))
    return store;
  return *loops.begin();
}

/// In front of all, or of the store and what it stores.
Value TensorStore::mapOf(SharedType tile) {
  ImplicitLocOpBuilder front(store.getLoc(), tile.getContext());
  front.setInsertionPointToStart(&kernel.getBody().front());
  SmallVector<scf::ForOp> around = onlyLoopsAround(store).value_or(SmallVector<scf::ForOp>());
  copied = describeTensor(front, *tensor, TensorMapType::of(tile), {placeOfMap(store, *tensor), around, /*isForLoop=*/false});
  return copied.map;
}

/// Where the part that begins at a column does so in the block, by its dimensions.
static DenseI64ArrayAttr beginOfPart(OpBuilder &builder, unsigned major, int64_t column) {
  SmallVector<int64_t> at = {0, 0};
  at[major] = column;
  return builder.getDenseI64ArrayAttr(at);
}

SmallVector<Value> TensorStore::coordinatesOfPart(ImplicitLocOpBuilder &builder, ArrayRef<Value> coordinates,
                                                  int64_t column) const {
  SmallVector<Value> place(coordinates);
  if (column)
    place[1] = arith::AddIOp::create(builder, place[1], arith::ConstantIntOp::create(builder, column, 32));
  return place;
}

/// While the hardware stores one part threads bring the next one, from two tiles in turns. A barrier that all meet at with a part is
/// behind the wait for the tile of the one after it.
void TensorStore::replaceByTurns(SharedType part) {
  Value block = write.getValue(), map = mapOf(part), least;
  Block &body = kernel.getBody().front();
  ImplicitLocOpBuilder front(store.getLoc(), store.getContext()), builder(store.getLoc(), store);
  front.setInsertionPointToStart(&body);
  Value tiles[2] = {SharedAllocOp::create(front, part), SharedAllocOp::create(front, part)};
  SmallVector<Value> coordinates = coordinatesAt(builder, least);
  // What the last iteration stored comes before what this one does.
  for (Value tile : tiles)
    StoreWaitOp::create(builder, tile, /*read=*/false);
  unsigned major = tensor->dims[1];
  int64_t width = part.getShape()[major];
  for (int64_t column = 0; column < cast<RankedTensorType>(block.getType()).getDimSize(major); column += width) {
    Value tile = tiles[column / width % 2];
    SharedStoreOp::create(builder, block, beginOfPart(builder, major, column), tile);
    if (column)
      StoreWaitOp::create(builder, tiles[(column / width + 1) % 2], /*read=*/true);
    SharedBarrierOp::create(builder, ThreadScope::Program, /*fence=*/true, /*global_fence=*/false);
    StoreTensorOp::create(builder, tile, map, coordinatesOfPart(builder, coordinates, column));
  }
  builder.setInsertionPoint(body.getTerminator());
  for (Value tile : tiles)
    StoreWaitOp::create(builder, tile, /*read=*/false);
  auto alloc = write.getShared().getDefiningOp<SharedAllocOp>();
  if (auto barrier = dyn_cast<SharedBarrierOp>(write->getNextNode()))
    barrier.erase();
  for (Operation *op : std::initializer_list<Operation *>{store, read, write, alloc})
    op->erase();
}

/// Threads that store the block themselves, where it begins below 0, do so as before.
void TensorStore::replaceByParts(SharedType part) {
  auto alloc = write.getShared().getDefiningOp<SharedAllocOp>();
  auto barrier = dyn_cast<SharedBarrierOp>(write->getNextNode());
  Value block = write.getValue(), map = mapOf(part), least;
  ImplicitLocOpBuilder builder(store.getLoc(), store);
  SmallVector<Value> coordinates = coordinatesAt(builder, least);
  SmallVector<Operation *> before = {alloc, write, read, store};
  if (barrier)
    before.insert(before.begin() + 2, barrier);
  scf::IfOp both;
  if (least) {
    Value zero = arith::ConstantIntOp::create(builder, 0, 32);
    Value isBelow = arith::CmpIOp::create(builder, arith::CmpIPredicate::slt, least, zero);
    both = scf::IfOp::create(builder, isBelow, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(both.elseBlock());
  }
  unsigned major = tensor->dims[1];
  int64_t width = part.getShape()[major];
  SmallVector<Value> tiles;
  for (int64_t column = 0; column < cast<RankedTensorType>(block.getType()).getDimSize(major); column += width) {
    Value tile = tiles.emplace_back(SharedAllocOp::create(builder, part));
    SharedStoreOp::create(builder, block, beginOfPart(builder, major, column), tile);
    SharedBarrierOp::create(builder, ThreadScope::Program, /*fence=*/true, /*global_fence=*/false);
    StoreTensorOp::create(builder, tile, map, coordinatesOfPart(builder, coordinates, column));
  }
  // Where threads store, their memory lies over that of the parts.
  if (!both)
    builder.setInsertionPoint(kernel.getBody().front().getTerminator());
  for (Value tile : tiles)
    StoreWaitOp::create(builder, tile, /*read=*/false);
  if (both)
    return sinkInto(both.getThenRegion(), before);
  for (Operation *op : llvm::reverse(before))
    op->erase();
}

void TensorStore::replace(const GpuTarget &gpu) {
  if (SharedType part = typeOfPart(gpu))
    return isOnce() ? replaceByParts(part) : replaceByTurns(part);
  Block &body = kernel.getBody().front();
  auto alloc = write.getShared().getDefiningOp<SharedAllocOp>();
  SharedType type = tileType();
  Value map = mapOf(type);
  ImplicitLocOpBuilder front(store.getLoc(), store.getContext());
  if (tensor->maker == MapMaker::Launch)
    front.setInsertionPointAfterValue(map);
  else
    front.setInsertionPointToStart(&body);
  if (isOnce())
    front.setInsertionPoint(alloc);
  Value tile = SharedAllocOp::create(front, type);
  write.getSharedMutable().assign(tile);
  if (!isOnce()) {
    front.setInsertionPoint(write);
    StoreWaitOp::create(front, tile, /*read=*/false);
  }
  if (auto barrier = dyn_cast<SharedBarrierOp>(write->getNextNode()))
    barrier.erase();
  ImplicitLocOpBuilder behind(store.getLoc(), store.getContext());
  behind.setInsertionPointAfter(write);
  // What threads stored by themselves before, the hardware's store comes behind as well.
  SharedBarrierOp::create(behind, ThreadScope::Program, /*fence=*/true,
                          /*global_fence=*/!hasNoCoordinateBelow(*tensor));
  front.setInsertionPoint(body.getTerminator());
  StoreWaitOp::create(front, tile, /*read=*/false);
  storeByHardware(tile, map);
  alloc.erase();
}

namespace {
struct StoreTensors : fsm::impl::StoreTensorsPassBase<StoreTensors> {
  using StoreTensorsPassBase::StoreTensorsPassBase;

  void runOnOperation() override {
    const GpuTarget *gpu = targetOrError(getOperation(), target);
    if (!gpu)
      return signalPassFailure();
    SmallVector<StoreOp> stores;
    getOperation().walk([&](StoreOp store) { stores.push_back(store); });
    for (StoreOp store : stores)
      visit(store, *gpu);
  }

  void visit(StoreOp store, const GpuTarget &gpu) {
    TensorStore found(store);
    if (!found.findExchange() || (large && !found.isLarge(gpu)))
      return;
    TileFault why = !gpu.features.bulkCopy ? "the target has no copies of tensors"
                    : !tensorMaps          ? "the launch makes no tensor maps"
                                           : found.obstacle(gpu);
    // What is stored at once has to wait for what slots leave.
    if (large && (why || !found.typeOfPart(gpu)))
      return;
    Location loc = store.getLoc();
    if (!why) {
      found.replace(gpu);
      ++stored;
    }
    if (remarks && why)
      emitRemark(loc) << "threads store what this store has from shared memory: " << why;
    else if (remarks)
      emitRemark(loc) << "one thread has the block of this store stored from shared memory";
  }
};
} // namespace
