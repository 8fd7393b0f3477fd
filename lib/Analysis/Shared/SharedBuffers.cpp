//===- SharedBuffers.cpp - Who uses which shared memory, when ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/SharedBuffers.h"

#include "fsm/Analysis/ProductsInFlight.h"
#include "fsm/IR/Users.h"

using namespace mlir;
using namespace fsm;

SmallVector<SharedAllocOp, 2> fsm::allocsOf(Operation *access) {
  SmallVector<SharedAllocOp, 2> allocs;
  for (Value operand : access->getOperands())
    if (isa<SharedType>(operand.getType()))
      allocs.push_back(operand.getDefiningOp<SharedAllocOp>());
  return allocs;
}

Value fsm::slotRead(Operation *access, SharedAllocOp alloc) {
  if (auto load = dyn_cast<SharedLoadOp>(access))
    return load.getSlot();
  auto product = dyn_cast<SharedDotOp>(access);
  if (!product)
    return {};
  return product.getLeft() == alloc ? product.getLeftSlot() : product.getRightSlot();
}

bool fsm::isFilledByCopies(SharedAllocOp alloc) {
  return alloc.getType().getSlots() > 0 || alloc.getType().isOfMBarriers();
}

bool fsm::areFilledByTensors(SharedAllocOp alloc) {
  return llvm::any_of(usersOf<CopyTensorOp>(alloc),
                      [&](CopyTensorOp copy) { return copy.getShared() == alloc; });
}

bool fsm::writesTo(Operation *access, SharedAllocOp alloc) {
  if (auto copy = dyn_cast<SlotCopy>(access))
    return copy.getShared() == alloc.getResult();
  return isa<SharedStoreOp, MBarrierInitOp, ClearLinesOp>(access);
}

bool fsm::isOfAllWarps(const LinearLayout &layout) {
  return layout.freeBits(Dim::Warp) == 0 && layout.freeBits(Dim::Cta) == 0;
}

/// Whether all warps store to an exchange, and it arrives.
static bool arrivesFromAll(Operation *op) {
  auto along = dyn_cast<AlongAxis>(op);
  return along && llvm::any_of(along.getExchange(), [](Region &exchange) {
           auto stores = exchange.front().getOps<SharedStoreOp>();
           return !stores.empty() && llvm::all_of(stores, [](SharedStoreOp store) {
             auto block = dyn_cast<RankedTensorType>(store.getValue().getType());
             return store.getMbarrier() && block && isOfAllWarps(linearLayoutOf(block));
           });
         });
}

Value fsm::mbarrierOfRounds(SharedStoreOp store) {
  Operation *exchange = store->getParentOp();
  auto loop = dyn_cast<scf::ForOp>(exchange->getParentOp());
  if (!store.getMbarrier() || !loop || !isa<KernelOp>(loop->getParentOp()) ||
      !arrivesFromAll(exchange))
    return {};
  bool hasOther = llvm::any_of(*loop.getBody(), [&](Operation &op) {
    return &op != exchange && arrivesFromAll(&op);
  });
  return hasOther ? store.getMbarrier() : Value();
}

bool fsm::sharesBytes(SharedAllocOp left, SharedAllocOp right) {
  auto begin = [](SharedAllocOp alloc) {
    return static_cast<uint64_t>(integerAttrOr(alloc, kSharedOffsetAttr, 0));
  };
  auto end = [&](SharedAllocOp alloc) { return begin(alloc) + alloc.getType().getBytes(); };
  return begin(left) < end(right) && begin(right) < end(left);
}

Value fsm::storedBlock(SharedLoadOp load) {
  Value block;
  for (SharedStoreOp store : usersOf<SharedStoreOp>(load.getShared())) {
    if (block)
      return {};
    block = store.getValue();
  }
  return block;
}

/// The places in the order in which threads access them: the bits of an access, the lane and the
/// warp, so that neither copies nor loads meet in banks; then the other registers, of which those
/// come last that move along an extent that is no power of two. What a slot need not have is at its
/// end.
static LinearLayout ownPlaces(RankedTensorType block, unsigned width, unsigned dim) {
  LinearLayout threads = linearLayoutOf(block);
  const BitSpace &space = threads.to();
  std::vector<uint64_t> bases, others = threads.basesOf(Dim::Register);
  for (uint64_t step = 1; step < width; step *= 2)
    if (auto found = llvm::find(others, space.place(blockDim(dim), step)); found != others.end()) {
      bases.push_back(*found);
      others.erase(found);
    }
  for (Dim part : {Dim::Lane, Dim::Warp})
    for (uint64_t base : threads.basesOf(part))
      bases.push_back(base);
  std::stable_partition(others.begin(), others.end(), [&](uint64_t base) {
    return llvm::all_of(space.axes(), [&](const Axis &axis) {
      return llvm::isPowerOf2_64(axis.extent) || space.get(base, axis.dim) == 0;
    });
  });
  llvm::append_range(bases, others);
  return LinearLayout(BitSpace::offsets(bases.size()), space, bases);
}

