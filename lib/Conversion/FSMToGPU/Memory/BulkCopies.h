//===- BulkCopies.h - Copies by one thread, and their mbarriers *- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_BULKCOPIES_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_BULKCOPIES_H

#include "Access.h"

namespace fsm::gpu {

/// Emits the rest of what is lowered where a condition holds; null holds always.
void continueIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition);

/// The copy of a whole block, by the program's first thread.
mlir::LogicalResult lowerBulkCopy(ThreadLowering &thread, CopyAsyncOp op,
                                  const AccessOperands &operands);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_BULKCOPIES_H
