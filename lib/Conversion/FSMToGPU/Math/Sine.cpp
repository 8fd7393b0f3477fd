//===- Sine.cpp - sin, cos and tan on a GPU thread -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An angle is reduced to r in [-pi/4, pi/4] and the number of quarter turns taken
// away. Small angles subtract multiples of pi/2 in three parts (Cody and Waite);
// large ones multiply their 53 bits by the 192 bits of 1 / (2 pi) that matter for
// them (Payne and Hanek, 1983), in integers. That is a loop of one round for each
// large angle of the thread, so the code is there once and most threads skip it.
//
// At worst 1.53 ulp in f32 (measured as in Elementwise.cpp) and 1.52 ulp in f64 (as in
// DoubleFunctions.cpp).
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "../Program/DeviceProgram.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// 1 / (2 pi) in words of 64 bits, after 64 bits before the point.
static constexpr uint64_t kTurn[] = {
    0x0000000000000000, 0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410,
    0x7f9458eaf7aef158, 0x6dc91b8e909374b8, 0x01924bba82746487, 0x3f877ac72c4a69cf,
    0xba208d7d4baed121, 0x3a671c09ad17df90, 0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e,
    0xc7fe25fff7816603, 0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b,
    0x5d49eeb1faf97c5e, 0xcf41ce7de294a4ba, 0x9afed7ec47e35742, 0x1580cc11bf1edaea};

namespace {
/// Angle = quarters * pi/2 + rest, the quarters modulo 4, in i32.
struct Reduced {
  Value rest, quarters;
};

/// What depends on the format of the angle.
struct Format {
  /// Up to here the three parts of pi/2 are enough, and subtracting the first is exact.
  double smallAngle;
  /// 1.5 times the number from which on floats are 1 apart.
  double magic;
  std::array<double, 3> quarterTurn;
  /// A power of two: the bits of kTurn that an angle needs start in a word below this.
  int64_t wordLimit;
};
} // namespace

