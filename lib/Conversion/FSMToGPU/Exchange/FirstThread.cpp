//===- FirstThread.cpp - What the first thread hands on ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FirstThread.h"

#include "fsm/Analysis/Atomics.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

LogicalResult fsm::gpu::checkHandedOn(Operation *op) {
  if (handingOnOf(op) != HandingOn::Shared)
    return success();
  return op->emitOpError("expected 'fsm-stage-exchanges' to hand its result on");
}

Value fsm::gpu::fromFirstThread(DeviceProgram &program, Operation *op, Value scalar) {
  if (handingOnOf(op) == HandingOn::None)
    return scalar;
  return program.shuffleFrom(op->getLoc(), scalar, program.i32(op->getLoc(), 0));
}
