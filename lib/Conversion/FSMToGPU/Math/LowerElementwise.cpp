//===- LowerElementwise.cpp - Ops on elements one by one -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Program/ThreadLowering.h"
#include "Elementwise.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

LogicalResult fsm::gpu::lowerElementwise(ThreadLowering &thread, Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return op->emitError() << "'" << op->getName() << "' has no lowering to a GPU";
  SmallVector<Value> operands = thread.lookup(op->getOperands());
  // One condition for a whole block.
  Type first = operands.front().getType();
  bool isUniform =
      isa<arith::SelectOp>(op) && !isa<VectorType>(first) && isa<VectorType>(operands[1].getType());
  if (isUniform)
    operands[0] = vector::BroadcastOp::create(thread.builder, op->getLoc(),
                                              cast<VectorType>(operands[1].getType()).clone(first),
                                              operands[0]);
  // A divisor that repeats needs one reciprocal.
  bool repeats = isa<arith::DivFOp>(op) &&
                 isa_and_present<SplatOp, BroadcastOp>(op->getOperand(1).getDefiningOp());
  return thread.setResult(op, elementwise(thread.builder, op, operands, repeats));
}
