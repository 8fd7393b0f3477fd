//===- ScratchPlan.cpp - Where scratch lies in shared memory -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ScratchPlan.h"

#include "fsm/Analysis/Hazards.h"
#include "fsm/Analysis/SharedBuffers.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

/// The lowest offset at which `bytes` miss all of `taken`, a multiple of `alignment`.
static uint64_t lowestFit(std::vector<SharedBuffer> taken, uint64_t bytes, uint64_t alignment) {
  std::sort(taken.begin(), taken.end(), [](const SharedBuffer &left, const SharedBuffer &right) {
    return left.offset < right.offset;
  });
  uint64_t offset = 0;
  for (const SharedBuffer &buffer : taken) {
    if (offset + bytes <= buffer.offset)
      break;
    offset = std::max(offset, llvm::alignTo(buffer.offset + buffer.bytes, alignment));
  }
  return offset;
}

/// Whether it may have bytes of slots that copies fill before or behind: the program waits for that.
static bool liesOverSlots(SharedAllocOp alloc) {
  return !isFilledByCopies(alloc) && alloc.getType().getBytes() > ScratchPlan::kMaxBytesApart;
}

/// Whether nothing but products read its slots, around which all threads meet: what comes behind the loop may
/// have them. Where each thread reads what it has copied itself, barriers would be more.
static bool hasTiles(SharedAllocOp alloc) {
  auto users = alloc->getUsers();
  return !alloc.getType().isOfMBarriers() && llvm::any_of(users, llvm::IsaPred<SharedDotOp>) &&
         llvm::all_of(users, llvm::IsaPred<SharedDotOp, CopyAsyncOp, CopyTensorOp>);
}

/// Whether tiles may lie over those of a loop that has ended. The hardware's copies are in no order with what
/// threads copied there, without a fence.
static bool mayLieOver(SharedAllocOp alloc, SharedAllocOp earlier, const SharedLives &lives) {
  return hasTiles(alloc) && hasTiles(earlier) && lives.isBehind(alloc, earlier) &&
         (!areFilledByTensors(alloc) || areFilledByTensors(earlier));
}

/// Where slots lie that copies fill: tiles over those of loops that end before, all else behind one another.
static void placeSlots(ArrayRef<SharedAllocOp> slots, const SharedLives &lives, std::vector<SharedBuffer> &placed, uint64_t &total) {
  for (SharedAllocOp alloc : slots) {
    uint64_t bytes = llvm::alignTo(alloc.getType().getBytes(), ScratchPlan::kAlignment);
    std::vector<SharedBuffer> taken;
    llvm::copy_if(placed, std::back_inserter(taken), [&](SharedBuffer other) {
      return !mayLieOver(alloc, other.op, lives);
    });
    uint64_t offset = lowestFit(std::move(taken), bytes, alloc.getType().getAlignment());
    placed.push_back({alloc, offset, alloc.getType().getBytes()});
    total = std::max(total, offset + bytes);
  }
}

ScratchPlan ScratchPlan::of(KernelOp kernel, const llvm::DenseSet<Operation *> &without) {
  ScratchPlan plan;
  SmallVector<SharedAllocOp> slots, others;
  kernel.walk<WalkOrder::PreOrder>([&](SharedAllocOp alloc) {
    if (!without.contains(alloc))
      (isFilledByCopies(alloc) ? slots : others).push_back(alloc);
  });
  SharedLives lives(kernel);
  placeSlots(slots, lives, plan.all, plan.total);
  const std::vector<SharedBuffer> fixed = plan.all;
  llvm::DenseMap<Operation *, size_t> index;
  for (SharedAllocOp alloc : others) {
    index[alloc] = plan.all.size();
    plan.all.push_back({alloc, 0, alloc.getType().getBytes()});
  }
  std::vector<std::vector<size_t>> apart(plan.all.size());
  auto keepApart = [&](size_t one, size_t other) {
    apart[one].push_back(other);
    apart[other].push_back(one);
  };
  for (auto [earlier, later] : unorderedBuffers(kernel)) {
    if (!index.contains(earlier) || !index.contains(later))
      continue;
    size_t from = index[earlier], to = index[later];
    if (from != to && std::max(plan.all[from].bytes, plan.all[to].bytes) <= kMaxBytesApart)
      keepApart(from, to);
  }
  // In their order: no later one begins before the first that does so behind the end.
  for (size_t i = fixed.size(); i < plan.all.size(); ++i)
    for (size_t later = i + 1; later < plan.all.size(); ++later) {
      if (!lives.overlap(plan.all[i].op, plan.all[later].op))
        break;
      keepApart(i, later);
    }
  for (size_t i = fixed.size(); i < plan.all.size(); ++i) {
    std::vector<SharedBuffer> taken;
    llvm::copy_if(fixed, std::back_inserter(taken), [&](SharedBuffer slots) {
      return !liesOverSlots(plan.all[i].op) || slots.op.getType().isOfMBarriers() ||
             lives.overlap(slots.op, plan.all[i].op) ||
             (areFilledByTensors(slots.op) && !lives.isBehind(plan.all[i].op, slots.op));
    });
    for (size_t other : apart[i])
      if (other < i)
        taken.push_back(plan.all[other]);
    SharedBuffer &buffer = plan.all[i];
    buffer.offset = lowestFit(std::move(taken), buffer.bytes, buffer.op.getType().getAlignment());
    plan.total = std::max(plan.total, llvm::alignTo(buffer.offset + buffer.bytes, kAlignment));
  }
  return plan;
}

void fsm::addOverSlotsOf(scf::ForOp loop, bool areTensors, llvm::DenseSet<Operation *> &allocs) {
  auto kernel = loop->getParentOfType<KernelOp>();
  SharedLives lives(kernel);
  kernel.walk([&](SharedAllocOp alloc) {
    bool isApart = areTensors ? lives.isBehind(alloc, loop) : !lives.overlap(alloc, loop);
    if (liesOverSlots(alloc) && isApart)
      allocs.insert(alloc);
  });
}

ScratchPlan ScratchPlan::writtenIn(KernelOp kernel) {
  ScratchPlan plan;
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr))
    plan.total = static_cast<uint32_t>(bytes.getInt());
  kernel.walk<WalkOrder::PreOrder>([&](SharedAllocOp alloc) {
    if (auto offset = alloc->getAttrOfType<IntegerAttr>(kSharedOffsetAttr))
      plan.all.push_back(
          {alloc, static_cast<uint32_t>(offset.getInt()), alloc.getType().getBytes()});
  });
  return plan;
}

LogicalResult ScratchPlan::verify(KernelOp kernel) const {
  llvm::DenseMap<Operation *, uint64_t> planned;
  for (auto [op, offset, bytes] : all) {
    auto fail = [op = op] { return op->emitError("the plan of shared memory is wrong here: "); };
    if (uint64_t alignment = op.getType().getAlignment(); offset % alignment != 0)
      return fail() << "offset " << offset << " is not a multiple of " << alignment;
    if (offset + bytes > total)
      return fail() << "bytes " << offset << " to " << offset + bytes << " are beyond the end, "
                    << total;
    planned[op] = bytes;
  }
  WalkResult result = kernel.walk([&](SharedAllocOp alloc) -> WalkResult {
    uint64_t bytes = alloc.getType().getBytes();
    if (bytes == planned.lookup(alloc))
      return WalkResult::advance();
    return alloc->emitError() << "expected " << bytes << " bytes of shared memory at '"
                              << kSharedOffsetAttr
                              << "'; run fsm-allocate-shared after the last change of layouts";
  });
  return failure(result.wasInterrupted());
}
