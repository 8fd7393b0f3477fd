//===- Reduce.cpp - Reductions -------------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"

#include <algorithm>
#include <functional>

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

namespace {
/// The elements of a block along one dimension: `count` of them, `stride`
/// apart.
struct Line {
  const uint64_t *first;
  size_t count;
  size_t stride;

  uint64_t operator[](size_t index) const { return first[index * stride]; }
};
} // namespace

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// `a` and `b` are zero-extended; the caller cuts the result to the width.
static uint64_t combineIntegers(ReduceKind kind, uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  switch (kind) {
  case ReduceKind::Sum:
    return a + b;
  case ReduceKind::Prod:
    return a * b;
  case ReduceKind::Max:
    return std::max(x, y);
  case ReduceKind::Min:
    return std::min(x, y);
  case ReduceKind::UMax:
    return std::max(a, b);
  case ReduceKind::UMin:
    return std::min(a, b);
  case ReduceKind::And:
    return a & b;
  case ReduceKind::Or:
    return a | b;
  case ReduceKind::Xor:
    return a ^ b;
  }
  return 0;
}

static uint64_t reduceIntegers(ReduceKind kind, const Line &line, unsigned width) {
  uint64_t result = line[0];
  for (size_t i = 1; i < line.count; ++i)
    result = combineIntegers(kind, result, line[i], width) & maskOf(width);
  return result;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Starts with the first element, so that a sum of -0 alone stays -0.
template <typename Accumulator, typename Combine>
static Accumulator accumulate(const Line &line, ScalarType type, Combine combine) {
  auto result = static_cast<Accumulator>(widen(line[0], type));
  for (size_t i = 1; i < line.count; ++i)
    result = combine(result, static_cast<Accumulator>(widen(line[i], type)));
  return result;
}

/// f16 and bf16 accumulate in f32, as the language says. The order of an f32 or
/// f64 sum is unspecified; as the reference for any order they accumulate in
/// the next wider type.
template <typename Combine>
static uint64_t accumulateWide(const Line &line, ScalarType type, Combine combine) {
  if (type == ScalarType::F64)
    return bitsOf(static_cast<double>(accumulate<long double>(line, type, combine)));
  if (type == ScalarType::F32)
    return bitsOf(static_cast<float>(accumulate<double>(line, type, combine)));
  return narrow(accumulate<float>(line, type, combine), type);
}

/// The choice of an element is exact in double.
template <typename Choice>
static uint64_t choose(const Line &line, ScalarType type) {
  return narrow(accumulate<double>(line, type, Choice::template of<double>), type);
}

static uint64_t reduceFloats(ReduceOp op, const Line &line, ScalarType type) {
  bool propagates = op.getPropagateNan();
  switch (op.getKind()) {
  case ReduceKind::Sum:
    return accumulateWide(line, type, std::plus<>());
  case ReduceKind::Prod:
    return accumulateWide(line, type, std::multiplies<>());
  case ReduceKind::Max:
    return propagates ? choose<Maximum>(line, type) : choose<MaxNum>(line, type);
  default: // Min; the verifier refuses the kinds of integers.
    return propagates ? choose<Minimum>(line, type) : choose<MinNum>(line, type);
  }
}

static LogicalResult reduce(Machine &machine, Operation *op) {
  auto reduceOp = cast<ReduceOp>(op);
  const Elements &source = machine.get(reduceOp.getSource());
  ArrayRef<int64_t> shape = shapeOf(source.type);
  Type element = elementTypeOf(source.type);
  bool isFloat = isa<FloatType>(element);
  size_t extent = shape[reduceOp.getAxis()], stride = 1;
  for (int64_t inner : shape.drop_front(reduceOp.getAxis() + 1))
    stride *= inner;
  std::vector<uint64_t> result(source.bits.size() / extent);
  for (size_t i = 0; i < result.size(); ++i) {
    size_t outer = i / stride, inner = i % stride;
    Line line{source.bits.data() + outer * extent * stride + inner, extent, stride};
    result[i] = isFloat ? reduceFloats(reduceOp, line, scalarTypeOf(element))
                        : reduceIntegers(reduceOp.getKind(), line, widthOf(element));
  }
  machine.set(reduceOp.getResult(), std::move(result));
  return success();
}

void interpreter::addReduceHandlers(HandlerTable &table) { table["fsm.reduce"] = reduce; }