static Format formatOf(Formula &f) {
  if (getElementTypeOrSelf(f.type).isF64())
    return {0x1p31,
            0x1.8p52,
            {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110},
            32};
  return {
      71476.0, 0x1.8p23, {1.57079601287841796875, 3.1391647326017846e-7, 5.390302529957765e-15}, 4};
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

static Value narrowed(Formula &f, Value quarters) {
  Type i32 = registers::withElement(f.type, f.builder.getI32Type());
  if (quarters.getType() == i32)
    return quarters;
  return arith::TruncIOp::create(f.builder, f.loc, i32, quarters);
}

static Reduced reduceSmall(Formula &f, const Format &format, Value x) {
  // In the low bits of `shifted` stands the number of quarters.
  Value magic = f.number(format.magic);
  Value shifted = f.fma(x, f.number(0x1.45f306dc9c883p-1), magic);
  Value n = f.sub(shifted, magic);
  Value r = x;
  for (double part : format.quarterTurn)
    r = f.fma(n, f.number(-part), r);
  return {r, narrowed(f, f.bits(shifted))};
}

/// 192 bits of kTurn from bit `place` on. Each round of the search drops the words
/// that one bit of the word's number rules out.
static SmallVector<Value, 3> turnBits(Formula &f, Value place, int64_t wordLimit) {
  auto wordAt = [](ArrayRef<Value> words, size_t at, Value beyond) {
    return at < words.size() ? words[at] : beyond;
  };
  Value zero = f.integer(0), word = f.shiftRight(place, 6);
  SmallVector<Value> words = llvm::map_to_vector(
      kTurn, [&](uint64_t bits) { return f.integer(static_cast<int64_t>(bits)); });
  for (int64_t bit = wordLimit / 2; bit; bit /= 2) {
    Value isClear = f.equal(f.both(word, bit), zero);
    SmallVector<Value> kept;
    for (int64_t at = 0; at < 3 + bit; ++at)
      kept.push_back(f.select(isClear, wordAt(words, at, zero), wordAt(words, at + bit, zero)));
    words = std::move(kept);
  }
  Value shift = f.both(place, 63), back = f.sub(f.integer(63), shift);
  SmallVector<Value, 3> bits;
  for (int64_t at = 0; at < 3; ++at) {
    Value next = f.shiftRight(f.shiftRight(words[at + 1], 1), back);
    bits.push_back(f.either(f.shiftLeft(words[at], shift), next));
  }
  return bits;
}

/// A signed number of quarter turns, `high` in units of 2^-63 and `low` 2^-64 of that,
/// as an angle: rounded once.
static Value angleOf(Formula &f, Value high, Value low) {
  Value coarse = f.fromSigned(f.both(high, ~int64_t(0x7ff)));
  Value fine = f.fromUnsigned(f.both(high, 0x7ff));
  Value rest = f.fma(f.fromUnsigned(low), f.number(0x1p-64), fine);
  Value sum = f.add(coarse, rest);
  Value lost = f.sub(rest, f.sub(sum, coarse));
  // pi/2 in two parts.
  Value unit = f.number(0x1.921fb54442d18p-63);
  Value correction = f.fma(sum, f.number(0x1.1a62633145c07p-117), f.mul(lost, unit));
  return f.fma(sum, unit, correction);
}

/// The upper half of the product of unsigned numbers.
static Value mulHigh(Formula &f, Value a, Value b) {
  return arith::MulUIExtendedOp::create(f.builder, f.loc, a, b).getHigh();
}

/// An f64 beyond 2^16, a scalar: its angle and its quarters.
static Reduced reduceLarge(Formula &f, Value x, int64_t wordLimit) {
  Value bits = f.bits(f.abs(x));
  Value place = f.add(f.shiftRight(bits, 52), f.integer(1 - 1023));
  // |x| = m 2^(place - 64). The bits of `turn` above `place` lose whole turns only.
  Value m = f.either(f.shiftLeft(bits, 11), f.integer(INT64_MIN));
  SmallVector<Value, 3> turn = turnBits(f, place, wordLimit);
  // The fraction of the turn, in units of 2^-128.
  Value middle = f.mul(m, turn[1]);
  Value low = f.add(middle, mulHigh(f, m, turn[2]));
  Value carry =
      f.select(f.compare(arith::CmpIPredicate::ult, low, middle), f.integer(1), f.integer(0));
  Value high = f.add(f.mul(m, turn[0]), mulHigh(f, m, turn[1]));
  high = f.add(high, carry);
  // Its upper two bits count quarters; half a quarter more goes to the next one.
  Value rounded = f.add(high, f.integer(int64_t(1) << 61));
  Value quarters = narrowed(f, f.shiftRight(rounded, 62));
  // What is below them, as a signed number, halved to have room for its rounding.
  Value restHigh = f.either(f.shiftLeft(high, 2), f.shiftRight(low, 62));
  Value halfHigh = f.shiftSigned(restHigh, 1);
  Value halfLow = f.either(f.shiftRight(f.shiftLeft(low, 2), 1), f.shiftLeft(restHigh, 63));
  Value r = angleOf(f, halfHigh, halfLow);
  Value isNegative = f.less(x, f.number(0.0));
  Formula i32(f.builder, f.loc, quarters.getType());
  Value negated = i32.sub(i32.integer(0), quarters);
  return {f.select(isNegative, f.negate(r), r), f.select(isNegative, negated, quarters)};
}

//===----------------------------------------------------------------------===//
// The loop over large angles
//===----------------------------------------------------------------------===//

static SmallVector<Value> lanesIn(OpBuilder &builder, Location loc, Value value) {
  int64_t lanes = registers::lanesOf(value.getType());
  if (!lanes)
    return {value};
  SmallVector<Value> scalars;
  for (int64_t lane = 0; lane < lanes; ++lane)
    scalars.push_back(vector::ExtractOp::create(builder, loc, value, lane));
  return scalars;
}

static Value packed(OpBuilder &builder, Location loc, Type type, ArrayRef<Value> scalars) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector::FromElementsOp::create(builder, loc, vector, scalars);
  return scalars.front();
}

/// One round: the first pending angle of `x` is reduced. `state` is the flags of the
/// pending ones, the rests, and the quarters.
static SmallVector<Value> reduceNext(OpBuilder &builder, Location loc, Value x, ValueRange state,
                                     int64_t wordLimit) {
  SmallVector<Value> angles = lanesIn(builder, loc, x);
  SmallVector<Value> pending = lanesIn(builder, loc, state[0]);
  SmallVector<Value> rests = lanesIn(builder, loc, state[1]);
  SmallVector<Value> quarters = lanesIn(builder, loc, state[2]);
  Formula f(builder, loc, builder.getF64Type());
  Value angle = angles.back();
  for (size_t lane = angles.size() - 1; lane--;)
    angle = f.select(pending[lane], angles[lane], angle);
  bool isWide = angle.getType() == f.type;
  Value wide = isWide ? angle : arith::ExtFOp::create(builder, loc, f.type, angle).getResult();
  Reduced reduced = reduceLarge(f, wide, wordLimit);
  Value rest = reduced.rest;
  if (!isWide)
    rest = arith::TruncFOp::create(builder, loc, angle.getType(), rest);
  // Whether a lane before this one was pending.
  Value earlier = registers::constantInt(builder, loc, builder.getI1Type(), 0);
  for (size_t lane = 0; lane < angles.size(); ++lane) {
    Value later = f.both(pending[lane], earlier);
    Value isNext = f.differ(pending[lane], later);
    earlier = f.either(earlier, pending[lane]);
    rests[lane] = f.select(isNext, rest, rests[lane]);
    quarters[lane] = f.select(isNext, reduced.quarters, quarters[lane]);
    pending[lane] = later;
  }
  return {packed(builder, loc, state[0].getType(), pending),
          packed(builder, loc, state[1].getType(), rests),
          packed(builder, loc, state[2].getType(), quarters)};
}