/// A block's extents, up to the last element that some thread holds in a register that is live.
static SmallVector<int64_t> extentsWithPadding(RankedTensorType block) {
  LinearLayout threads = linearLayoutOf(block);
  const BitSpace &space = threads.to();
  SmallVector<int64_t> extents;
  for (unsigned i = 0; i < static_cast<unsigned>(block.getRank()); ++i) {
    uint64_t last = 0, inThreads = 0, inRegisters = 0;
    for (Dim part : {Dim::Lane, Dim::Warp})
      for (uint64_t base : threads.basesOf(part))
        inThreads |= space.get(base, blockDim(i));
    for (uint64_t base : threads.basesOf(Dim::Register))
      inRegisters |= space.get(base, blockDim(i));
    for (uint64_t bit = llvm::bit_floor(inRegisters); bit; bit /= 2)
      if ((bit & inRegisters) && (last | bit) < space.extentOf(blockDim(i)))
        last |= bit;
    extents.push_back(std::max(block.getDimSize(i), static_cast<int64_t>(last | inThreads) + 1));
  }
  return extents;
}

SharedType fsm::slotsFor(LoadOp load, unsigned slots, bool isBulk) {
  auto block = cast<RankedTensorType>(load.getType());
  MLIRContext *context = load.getContext();
  if (isBulk)
    return SharedType::get(context, block.getShape(), block.getElementType(), 0, slots, {});
  auto width = static_cast<unsigned>(integerAttrOr(load, kAccessWidthAttr, 1));
  auto dim = static_cast<unsigned>(integerAttrOr(load, kAccessDimAttr, 0));
  auto places = LayoutAttr::get(context, ownPlaces(block, width, dim));
  return SharedType::get(context, extentsWithPadding(block), block.getElementType(), 0, slots,
                         places);
}

SharedType fsm::slotsForParts(RankedTensorType block, unsigned slots) {
  LinearLayout threads = linearLayoutOf(block);
  std::vector<uint64_t> registers = threads.basesOf(Dim::Register), bases;
  unsigned vector = llvm::Log2_32(kSharedAlignment / bytesOf(block.getElementType()));
  auto first = registers.begin() + std::min<size_t>(vector, registers.size());
  bases.assign(registers.begin(), first);
  for (Dim part : {Dim::Lane, Dim::Warp})
    llvm::append_range(bases, threads.basesOf(part));
  bases.insert(bases.end(), first, registers.end());
  // Threads that hold the same have one place.
  llvm::erase(bases, 0);
  auto places = LayoutAttr::get(block.getContext(),
                                LinearLayout(BitSpace::offsets(bases.size()), threads.to(), bases));
  return SharedType::get(block.getContext(), block.getShape(), block.getElementType(), 0, slots,
                         places);
}

/// The waits behind which products in flight of a loop have ended.
static SmallVector<Operation *, 1> waitsBehind(SharedDotOp product) {
  SmallVector<Operation *, 1> waits;
  if (!product->hasAttr(kInFlightAttr))
    return waits;
  if (BlockArgument sums = carriedSums(product)) {
    Value last = cast<scf::ForOp>(product->getParentOp()).getTiedLoopResult(sums);
    llvm::copy_if(last.getUsers(), std::back_inserter(waits), llvm::IsaPred<ProductWaitOp>);
  }
  return waits;
}

SharedLives::SharedLives(KernelOp kernel) {
  unsigned next = 0;
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) { lives[op] = {next, next}, ++next; });
  // Inner ops come first: an op ends with the last one inside it.
  kernel->walk([&](Operation *op) {
    if (op != kernel)
      lives[op->getParentOp()].second = std::max(lives[op->getParentOp()].second, of(op).second);
  });
  kernel->walk([&](SharedAllocOp alloc) {
    auto extendTo = [&](Operation *op) {
      if (Operation *around = alloc->getBlock()->findAncestorOpInBlock(*op))
        lives[alloc].second = std::max(lives[alloc].second, of(around).second);
    };
    llvm::for_each(alloc->getUsers(), extendTo);
    for (SharedDotOp product : usersOf<SharedDotOp>(alloc))
      llvm::for_each(waitsBehind(product), extendTo);
  });
}
