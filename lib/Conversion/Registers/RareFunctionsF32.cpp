//===- RareFunctionsF32.cpp - Rarer functions of f32 in f32 --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arcs, hyperbolic functions and the cube root, which need no wider type.
//
// Coefficients are minimax fits (iteratively reweighted least squares) of what follows
// the exact leading terms. The worst errors stated were measured over every 97th f32 number and
// finer where they are largest, of those with two operands over 400 million pairs, against the C
// library in f64.
//
//===----------------------------------------------------------------------===//

#include "MathFormulas.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using namespace fsm::registers;

using Root = llvm::function_ref<Value(Formula &, Value)>;

/// What the nearest f32 lacks to a number.
static double lackOf(double number) { return number - static_cast<float>(number); }

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

/// 1.6 ulp at worst.
static Value hyperbolicSine(Formula &f, Value x) {
  return sinhFrom(f, x, halfExponentialF32(f, f.abs(x)), 2.0,
                  {0.16666667016802486, 0.008333320119190192, 0.0001984286062643136,
                   2.7474856156049738e-06, 2.6966524595650648e-08});
}

/// log(1 + x), or log(2 x) of large ones.
static Value logOfArea(Formula &f, Value x, Value isHuge) {
  Value result = logOfOnePlusF32(f, x);
  return f.select(isHuge, f.add(result, f.number(0.693147180559945309)), result);
}

/// log(1 + x + x^2 / (1 + sqrt(1 + x^2))); 1.93 ulp at worst.
static Value areaSine(Formula &f, Value x, Root root) {
  Value magnitude = f.abs(x), one = f.number(1.0), square = f.mul(x, x);
  Value inner = f.oddPolynomial(magnitude, {-0.16666665278366788, 0.07499889278814792,
                                            -0.04461324977688388, 0.030012948269298238,
                                            -0.019979969948321533, 0.009167693629345037});
  Value isHuge = f.less(f.number(0x1p30), magnitude);
  Value rest = f.div(square, f.add(one, root(f, f.add(square, one))));
  Value outer = logOfArea(f, f.select(isHuge, magnitude, f.add(magnitude, rest)), isHuge);
  return f.withSign(f.select(f.less(magnitude, f.number(0.5)), inner, outer), x);
}

/// log(1 + t + sqrt(t^2 + 2 t)) with t = x - 1, and what the sum has lost; 1.6 ulp at worst.
static Value areaCosine(Formula &f, Value x, Root root) {
  Value one = f.number(1.0), isHuge = f.less(f.number(0x1p30), x);
  Value t = f.sub(x, one), side = root(f, f.fma(t, t, f.add(t, t)));
  Value sum = f.add(side, t), lost = f.sub(t, f.sub(sum, side));
  Value result = logOfArea(f, f.select(isHuge, x, sum), isHuge);
  Value whole = f.add(result, f.div(lost, f.add(sum, one)));
  return f.select(f.less(x, one), f.number(NAN), f.select(isHuge, result, whole));
}

/// log(1 + 2 |x| / (1 - |x|)) / 2; 1.1 ulp at worst.
static Value areaTangent(Formula &f, Value x) {
  Value magnitude = f.abs(x);
  Value inner =
      f.oddPolynomial(magnitude, {0.3333330007154927, 0.20002518267830194, 0.14222762447342474,
                                  0.1182372686193357, 0.05135836587277841, 0.17669100485886113});
  Value quotient = f.div(f.add(magnitude, magnitude), f.sub(f.number(1.0), magnitude));
  Value outer = f.mul(f.number(0.5), logOfOnePlusF32(f, quotient));
  return f.withSign(f.select(f.less(magnitude, f.number(0.5)), inner, outer), x);
}

//===----------------------------------------------------------------------===//
// Arcs and the cube root
//===----------------------------------------------------------------------===//

/// angle - x, the angle in two parts.
static Value missing(Formula &f, double angle, Value x, Value rest) {
  return f.sub(f.number(angle), f.add(x, f.sub(rest, f.number(lackOf(angle)))));
}

/// asin or acos: u + rest, where u is |x| up to 1/2 and the root of (1 - |x|) / 2 beyond, whose arc
/// is half of what is missing to pi/2; 1.6 and 1.1 ulp at worst.
static Value arcOfSine(Formula &f, Value x, Root root, bool isCosine) {
  Value magnitude = f.abs(x), isLarge = f.less(f.number(0.5), magnitude);
  Value half = f.fma(magnitude, f.number(-0.5), f.number(0.5));
  Value square = f.select(isLarge, half, f.mul(x, x));
  Value u = f.select(isLarge, root(f, square), magnitude);
  Value p = f.polynomial(square, {0.16666659991273367, 0.07500504184693634, 0.04451695515913382,
                                  0.03180771855667858, 0.014438604384447178, 0.03751645081415482});
  Value rest = f.mul(f.mul(p, square), u);
  Value twice = f.add(u, u), twiceRest = f.add(rest, rest);
  if (!isCosine) {
    Value large = missing(f, M_PI_2, twice, twiceRest);
    return f.withSign(f.select(isLarge, large, f.add(u, rest)), x);
  }
  Value small = missing(f, M_PI_2, f.withSign(u, x), f.withSign(rest, x));
  Value large = f.select(f.less(x, f.number(0.0)), missing(f, M_PI, twice, twiceRest),
                         f.add(twice, twiceRest));
  return f.select(isLarge, large, small);
}

