//===- Reduce.cpp - Reductions and scans ---------------------------------===//
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
/// apart; a reverse scan begins at the last.
struct Line {
  const uint64_t *first;
  size_t count;
  ptrdiff_t stride;

  uint64_t operator[](size_t index) const { return first[static_cast<ptrdiff_t>(index) * stride]; }
};

/// Where the results of a line go: a reduction has one, what all elements combine to, a
/// scan one for each element.
struct Results {
  uint64_t *first;
  size_t count;
  ptrdiff_t stride;
  bool isScan;

  /// `bits` are those of the elements 0 to `index` combined.
  template <typename Bits>
  void note(size_t index, Bits bits) {
    if (isScan)
      first[static_cast<ptrdiff_t>(index) * stride] = bits();
    else if (index + 1 == count)
      *first = bits();
  }
};

/// How elements are combined.
struct Kind {
  ReduceKind kind;
  bool propagatesNan;
  Type element;
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

static void combineIntegers(Kind kind, const Line &line, Results results) {
  unsigned width = widthOf(kind.element);
  uint64_t result = line[0];
  for (size_t i = 0; i < line.count; ++i) {
    if (i > 0)
      result = combineIntegers(kind.kind, result, line[i], width) & maskOf(width);
    results.note(i, [&] { return result; });
  }
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Starts with the first element, so that a sum of -0 alone stays -0.
template <typename Accumulator, typename Combine, typename Round>
static void accumulate(const Line &line, ScalarType type, Results results, Combine combine,
                       Round round) {
  auto result = static_cast<Accumulator>(widen(line[0], type));
  for (size_t i = 0; i < line.count; ++i) {
    if (i > 0)
      result = combine(result, static_cast<Accumulator>(widen(line[i], type)));
    results.note(i, [&]() -> uint64_t { return round(result); });
  }
}

/// f16 and bf16 accumulate in f32, as the language says. The order of an f32 or
/// f64 sum is unspecified; as the reference for any order they accumulate in
/// the next wider type.
template <typename Combine>
static void accumulateWide(const Line &line, ScalarType type, Results results, Combine combine) {
  if (type == ScalarType::F64)
    return accumulate<long double>(line, type, results, combine, [](long double value) {
      return bitsOf(static_cast<double>(value));
    });
  if (type == ScalarType::F32)
    return accumulate<double>(line, type, results, combine,
                              [](double value) { return bitsOf(static_cast<float>(value)); });
  accumulate<float>(line, type, results, combine, [&](float value) { return narrow(value, type); });
}

/// The choice of an element is exact in double.
template <typename Choice>
static void choose(const Line &line, ScalarType type, Results results) {
  accumulate<double>(line, type, results, Choice::template of<double>,
                     [&](double value) { return narrow(value, type); });
}

static void combineFloats(Kind kind, const Line &line, Results results) {
  ScalarType type = scalarTypeOf(kind.element);
  switch (kind.kind) {
  case ReduceKind::Sum:
    return accumulateWide(line, type, results, std::plus<>());
  case ReduceKind::Prod:
    return accumulateWide(line, type, results, std::multiplies<>());
  case ReduceKind::Max:
    return kind.propagatesNan ? choose<Maximum>(line, type, results)
                              : choose<MaxNum>(line, type, results);
  default: // Min; the verifier refuses the kinds of integers.
    return kind.propagatesNan ? choose<Minimum>(line, type, results)
                              : choose<MinNum>(line, type, results);
  }
}

static void combine(Kind kind, const Line &line, Results results) {
  if (isa<FloatType>(kind.element))
    combineFloats(kind, line, results);
  else
    combineIntegers(kind, line, results);
}

//===----------------------------------------------------------------------===//
// fsm.reduce, fsm.scan
//===----------------------------------------------------------------------===//

/// Extent of a dimension, and the distance of neighbours along it.
static std::pair<size_t, size_t> axisOf(ArrayRef<int64_t> shape, unsigned axis) {
  size_t stride = 1;
  for (int64_t inner : shape.drop_front(axis + 1))
    stride *= inner;
  return {shape[axis], stride};
}

static LogicalResult reduce(ProgramRunner &runner, Operation *op) {
  auto reduceOp = cast<ReduceOp>(op);
  const Elements &source = runner.get(reduceOp.getSource());
  auto [extent, stride] = axisOf(shapeOf(source.type), reduceOp.getAxis());
  Kind kind{reduceOp.getKind(), reduceOp.getPropagateNan(), elementTypeOf(source.type)};
  std::vector<uint64_t> result(source.bits.size() / extent);
  for (size_t i = 0; i < result.size(); ++i) {
    size_t first = i / stride * extent * stride + i % stride;
    combine(kind, {source.bits.data() + first, extent, static_cast<ptrdiff_t>(stride)},
            {&result[i], extent, 0, /*isScan=*/false});
  }
  runner.set(reduceOp.getResult(), std::move(result));
  return success();
}

static LogicalResult scan(ProgramRunner &runner, Operation *op) {
  auto scanOp = cast<ScanOp>(op);
  const Elements &source = runner.get(scanOp.getSource());
  auto [extent, stride] = axisOf(shapeOf(source.type), scanOp.getAxis());
  Kind kind{scanOp.getKind(), scanOp.getPropagateNan(), elementTypeOf(source.type)};
  auto step = static_cast<ptrdiff_t>(stride);
  std::vector<uint64_t> result(source.bits.size());
  for (size_t i = 0; i < result.size() / extent; ++i) {
    size_t first = i / stride * extent * stride + i % stride;
    if (scanOp.getReverse())
      first += (extent - 1) * stride;
    ptrdiff_t way = scanOp.getReverse() ? -step : step;
    combine(kind, {source.bits.data() + first, extent, way},
            {result.data() + first, extent, way, /*isScan=*/true});
  }
  runner.set(scanOp.getResult(), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// fsm.reduce_with, fsm.scan_with
//===----------------------------------------------------------------------===//

/// Runs the region on the tuples of each line, from its beginning or, in reverse, from its
/// end.
static LogicalResult combineTuples(ProgramRunner &runner, Operation *op, unsigned axis,
                                   bool isReverse) {
  bool isScan = isa<ScanWithOp>(op);
  std::vector<ElementsRef> sources = runner.share(op->getOperands());
  auto [extent, stride] = axisOf(shapeOf(sources[0]->type), axis);
  size_t lines = sources[0]->bits.size() / extent;
  std::vector<std::vector<uint64_t>> results(sources.size());
  for (std::vector<uint64_t> &result : results)
    result.resize(isScan ? lines * extent : lines);
  for (size_t line = 0; line < lines; ++line) {
    size_t first = line / stride * extent * stride + line % stride;
    std::vector<ElementsRef> before;
    for (size_t i = 0; i < extent; ++i) {
      size_t place = first + (isReverse ? extent - 1 - i : i) * stride;
      std::vector<ElementsRef> tuple = std::move(before);
      for (const ElementsRef &source : sources)
        tuple.push_back(std::make_shared<Elements>(
            Elements{elementTypeOf(source->type), {source->bits[place]}, -1}));
      if (i > 0) {
        auto combined = runner.runBlock(op, op->getRegion(0).front(), tuple);
        if (failed(combined))
          return failure();
        tuple = std::move(*combined);
      }
      for (auto [result, element] : llvm::zip_equal(results, tuple))
        result[isScan ? place : line] = element->bits.front();
      before = std::move(tuple);
    }
  }
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
    runner.set(value, std::move(result));
  return success();
}

static LogicalResult reduceWith(ProgramRunner &runner, Operation *op) {
  return combineTuples(runner, op, cast<ReduceWithOp>(op).getAxis(), /*isReverse=*/false);
}

static LogicalResult scanWith(ProgramRunner &runner, Operation *op) {
  auto scanOp = cast<ScanWithOp>(op);
  return combineTuples(runner, op, scanOp.getAxis(), scanOp.getReverse());
}

void interpreter::addReduceHandlers(HandlerTable &table) {
  table["fsm.reduce"] = reduce;
  table["fsm.reduce_with"] = reduceWith;
  table["fsm.scan"] = scan;
  table["fsm.scan_with"] = scanWith;
}
