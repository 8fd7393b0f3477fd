//===- Sort.cpp - Elements in order, and counted -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

/// Whether one element comes before another.
static bool isLess(uint64_t left, uint64_t right, Type element) {
  unsigned width = widthOf(element);
  auto floats = dyn_cast<FloatType>(element);
  if (!floats)
    return width == 1 ? left < right : signExtend(left, width) < signExtend(right, width);
  APFloat a(floats.getFloatSemantics(), APInt(width, left));
  APFloat b(floats.getFloatSemantics(), APInt(width, right));
  if (a.isNaN() || b.isNaN())
    return !a.isNaN() && b.isNaN();
  if (a.isZero() && b.isZero())
    return a.isNegative() && !b.isNegative();
  return a < b;
}

/// Calls `visit` with the positions of each line along a dimension, in their order.
static void forEachLine(ArrayRef<int64_t> shape, uint32_t axis,
                        llvm::function_ref<void(ArrayRef<size_t>)> visit) {
  size_t stride = 1, lines = 1, extent = static_cast<size_t>(shape[axis]);
  for (int64_t behind : shape.drop_front(axis + 1))
    stride *= static_cast<size_t>(behind);
  for (int64_t before : shape.take_front(axis))
    lines *= static_cast<size_t>(before);
  for (size_t line = 0; line < lines * stride; ++line) {
    SmallVector<size_t> positions;
    for (size_t i = 0; i < extent; ++i)
      positions.push_back(line / stride * extent * stride + i * stride + line % stride);
    visit(positions);
  }
}

/// The numbers of the elements at some positions, in order; of equal ones the first comes first.
static SmallVector<size_t> ordered(const Elements &source, ArrayRef<size_t> positions,
                                   bool isDescending) {
  SmallVector<size_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  Type element = elementTypeOf(source.type);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (isDescending)
      std::swap(a, b);
    return isLess(source.bits[positions[a]], source.bits[positions[b]], element);
  });
  return order;
}

static LogicalResult sort(ProgramRunner &runner, Operation *op) {
  auto sortOp = cast<SortOp>(op);
  const Elements &source = runner.get(sortOp.getSource());
  std::vector<uint64_t> result(source.bits.size());
  forEachLine(shapeOf(source.type), sortOp.getAxis(), [&](ArrayRef<size_t> positions) {
    SmallVector<size_t> order = ordered(source, positions, sortOp.getDescending());
    for (auto [to, from] : llvm::zip_equal(positions, order))
      result[to] = source.bits[positions[from]];
  });
  runner.set(sortOp.getResult(), std::move(result));
  return success();
}

static LogicalResult topK(ProgramRunner &runner, Operation *op) {
  auto topKOp = cast<TopKOp>(op);
  const Elements &source = runner.get(topKOp.getSource());
  uint32_t axis = topKOp.getAxis();
  SmallVector<SmallVector<size_t>> found, lines;
  forEachLine(shapeOf(source.type), axis, [&](ArrayRef<size_t> positions) {
    lines.emplace_back(positions);
    found.push_back(ordered(source, positions, !topKOp.getSmallest()));
  });
  std::vector<uint64_t> values(countOf(topKOp.getValues().getType())), indices(values.size());
  size_t line = 0;
  forEachLine(topKOp.getValues().getType().getShape(), axis, [&](ArrayRef<size_t> positions) {
    for (auto [i, to] : llvm::enumerate(positions)) {
      values[to] = source.bits[lines[line][found[line][i]]];
      indices[to] = found[line][i];
    }
    ++line;
  });
  runner.set(topKOp.getValues(), std::move(values));
  runner.set(topKOp.getIndices(), std::move(indices));
  return success();
}

static LogicalResult histogram(ProgramRunner &runner, Operation *op) {
  auto histogramOp = cast<HistogramOp>(op);
  std::vector<uint64_t> counts(countOf(histogramOp.getType()));
  for (uint64_t number : runner.get(histogramOp.getSource()).bits)
    if (number < counts.size())
      ++counts[number];
  runner.set(histogramOp.getResult(), std::move(counts));
  return success();
}

void interpreter::addSortHandlers(HandlerTable &table) {
  table["fsm.histogram"] = histogram;
  table["fsm.sort"] = sort;
  table["fsm.topk"] = topK;
}
