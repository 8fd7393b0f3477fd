//===- Rematerialization.h - What upstream ops cost to compute again -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_IR_INTERFACES_REMATERIALIZATION_H
#define FSM_LIB_IR_INTERFACES_REMATERIALIZATION_H

#include "mlir/IR/MLIRContext.h"

namespace fsm {

/// Gives the ops of arith, math and ub the interface `Rematerializable`. The dialect does so when
/// it is loaded, so that it is there wherever the dialect is.
void attachRematerialization(mlir::MLIRContext &context);

} // namespace fsm

#endif // FSM_LIB_IR_INTERFACES_REMATERIALIZATION_H
