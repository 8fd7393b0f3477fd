//===- Reduce.cpp - The pieces of a reduction ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "../Registers/MathFormulas.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

Type host::accumulatorType(AlongAxis op, int64_t lanes) {
  Type element = elementTypeOf(op->getOperand(0).getType());
  return registerType(fsm::accumulatorType(element, /*isKnown=*/true), lanes);
}

Value host::neutralElement(OpBuilder &builder, AlongAxis op, Type type, Step step) {
  bool ignoresNan = step == Step::Exact && !op.getPropagateNan();
  return registers::neutralElement(builder, op->getLoc(), *op.knownKind(), !ignoresNan, type);
}

bool host::hasQuickStep(AlongAxis op) {
  bool ordersFloats = op.knownKind() == ReduceKind::Max || op.knownKind() == ReduceKind::Min;
  return ordersFloats && !op.getPropagateNan() &&
         isa<FloatType>(elementTypeOf(op->getOperand(0).getType()));
}

/// The quick steps start from an infinity, so a result that is one may stand for
/// NaN; a zero may have the wrong sign.
Value host::needsExact(OpBuilder &builder, AlongAxis op, Value quick) {
  Formula f(builder, op->getLoc(), quick.getType());
  double start = op.knownKind() == ReduceKind::Max ? -INFINITY : INFINITY;
  return f.either(f.equal(quick, f.number(0.0)), f.equal(quick, f.number(start)));
}

Value host::combine(OpBuilder &builder, AlongAxis op, Value left, Value right, Step step) {
  if (step == Step::Quick && hasQuickStep(op)) {
    // The instruction that hosts have: the right operand when the two do not compare.
    Formula f(builder, op->getLoc(), left.getType());
    bool isMax = op.knownKind() == ReduceKind::Max;
    auto order = isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
    return f.select(f.compare(order, left, right), left, right);
  }
  return registers::combineElements(builder, hostBackend(), op->getLoc(), *op.knownKind(),
                                    op.getPropagateNan(), left, right);
}

/// Halves the vector until one lane is left.
Value host::combineLanes(OpBuilder &builder, AlongAxis op, Value vector, Step step) {
  Location loc = op->getLoc();
  for (int64_t lanes = lanesOf(vector.getType()); lanes > 1; lanes /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes / 2; ++lane) {
      low.push_back(lane);
      high.push_back(lane + lanes / 2);
    }
    Value left = vector::ShuffleOp::create(builder, loc, vector, vector, low);
    Value right = vector::ShuffleOp::create(builder, loc, vector, vector, high);
    vector = combine(builder, op, left, right, step);
  }
  return vector::ExtractOp::create(builder, loc, vector, int64_t(0));
}
