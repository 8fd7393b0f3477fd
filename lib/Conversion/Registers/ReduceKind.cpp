//===- ReduceKind.cpp - What a kind does to two elements -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "MathFormulas.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

Value registers::neutralElement(OpBuilder &builder, Location loc, ReduceKind kind,
                                bool propagateNan, Type type) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
  Formula f(builder, loc, type);
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  switch (kind) {
  case ReduceKind::Sum:
    return isFloat ? f.number(-0.0) : f.integer(0);
  case ReduceKind::Prod:
    return isFloat ? f.number(1.0) : f.integer(1);
  case ReduceKind::Max:
    if (isFloat)
      return f.number(propagateNan ? -INFINITY : NAN);
    return f.integer(APInt::getSignedMinValue(width).getSExtValue());
  case ReduceKind::Min:
    if (isFloat)
      return f.number(propagateNan ? INFINITY : NAN);
    return f.integer(APInt::getSignedMaxValue(width).getSExtValue());
  case ReduceKind::UMax:
  case ReduceKind::Or:
  case ReduceKind::Xor:
    return f.integer(0);
  case ReduceKind::UMin:
  case ReduceKind::And:
    return f.integer(-1);
  }
  return {};
}

Value registers::combineElements(OpBuilder &builder, const ElementwiseBackend &backend,
                                 Location loc, ReduceKind kind, bool propagateNan, Value left,
                                 Value right) {
  Formula f(builder, loc, left.getType());
  bool isMax = kind == ReduceKind::Max;
  switch (kind) {
  case ReduceKind::Sum:
    return f.add(left, right);
  case ReduceKind::Prod:
    return f.mul(left, right);
  case ReduceKind::Max:
  case ReduceKind::Min:
    if (isa<FloatType>(getElementTypeOrSelf(f.type)))
      return backend.extremum(builder, loc, left, right, isMax, propagateNan);
    if (isMax)
      return arith::MaxSIOp::create(builder, loc, left, right);
    return arith::MinSIOp::create(builder, loc, left, right);
  case ReduceKind::UMax:
    return arith::MaxUIOp::create(builder, loc, left, right);
  case ReduceKind::UMin:
    return arith::MinUIOp::create(builder, loc, left, right);
  case ReduceKind::And:
    return f.both(left, right);
  case ReduceKind::Or:
    return f.either(left, right);
  case ReduceKind::Xor:
    return f.differ(left, right);
  }
  return {};
}
