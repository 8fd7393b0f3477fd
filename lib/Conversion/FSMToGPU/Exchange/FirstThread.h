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

/// What the first thread of the program has of a scalar that `op`, which isMadeOnce, gives:
/// in all threads, as `planExchange` says. `scratch` is where the op's memory begins.
mlir::Value fromFirstThread(DeviceProgram &program, mlir::Operation *op, mlir::Value scalar,
                            uint64_t scratch);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_FIRSTTHREAD_H
