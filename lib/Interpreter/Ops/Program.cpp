//===- Program.cpp - The grid, promises ----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Machine.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

static LogicalResult programId(Machine &machine, Operation *op) {
  auto idOp = cast<ProgramIdOp>(op);
  machine.set(idOp.getResult(), {static_cast<uint32_t>(machine.programId(idOp.getAxis()))});
  return success();
}

static LogicalResult numPrograms(Machine &machine, Operation *op) {
  auto countOp = cast<NumProgramsOp>(op);
  machine.set(countOp.getResult(), {static_cast<uint32_t>(machine.numPrograms(countOp.getAxis()))});
  return success();
}

static LogicalResult assume(Machine &machine, Operation *op) {
  if (machine.scalar(cast<AssumeOp>(op).getCondition()))
    return success();
  return machine.fail(op, "breaks an assumption: the condition is false");
}

//===----------------------------------------------------------------------===//
// fsm.hint
//===----------------------------------------------------------------------===//

/// The first element starts a group in every dimension.
static LogicalResult checkMultiples(Machine &machine, HintOp op, const Elements &value) {
  int64_t first = signExtend(value.bits.front(), widthOf(elementTypeOf(value.type)));
  for (int64_t multiple : op.getMultipleOf().value_or(ArrayRef<int64_t>()))
    if (first % multiple != 0)
      return machine.fail(op, "breaks a hint: " + Twine(first) + " is not a multiple of " +
                                  Twine(multiple));
  return success();
}

/// Inside each aligned group of `groups[d]` elements along dimension d, an
/// element is `step` more than the one before it.
static LogicalResult checkGroups(Machine &machine, HintOp op, const Elements &value,
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
        return machine.fail(op, "breaks a hint: in dimension " + Twine(dim) + ", " +
                                    Twine(signExtend(here, width)) + " follows " +
                                    Twine(signExtend(before, width)) + " inside a group of " +
                                    Twine(groups[dim]) + " " + promise);
    }
  }
  return success();
}

static LogicalResult hint(Machine &machine, Operation *op) {
  auto hintOp = cast<HintOp>(op);
  const Elements &value = machine.get(hintOp.getValue());
  ArrayRef<int64_t> none;
  if (failed(checkMultiples(machine, hintOp, value)) ||
      failed(checkGroups(machine, hintOp, value, hintOp.getMaxContiguous().value_or(none), 1,
                         "consecutive numbers")) ||
      failed(checkGroups(machine, hintOp, value, hintOp.getMaxConstancy().value_or(none), 0,
                         "equal numbers")))
    return failure();
  machine.set(hintOp.getResult(), machine.share(hintOp.getValue()));
  return success();
}

void interpreter::addProgramHandlers(HandlerTable &table) {
  table["fsm.assume"] = assume;
  table["fsm.hint"] = hint;
  table["fsm.num_programs"] = numPrograms;
  table["fsm.program_id"] = programId;
}
