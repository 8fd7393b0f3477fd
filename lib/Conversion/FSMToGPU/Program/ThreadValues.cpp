//===- ThreadValues.cpp - Values of a thread, together and apart ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadValues.h"

#include "../../Registers/Values.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

Value fsm::gpu::vectorOf(DeviceProgram &program, Location loc, ArrayRef<Value> scalars) {
  auto type = VectorType::get({static_cast<int64_t>(scalars.size())}, scalars[0].getType());
  return vector::FromElementsOp::create(program.builder, loc, type, scalars);
}

SmallVector<Value> fsm::gpu::elementsOf(DeviceProgram &program, Location loc, Value vector) {
  return llvm::to_vector_of<Value>(
      vector::ToElementsOp::create(program.builder, loc, vector).getResults());
}

Value fsm::gpu::fromBytes(DeviceProgram &program, Location loc, Value value, Type element) {
  if (!element.isInteger(1))
    return value;
  return arith::TruncIOp::create(program.builder, loc,
                                 registers::withElement(value.getType(), element), value);
}

void fsm::gpu::emitIf(DeviceProgram &program, Location loc, Value condition,
                      function_ref<void()> body) {
  if (!condition)
    return body();
  OpBuilder::InsertionGuard guard(program.builder);
  auto branch = scf::IfOp::create(program.builder, loc, condition, /*withElseRegion=*/false);
  program.builder.setInsertionPointToStart(branch.thenBlock());
  body();
}
