//===- Power.cpp - Powers of f64 and f32 ---------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x^y = exp(y ln x). The exponent goes up to 2^9.5 and its error becomes the result's,
// so ln x is held in two numbers, to 2^-65 of itself: with x = 2^e (1 + m) and
// s = m / (2 + m),
//
//   ln x = e ln 2 + 2 s (1 + s^2 (1/3 + s^2 Q(s^2)))
//
// where all but Q are in two numbers. A product of two numbers leaves its error in one
// fma; a sum of a larger and a smaller one in two subtractions (T. Dekker, 1971).
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

namespace {
/// high + low, low being less than the last bit of high.
struct Pair {
  Value high, low;
};
} // namespace

/// a + b, a being the larger one.
static Pair sum(Formula &f, Value a, Value b) {
  Value high = f.add(a, b);
  return {high, f.sub(b, f.sub(high, a))};
}

static Pair product(Formula &f, Pair a, Pair b) {
  Value high = f.mul(a.high, b.high);
  Value low = f.fma(a.high, b.high, f.negate(high));
  Value crossed = f.fma(a.high, b.low, f.mul(a.low, b.high));
  return {high, f.add(low, crossed)};
}

/// s = m / (2 + m)
static Pair quotient(Formula &f, Value m) {
  Value two = f.number(2.0);
  Value divisor = f.add(two, m);
  Value lost = f.sub(m, f.sub(divisor, two));
  Value high = f.div(m, divisor);
  Value negated = f.negate(high);
  Value rest = f.fma(negated, lost, f.fma(negated, divisor, m));
  return {high, f.div(rest, divisor)};
}

static Pair logarithmOfFraction(Formula &f, Value m) {
  Pair s = quotient(f, m);
  Pair square = product(f, s, s);
  Value q =
      f.polynomial(square.high, {0.20000000000000012, 0.14285714285669163, 0.11111111135592656,
                                 0.09090904117001572, 0.07692787891410022, 0.06642962328621099,
                                 0.0645701135847418});
  Pair factor = sum(f, f.number(0x1.5555555555555p-2), f.mul(square.high, q));
  factor.low = f.add(factor.low, f.number(0x1.5555555555555p-56));
  Pair twice = {f.add(s.high, s.high), f.add(s.low, s.low)};
  Pair rest = product(f, twice, product(f, square, factor));
  Pair result = sum(f, twice.high, rest.high);
  result.low = f.add(result.low, f.add(rest.low, twice.low));
  return result;
}

/// ln of a positive number.
static Pair logarithmInTwo(Formula &f, Value x) {
  ScaledFloat number = scaledFloat(f, x);
  Pair fraction = logarithmOfFraction(f, number.fraction);
  // ln 2 in two parts; the first times e is exact. With e = 0 it is the smaller one.
  Value whole = f.mul(number.exponent, f.number(0x1.62e42fefa3800p-1));
  Value isZero = f.equal(whole, f.number(0.0));
  Value larger = f.select(isZero, fraction.high, whole);
  Value smaller = f.select(isZero, whole, fraction.high);
  Pair result = sum(f, larger, smaller);
  Value low = f.fma(number.exponent, f.number(0x1.ef35793c76730p-45), fraction.low);
  return sum(f, result.high, f.add(result.low, low));
}

Value fsm::gpu::power(Formula &f, Value x, Value y) {
  Pair log = logarithmInTwo(f, f.abs(x));
  Value high = f.mul(y, log.high);
  Value low = f.fma(y, log.low, f.fma(y, log.high, f.negate(high)));
  // Beyond these the result is 0 or infinite, and `low` may be NaN.
  low = f.select(f.less(f.abs(high), f.number(2000.0)), low, f.number(0.0));
  return registers::powerEdges(f, x, y, exponentialOfSum(f, high, low));
}

/// ln x is m P(m) and e ln 2, x being 2^e (1 + m) with m from sqrt(1/2) - 1 to sqrt(2) - 1, to
/// 2^-41 of itself (P interpolates at Chebyshev's points); its product with y is below 2^7 where
/// the result is finite, so that the error of that is 2^-34.
Value fsm::gpu::powerOfFloats(Formula &f, Value x, Value y) {
  ScaledFloat number = scaledFloat(f, f.abs(x));
  Value m = number.fraction;
  Value p = f.polynomial(m, {1.0000000000002736, -0.4999999999866049, 0.33333333306930574,
                             -0.2500000039011605, 0.20000004361537396, -0.16666636016155784,
                             0.14285434047647277, -0.12500927253258134, 0.11119851249190806,
                             -0.09990252153743437, 0.08951481953666027, -0.08290127369182176,
                             0.08741408588481252, -0.08567763925224267, 0.04386548237966485});
  Value log = f.fma(number.exponent, f.number(0x1.62e42fefa39efp-1), f.mul(m, p));
  return registers::powerEdges(f, x, y, exponentialOfSum(f, f.mul(y, log), f.number(0.0)));
}
