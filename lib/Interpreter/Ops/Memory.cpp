//===- Memory.cpp - Addresses, loads and stores --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Access.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static LogicalResult load(ProgramRunner &runner, Operation *op) {
  auto loadOp = cast<LoadOp>(op);
  Type type = loadOp.getType();
  Access access = describeAccess(runner, loadOp, type, Access::Verb::Load);
  ElementsRef other = loadOp.getOther() ? runner.share(loadOp.getOther()) : nullptr;
  bool isBoolean = elementTypeOf(type).isInteger(1);
  ProgramRaces *races = runner.races();
  ProgramRaces::Touch touch;
  if (races)
    touch = races->begin(op, /*reads=*/true, /*writes=*/false, loadOp.getIsVolatile());
  auto result = std::make_shared<Elements>(
      Elements{type, std::vector<uint64_t>(countOf(type)), other ? other->origin : -1});
  for (size_t i = 0; i < result->bits.size(); ++i) {
    if (!access.isActive(i)) {
      result->bits[i] = other ? other->at(i) : 0;
      continue;
    }
    if (failed(checkElement(runner, access, i)) ||
        (races && failed(checkRace(runner, access, touch, i))))
      return failure();
    result->bits[i] = readMemory(access.addressOf(i), access.elementBytes, isBoolean);
    if (isa<PointerType>(type))
      result->origin = originOf(runner, result->bits[i]);
  }
  runner.set(loadOp.getResult(), std::move(result));
  return success();
}

static LogicalResult store(ProgramRunner &runner, Operation *op) {
  auto storeOp = cast<StoreOp>(op);
  const Elements &value = runner.get(storeOp.getValue());
  Access access = describeAccess(runner, storeOp, value.type, Access::Verb::Store);
  ProgramRaces *races = runner.races();
  ProgramRaces::Touch touch;
  if (races)
    touch = races->begin(op, /*reads=*/false, /*writes=*/true, storeOp.getIsVolatile());
  for (size_t i = 0; i < value.bits.size(); ++i) {
    if (!access.isActive(i))
      continue;
    if (failed(checkElement(runner, access, i)))
      return failure();
    if (races && failed(checkRace(runner, access, touch, i, &value.bits[i])))
      return failure();
    writeMemory(runner, access.addressOf(i), access.elementBytes, value.bits[i]);
  }
  return success();
}

/// Moving a pointer out of its buffer is no error, using it there is.
static LogicalResult offset(ProgramRunner &runner, Operation *op) {
  auto offsetOp = cast<OffsetOp>(op);
  const Elements &pointer = runner.get(offsetOp.getPointer());
  unsigned width = widthOf(offsetOp.getOffset().getType());
  uint64_t distance = signExtend(runner.scalar(offsetOp.getOffset()), width);
  size_t bytes = memoryBytesOf(offsetOp.getType().getPointeeType());
  runner.set(offsetOp.getResult(),
             std::make_shared<Elements>(Elements{
                 pointer.type, {pointer.bits.front() + distance * bytes}, pointer.origin}));
  return success();
}

static LogicalResult ptrToInt(ProgramRunner &runner, Operation *op) {
  runner.set(op->getResult(0), {runner.scalar(op->getOperand(0))});
  return success();
}

static LogicalResult intToPtr(ProgramRunner &runner, Operation *op) {
  uint64_t address = runner.scalar(op->getOperand(0));
  runner.set(op->getResult(0),
             std::make_shared<Elements>(
                 Elements{op->getResult(0).getType(), {address}, originOf(runner, address)}));
  return success();
}

/// Everything happens in order anyway.
static LogicalResult barrier(ProgramRunner &, Operation *) { return success(); }

void interpreter::addMemoryHandlers(HandlerTable &table) {
  table["fsm.barrier"] = barrier;
  table["fsm.int_to_ptr"] = intToPtr;
  table["fsm.load"] = load;
  table["fsm.offset"] = offset;
  table["fsm.ptr_to_int"] = ptrToInt;
  table["fsm.store"] = store;
}
