//===- DebugOps.cpp - Prints and asserts on the host ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

namespace {
/// Emits one op.
class RecordEmitter {
public:
  RecordEmitter(OpBuilder &builder, IRMapping &scalars, HostBlocks &blocks, Operation *op,
                registers::DebugRecords &records)
      : builder(builder), scalars(scalars), blocks(blocks), op(op), loc(op->getLoc()),
        records(records) {}

  LogicalResult emit();

private:
  LogicalResult emitElements(unsigned operand);
  LogicalResult emitElement(unsigned operand, Value element, Value scalar);
  Value i32(Value position);

  OpBuilder &builder;
  IRMapping &scalars;
  HostBlocks &blocks;
  Operation *op;
  Location loc;
  registers::DebugRecords &records;
};
} // namespace

Value RecordEmitter::i32(Value position) {
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(), position);
}

LogicalResult RecordEmitter::emit() {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    bool isBlock = isa<RankedTensorType>(operand.get().getType());
    LogicalResult done =
        isBlock ? emitElements(index)
                : emitElement(index, i32(blocks.i64(0)), scalars.lookup(operand.get()));
    if (failed(done))
      return failure();
  }
  return success();
}

/// A print's element is recorded, an assert's if it is false.
LogicalResult RecordEmitter::emitElement(unsigned operand, Value element, Value scalar) {
  if (isa<PrintOp>(op)) {
    records.append(operand, element, scalar);
    return success();
  }
  Value one = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value isFalse = arith::XOrIOp::create(builder, loc, scalar, one);
  auto choice = scf::IfOp::create(builder, loc, isFalse, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  records.fail(element);
  return success();
}

/// One element after the other, in row-major order.
LogicalResult RecordEmitter::emitElements(unsigned operand) {
  Value block = op->getOperand(operand);
  ArrayRef<int64_t> shape = shapeOf(block.getType());
  Value position = blocks.i64(0);
  OpBuilder::InsertionGuard guard(builder);
  Chunk chunk;
  for (int64_t extent : shape) {
    auto loop = scf::ForOp::create(builder, loc, blocks.i64(0), blocks.i64(extent), blocks.i64(1));
    builder.setInsertionPointToStart(loop.getBody());
    chunk.index.push_back(loop.getInductionVar());
    position = arith::MulIOp::create(builder, loc, position, blocks.i64(extent));
    position = arith::AddIOp::create(builder, loc, position, loop.getInductionVar());
  }
  blocks.startScope();
  Value scalar = blocks.at(block, chunk);
  if (!scalar)
    return failure();
  LogicalResult done = emitElement(operand, i32(position), scalar);
  // What was computed here is not there behind the loops.
  blocks.startScope();
  return done;
}

LogicalResult host::lowerDebugOp(OpBuilder &builder, IRMapping &scalars, HostBlocks &blocks,
                                 Operation *op, const DebugPlace &place) {
  std::optional<unsigned> number = registers::debugNumberOf(op);
  if (!number)
    return failure();
  registers::DebugRecords records(builder, op->getLoc(), place.buffer, *number, place.program,
                                  place.programs, /*scope=*/"");
  return RecordEmitter(builder, scalars, blocks, op, records).emit();
}
