//===- Shape.cpp - Making and reshaping blocks ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

static LogicalResult range(ProgramRunner &runner, Operation *op) {
  auto rangeOp = cast<RangeOp>(op);
  std::vector<uint64_t> result(countOf(rangeOp.getType()));
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<uint32_t>(rangeOp.getStart() + i);
  runner.set(rangeOp.getResult(), std::move(result));
  return success();
}

static LogicalResult splat(ProgramRunner &runner, Operation *op) {
  auto splatOp = cast<SplatOp>(op);
  runner.set(splatOp.getResult(),
             std::vector<uint64_t>(countOf(splatOp.getType()), runner.scalar(splatOp.getScalar())));
  return success();
}

/// An extent of 1 more, or another shape: the elements and their row-major
/// order stay.
static LogicalResult reshape(ProgramRunner &runner, Operation *op) {
  runner.set(op->getResult(0), std::vector<uint64_t>(runner.get(op->getOperand(0)).bits));
  return success();
}

static LogicalResult broadcast(ProgramRunner &runner, Operation *op) {
  auto broadcastOp = cast<BroadcastOp>(op);
  const Elements &source = runner.get(broadcastOp.getSource());
  SmallVector<int64_t> from(shapeOf(source.type)), to(broadcastOp.getType().getShape());
  if (std::optional<ArrayRef<int32_t>> dims = broadcastOp.getDims()) {
    // The dimensions that the source lacks have an extent of 1.
    SmallVector<int64_t> extents(to.size(), 1);
    for (auto [extent, dim] : llvm::zip_equal(from, *dims))
      extents[dim] = extent;
    from = extents;
  }
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
  runner.set(broadcastOp.getResult(), std::move(result));
  return success();
}

static LogicalResult transpose(ProgramRunner &runner, Operation *op) {
  auto transposeOp = cast<TransposeOp>(op);
  const Elements &source = runner.get(transposeOp.getSource());
  ArrayRef<int64_t> from = shapeOf(source.type), to = shapeOf(transposeOp.getType());
  // How far apart neighbours along each dimension of the result are in the source.
  SmallVector<size_t> sourceStrides(from.size()), strides;
  size_t stride = 1;
  for (size_t dim = from.size(); dim-- > 0; stride *= from[dim])
    sourceStrides[dim] = stride;
  for (int32_t dim : transposeOp.getOrder())
    strides.push_back(sourceStrides[dim]);
  std::vector<uint64_t> result(countOf(transposeOp.getType()));
  for (size_t i = 0; i < result.size(); ++i) {
    size_t rest = i, position = 0;
    for (size_t dim = to.size(); dim-- > 0; rest /= to[dim])
      position += rest % to[dim] * strides[dim];
    result[i] = source.bits[position];
  }
  runner.set(transposeOp.getResult(), std::move(result));
  return success();
}

static LogicalResult join(ProgramRunner &runner, Operation *op) {
  auto joinOp = cast<JoinOp>(op);
  const Elements &left = runner.get(joinOp.getLeft()), &right = runner.get(joinOp.getRight());
  std::vector<uint64_t> result;
  for (size_t i = 0; i < left.bits.size(); ++i) {
    result.push_back(left.bits[i]);
    result.push_back(right.bits[i]);
  }
  runner.set(joinOp.getResult(), std::move(result));
  return success();
}

static LogicalResult split(ProgramRunner &runner, Operation *op) {
  auto splitOp = cast<SplitOp>(op);
  const Elements &source = runner.get(splitOp.getSource());
  std::vector<uint64_t> left, right;
  for (size_t i = 0; i < source.bits.size(); i += 2) {
    left.push_back(source.bits[i]);
    right.push_back(source.bits[i + 1]);
  }
  runner.set(splitOp.getLeft(), std::move(left));
  runner.set(splitOp.getRight(), std::move(right));
  return success();
}

void interpreter::addShapeHandlers(HandlerTable &table) {
  table["fsm.broadcast"] = broadcast;
  table["fsm.expand_dims"] = reshape;
  table["fsm.join"] = join;
  table["fsm.range"] = range;
  table["fsm.reshape"] = reshape;
  table["fsm.splat"] = splat;
  table["fsm.split"] = split;
  table["fsm.transpose"] = transpose;
}
