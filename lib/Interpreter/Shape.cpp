//===- Shape.cpp - Making and reshaping blocks ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

static LogicalResult range(Machine &machine, Operation *op) {
  auto rangeOp = cast<RangeOp>(op);
  std::vector<uint64_t> result(countOf(rangeOp.getType()));
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<uint32_t>(rangeOp.getStart() + i);
  machine.set(rangeOp.getResult(), std::move(result));
  return success();
}

static LogicalResult splat(Machine &machine, Operation *op) {
  auto splatOp = cast<SplatOp>(op);
  machine.set(splatOp.getResult(), std::vector<uint64_t>(countOf(splatOp.getType()),
                                                         machine.scalar(splatOp.getScalar())));
  return success();
}

/// An extent of 1 more, or another shape: the elements and their row-major
/// order stay.
static LogicalResult reshape(Machine &machine, Operation *op) {
  machine.set(op->getResult(0), std::vector<uint64_t>(machine.get(op->getOperand(0)).bits));
  return success();
}

static LogicalResult broadcast(Machine &machine, Operation *op) {
  auto broadcastOp = cast<BroadcastOp>(op);
  const Elements &source = machine.get(broadcastOp.getSource());
  ArrayRef<int64_t> from = shapeOf(source.type), to = shapeOf(broadcastOp.getType());
  std::vector<uint64_t> result(countOf(broadcastOp.getType()));
  for (size_t i = 0; i < result.size(); ++i) {
    // Takes i apart from the innermost dimension outwards.
    size_t rest = i, position = 0, stride = 1;
    for (size_t dim = to.size(); dim-- > 0;) {
      size_t coordinate = rest % to[dim];
      rest /= to[dim];
      position += from[dim] == 1 ? 0 : coordinate * stride;
      stride *= from[dim];
    }
    result[i] = source.bits[position];
  }
  machine.set(broadcastOp.getResult(), std::move(result));
  return success();
}

void interpreter::addShapeHandlers(HandlerTable &table) {
  table["fsm.broadcast"] = broadcast;
  table["fsm.expand_dims"] = reshape;
  table["fsm.range"] = range;
  table["fsm.reshape"] = reshape;
  table["fsm.splat"] = splat;
}
