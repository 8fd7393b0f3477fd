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

/// A print's element is recorded, an assert's if it is false.
static void emitElement(OpBuilder &builder, OpOperand &operand, DebugRecords &records,
                        Value position, Value scalar) {
  Location loc = operand.getOwner()->getLoc();
  Value element = arith::TruncIOp::create(builder, loc, builder.getI32Type(), position);
  if (isa<PrintOp>(operand.getOwner()))
    return records.append(operand.getOperandNumber(), element, scalar);
  Value one = constantInt(builder, loc, builder.getI1Type(), 1);
  Value isFalse = arith::XOrIOp::create(builder, loc, scalar, one);
  auto choice = scf::IfOp::create(builder, loc, isFalse, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  records.fail(element);
}

/// One element after the other, in row-major order.
static void emitElements(OpBuilder &builder, HostBlocks &blocks, OpOperand &operand,
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
  emitElement(builder, operand, records, position, blocks.at(block, chunk));
  // What was computed here is not there behind the loops.
  blocks.startScope();
}

void host::emitRecords(OpBuilder &builder, IRMapping &scalars, HostBlocks &blocks, Operation *op,
                       DebugRecords &records) {
  for (OpOperand &operand : op->getOpOperands())
    if (!isa<RankedTensorType>(operand.get().getType()))
      emitElement(builder, operand, records, blocks.i64(0), scalars.lookup(operand.get()));
    else
      emitElements(builder, blocks, operand, records);
}
