//===- Dot.cpp - Products of matrices ------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

namespace {
/// What a product of matrices goes over.
struct Extents {
  size_t batches, rows, inner, columns;
};
} // namespace

static Extents productOf(DotOp op) {
  ArrayRef<int64_t> left = op.getLeft().getType().getShape(), result = op.getType().getShape();
  Extents extents;
  extents.batches = result.size() == 3 ? result.front() : 1;
  extents.rows = result[result.size() - 2];
  extents.columns = result.back();
  extents.inner = left.back();
  return extents;
}

/// The exact number an operand's element is.
static double numberOf(uint64_t bits, Type element) {
  if (element.isInteger())
    return static_cast<double>(signExtend(bits, widthOf(element)));
  if (element.getIntOrFloatBitWidth() == 8)
    return llvm::APFloat(cast<FloatType>(element).getFloatSemantics(), llvm::APInt(8, bits))
        .convertToDouble();
  return widen(bits, scalarTypeOf(element));
}

static std::vector<double> numbersOf(const Elements &block) {
  Type element = elementTypeOf(block.type);
  std::vector<double> numbers(block.bits.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = numberOf(block.bits[i], element);
  return numbers;
}

/// Adds the products to `sums`, row by row of the right matrix.
template <typename Sum>
static void addProducts(const Extents &extents, const std::vector<double> &left,
                        const std::vector<double> &right, std::vector<Sum> &sums) {
  for (size_t row = 0; row < extents.batches * extents.rows; ++row) {
    const double *rightRow = right.data() + row / extents.rows * extents.inner * extents.columns;
    Sum *sumRow = sums.data() + row * extents.columns;
    for (size_t k = 0; k < extents.inner; ++k, rightRow += extents.columns) {
      auto factor = static_cast<Sum>(left[row * extents.inner + k]);
      for (size_t column = 0; column < extents.columns; ++column)
        sumRow[column] += factor * static_cast<Sum>(rightRow[column]);
    }
  }
}

/// The order of the sum is unspecified; as the reference for any order it is formed in a wider
/// type and rounded once. A product of two f32 numbers is exact in a double, a sum of products
/// of two i8 numbers, of which there are 2^20 at most, in an i64.
template <typename Sum, typename Read, typename Write>
static std::vector<uint64_t> accumulate(ProgramRunner &runner, DotOp op, Read read, Write write) {
  const Elements &acc = runner.get(op.getAcc());
  std::vector<Sum> sums(acc.bits.size());
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] = read(acc.bits[i]);
  addProducts(productOf(op), numbersOf(runner.get(op.getLeft())),
              numbersOf(runner.get(op.getRight())), sums);
  std::vector<uint64_t> result(sums.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = write(sums[i]);
  return result;
}

static LogicalResult dot(ProgramRunner &runner, Operation *op) {
  auto product = cast<DotOp>(op);
  Type element = product.getType().getElementType();
  if (element.isInteger())
    runner.set(product.getResult(),
               accumulate<int64_t>(
                   runner, product, [](uint64_t bits) { return signExtend(bits, 32); },
                   [&](int64_t sum) {
                     if (product.getSaturate())
                       sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
                     return static_cast<uint64_t>(sum) & maskOf(32);
                   }));
  else if (element.isF64())
    runner.set(product.getResult(),
               accumulate<long double>(
                   runner, product, [](uint64_t bits) { return doubleOf(bits); },
                   [](long double sum) { return bitsOf(static_cast<double>(sum)); }));
  else
    runner.set(product.getResult(),
               accumulate<double>(
                   runner, product,
                   [type = scalarTypeOf(element)](uint64_t bits) { return widen(bits, type); },
                   [type = scalarTypeOf(element)](double sum) { return narrow(sum, type); }));
  return success();
}

void interpreter::addDotHandlers(HandlerTable &table) { table["fsm.dot"] = dot; }