static Reduced reduceAngle(Formula &f, Value x) {
  Format format = formatOf(f);
  Reduced small = reduceSmall(f, format, x);
  Value magnitude = f.abs(x);
  Value isLarge =
      f.both(f.less(f.number(format.smallAngle), magnitude), f.less(magnitude, f.number(INFINITY)));
  SmallVector<Value> state = {isLarge, small.rest, small.quarters};
  auto loop = scf::WhileOp::create(
      f.builder, f.loc, TypeRange(ValueRange(state)), state,
      [](OpBuilder &builder, Location loc, ValueRange now) {
        scf::ConditionOp::create(builder, loc, fsm::gpu::anyLane(builder, loc, now[0]), now);
      },
      [&](OpBuilder &builder, Location loc, ValueRange now) {
        scf::YieldOp::create(builder, loc, reduceNext(builder, loc, x, now, format.wordLimit));
      });
  fsm::gpu::reconverge(f.builder, f.loc);
  return {loop.getResult(1), loop.getResult(2)};
}

//===----------------------------------------------------------------------===//
// The functions on [-pi/4, pi/4]
//===----------------------------------------------------------------------===//

/// (sin(r) / r - 1) / r^2
static Value sineRest(Formula &f, Value square) {
  if (getElementTypeOrSelf(f.type).isF64())
    return f.polynomial(square,
                        {-0.16666666666666632, 0.008333333333322552, -0.00019841269829897067,
                         2.75573137181869e-06, -2.5050761709940437e-08, 1.589698157177413e-10});
  return f.polynomial(square,
                      {-0.16666655242443085, 0.008332177996635437, -0.00019517203327268362});
}

/// cos(r) = 1 - r^2 / 2 + ..., as the coefficients of a polynomial in r^2.
static ArrayRef<double> cosineSeries(Formula &f) {
  static const double wide[] = {1.0,
                                -0.5,
                                0.0416666666666666,
                                -0.001388888888887424,
                                2.480158728954448e-05,
                                -2.7557314368238096e-07,
                                2.087572521766872e-09,
                                -1.13597395436955e-11};
  static const double narrow[] = {1.0, -0.5, 0.04166664555668831, -0.001388736767694354,
                                  2.4438411855953746e-5};
  return getElementTypeOrSelf(f.type).isF64() ? ArrayRef<double>(wide) : ArrayRef<double>(narrow);
}

Value fsm::gpu::sine(Formula &f, Value x, int quarter) {
  Reduced angle = reduceAngle(f, x);
  Value r = angle.rest, square = f.mul(r, r);
  Value sine = f.fma(f.mul(sineRest(f, square), square), r, r);
  Value cosine = f.polynomial(square, cosineSeries(f));
  Formula i32(f.builder, f.loc, angle.quarters.getType());
  Value turns = i32.add(angle.quarters, i32.integer(quarter));
  auto bitClear = [&](int64_t bit) { return i32.equal(i32.both(turns, bit), i32.integer(0)); };
  Value result = f.select(bitClear(1), sine, cosine);
  Value negated = f.sub(f.number(0.0), result);
  result = f.select(bitClear(2), result, negated);
  result = f.select(f.less(f.abs(x), f.number(INFINITY)), result, f.number(NAN));
  // The reduction has lost the sign of zero.
  return quarter ? result : f.select(f.equal(x, f.number(0.0)), x, result);
}

/// sin / cos, or -cos / sin in odd quarters, both in two parts. What the first quotient
/// has lost is added to it.
Value fsm::gpu::tangent(Formula &f, Value x) {
  Reduced angle = reduceAngle(f, x);
  Value r = angle.rest, square = f.mul(r, r);
  Value grown = f.mul(f.mul(sineRest(f, square), square), r);
  Value sine = f.add(r, grown);
  Value sineLow = f.sub(grown, f.sub(sine, r));
  Value fallen = f.mul(f.polynomial(square, cosineSeries(f).drop_front()), square);
  Value one = f.number(1.0);
  Value cosine = f.add(one, fallen);
  Value cosineLow = f.sub(fallen, f.sub(cosine, one));
  Formula i32(f.builder, f.loc, angle.quarters.getType());
  Value isOdd = i32.equal(i32.both(angle.quarters, 1), i32.integer(1));
  Value over = f.select(isOdd, f.negate(cosine), sine);
  Value overLow = f.select(isOdd, f.negate(cosineLow), sineLow);
  Value under = f.select(isOdd, sine, cosine);
  Value underLow = f.select(isOdd, sineLow, cosineLow);
  Value quotient = f.div(over, under);
  Value negated = f.negate(quotient);
  Value lost = f.fma(negated, underLow, f.add(f.fma(negated, under, over), overLow));
  Value result = f.add(quotient, f.div(lost, under));
  result = f.select(f.less(f.abs(x), f.number(INFINITY)), result, f.number(NAN));
  return f.select(f.equal(x, f.number(0.0)), x, result);
}
