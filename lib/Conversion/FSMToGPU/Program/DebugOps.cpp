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

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// Emits one op.
class RecordEmitter {
public:
  RecordEmitter(DeviceProgram &program, Operation *op, registers::DebugRecords &records)
      : program(program), builder(program.builder), op(op), loc(op->getLoc()), records(records) {}

  void emitScalar(unsigned operand, Value scalar);
  void emitBlock(unsigned operand, Value vector);

private:
  void emitElement(unsigned operand, Value condition, function_ref<Value()> element, Value scalar);

  DeviceProgram &program;
  OpBuilder &builder;
  Operation *op;
  Location loc;
  registers::DebugRecords &records;
};
} // namespace

/// `condition` (null: always) says whether this thread is the one.
void RecordEmitter::emitElement(unsigned operand, Value condition, function_ref<Value()> element,
                                Value scalar) {
  auto both = [&](Value left, Value right) {
    return left ? arith::AndIOp::create(builder, loc, left, right).getResult() : right;
  };
  if (isa<AssertOp>(op)) {
    Value one = program.constantInt(loc, builder.getI1Type(), 1);
    condition = both(condition, arith::XOrIOp::create(builder, loc, scalar, one));
  }
  OpBuilder::InsertionGuard guard(builder);
  if (condition) {
    auto choice = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(choice.thenBlock());
  }
  if (isa<AssertOp>(op))
    records.fail(element());
  else
    records.append(operand, element(), scalar);
}

void RecordEmitter::emitScalar(unsigned operand, Value scalar) {
  Value isFirst = program.isFirstThread(loc);
  emitElement(operand, isFirst, [&] { return program.i32(loc, 0); }, scalar);
}

void RecordEmitter::emitBlock(unsigned operand, Value vector) {
  ThreadBlock block(program, loc, cast<RankedTensorType>(op->getOperand(operand).getType()));
  const LinearLayout &layout = block.layout();
  Value owner = program.isFirst(loc, layout.freeBits(Dim::Lane), layout.freeBits(Dim::Warp));
  // What all registers need of the thread stands before the first branch.
  for (unsigned dim = 0,
                rank = static_cast<unsigned>(shapeOf(op->getOperand(operand).getType()).size());
       dim < rank; ++dim)
    block.threadPart(dim);
  for (uint64_t reg : block.registers()) {
    Value condition = block.isInside(reg);
    if (owner)
      condition =
          condition ? arith::AndIOp::create(builder, loc, condition, owner).getResult() : owner;
    Value scalar = vector::ExtractOp::create(builder, loc, vector, block.indexOf(reg));
    emitElement(operand, condition, [&] { return block.rowMajor(reg); }, scalar);
  }
}

/// Each element is recorded by one thread.
static LogicalResult lowerDebugOp(ThreadLowering &thread, Operation *op) {
  std::optional<unsigned> number = registers::debugNumberOf(op);
  if (!number)
    return failure();
  if (!thread.debugBuffer)
    return op->emitError() << "expected 'fsm.debug_ops' on the kernel; 'fsm-number-debug-ops' "
                              "writes it";
  Location loc = op->getLoc();
  std::array<Value, 3> ids, counts;
  for (GridAxis axis : {GridAxis::X, GridAxis::Y, GridAxis::Z}) {
    ids[static_cast<size_t>(axis)] = thread.program.programId(loc, axis);
    counts[static_cast<size_t>(axis)] = thread.program.programCount(loc, axis);
  }
  registers::DebugRecords records(thread.builder, loc, thread.debugBuffer, *number, ids, counts,
                                  /*scope=*/"device");
  RecordEmitter emitter(thread.program, op, records);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = thread.lookup(operand.get());
    if (isa<RankedTensorType>(operand.get().getType()))
      emitter.emitBlock(operand.getOperandNumber(), value);
    else
      emitter.emitScalar(operand.getOperandNumber(), value);
  }
  return success();
}

void fsm::gpu::addDebugHandlers(HandlerTable &table) {
  table[PrintOp::getOperationName()] = lowerDebugOp;
  table[AssertOp::getOperationName()] = lowerDebugOp;
}
