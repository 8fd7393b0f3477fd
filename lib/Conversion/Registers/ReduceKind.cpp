//===- ReduceKind.cpp - What a kind does to two elements -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "Values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace fsm;

Value registers::neutralElement(OpBuilder &builder, Location loc, ReduceKind kind,
                                bool propagateNan, Type type) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
  auto real = [&](double value) { return constantReal(builder, loc, type, value); };
  auto integer = [&](int64_t value) { return constantInt(builder, loc, type, value); };
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  switch (kind) {
  case ReduceKind::Sum:
    return isFloat ? real(-0.0) : integer(0);
  case ReduceKind::Prod:
    return isFloat ? real(1.0) : integer(1);
  case ReduceKind::Max:
    if (isFloat)
      return real(propagateNan ? -INFINITY : NAN);
    return integer(APInt::getSignedMinValue(width).getSExtValue());
  case ReduceKind::Min:
    if (isFloat)
      return real(propagateNan ? INFINITY : NAN);
    return integer(APInt::getSignedMaxValue(width).getSExtValue());
  case ReduceKind::UMax:
  case ReduceKind::Or:
  case ReduceKind::Xor:
    return integer(0);
  case ReduceKind::UMin:
  case ReduceKind::And:
    return integer(-1);
  }
  return {};
}

Value registers::combineElements(OpBuilder &builder, const ElementwiseBackend &backend,
                                 Location loc, ReduceKind kind, bool propagateNan, Value left,
                                 Value right) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(left.getType()));
  bool isMax = kind == ReduceKind::Max;
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
  case ReduceKind::Min:
    if (isFloat)
      return backend.extremum(builder, loc, left, right, isMax, propagateNan);
    if (isMax)
      return arith::MaxSIOp::create(builder, loc, left, right);
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
