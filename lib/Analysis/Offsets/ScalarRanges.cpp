//===- ScalarRanges.cpp - Between which numbers a scalar lies ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ScalarRanges.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fsm;

static ConstantIntRanges rangeAt(Value scalar, unsigned depth);

static ConstantIntRanges fullRange(Type type) {
  return ConstantIntRanges::maxRange(ConstantIntRanges::getStorageBitwidth(type));
}

/// A counter is not below the lower bound, and below the upper one.
static ConstantIntRanges ofCounter(scf::ForOp loop, unsigned depth) {
  Value counter = loop.getInductionVar();
  ConstantIntRanges full = fullRange(counter.getType());
  if (loop.getUnsignedCmp())
    return full;
  APInt least = rangeAt(loop.getLowerBound(), depth + 1).smin();
  APInt end = rangeAt(loop.getUpperBound(), depth + 1).smax();
  if (startsNonNegative(loop) && least.isNegative())
    least = APInt(least.getBitWidth(), 0);
  return end.sgt(least) ? ConstantIntRanges::fromSigned(least, end - 1) : full;
}

/// What a truncation keeps that says it loses nothing.
static ConstantIntRanges ofExactTruncation(const ConstantIntRanges &source, unsigned width) {
  auto clamped = [&](const APInt &number) { return number.truncSSat(width); };
  return ConstantIntRanges::fromSigned(clamped(source.smin()), clamped(source.smax()));
}

static ConstantIntRanges ofResult(OpResult scalar, unsigned depth) {
  Operation *op = scalar.getOwner();
  Type type = scalar.getType();
  auto infer = dyn_cast<InferIntRangeInterface>(op);
  if (!infer || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return fullRange(type);
  SmallVector<ConstantIntRanges, 3> operands;
  for (Value operand : op->getOperands())
    operands.push_back(rangeAt(operand, depth + 1));
  if (auto truncation = dyn_cast<arith::TruncIOp>(op); truncation && truncation.hasNoSignedWrap())
    return ofExactTruncation(operands[0], ConstantIntRanges::getStorageBitwidth(type));
  // Nothing is said of quotients by 0.
  if (isa<arith::DivSIOp, arith::RemSIOp>(op) && operands[1].smin().isZero() &&
      !operands[1].smax().isZero())
    operands[1] = ConstantIntRanges::fromSigned(operands[1].smin() + 1, operands[1].smax());
  ConstantIntRanges result = fullRange(type);
  infer.inferResultRanges(operands, [&](Value, const ConstantIntRanges &range) { result = range; });
  return result;
}

static ConstantIntRanges rangeAt(Value scalar, unsigned depth) {
  constexpr unsigned kMostDepth = 8;
  ConstantIntRanges full = fullRange(scalar.getType());
  APInt number;
  if (matchPattern(scalar, m_ConstantInt(&number)))
    return ConstantIntRanges::constant(number);
  if (depth == kMostDepth || !isa<IntegerType>(scalar.getType()))
    return full;
  if (auto argument = dyn_cast<BlockArgument>(scalar)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() ? ofCounter(loop, depth) : full;
  }
  Operation *op = scalar.getDefiningOp();
  unsigned bits = full.smax().getBitWidth();
  if (isa<PartIdOp>(op))
    return ConstantIntRanges::fromSigned(APInt(bits, 0), APInt(bits, kMostSharers - 1));
  if (isa<ProgramIdOp, NumProgramsOp, ProgramStepOp>(op))
    return ConstantIntRanges::fromSigned(APInt(bits, 0), full.smax());
  return ofResult(cast<OpResult>(scalar), depth);
}

ConstantIntRanges fsm::rangeOf(Value scalar) { return rangeAt(scalar, 0); }

bool fsm::isNonNegative(Value scalar) { return rangeOf(scalar).smin().isNonNegative(); }
