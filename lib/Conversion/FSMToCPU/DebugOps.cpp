//===- DebugOps.cpp - Prints and asserts on the host ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBlocks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

static void recordElement(OpBuilder &builder, OpOperand &operand, DebugRecords &records,
                          Value position, Value scalar) {
  Location loc = operand.getOwner()->getLoc();
  Value element = arith::TruncIOp::create(builder, loc, builder.getI32Type(), position);
  records.record(operand, /*condition=*/Value(), [&] { return element; }, scalar);
}

/// One element after the other, in row-major order.
static void recordElements(OpBuilder &builder, HostBlocks &blocks, OpOperand &operand,
                           DebugRecords &records) {
  Location loc = operand.getOwner()->getLoc();
  Value block = operand.get(), position = blocks.i64(0);
  OpBuilder::InsertionGuard guard(builder);
  Chunk chunk;
  for (int64_t extent : shapeOf(block.getType())) {
    auto loop = scf::ForOp::create(builder, loc, blocks.i64(0), blocks.i64(extent), blocks.i64(1));
    builder.setInsertionPointToStart(loop.getBody());
    chunk.index.push_back(loop.getInductionVar());
    position = arith::MulIOp::create(builder, loc, position, blocks.i64(extent));
    position = arith::AddIOp::create(builder, loc, position, loop.getInductionVar());
  }
  blocks.startScope();
  recordElement(builder, operand, records, position, blocks.at(block, chunk));
  // What was computed here is not there behind the loops.
  blocks.startScope();
}

void host::emitRecords(OpBuilder &builder, IRMapping &scalars, HostBlocks &blocks, Operation *op,
                       DebugRecords &records) {
  for (OpOperand &operand : op->getOpOperands())
    if (!isa<RankedTensorType>(operand.get().getType()))
      recordElement(builder, operand, records, blocks.i64(0), scalars.lookup(operand.get()));
    else
      recordElements(builder, blocks, operand, records);
}
