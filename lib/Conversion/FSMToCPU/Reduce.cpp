//===- Reduce.cpp - The pieces of a reduction ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace fsm;

Type host::accumulatorType(ReduceOp op, int64_t lanes) {
  Type element = elementTypeOf(op.getSource().getType());
  // Sums and products of the half formats are rounded once, at the end.
  if (isa<Float16Type, BFloat16Type>(element))
    element = Float32Type::get(op.getContext());
  return registerType(element, lanes);
}

Value host::neutralElement(OpBuilder &builder, ReduceOp op, Type type, Step step) {
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(type);
  bool isFloat = isa<FloatType>(element);
  bool ignoresNan = step == Step::Exact && !op.getPropagateNan();
  unsigned width = element.getIntOrFloatBitWidth();
  auto integer = [&](const APInt &value) {
    return constantInt(builder, loc, type, value.getSExtValue());
  };
  switch (op.getKind()) {
  case ReduceKind::Sum:
    return isFloat ? constantReal(builder, loc, type, -0.0) : constantInt(builder, loc, type, 0);
  case ReduceKind::Prod:
    return isFloat ? constantReal(builder, loc, type, 1.0) : constantInt(builder, loc, type, 1);
  case ReduceKind::Max:
    if (isFloat)
      return constantReal(builder, loc, type, ignoresNan ? NAN : -INFINITY);
    return integer(APInt::getSignedMinValue(width));
  case ReduceKind::Min:
    if (isFloat)
      return constantReal(builder, loc, type, ignoresNan ? NAN : INFINITY);
    return integer(APInt::getSignedMaxValue(width));
  case ReduceKind::UMax:
  case ReduceKind::Or:
  case ReduceKind::Xor:
    return constantInt(builder, loc, type, 0);
  case ReduceKind::UMin:
  case ReduceKind::And:
    return constantInt(builder, loc, type, -1);
  }
  return {};
}

bool host::hasQuickStep(ReduceOp op) {
  bool ordersFloats = op.getKind() == ReduceKind::Max || op.getKind() == ReduceKind::Min;
  return ordersFloats && !op.getPropagateNan() &&
         isa<FloatType>(elementTypeOf(op.getSource().getType()));
}

/// The quick steps start from an infinity, so a result that is one may stand for
/// NaN; a zero may have the wrong sign.
Value host::needsExact(OpBuilder &builder, ReduceOp op, Value quick) {
  Location loc = op.getLoc();
  double start = op.getKind() == ReduceKind::Max ? -INFINITY : INFINITY;
  auto equals = [&](double value) -> Value {
    Value number = constantReal(builder, loc, quick.getType(), value);
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, quick, number);
  };
  return arith::OrIOp::create(builder, loc, equals(0.0), equals(start));
}

/// The instruction hosts have: the right operand when the two do not compare.
static Value quickExtremum(OpBuilder &builder, ReduceOp op, Value left, Value right) {
  auto order =
      op.getKind() == ReduceKind::Max ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value isLeft = arith::CmpFOp::create(builder, op.getLoc(), order, left, right);
  return arith::SelectOp::create(builder, op.getLoc(), isLeft, left, right);
}

Value host::combineElements(OpBuilder &builder, Location loc, ReduceKind kind, bool propagateNan,
                            Value left, Value right) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(left.getType()));
  switch (kind) {
  case ReduceKind::Sum:
    if (isFloat)
      return arith::AddFOp::create(builder, loc, left, right);
    return arith::AddIOp::create(builder, loc, left, right);
  case ReduceKind::Prod:
    if (isFloat)
      return arith::MulFOp::create(builder, loc, left, right);
    return arith::MulIOp::create(builder, loc, left, right);
  case ReduceKind::Max:
    if (isFloat)
      return extremum(builder, loc, left, right, /*isMax=*/true, propagateNan);
    return arith::MaxSIOp::create(builder, loc, left, right);
  case ReduceKind::Min:
    if (isFloat)
      return extremum(builder, loc, left, right, /*isMax=*/false, propagateNan);
    return arith::MinSIOp::create(builder, loc, left, right);
  case ReduceKind::UMax:
    return arith::MaxUIOp::create(builder, loc, left, right);
  case ReduceKind::UMin:
    return arith::MinUIOp::create(builder, loc, left, right);
  case ReduceKind::And:
    return arith::AndIOp::create(builder, loc, left, right);
  case ReduceKind::Or:
    return arith::OrIOp::create(builder, loc, left, right);
  case ReduceKind::Xor:
    return arith::XOrIOp::create(builder, loc, left, right);
  }
  return {};
}

Value host::combine(OpBuilder &builder, ReduceOp op, Value left, Value right, Step step) {
  if (step == Step::Quick && hasQuickStep(op))
    return quickExtremum(builder, op, left, right);
  return combineElements(builder, op.getLoc(), op.getKind(), op.getPropagateNan(), left, right);
}

/// Halves the vector until one lane is left.
Value host::combineLanes(OpBuilder &builder, ReduceOp op, Value vector, Step step) {
  Location loc = op.getLoc();
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
