//===- ControlFlow.h - Branches for loops and choices -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_CONVERSION_CONTROLFLOW_H
#define FSM_LIB_CONVERSION_CONTROLFLOW_H

#include "mlir/IR/Operation.h"

namespace fsm {
/// Where a counted loop asks whether it goes on: in front of its body, as upstream's patterns write
/// it, or behind it.
enum class LoopForm { AsUpstream, Rotated };

/// Makes branches of the loops and choices of scf inside `root`. What no pattern takes stays as it
/// is.
void lowerControlFlow(mlir::Operation *root, LoopForm form);
} // namespace fsm

#endif // FSM_LIB_CONVERSION_CONTROLFLOW_H
