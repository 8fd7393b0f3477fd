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

namespace fsm {

#define GEN_PASS_DECL
#include "fsm/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fsm/Conversion/Passes.h.inc"

} // namespace fsm

#endif // FSM_CONVERSION_PASSES_H
