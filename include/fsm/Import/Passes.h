//===- Passes.h - Passes that read other languages --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IMPORT_PASSES_H
#define FSM_IMPORT_PASSES_H

#include "fsm/IR/FSMDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace fsm {

#define GEN_PASS_DECL
#include "fsm/Import/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fsm/Import/Passes.h.inc"

/// Adds the dialects that Triton's front end writes.
void registerTriton(mlir::DialectRegistry &registry);

} // namespace fsm

#endif // FSM_IMPORT_PASSES_H
