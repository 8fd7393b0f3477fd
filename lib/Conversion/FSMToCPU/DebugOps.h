//===- DebugOps.h - Prints and asserts on the host -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOCPU_DEBUGOPS_H
#define FSM_CONVERSION_FSMTOCPU_DEBUGOPS_H

#include "HostBlocks.h"

#include "../Registers/DebugRecords.h"

namespace fsm::host {

/// The buffer of records, and the program that writes to it.
struct DebugPlace {
  mlir::Value buffer;
  std::array<mlir::Value, 3> program, programs;
};

/// Lowers an `fsm.print` or `fsm.assert` where the builder stands.
mlir::LogicalResult lowerDebugOp(mlir::OpBuilder &builder, mlir::IRMapping &scalars,
                                 HostBlocks &blocks, mlir::Operation *op, const DebugPlace &place);

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_DEBUGOPS_H
