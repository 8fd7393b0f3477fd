//===- MBarriers.h - Ops that name mbarriers ------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_IR_MBARRIERS_H
#define FSM_LIB_IR_MBARRIERS_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// What `op` takes as mbarriers, of `type`, has to be memory of mbarriers.
inline mlir::LogicalResult verifyMBarriers(mlir::Operation *op, SharedType type) {
  if (type.isOfMBarriers())
    return mlir::success();
  return op->emitOpError() << "expected memory of mbarriers, got " << type;
}

} // namespace fsm

#endif // FSM_LIB_IR_MBARRIERS_H
