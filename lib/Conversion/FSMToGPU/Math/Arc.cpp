//===- Arc.cpp - Inverse sines and tangents of f64 -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polynomials, and the roots and quotients that bring an argument near 0. The
// coefficients interpolate what follows the exact leading terms at Chebyshev's nodes.
// Errors were measured as in DoubleFunctions.cpp.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// pi in two parts.
static constexpr double kPiHigh = 0x1.921fb54442d18p1, kPiLow = 0x1.1a62633145c07p-53;

//===----------------------------------------------------------------------===//
// asin and acos
//===----------------------------------------------------------------------===//

namespace {
/// The arc sine of `sine`, up to 1/2, is sine + rest. From 1/2 on, `sine` is the root
/// of (1 - |x|) / 2, whose arc is half of what is missing to pi/2.
struct Arc {
  Value isLarge, sine, rest;
};
} // namespace

static Arc arcOf(Formula &f, Value x, Value small) {
  Value magnitude = f.abs(x);
  Value isLarge = f.less(f.number(0.5), magnitude);
  Value half = f.fma(magnitude, f.number(-0.5), f.number(0.5));
  Value square = f.select(isLarge, half, f.mul(x, x));
  Value sine = f.select(isLarge, f.sqrt(square), small);
  Value p = f.polynomial(square, {0.16666666666666669, 0.07499999999998433, 0.04464285714635543,
                                  0.030381944138531247, 0.02237217294214989, 0.017352392720869973,
                                  0.013971212973552933, 0.011479177415184906, 0.01032281435018578,
                                  0.005457506718640358, 0.01740087944269402, -0.014851887071247204,
                                  0.028757851367421566});
  return {isLarge, sine, f.mul(f.mul(p, square), sine)};
}

/// angle - (sine + rest), `low` being what the angle has beyond f64.
static Value missing(Formula &f, double angle, double low, Value sine, Value rest) {
  return f.sub(f.number(angle), f.add(sine, f.sub(rest, f.number(low))));
}

Value fsm::gpu::arcSine(Formula &f, Value x) {
  Arc arc = arcOf(f, x, f.abs(x));
  Value twice = f.add(arc.sine, arc.sine), rest = f.add(arc.rest, arc.rest);
  Value large = missing(f, kPiHigh / 2, kPiLow / 2, twice, rest);
  return f.withSign(f.select(arc.isLarge, large, f.add(arc.sine, arc.rest)), x);
}

Value fsm::gpu::arcCosine(Formula &f, Value x) {
  Arc arc = arcOf(f, x, x);
  Value small = missing(f, kPiHigh / 2, kPiLow / 2, arc.sine, arc.rest);
  Value twice = f.add(arc.sine, arc.sine), rest = f.add(arc.rest, arc.rest);
  Value opposite = missing(f, kPiHigh, kPiLow, twice, rest);
  Value large = f.select(f.less(x, f.number(0.0)), opposite, f.add(twice, rest));
  return f.select(arc.isLarge, large, small);
}

//===----------------------------------------------------------------------===//
// atan2
//===----------------------------------------------------------------------===//

/// k pi/4 + sign (u + rest), for k from 0 to 4.
static Value sumOfAngles(Formula &f, Value k, Value sign, Value u, Value rest) {
  Value high = f.mul(k, f.number(kPiHigh / 4));
  Value low = f.fma(k, f.number(kPiHigh / 4), f.negate(high));
  low = f.fma(k, f.number(kPiLow / 4), low);
  u = f.mul(sign, u);
  rest = f.mul(sign, rest);
  Value sum = f.add(high, u);
  Value lost = f.sub(u, f.sub(sum, high));
  return f.add(sum, f.add(lost, f.add(low, rest)));
}

/// The angle to the nearer axis is atan(b / a) for the smaller and the larger
/// coordinate, or pi/4 + atan((b - a) / (b + a)) when that is nearer to 0. From there it
/// is mirrored at the diagonal and at the vertical axis.
Value fsm::gpu::arcTangent(Formula &f, Value y, Value x) {
  Value tall = f.abs(y), wide = f.abs(x), one = f.number(1.0);
  Value isSteep = f.less(wide, tall);
  Value a = f.select(isSteep, tall, wide), b = f.select(isSteep, wide, tall);
  Value bothInfinite = f.equal(b, f.number(INFINITY));
  a = f.select(f.either(bothInfinite, f.equal(a, f.number(0.0))), one, a);
  b = f.select(bothInfinite, one, b);
  // Their sum is to be finite, and what a is multiplied by to keep its bits.
  Value scale = f.select(f.less(f.number(0x1p1000), a), f.number(0x1p-60), one);
  scale = f.select(f.less(a, f.number(0x1p-900)), f.number(0x1p100), scale);
  a = f.mul(a, scale);
  b = f.mul(b, scale);
  Value isDiagonal = f.less(f.mul(a, f.number(0.41421356237309503)), b);
  Value u = f.div(f.select(isDiagonal, f.sub(b, a), b), f.select(isDiagonal, f.add(b, a), a));
  Value square = f.mul(u, u);
  Value p = f.polynomial(square, {-0.3333333333333333, 0.19999999999999993, -0.14285714285711518,
                                  0.11111111110754729, -0.0909090906700999, 0.07692306736000173,
                                  -0.06666642020055166, 0.058819252531928636, -0.05258041554277979,
                                  0.04719395030027433, -0.04104436265755082, 0.030635704112969498,
                                  -0.01391822929102443});
  Value rest = f.mul(f.mul(p, square), u);
  Value k = f.select(isDiagonal, one, f.number(0.0)), sign = one, minus = f.number(-1.0);
  k = f.select(isSteep, f.sub(f.number(2.0), k), k);
  sign = f.select(isSteep, minus, sign);
  Value isBehind = f.compare(arith::CmpIPredicate::slt, f.bits(x), f.integer(0));
  k = f.select(isBehind, f.sub(f.number(4.0), k), k);
  sign = f.select(isBehind, f.negate(sign), sign);
  Value result = sumOfAngles(f, k, sign, u, rest);
  result = f.select(f.equal(k, f.number(0.0)), f.add(u, rest), result);
  Value undefined = f.either(f.isNan(x), f.isNan(y));
  return f.select(undefined, f.number(NAN), f.withSign(result, y));
}
