//===- Atomics.h - Atomic accesses of a thread -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_ATOMICS_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_ATOMICS_H

#include "Access.h"

namespace fsm::gpu {

/// What `fsm.atomic_rmw` or, with `compare`, `fsm.atomic_cas` gives in one thread. Null
/// after an error at the op.
///
/// Each active element is updated by one thread: of those that hold it the first, of a
/// scalar the first of the program. Then the others get what was in memory, as
/// `planExchange` says.
mlir::Value lowerAtomic(DeviceProgram &program, mlir::Operation *op, const AccessOperands &operands,
                        mlir::Value compare);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_ATOMICS_H
