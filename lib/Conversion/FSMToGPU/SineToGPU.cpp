//===- SineToGPU.cpp - sin and cos on a GPU thread -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An angle is reduced to r in [-pi/4, pi/4] and the number of quarter turns taken
// away. Small angles subtract multiples of pi/2 in three parts (Cody and Waite);
// large ones multiply their 24 bits by the 96 bits of 1 / (2 pi) that matter for
// them (Payne and Hanek, 1983), in integers. That is a branch which no thread takes
// when all its angles are small. 1.53 ulp at
// worst (measured as in MathToGPU.cpp).
//
//===----------------------------------------------------------------------===//

#include "SineToGPU.h"

#include "RemainderToGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// Up to here three parts of pi/2 are enough, and no product of one with the number
/// of quarter turns is rounded.
static constexpr double kSmallAngle = 71476.0;

/// 1 / (2 pi) in words of 32 bits, after 32 bits before the point.
static constexpr uint32_t kTurn[] = {0x00000000, 0x28be60db, 0x9391054a, 0x7f09d5f4,
                                     0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea};

namespace {
/// Angle = quarters * pi/2 + rest, the quarters modulo 4.
struct Reduced {
  Value rest, quarters;
};

/// Integers of one width, as formulas.
struct Integers {
  Value number(int64_t value) { return registers::constantInt(f.builder, f.loc, type, value); }
  Value add(Value a, Value b) { return arith::AddIOp::create(f.builder, f.loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(f.builder, f.loc, a, b); }
  Value bitOr(Value a, Value b) { return arith::OrIOp::create(f.builder, f.loc, a, b); }
  Value bitAnd(Value a, int64_t b) { return arith::AndIOp::create(f.builder, f.loc, a, number(b)); }
  Value left(Value a, Value by) { return arith::ShLIOp::create(f.builder, f.loc, a, by); }
  Value right(Value a, Value by) { return arith::ShRUIOp::create(f.builder, f.loc, a, by); }
  Value equal(Value a, Value b) {
    return arith::CmpIOp::create(f.builder, f.loc, arith::CmpIPredicate::eq, a, b);
  }

  Formula &f;
  Type type;
};
} // namespace

static Reduced reduceSmall(Formula &f, Value x) {
  // In the low bits of `shifted` stands the number of quarters.
  constexpr double magic = 12582912.0;
  Value shifted = f.fma(x, f.number(0.636619772367581343), f.number(magic));
  Value n = f.sub(shifted, f.number(magic));
  Value r = x;
  for (double part : {-1.57079601287841796875, -3.1391647326017846e-7, -5.390302529957765e-15})
    r = f.fma(n, f.number(part), r);
  return {r, f.bits(shifted)};
}

/// The words of 1 / (2 pi) from bit exponent + 1 on: the product with a significand
/// below 1 loses whole turns only.
static SmallVector<Value> turnBits(Integers &i32, Integers &i64, Value place) {
  Formula &f = i32.f;
  Value word = i32.right(place, i32.number(5));
  Value shift = i32.bitAnd(place, 31);
  Value wideShift = arith::ExtUIOp::create(f.builder, f.loc, i64.type, shift);
  auto wordAt = [&](int offset) {
    // `place` is at most 128.
    Value value = i64.number(kTurn[offset]);
    for (int first = 1; first <= 4; ++first)
      value =
          f.select(i32.equal(word, i32.number(first)), i64.number(kTurn[first + offset]), value);
    return value;
  };
  SmallVector<Value> bits;
  Value high = wordAt(0);
  for (int offset = 1; offset <= 3; ++offset) {
    Value low = wordAt(offset);
    Value both = i64.bitOr(i64.left(high, i64.number(32)), low);
    bits.push_back(i64.right(i64.left(both, wideShift), i64.number(32)));
    high = low;
  }
  return bits;
}

static Reduced reduceLarge(Formula &f, Value x) {
  Integers i32 = {f, f.bitsType()};
  Integers i64 = {f, registers::withElement(f.type, f.builder.getI64Type())};
  auto wide = [&](Value value) -> Value {
    return arith::ExtUIOp::create(f.builder, f.loc, i64.type, value);
  };
  Value bits = f.bits(f.abs(x));
  Value exponent = i32.right(bits, i32.number(23));
  Value place = i32.add(exponent, i32.number(1 - 127));
  Value significand = i32.bitOr(f.shiftLeft(bits, 8), i32.number(int32_t(0x80000000)));
  Value m = wide(significand);
  SmallVector<Value> turn = turnBits(i32, i64, place);
  // The fraction of the turn, in units of 2^-64.
  Value low = i64.right(i64.mul(m, turn[2]), i64.number(32));
  Value sum = i64.add(i64.mul(m, turn[1]), low);
  sum = i64.add(i64.left(i64.mul(m, turn[0]), i64.number(32)), sum);
  // Its upper two bits count quarters; half a quarter more goes to the next one.
  Value rounded = i64.add(sum, i64.number(int64_t(1) << 61));
  Value quarters = i64.right(rounded, i64.number(62));
  quarters = arith::TruncIOp::create(f.builder, f.loc, i32.type, quarters);
  Value signedRest = i64.left(sum, i64.number(2));
  Type f64 = registers::withElement(f.type, f.builder.getF64Type());
  Value fraction = arith::SIToFPOp::create(f.builder, f.loc, f64, signedRest);
  Value unit = registers::constantReal(f.builder, f.loc, f64, 0x1.921fb54442d18p-64);
  Value product = arith::MulFOp::create(f.builder, f.loc, fraction, unit);
  Value r = arith::TruncFOp::create(f.builder, f.loc, f.type, product);
  Value isNegative = f.less(x, f.number(0.0));
  Value negated = arith::SubIOp::create(f.builder, f.loc, i32.number(0), quarters);
  Value opposite = arith::NegFOp::create(f.builder, f.loc, r);
  return {f.select(isNegative, opposite, r), f.select(isNegative, negated, quarters)};
}

static Reduced reduceAngle(Formula &f, Value x) {
  Reduced small = reduceSmall(f, x);
  Value isLarge = f.less(f.number(kSmallAngle), f.abs(x));
  SmallVector<Type> types = {small.rest.getType(), small.quarters.getType()};
  auto choice =
      scf::IfOp::create(f.builder, f.loc, types, fsm::gpu::anyLane(f.builder, f.loc, isLarge),
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(f.builder);
  f.builder.setInsertionPointToStart(choice.thenBlock());
  Reduced large = reduceLarge(f, x);
  scf::YieldOp::create(f.builder, f.loc,
                       ValueRange{f.select(isLarge, large.rest, small.rest),
                                  f.select(isLarge, large.quarters, small.quarters)});
  f.builder.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(f.builder, f.loc, ValueRange{small.rest, small.quarters});
  return {choice.getResult(0), choice.getResult(1)};
}

Value fsm::gpu::sine(Formula &f, Value x, int quarter) {
  Reduced angle = reduceAngle(f, x);
  Value r = angle.rest, square = f.mul(r, r);
  Value sine =
      f.polynomial(square, {-0.16666655242443085, 0.008332177996635437, -0.00019517203327268362});
  sine = f.fma(f.mul(sine, square), r, r);
  Value cosine = f.polynomial(
      square, {1.0, -0.5, 0.04166664555668831, -0.001388736767694354, 2.4438411855953746e-5});
  Integers i32 = {f, f.bitsType()};
  Value turns = i32.add(angle.quarters, i32.number(quarter));
  auto bitClear = [&](int64_t bit) { return i32.equal(i32.bitAnd(turns, bit), i32.number(0)); };
  Value result = f.select(bitClear(1), sine, cosine);
  Value negated = f.sub(f.number(0.0), result);
  result = f.select(bitClear(2), result, negated);
  result = f.select(f.less(f.abs(x), f.number(INFINITY)), result, f.number(NAN));
  // The reduction has lost the sign of zero.
  return quarter ? result : f.select(f.equal(x, f.number(0.0)), x, result);
}
