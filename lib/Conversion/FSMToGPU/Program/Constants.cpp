//===- Constants.cpp - Constants of a GPU thread -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadBlock.h"
#include "ThreadLowering.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// A block of unequal constants is a table in the module; each thread reads its elements.
static Value lowerTable(DeviceProgram &program, mlir::gpu::GPUModuleOp module, arith::ConstantOp op,
                        DenseElementsAttr elements) {
  ImplicitLocOpBuilder &builder = program.builder;
  auto type = cast<RankedTensorType>(op.getType());
  Type element = memoryElement(type.getElementType());
  LLVM::GlobalOp numbers =
      tableOf(builder, op.getLoc(), module, elements, /*more=*/0, kGlobalSpace);
  numbers.setAlignment(16);
  Value table = LLVM::AddressOfOp::create(builder, numbers);
  ThreadBlock block(program, type);
  auto held = VectorType::get({static_cast<int64_t>(block.registers().size())}, element);
  Value result = arith::ConstantOp::create(builder, builder.getZeroAttr(held));
  for (uint64_t reg : block.registers()) {
    Value at = block.rowMajor(reg);
    if (Value inside = block.isInside(reg))
      at = arith::SelectOp::create(builder, inside, at, program.i32(0));
    Value address = advance(builder, table, at, element);
    Value one = LLVM::LoadOp::create(builder, element, address, elementBytes(element));
    result = vector::InsertOp::create(builder, one, result, block.indexOf(reg));
  }
  return fromMemory(builder, op.getLoc(), result, type.getElementType());
}

/// A number, or the thread's elements of a block of constants: of equal ones a splat, of
/// unequal ones what the thread reads of a table, which is put into the module.
static LogicalResult lower(ThreadLowering &thread, arith::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (elements && !elements.isSplat())
    return thread.setResult(op, lowerTable(thread.program, thread.module, op, elements));
  Attribute number = elements ? elements.getSplatValue<Attribute>() : op.getValue();
  int64_t lanes = lanesOf(threadType(op.getType()));
  return thread.setResult(op, constantOf(thread.builder, op.getLoc(), number, lanes));
}

void fsm::gpu::addConstantHandlers(HandlerTable &table) {
  addHandler<arith::ConstantOp, lower>(table);
}
