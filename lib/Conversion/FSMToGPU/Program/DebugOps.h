//===- DebugOps.h - Prints and asserts on a GPU ----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_PROGRAM_DEBUGOPS_H
#define FSM_CONVERSION_FSMTOGPU_PROGRAM_DEBUGOPS_H

#include "DeviceProgram.h"

#include "mlir/IR/IRMapping.h"

namespace fsm::gpu {

/// Lowers an `fsm.print` or `fsm.assert`: each element is recorded by one thread. `buffer` is
/// the hidden argument.
mlir::LogicalResult lowerDebugOp(DeviceProgram &program, mlir::Operation *op,
                                 const mlir::IRMapping &values, mlir::Value buffer);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_DEBUGOPS_H
