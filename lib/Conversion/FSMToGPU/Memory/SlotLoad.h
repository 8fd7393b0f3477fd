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

/// A load from a slot.
mlir::LogicalResult lowerSlotLoad(ThreadLowering &thread, SharedLoadOp op);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_SLOTLOAD_H
