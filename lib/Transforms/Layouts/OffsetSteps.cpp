//===- OffsetSteps.cpp - How far apart neighbours' offsets are -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OffsetSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fsm;

using Steps = OffsetSteps::Steps;

/// Ops one looks back; offsets are short formulas.
static constexpr unsigned kMaxDepth = 64;

static bool areEqualNumbers(const Steps &steps) {
  return llvm::all_of(steps, [](std::optional<int64_t> step) { return step == 0; });
}

static Steps sum(const Steps &left, const Steps &right, int64_t sign) {
  Steps result;
  for (auto [a, b] : llvm::zip_equal(left, right))
    result.push_back(a && b && llvm::isInt<32>(*a) && llvm::isInt<32>(*b)
                         ? std::optional(*a + sign * *b)
                         : std::nullopt);
  return result;
}

/// The steps of a product: a dimension along which both factors are equal
/// numbers stays one.
static Steps product(const Steps &left, const Steps &right) {
  Steps result;
  for (auto [a, b] : llvm::zip_equal(left, right))
    result.push_back(a == 0 && b == 0 ? a : std::nullopt);
  return result;
}

/// The steps of a block times one number, if `factor` is known to be that.
Steps OffsetSteps::scaled(Steps steps, Value factor) {
  std::optional<int64_t> number = axes.of(factor).constant;
  for (std::optional<int64_t> &step : steps)
    if (step != 0)
      step = number && step && llvm::isInt<32>(*number) && llvm::isInt<32>(*step)
                 ? std::optional(*step * *number)
                 : std::nullopt;
  return steps;
}

Steps OffsetSteps::compute(Operation *op, int64_t rank, unsigned depth) {
  Steps unknown(rank);
  if (isa<RangeOp>(op))
    return {1};
  if (axes.of(op->getResult(0)).constant || isa<SplatOp>(op))
    return Steps(rank, 0);
  if (isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, HintOp>(op))
    return of(op->getOperand(0), depth + 1);
  if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
    Steps steps = of(expand.getSource(), depth + 1);
    steps.insert(steps.begin() + expand.getAxis(), 0);
    return steps;
  }
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    Steps source = of(transpose.getSource(), depth + 1), steps;
    for (int32_t dim : transpose.getOrder())
      steps.push_back(source[static_cast<size_t>(dim)]);
    return steps;
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    Steps steps = of(broadcast.getSource(), depth + 1);
    for (auto [step, extent] : llvm::zip_equal(steps, shapeOf(broadcast.getSource().getType())))
      step = extent == 1 ? std::optional<int64_t>(0) : step;
    return steps;
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return unknown;
  Value left = op->getOperand(0), right = op->getOperand(1);
  Steps a = of(left, depth + 1), b = of(right, depth + 1);
  if (!isa<arith::MulIOp>(op))
    return sum(a, b, isa<arith::SubIOp>(op) ? -1 : 1);
  if (areEqualNumbers(b))
    return scaled(a, right);
  return areEqualNumbers(a) ? scaled(b, left) : product(a, b);
}

Steps OffsetSteps::of(Value block, unsigned depth) {
  auto type = cast<RankedTensorType>(block.getType());
  Operation *op = block.getDefiningOp();
  if (!op || depth > kMaxDepth)
    return Steps(type.getRank());
  auto found = known.find(block);
  if (found != known.end())
    return found->second;
  return known[block] = compute(op, type.getRank(), depth);
}
