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

/// The first element of each group along a dimension, unless one group goes on in the next; of
/// groups that are as long as they happen to be, the block's first, which starts one in every
/// dimension.
static LogicalResult checkMultiples(ProgramRunner &runner, HintOp op, const Elements &value) {
  ArrayRef<int64_t> shape = shapeOf(value.type), none;
  ArrayRef<int64_t> multiples = op.getMultipleOf().value_or(none);
  ArrayRef<int64_t> groups = op.getMaxContiguous().value_or(none);
  unsigned width = widthOf(elementTypeOf(value.type));
  size_t stride = value.bits.size();
  for (auto [dim, multiple] : llvm::enumerate(multiples)) {
    size_t extent = dim < shape.size() ? shape[dim] : 1;
    stride /= extent;
    for (size_t i = 0; i < (groups.empty() ? 1 : value.bits.size()); ++i) {
      int64_t number = signExtend(value.bits[i], width);
      size_t coordinate = i / stride % extent;
      if (coordinate && coordinate % groups[dim] != 0)
        continue;
      bool goesOn = coordinate && groups[dim] > 1 &&
                    value.bits[i] == ((value.bits[i - stride] + 1) & maskOf(width));
      if (!goesOn && number % multiple != 0)
        return runner.fail(op, "breaks a hint: " + Twine(number) + " is not a multiple of " +
                                   Twine(multiple));
    }
  }
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
