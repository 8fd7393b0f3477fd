//===- SharedBuffers.h - Who uses which shared memory, when ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_SHAREDBUFFERS_H
#define FSM_ANALYSIS_SHAREDBUFFERS_H

#include "fsm/IR/FSMDialect.h"

#include <utility>

namespace fsm {

/// The memory that an op accesses; none for ops that do not access `!fsm.shared`.
llvm::SmallVector<SharedAllocOp, 2> allocsOf(mlir::Operation *access);

/// The slot of a memory that a load or a product reads; null for other ops and memory without slots.
mlir::Value slotRead(mlir::Operation *access, SharedAllocOp alloc);

/// Slots for what a load in a loop reads. Those of a bulk copy have it row by row. Those of
/// threads' own copies have it under a layout by which each thread's accesses go one behind the
/// other through all threads; their extents are the block's, rounded up to what all threads hold.
SharedType slotsFor(LoadOp load, unsigned slots, bool isBulk);
/// So many slots for a block, by vectors of what each thread holds.
SharedType slotsForParts(mlir::RankedTensorType block, unsigned slots);

/// Whether asynchronous copies fill a memory or arrive at it, which no barrier orders against
/// others in its bytes: they are its own all the time.
bool isFilledByCopies(SharedAllocOp alloc);

/// Whether copies of tensors fill a memory.
bool areFilledByTensors(SharedAllocOp alloc);

/// Whether an op writes to memory that it accesses. Who arrives at an mbarrier or waits for it does
/// not: these need no order.
bool writesTo(mlir::Operation *access, SharedAllocOp alloc);

/// Whether each warp of a program holds elements of a block that no other warp does.
bool isOfAllWarps(const LinearLayout &layout);

/// The mbarrier at which a store arrives whose memory all warps may store to again in the next round of the loop
/// around its exchange, for another exchange of the round arrives between: who has waited for that one knows that
/// each warp, which stored to it as well, has read what came before. Null for other stores.
mlir::Value mbarrierOfRounds(SharedStoreOp store);

/// Whether two of them have a byte in common, by their `fsm.shared_offset`.
bool sharesBytes(SharedAllocOp left, SharedAllocOp right);

/// The block that a load finds, if one store alone writes to its memory; null otherwise.
mlir::Value storedBlock(SharedLoadOp load);

/// From when to when the shared memory of a kernel is in use. The block of an `fsm.shared_alloc` is
/// from there to its last access, or to the end of the loop or branch behind the alloc that this is
/// in.
class SharedLives {
public:
  explicit SharedLives(KernelOp kernel);

  /// The steps of the kernel, in its order, in which memory is first and last in use.
  std::pair<unsigned, unsigned> of(mlir::Operation *buffer) const { return lives.lookup(buffer); }
  bool isBehind(mlir::Operation *later, mlir::Operation *earlier) const {
    return of(earlier).second < of(later).first;
  }
  bool overlap(mlir::Operation *left, mlir::Operation *right) const {
    auto [begin, end] = of(left);
    auto [otherBegin, otherEnd] = of(right);
    return begin <= otherEnd && otherBegin <= end;
  }

private:
  llvm::DenseMap<mlir::Operation *, std::pair<unsigned, unsigned>> lives;
};

} // namespace fsm

#endif // FSM_ANALYSIS_SHAREDBUFFERS_H
