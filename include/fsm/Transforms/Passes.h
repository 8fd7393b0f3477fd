//===- Passes.h - The passes over the fsm dialect --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PASSES_H
#define FSM_TRANSFORMS_PASSES_H

#include "fsm/IR/FSMDialect.h"
#include "mlir/Pass/Pass.h"

namespace fsm {

#define GEN_PASS_DECL
#include "fsm/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fsm/Transforms/Passes.h.inc"

/// What fsm-print-layouts prints of all kernels.
void printLayouts(mlir::ModuleOp module, llvm::raw_ostream &os, unsigned maxElements);

} // namespace fsm

#endif // FSM_TRANSFORMS_PASSES_H
