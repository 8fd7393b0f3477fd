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

//===----------------------------------------------------------------------===//
// Powers of f32
//===----------------------------------------------------------------------===//
//
// As above, in two numbers of f32: log2 x to 2^-33 of itself, for its product with y goes up to
// 150. The result is 2^n times a polynomial of what is left, 0.95 ulp at worst.

/// x = 2^e (1 + m), m exact, from sqrt(1/2) - 1 to sqrt(2) - 1.
static ScaledFloat scaledSingle(Formula &f, Value x) {
  Value isDenormal = f.less(x, f.number(0x1p-126));
  Value normal = f.bits(f.select(isDenormal, f.mul(x, f.number(0x1p23)), x));
  Value inPlace = f.both(f.sub(normal, f.integer(0x3f3504f3)), -0x800000);
  Value e = f.add(f.fromSigned(f.shiftSigned(inPlace, 23)),
                  f.select(isDenormal, f.number(-23.0), f.number(0.0)));
  return {e, f.sub(f.fromBits(f.sub(normal, inPlace)), f.number(1.0))};
}

/// s = m / (2 + m)
static Pair quotientOfSingles(Formula &f, Value m,
                              function_ref<Value(Formula &, Value)> reciprocal) {
  Value two = f.number(2.0), divisor = f.add(m, two);
  Value lost = f.sub(m, f.sub(divisor, two));
  Value inverse = reciprocal(f, divisor);
  Value high = f.mul(m, inverse), negated = f.negate(high);
  Value rest = f.fma(negated, lost, f.fma(negated, divisor, m));
  return {high, f.mul(rest, inverse)};
}

/// log2(1 + m) = 2 log2 e (s + s^3 (1/3 + s^2 Q(s^2))); Q interpolates at Chebyshev's points.
static Pair logarithmNearOne(Formula &f, Pair s) {
  Value z = f.mul(s.high, s.high);
  Pair square = {z, f.fma(f.add(s.high, s.high), s.low, f.fma(s.high, s.high, f.negate(z)))};
  Value q = f.polynomial(
      z, {0.20000000298023224, 0.14285767078399658, 0.11102283746004105, 0.09562867134809494});
  Value third = f.number(0.3333333432674408), high = f.fma(z, q, third);
  Value low = f.add(f.fma(z, q, f.sub(third, high)), f.number(-9.934107758624577e-09));
  Pair cubed = product(f, s, product(f, square, {high, low}));
  Pair half = sum(f, s.high, cubed.high);
  half.low = f.add(half.low, f.add(s.low, cubed.low));
  return product(f, half, {f.number(2.885390043258667), f.number(3.851926067000022e-08)});
}

/// 2^(x + low) for an |x| up to 200, or NaN.
static Value powerOfTwoOfSum(Formula &f, Value x, Value low) {
  Value magic = f.number(0x1.8p23), shifted = f.add(x, magic);
  Value rest = f.add(f.sub(x, f.sub(shifted, magic)), low);
  Value p =
      f.polynomial(rest, {1.0, 0.6931471824645996, 0.24022650718688965, 0.055503569543361664,
                          0.009618082083761692, 0.0013390886597335339, 0.00015453182277269661});
  // Two powers, for 2^n alone may be infinite or 0.
  Value n = f.sub(f.bits(shifted), f.integer(0x4b400000)), half = f.shiftSigned(n, 1);
  auto power = [&](Value k) { return f.fromBits(f.shiftLeft(f.add(k, f.integer(127)), 23)); };
  return f.mul(f.mul(p, power(half)), power(f.sub(n, half)));
}

Value fsm::gpu::powerOfSingles(Formula &f, Value x, Value y,
                               function_ref<Value(Formula &, Value)> reciprocal) {
  Value zero = f.number(0.0), infinity = f.number(INFINITY), base = f.abs(x);
  ScaledFloat number = scaledSingle(f, base);
  Pair fraction = logarithmNearOne(f, quotientOfSingles(f, number.fraction, reciprocal));
  Pair log = sum(f, number.exponent, fraction.high);
  log.low = f.add(log.low, fraction.low);
  // The logarithms of 0, infinity and NaN; of NaN the power 0 is 1, as any power of 1 is.
  Value isFinite = f.less(base, infinity);
  log.high = f.select(isFinite, log.high, base);
  log.high = f.select(f.equal(base, zero), f.number(-INFINITY), log.high);
  log.high = f.select(f.equal(y, zero), zero, log.high);
  Value factor = f.select(f.equal(base, f.number(1.0)), zero, y);
  Value high = f.mul(factor, log.high);
  Value low = f.fma(factor, log.low, f.fma(factor, log.high, f.negate(high)));
  // Beyond these the result is 0 or infinite, and `low` may be NaN.
  low = f.select(f.less(f.abs(high), f.number(200.0)), low, zero);
  Value result = powerOfTwoOfSum(f, f.clamp(high, -200.0, 200.0), low);
  // Of a negative base the exponent says the sign, or that there is no power.
  auto isFraction = [&](Value number) {
    return f.compare(arith::CmpFPredicate::UNE, number, f.truncated(number));
  };
  Value signs = f.select(isFraction(f.mul(y, f.number(0.5))), x, base);
  Value isUndefined = f.both(f.less(x, zero), isFinite);
  return f.select(isFraction(y), f.select(isUndefined, f.number(NAN), result),
                  f.withSign(result, signs));
}
