//===- Debug.cpp - Prints and asserts ------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

#include "fsm/IR/DebugTable.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

/// One line for each element of each value, in row-major order.
static LogicalResult print(ProgramRunner &runner, Operation *op) {
  DebugOp described = describeDebugOp(op);
  DebugRecord record;
  record.program = runner.program();
  for (Value operand : op->getOperands()) {
    const Elements &elements = runner.get(operand);
    for (record.element = 0; record.element < elements.bits.size(); ++record.element) {
      record.bits = elements.bits[record.element];
      runner.printLine(printedLine(described, record));
    }
    ++record.value;
  }
  return success();
}

static LogicalResult assertTrue(ProgramRunner &runner, Operation *op) {
  const Elements &condition = runner.get(cast<AssertOp>(op).getCondition());
  for (auto [index, holds] : llvm::enumerate(condition.bits))
    if (!holds)
      return runner.failWith(failureText(describeDebugOp(op), runner.program(), index));
  return success();
}

void interpreter::addDebugHandlers(HandlerTable &table) {
  table["fsm.assert"] = assertTrue;
  table["fsm.print"] = print;
}