/// The angle of the point (x, y): that to the nearer axis, mirrored; 1.7 ulp at worst.
static Value arcTangent(Formula &f, Value y, Value x) {
  Value tall = f.abs(y), wide = f.abs(x), one = f.number(1.0), zero = f.number(0.0);
  Value isSteep = f.less(wide, tall);
  Value a = f.select(isSteep, tall, wide), b = f.select(isSteep, wide, tall);
  Value bothInfinite = f.equal(b, f.number(INFINITY));
  a = f.select(f.either(bothInfinite, f.equal(a, zero)), one, a);
  b = f.select(bothInfinite, one, b);
  Value angle = f.oddPolynomial(
      f.div(b, a), {-0.33333299086411483, 0.1999854820121004, -0.14264240788629334,
                    0.10952181091527449, -0.08403436628426564, 0.057957359158240074,
                    -0.03117761263751832, 0.010914480807769342, -0.0017935938453603137});
  angle = f.select(isSteep, missing(f, M_PI_2, angle, zero), angle);
  Value isBehind = f.compare(arith::CmpIPredicate::slt, f.bits(x), f.integer(0));
  angle = f.select(isBehind, missing(f, M_PI, angle, zero), angle);
  Value undefined = f.either(f.isNan(x), f.isNan(y));
  return f.select(undefined, f.number(NAN), f.withSign(angle, y));
}

/// x r^2 with r = x^(-1/3), by a third of the exponent and Newton's iteration, and what the last
/// cube is short of; 0.8 ulp at worst.
static Value cubeRoot(Formula &f, Value x) {
  Value magnitude = f.abs(x), third = f.number(1.0 / 3.0);
  Value isDenormal = f.less(magnitude, f.number(0x1p-126));
  Value y = f.select(isDenormal, f.mul(magnitude, f.number(0x1p24)), magnitude);
  Value part = arith::DivUIOp::create(f.builder, f.loc, f.bits(y), f.integer(3));
  Value r = f.fromBits(f.sub(f.integer(0x54a2fa8c), part)), thirdOfY = f.mul(y, third);
  for (int round = 0; round < 3; ++round) {
    Value error = f.fma(f.negate(f.mul(thirdOfY, r)), f.mul(r, r), third);
    r = f.fma(r, error, r);
  }
  Value rr = f.mul(r, r), t = f.mul(y, rr), square = f.mul(t, t);
  Value squareLow = f.fma(t, t, f.negate(square));
  Value rest = f.sub(f.fma(f.negate(square), t, y), f.mul(squareLow, t));
  t = f.fma(rest, f.mul(rr, third), t);
  t = f.select(isDenormal, f.mul(t, f.number(0x1p-8)), t);
  Value isOrdinary =
      f.both(f.less(f.number(0.0), magnitude), f.less(magnitude, f.number(INFINITY)));
  return f.select(isOrdinary, f.withSign(t, x), x);
}

//===----------------------------------------------------------------------===//
// Functions by op
//===----------------------------------------------------------------------===//

Value registers::rareFunctionF32(Formula &f, Operation *op, ValueRange operands, Root root) {
  Value x = operands[0];
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::AcosOp) { return arcOfSine(f, x, root, /*isCosine=*/true); })
      .Case([&](math::AcoshOp) { return areaCosine(f, x, root); })
      .Case([&](math::AsinOp) { return arcOfSine(f, x, root, /*isCosine=*/false); })
      .Case([&](math::AsinhOp) { return areaSine(f, x, root); })
      .Case([&](math::AtanOp) { return arcTangent(f, x, f.number(1.0)); })
      .Case([&](math::Atan2Op) { return arcTangent(f, x, operands[1]); })
      .Case([&](math::AtanhOp) { return areaTangent(f, x); })
      .Case([&](math::CbrtOp) { return cubeRoot(f, x); })
      // 1.4 ulp at worst.
      .Case([&](math::CoshOp) { return coshFrom(f, halfExponentialF32(f, f.abs(x))); })
      .Case([&](math::Log10Op) { return logarithmF32(f, op, x); })
      .Case([&](math::SinhOp) { return hyperbolicSine(f, x); })
      .Default([](Operation *) { return Value(); });
}
