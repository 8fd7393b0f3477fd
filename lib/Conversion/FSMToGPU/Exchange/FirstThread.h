//===- FirstThread.h - What the first thread hands on ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_FIRSTTHREAD_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_FIRSTTHREAD_H

#include "../Program/DeviceProgram.h"

namespace fsm::gpu {

/// Whether `op`, which isMadeOnce, gives a result that the others are handed within their warp, or
/// that shared memory hands on; if not, an error at the op.
mlir::LogicalResult checkHandedOn(mlir::Operation *op);

/// What the first lane has of a scalar that such an op gives: in all threads that ask for it.
mlir::Value fromFirstThread(DeviceProgram &program, mlir::Operation *op, mlir::Value scalar);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_FIRSTTHREAD_H
