//===- Module.h - What a module of the language holds ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_MODULE_H
#define FSM_IR_MODULE_H

#include "mlir/IR/BuiltinOps.h"

namespace fsm {

/// Checks that a module holds kernels and helpers, and nothing beside them. Emits an error at each
/// op that is neither.
mlir::LogicalResult verifyModule(mlir::ModuleOp module);

} // namespace fsm

#endif // FSM_IR_MODULE_H
