//===- DotOperands.cpp - Factors and sums of a product of matrices -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathFormulas.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// f8E5M2 is the upper half of an f16, NaN and infinities included. The bits of f8E4M3FN have
/// their place in an f16, too, but their exponent counts from 7 and not from 15: the number is
/// 2^8 times larger, and all ones are NaN.
static Value widenF8(OpBuilder &builder, Location loc, Value bits, bool isE5M2) {
  Formula f(builder, loc, registers::withElement(bits.getType(), builder.getF32Type()));
  Formula half(builder, loc, registers::withElement(bits.getType(), builder.getF16Type()));
  Value wide = arith::ExtUIOp::create(builder, loc, half.bitsType(), bits);
  Value shifted = half.shiftLeft(wide, 8);
  if (!isE5M2) {
    Value sign = half.both(shifted, -0x8000);
    shifted = half.either(half.shiftLeft(half.both(wide, 0x7F), 7), sign);
  }
  Value number = arith::ExtFOp::create(builder, loc, f.type, half.fromBits(shifted));
  if (isE5M2)
    return number;
  number = f.mul(number, f.number(0x1p8));
  Value isNaN = half.equal(half.both(wide, 0x7F), half.integer(0x7F));
  return f.select(isNaN, f.number(NAN), number);
}

Value registers::widenFactor(OpBuilder &builder, Location loc, Value value, Type element) {
  if (isa<Float8E4M3FNType, Float8E5M2Type>(element))
    return widenF8(builder, loc, value, isa<Float8E5M2Type>(element));
  if (element.isInteger(8))
    return arith::ExtSIOp::create(builder, loc, withElement(value.getType(), builder.getI32Type()),
                                  value);
  return widen(builder, loc, value);
}

Value registers::multiplyAdd(OpBuilder &builder, Location loc, Value left, Value right, Value sum) {
  if (isa<FloatType>(getElementTypeOrSelf(sum.getType())))
    return math::FmaOp::create(builder, loc, left, right, sum);
  Value product = arith::MulIOp::create(builder, loc, left, right);
  return arith::AddIOp::create(builder, loc, product, sum);
}
