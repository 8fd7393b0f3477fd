//===- Rings.h - Asynchronous copies into rings ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_RINGS_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_RINGS_H

#include "Access.h"

namespace fsm::gpu {

/// Begins the copies of a thread: its n-th access goes to the n-th piece of shared memory that
/// the program's threads have side by side, so that neither its copy nor its read
/// meets another thread's banks.
/// Into a ring that is `bulk` the program's first thread copies all, or the first `count`.
mlir::LogicalResult lowerCopy(DeviceProgram &program, CopyAsyncOp op,
                              const AccessOperands &operands, mlir::Value slot, mlir::Value count,
                              mlir::Value condition);

/// Makes the mbarriers of a ring that is `bulk`, by the program's first thread.
mlir::LogicalResult lowerRing(DeviceProgram &program, RingOp op);

/// Waits until what was copied into a slot of a ring that is `bulk` has arrived.
mlir::LogicalResult lowerBulkWait(DeviceProgram &program, BulkWaitOp op, mlir::Value slot,
                                  mlir::Value phase);

/// `fsm.copy_commit` and `fsm.copy_wait`.
void lowerCopyOrder(DeviceProgram &program, mlir::Operation *op);

/// What the thread has copied, with its mask and what is taken where that is false, or null.
/// Null after an error at the op.
mlir::Value lowerRingRead(DeviceProgram &program, RingReadOp op, mlir::Value slot, mlir::Value mask,
                          mlir::Value other);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_RINGS_H
