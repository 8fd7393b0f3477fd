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
/// Makes branches of the loops and choices of scf inside `root`, by upstream's patterns. What they
/// do not take stays as it is.
void lowerControlFlow(mlir::Operation *root);
} // namespace fsm

#endif // FSM_LIB_CONVERSION_CONTROLFLOW_H
