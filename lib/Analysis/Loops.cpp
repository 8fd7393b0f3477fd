//===- Loops.cpp - The loops around an op, and their steps ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/Loops.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <cstdlib>

using namespace mlir;
using namespace fsm;

SmallVector<Operation *> fsm::loopsAround(Operation *op) {
  SmallVector<Operation *> loops;
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent);
       parent = parent->getParentOp())
    if (isa<scf::ForOp, scf::WhileOp>(parent))
      loops.push_back(parent);
  std::reverse(loops.begin(), loops.end());
  return loops;
}

/// The number itself, where a value has it in more bits or in fewer.
static Value withoutWidth(Value value) {
  while (true) {
    auto narrow = value.getDefiningOp<arith::TruncIOp>();
    if (auto wide = value.getDefiningOp<arith::ExtSIOp>())
      value = wide.getIn();
    else if (narrow && narrow.hasNoSignedWrap())
      value = narrow.getIn();
    else
      return value;
  }
}

static std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (auto splat = value.getDefiningOp<SplatOp>())
    value = splat.getScalar();
  if (matchPattern(value, m_ConstantInt(&number)) && number.getSignificantBits() <= 32)
    return number.getSExtValue();
  return std::nullopt;
}

bool fsm::isPositive(Value number) {
  return constantOf(number).value_or(0) > 0 || withoutWidth(number).getDefiningOp<NumProgramsOp>();
}

bool fsm::startsNonNegative(scf::ForOp loop) {
  Value first = withoutWidth(loop.getLowerBound());
  return !loop.getUnsignedCmp() &&
         (first.getDefiningOp<ProgramIdOp>() || constantOf(first).value_or(-1) >= 0);
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaxMovement = int64_t(1) << 31;
static constexpr unsigned kMaxMovementDepth = 16;

static bool isBounded(const Movement &moved) {
  return std::abs(moved.factor) <= kMaxMovement && moved.spread <= kMaxMovement;
}

std::optional<Movement> fsm::sumOf(const Movement &left, const Movement &right) {
  Movement sum{left.factor + right.factor, left.spread + right.spread};
  if ((left.factor && right.factor) || !isBounded(sum))
    return std::nullopt;
  return sum;
}

static std::optional<Movement> movementOf(Value value, scf::ForOp loop, unsigned depth);

/// A product must not have wrapped. By a positive number it moves as far at least.
static std::optional<Movement> movementOfProduct(arith::MulIOp product, scf::ForOp loop,
                                                 unsigned depth) {
  std::optional<Movement> moved = movementOf(product.getLhs(), loop, depth);
  if (!moved || !product.hasNoSignedWrap())
    return std::nullopt;
  std::optional<int64_t> factor = constantOf(product.getRhs());
  if (!factor) {
    bool isKept = moved->spread == 0 && isPositive(product.getRhs());
    return isKept ? moved : std::nullopt;
  }
  if (std::abs(*factor) > kMaxMovement)
    return std::nullopt;
  Movement result{moved->factor * *factor, moved->spread * std::max<int64_t>(1, std::abs(*factor))};
  return isBounded(result) ? std::optional(result) : std::nullopt;
}

static std::optional<Movement> movementOf(Value value, scf::ForOp loop, unsigned depth) {
  if (value == loop.getInductionVar())
    return Movement{1, 0};
  bool isBlock = isa<RankedTensorType>(value.getType());
  if (!isBlock && loop.isDefinedOutsideOfLoop(value))
    return Movement{};
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMaxMovementDepth)
    return std::nullopt;
  if (constantOf(value))
    return Movement{};
  if (auto range = dyn_cast<RangeOp>(op))
    return Movement{0, shapeOf(value.getType()).front() - 1};
  auto truncation = dyn_cast<arith::TruncIOp>(op);
  if ((truncation && truncation.hasNoSignedWrap()) ||
      isa<SplatOp, BroadcastOp, ExpandDimsOp, TransposeOp, arith::ExtSIOp>(op))
    return movementOf(op->getOperand(0), loop, depth + 1);
  if (auto product = dyn_cast<arith::MulIOp>(op))
    return movementOfProduct(product, loop, depth + 1);
  if (!isa<arith::AddIOp, arith::SubIOp>(op))
    return std::nullopt;
  // A sum stays what it is modulo 2^32, in which two moving terms together may come back to where
  // they were.
  std::optional<Movement> left = movementOf(op->getOperand(0), loop, depth + 1);
  std::optional<Movement> right = movementOf(op->getOperand(1), loop, depth + 1);
  if (!left || !right)
    return std::nullopt;
  if (isa<arith::SubIOp>(op))
    right->factor = -right->factor;
  return sumOf(*left, *right);
}

std::optional<Movement> fsm::movementOf(Value value, scf::ForOp loop) {
  return ::movementOf(value, loop, 0);
}

bool fsm::comesOnce(const Movement &moved, scf::ForOp loop) {
  int64_t step = std::clamp<int64_t>(constantOf(loop.getStep()).value_or(1), 1, kMaxMovement);
  return startsNonNegative(loop) && std::abs(moved.factor) * step > moved.spread;
}
