//===- SlotLoad.h - Blocks out of slots of shared memory -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_SLOTLOAD_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_SLOTLOAD_H

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"

namespace fsm::gpu {

/// Where a slot of memory begins, or an mbarrier is. Null, after an error there, when the memory
/// has no place.
mlir::Value slotAddress(DeviceProgram &program, mlir::Location loc, mlir::Value shared,
                        mlir::Value slot);

/// What a thread takes of a slot: groups of registers, each of which lies side by side.
struct SlotLoad {
  ThreadBlock &block;
  const std::vector<std::vector<uint64_t>> &groups;
  mlir::Type element;
  /// Where the mask of a group's first element is false, it is what `other` has there; both may be
  /// null, for true and zero.
  mlir::Value mask, other;
  /// Whether nothing is read where the mask is false or the block has ended: nobody has written it.
  bool isGuarded;
};

/// The thread's vector, as memory has it.
mlir::Value loadSlot(DeviceProgram &program, mlir::Location loc, const SlotLoad &load,
                     llvm::function_ref<mlir::Value(size_t group)> addressOf);

/// A load from a slot whose elements lie row by row.
mlir::LogicalResult lowerRowsOfSlot(ThreadLowering &thread, SharedLoadOp op);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_SLOTLOAD_H
