//===- Program.cpp - The grid, promises ----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

static LogicalResult programId(ProgramRunner &runner, Operation *op) {
  auto idOp = cast<ProgramIdOp>(op);
  runner.set(idOp.getResult(), {static_cast<uint32_t>(runner.programId(idOp.getAxis()))});
  return success();
}

static LogicalResult numPrograms(ProgramRunner &runner, Operation *op) {
  auto countOp = cast<NumProgramsOp>(op);
  runner.set(countOp.getResult(), {static_cast<uint32_t>(runner.numPrograms(countOp.getAxis()))});
  return success();
}

static LogicalResult assume(ProgramRunner &runner, Operation *op) {
  if (runner.scalar(cast<AssumeOp>(op).getCondition()))
    return success();
  return runner.fail(op, "breaks an assumption: the condition is false");
}

//===----------------------------------------------------------------------===//
// fsm.hint
//===----------------------------------------------------------------------===//

/// The first element starts a group in every dimension.
static LogicalResult checkMultiples(ProgramRunner &runner, HintOp op, const Elements &value) {
  int64_t first = signExtend(value.bits.front(), widthOf(elementTypeOf(value.type)));
  for (int64_t multiple : op.getMultipleOf().value_or(ArrayRef<int64_t>()))
    if (first % multiple != 0)
      return runner.fail(op, "breaks a hint: " + Twine(first) + " is not a multiple of " +
                                 Twine(multiple));
  return success();
}

/// Inside each aligned group of `groups[d]` elements along dimension d, an
/// element is `step` more than the one before it.
static LogicalResult checkGroups(ProgramRunner &runner, HintOp op, const Elements &value,
                                 ArrayRef<int64_t> groups, unsigned step, StringRef promise) {
  ArrayRef<int64_t> shape = shapeOf(value.type);
  unsigned width = widthOf(elementTypeOf(value.type));
  size_t stride = value.bits.size();
  for (size_t dim = 0; dim < shape.size() && dim < groups.size(); ++dim) {
    stride /= shape[dim];
    for (size_t i = 0; i < value.bits.size(); ++i) {
      size_t coordinate = i / stride % shape[dim];
      if (coordinate % groups[dim] == 0)
        continue;
      uint64_t before = value.bits[i - stride], here = value.bits[i];
      if (here != ((before + step) & maskOf(width)))
        return runner.fail(op, "breaks a hint: in dimension " + Twine(dim) + ", " +
                                   Twine(signExtend(here, width)) + " follows " +
                                   Twine(signExtend(before, width)) + " inside a group of " +
                                   Twine(groups[dim]) + " " + promise);
    }
  }
  return success();
}

static LogicalResult hint(ProgramRunner &runner, Operation *op) {
  auto hintOp = cast<HintOp>(op);
  const Elements &value = runner.get(hintOp.getValue());
  ArrayRef<int64_t> none;
  if (failed(checkMultiples(runner, hintOp, value)) ||
      failed(checkGroups(runner, hintOp, value, hintOp.getMaxContiguous().value_or(none), 1,
                         "consecutive numbers")) ||
      failed(checkGroups(runner, hintOp, value, hintOp.getMaxConstancy().value_or(none), 0,
                         "equal numbers")))
    return failure();
  runner.set(hintOp.getResult(), runner.share(hintOp.getValue()));
  return success();
}

void interpreter::addProgramHandlers(HandlerTable &table) {
  table["fsm.assume"] = assume;
  table["fsm.hint"] = hint;
  table["fsm.num_programs"] = numPrograms;
  table["fsm.program_id"] = programId;
}
