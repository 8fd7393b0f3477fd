//===- DebugTable.h - The list of a kernel's prints and asserts -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_DEBUGTABLE_H
#define FSM_IR_DEBUGTABLE_H

#include "fsm/Artifact/DebugRecords.h"
#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// Whether the op is an `fsm.print` or an `fsm.assert`.
inline bool isDebugOp(mlir::Operation *op) { return mlir::isa<PrintOp, AssertOp>(op); }

/// What the host has to know of such an op.
DebugOp describeDebugOp(mlir::Operation *op);

/// The same as an attribute, and back. Null, or nothing, when the attribute has
/// another form.
mlir::Attribute debugAttributeOf(mlir::Operation *op);
std::optional<DebugOp> readDebugAttribute(mlir::Attribute attribute);

/// The list that `owner` has; empty without one.
std::vector<DebugOp> debugOpsOf(mlir::Operation *owner);

/// Whether an attribute has the form that `fsm-number-debug-ops` writes.
bool isDebugList(mlir::Attribute attribute);

} // namespace fsm

#endif // FSM_IR_DEBUGTABLE_H
