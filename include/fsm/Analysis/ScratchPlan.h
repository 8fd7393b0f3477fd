//===- ScratchPlan.h - Where scratch lies in shared memory -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_SCRATCHPLAN_H
#define FSM_ANALYSIS_SCRATCHPLAN_H

#include "fsm/IR/FSMDialect.h"

#include <cstdint>
#include <vector>

namespace fsm {

/// An `fsm.shared_alloc`, in bytes from the beginning of the program's memory.
struct SharedBuffer {
  SharedAllocOp op;
  uint64_t offset;
  uint64_t bytes;
};

/// Where the blocks that the threads of a kernel exchange lie in shared memory.
///
/// Buffers that are in use at the same time (SharedLives) lie apart. Any two others could
/// share bytes: the program would wait before the second one is written. Two with no barrier
/// on the way from one to the other are kept apart where that costs little memory, and then
/// it need not wait:
///
///   max   writes 0..128     barrier   reads 0..128
///   sum   writes 128..256   barrier   reads 128..256
///   max   writes 0..128     ...       ordered behind its last reads by sum's barrier
///
/// What copies fill, where blocks wait for later iterations, lies in front of all others, and no two
/// such share bytes. A large block that is exchanged before or behind lies over it, but what copies of
/// tensors fill, only behind: the hardware's writes are not ordered against what threads wrote there.
class ScratchPlan {
public:
  /// What is larger than this shares bytes and waits instead.
  static constexpr uint64_t kMaxBytesApart = 4096;
  /// Offsets, if no more is asked for, and the total are multiples of this.
  static constexpr uint64_t kAlignment = kSharedAlignment;

  /// Lays out a kernel whose blocks have layouts, as if it had none of the allocs `without`.
  static ScratchPlan of(KernelOp kernel, const llvm::DenseSet<mlir::Operation *> &without = {});

  /// The plan that the attributes of a kernel hold. Ops without an offset are left out.
  static ScratchPlan writtenIn(KernelOp kernel);

  /// In program order.
  const std::vector<SharedBuffer> &buffers() const { return all; }
  /// What one program needs.
  uint64_t bytes() const { return total; }

  /// Reports at the op a misaligned offset, a buffer beyond the end, and each op of the kernel
  /// that has no buffer but needs one, or has one of another size.
  mlir::LogicalResult verify(KernelOp kernel) const;

private:
  std::vector<SharedBuffer> all;
  uint64_t total = 0;
};

/// Adds the allocs of the loop's kernel that lie over slots which are in use as long as the loop runs:
/// where copies of tensors fill these, those alone that are in use behind it.
void addOverSlotsOf(mlir::scf::ForOp loop, bool areTensors,
                    llvm::DenseSet<mlir::Operation *> &allocs);

} // namespace fsm

#endif // FSM_ANALYSIS_SCRATCHPLAN_H
