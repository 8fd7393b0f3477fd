//===- Passes.h - The passes that leave the fsm dialect --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_PASSES_H
#define FSM_CONVERSION_PASSES_H

#include "fsm/IR/FSMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace fsm {

#define GEN_PASS_DECL
#include "fsm/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fsm/Conversion/Passes.h.inc"

/// From the stage `gpu` to the stage `nvvm` and on to the stage `llvm`.
void addDeviceLoweringPasses(mlir::OpPassManager &manager);

/// The second half of it: from the stage `nvvm` to the stage `llvm`.
void addDeviceModulePasses(mlir::OpPassManager &manager);

} // namespace fsm

#endif // FSM_CONVERSION_PASSES_H
