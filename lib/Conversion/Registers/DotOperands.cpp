//===- DotOperands.cpp - Factors and sums of a product of matrices -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DotOperands.h"

#include "Values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace fsm;

/// f8E5M2 is the upper half of an f16, NaN and infinities included. The bits of f8E4M3FN have
/// their place in an f16, too, but their exponent counts from 7 and not from 15: the number is
/// 2^8 times larger, and all ones are NaN.
static Value widenF8(OpBuilder &builder, Location loc, Value bits, bool isE5M2) {
  Type type = bits.getType();
  Type i16 = registers::withElement(type, builder.getI16Type());
  Type f16 = registers::withElement(type, builder.getF16Type());
  Type f32 = registers::withElement(type, builder.getF32Type());
  auto constant = [&](int64_t value) { return registers::constantInt(builder, loc, i16, value); };
  Value wide = arith::ExtUIOp::create(builder, loc, i16, bits);
  Value shifted = arith::ShLIOp::create(builder, loc, wide, constant(8));
  if (!isE5M2) {
    Value sign = arith::AndIOp::create(builder, loc, shifted, constant(-0x8000));
    Value magnitude = arith::AndIOp::create(builder, loc, wide, constant(0x7F));
    Value placed = arith::ShLIOp::create(builder, loc, magnitude, constant(7));
    shifted = arith::OrIOp::create(builder, loc, placed, sign);
  }
  Value half = arith::BitcastOp::create(builder, loc, f16, shifted);
  Value number = arith::ExtFOp::create(builder, loc, f32, half);
  if (isE5M2)
    return number;
  number = arith::MulFOp::create(builder, loc, number,
                                 registers::constantReal(builder, loc, f32, 0x1p8));
  Value magnitude = arith::AndIOp::create(builder, loc, wide, constant(0x7F));
  Value isNaN =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, magnitude, constant(0x7F));
  return arith::SelectOp::create(builder, loc, isNaN,
                                 registers::constantReal(builder, loc, f32, NAN), number);
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
