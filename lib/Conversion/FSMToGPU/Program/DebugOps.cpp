//===- DebugOps.cpp - Prints and asserts on a GPU ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Thread 0 records scalars and the first element of every block, for layouts send
// register, lane and warp 0 there: so its records show in which order the program's prints
// ran, whatever other threads do meanwhile. The host relies on that.

#include "../../Registers/DebugRecords.h"
#include "ThreadBlock.h"
#include "ThreadLowering.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

static void recordBlock(DeviceProgram &program, OpOperand &operand, DebugRecords &records,
                        Value vector) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  ThreadBlock block(program, type);
  Value owner = block.isFirst();
  // What all registers need of the thread stands before the first branch.
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    block.threadPart(dim);
  for (uint64_t reg : block.registers()) {
    Value condition = both(program.builder, block.isInside(reg), owner);
    Value scalar = vector::ExtractOp::create(program.builder, vector, block.indexOf(reg));
    records.record(operand, condition, [&] { return block.rowMajor(reg); }, scalar);
  }
}

/// Each element is recorded by one thread.
static LogicalResult lowerDebugOp(ThreadLowering &thread, Operation *op) {
  std::optional<unsigned> number = debugNumberOf(op);
  if (!number)
    return failure();
  if (!thread.debugBuffer)
    return op->emitError() << "expected 'fsm.debug_ops' on the kernel; 'fsm-number-debug-ops' "
                              "writes it";
  std::array<Value, 3> ids, counts;
  for (GridAxis axis : {GridAxis::X, GridAxis::Y, GridAxis::Z}) {
    ids[static_cast<size_t>(axis)] = thread.program.programId(axis);
    counts[static_cast<size_t>(axis)] = thread.program.programCount(axis);
  }
  DebugRecords records(thread.builder, op->getLoc(), thread.debugBuffer, *number, ids, counts,
                       /*scope=*/"device");
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = thread.lookup(operand.get());
    if (isa<RankedTensorType>(operand.get().getType()))
      recordBlock(thread.program, operand, records, value);
    else
      records.record(
          operand, thread.program.isFirstThread(), [&] { return thread.program.i32(0); }, value);
  }
  return success();
}

void fsm::gpu::addDebugHandlers(HandlerTable &table) {
  table[PrintOp::getOperationName()] = lowerDebugOp;
  table[AssertOp::getOperationName()] = lowerDebugOp;
}
