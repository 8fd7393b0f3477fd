//===- RareDoubleFunctions.cpp - Rarer functions of f64 ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Combinations of the exponential and the logarithm of DoubleFunctions.cpp, of which the
// argument or the result is held in two numbers where one would cost an ulp. The
// coefficients interpolate what follows the exact leading terms at Chebyshev's nodes.
//
// The worst errors stated were measured as in DoubleFunctions.cpp.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

/// 1.60 ulp at worst.
static Value hyperbolicSine(Formula &f, Value x) {
  return registers::sinhFrom(f, x, halfExponential(f, f.abs(x)), 1.0,
                             {0.16666666666666666, 0.008333333333333333, 0.00019841269841269773,
                              2.755731922404034e-06, 2.505210836405804e-08, 1.6059048396350562e-10,
                              7.646625361656657e-13, 2.8445264169895285e-15});
}

/// ln(2 x) of a large x.
static Value logOfTwice(Formula &f, Value x) {
  Value result = f.add(logOfNormal(f, x, {}), f.number(0x1.62e42fefa39efp-1));
  return f.select(f.less(x, f.number(INFINITY)), result, x);
}

/// x + sqrt(x^2 + more), and what that has lost.
static std::pair<Value, Value> withRoot(Formula &f, Value x, Value square, Value more) {
  Value sum = f.add(square, more);
  Value larger = f.select(f.less(square, more), more, square);
  Value smaller = f.select(f.less(square, more), square, more);
  Value low = f.add(f.sub(smaller, f.sub(sum, larger)), f.fma(x, x, f.negate(square)));
  Value root = f.sqrt(sum), whole = f.add(root, x);
  Value bySum = f.sub(x, f.sub(whole, root));
  Value rest = f.add(f.fma(f.negate(root), root, sum), low);
  Value byRoot = f.div(rest, f.add(root, root));
  byRoot = f.select(f.equal(root, f.number(0.0)), f.number(0.0), byRoot);
  return {whole, f.add(bySum, byRoot)};
}

/// asinh(x): an odd polynomial up to 1/2, ln(x + sqrt(x^2 + 1)) beyond, with sums in two
/// parts; 0.99 ulp at worst.
static Value areaSine(Formula &f, Value x) {
  Value magnitude = f.abs(x), one = f.number(1.0);
  Value inner =
      f.oddPolynomial(magnitude, {-0.16666666666666666, 0.07499999999999996, -0.044642857142844924,
                                  0.030381944443186405, -0.022372159023147643, 0.01735276222988207,
                                  -0.013964797578999641, 0.01155113762253544, -0.009754919054752259,
                                  0.008342249736045443, -0.00706550647837936, 0.005547136554853364,
                                  -0.0034547414832955185, 0.0012013032716795711});
  Value isHuge = f.less(f.number(0x1p28), magnitude);
  Value b = f.select(isHuge, one, magnitude);
  auto [whole, lost] = withRoot(f, b, f.mul(b, b), one);
  Value outer = logOfNormal(f, whole, f.div(lost, whole));
  outer = f.select(isHuge, logOfTwice(f, magnitude), outer);
  Value result = f.select(f.less(magnitude, f.number(0.5)), inner, outer);
  return f.select(f.isNan(x), x, f.withSign(result, x));
}

/// acosh(x): with t = x - 1, ln(1 + t + sqrt(t^2 + 2 t)), the sums in two parts; 1.35
/// ulp at worst.
static Value areaCosine(Formula &f, Value x) {
  Value one = f.number(1.0);
  Value isHuge = f.less(f.number(0x1p28), x);
  Value t = f.sub(f.select(isHuge, f.number(2.0), x), one);
  Value square = f.mul(t, t);
  auto [whole, lost] = withRoot(f, t, square, f.add(t, t));
  Value result = logOfOnePlus(f, whole, f.div(lost, f.add(whole, one)));
  result = f.select(isHuge, logOfTwice(f, x), result);
  return f.select(f.less(x, one), f.number(NAN), result);
}

/// atanh(x) = ln(1 + 2 |x| / (1 - |x|)) / 2, the quotient in two parts; 1.35 ulp at
/// worst.
static Value areaTangent(Formula &f, Value x) {
  Value magnitude = f.abs(x), one = f.number(1.0);
  Value over = f.add(magnitude, magnitude), under = f.sub(one, magnitude);
  Value underLow = f.sub(f.sub(one, under), magnitude);
  Value quotient = f.div(over, under);
  Value negated = f.negate(quotient);
  Value rest = f.fma(negated, underLow, f.fma(negated, under, over));
  Value low = f.div(f.div(rest, under), f.add(quotient, one));
  // At 1 the quotient is infinite.
  low = f.select(f.isNan(low), f.number(0.0), low);
  Value result = f.mul(f.number(0.5), logOfOnePlus(f, quotient, low));
  result = f.select(f.less(magnitude, f.number(0x1p-54)), magnitude, result);
  return f.withSign(result, x);
}

//===----------------------------------------------------------------------===//
// log10, cbrt and erfc
//===----------------------------------------------------------------------===//

/// log10(x) = e log10(2) + log10(1 + m), in two parts up to the last sum; 0.69 ulp at
/// worst.
static Value decimalLogarithm(Formula &f, Value x) {
  auto [e, fraction] = scaledFloat(f, x);
  LnParts ln = lnNearOne(f, fraction);
  Value high = f.sub(fraction, ln.square);
  Value low = f.add(f.sub(f.sub(fraction, high), ln.square), ln.rest);
  // log10(e) in two parts.
  Value factor = f.number(0x1.bcb7b1526e50ep-2);
  Value product = f.mul(high, factor);
  Value rest = f.fma(high, f.number(0x1.95355baaafad3p-57), f.fma(high, factor, f.negate(product)));
  rest = f.fma(low, factor, rest);
  // log10(2) in two parts; the first times e is exact.
  rest = f.fma(e, f.number(0x1.fef311f12b358p-46), rest);
  Value whole = f.mul(e, f.number(0x1.34413509f7800p-2));
  Value isFraction = f.equal(whole, f.number(0.0));
  Value larger = f.select(isFraction, product, whole);
  Value smaller = f.select(isFraction, whole, product);
  Value sum = f.add(larger, smaller);
  Value lost = f.sub(smaller, f.sub(sum, larger));
  return logEdges(f, x, f.add(sum, f.add(lost, rest)));
}

/// The cube root: a third of the exponent, Halley's iteration twice, and what the last
/// cube is short of; 0.75 ulp at worst.
static Value cubeRoot(Formula &f, Value x) {
  Value magnitude = f.abs(x);
  Value isDenormal = f.less(magnitude, f.number(0x1p-1022));
  Value isHuge = f.less(f.number(0x1p900), magnitude);
  Value scale = f.select(isDenormal, f.number(0x1p54), f.number(1.0));
  scale = f.select(isHuge, f.number(0x1p-300), scale);
  Value back = f.select(isDenormal, f.number(0x1p-18), f.number(1.0));
  back = f.select(isHuge, f.number(0x1p100), back);
  Value y = f.mul(magnitude, scale);
  Value third = arith::DivUIOp::create(f.builder, f.loc, f.bits(y), f.integer(3));
  // Two thirds of the exponent's bias, less what makes the error smallest.
  Value t = f.fromBits(f.add(third, f.integer(0x2a9f7893782da1ce)));
  for (int round = 0; round < 2; ++round) {
    Value cube = f.mul(f.mul(t, t), t);
    Value over = f.add(cube, f.add(y, y)), under = f.add(f.add(cube, cube), y);
    t = f.mul(t, f.div(over, under));
  }
  Value square = f.mul(t, t);
  Value squareLow = f.fma(t, t, f.negate(square));
  Value rest = f.sub(f.fma(f.negate(square), t, y), f.mul(squareLow, t));
  t = f.add(t, f.div(rest, f.mul(square, f.number(3.0))));
  Value isOrdinary =
      f.both(f.less(f.number(0.0), magnitude), f.less(magnitude, f.number(INFINITY)));
  return f.withSign(f.select(isOrdinary, f.mul(t, back), magnitude), x);
}

/// erfc(x) for x from 1/2 on: exp(-x^2) g(t) / (1 + 2 x), where t = (x - 4) / (x + 4)
/// keeps g smooth (M. Shepherd and J. Laframboise, 1981). The square, g and the quotient
/// are in two parts.
static Value largeErrorComplement(Formula &f, Value x) {
  Value four = f.number(4.0), one = f.number(1.0);
  Value t = f.div(f.sub(x, four), f.add(x, four));
  Value p =
      f.polynomial(t, {-0.1396211168405625,     0.015379652102619896,    0.06809705425468843,
                       -0.10103906603631396,    0.09373283499853523,     -0.06633036581197725,
                       0.037167515533779165,    -0.016197734060926602,   0.005031970018712216,
                       -0.0007577732645938328,  -0.00019925696638146696, 0.00015062156153513868,
                       -2.4398054340997304e-05, -1.1221687464202913e-05, 5.706488027245356e-06,
                       2.931708557113249e-07,   -8.194993609470498e-07,  7.53538514950311e-08,
                       1.0324969177871334e-07,  -1.836933372267397e-08,  -9.649938473781662e-09,
                       1.9599482188180242e-09});
  Value first = f.number(1.2329951186255526);
  Value tail = f.fma(t, p, f.number(-4.593576056151215e-17));
  Value g = f.add(first, tail);
  Value gLow = f.sub(tail, f.sub(g, first));
  Value twice = f.add(x, x), under = f.add(twice, one);
  Value underLow = f.sub(one, f.sub(under, twice));
  Value quotient = f.div(g, under);
  Value negated = f.negate(quotient);
  Value rest = f.add(f.fma(negated, underLow, f.fma(negated, under, g)), gLow);
  Value low = f.div(rest, under);
  Value minus = f.negate(x);
  Value square = f.mul(minus, x);
  Value squareLow = f.fma(minus, x, f.negate(square));
  Exponent parts = splitExponent(f, square);
  Value grown = exponentialLessOne(f, f.add(parts.rest, squareLow));
  Value product = f.add(quotient, f.fma(quotient, grown, low));
  return timesPowerOfTwo(f, product, parts.shifted);
}

/// erfc(x): 1 - erf(x) around 0, by the large one of |x| elsewhere; 2.06 ulp at worst.
static Value errorComplement(Formula &f, Value x) {
  Value magnitude = f.abs(x), one = f.number(1.0);
  // From 27.3 on it is 0.
  Value large = largeErrorComplement(
      f, f.select(f.less(magnitude, f.number(28.0)), magnitude, f.number(28.0)));
  large = f.select(f.less(x, f.number(0.0)), f.sub(f.number(2.0), large), large);
  Value small = f.sub(one, smallErrorFunction(f, x));
  Value result = f.select(f.less(magnitude, f.number(0.5625)), small, large);
  return f.select(f.isNan(x), x, result);
}

Value fsm::gpu::rareFunctionOfDouble(Formula &f, Operation *op, ValueRange operands) {
  Value x = operands[0];
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::AcosOp) { return arcCosine(f, x); })
      .Case([&](math::AcoshOp) { return areaCosine(f, x); })
      .Case([&](math::AsinOp) { return arcSine(f, x); })
      .Case([&](math::AsinhOp) { return areaSine(f, x); })
      .Case([&](math::AtanOp) { return arcTangent(f, x, f.number(1.0)); })
      .Case([&](math::Atan2Op) { return arcTangent(f, x, operands[1]); })
      .Case([&](math::AtanhOp) { return areaTangent(f, x); })
      .Case([&](math::CbrtOp) { return cubeRoot(f, x); })
      // 1.25 ulp at worst.
      .Case([&](math::CoshOp) { return coshFrom(f, halfExponential(f, f.abs(x))); })
      .Case([&](math::ErfcOp) { return errorComplement(f, x); })
      .Case([&](math::Log10Op) { return decimalLogarithm(f, x); })
      .Case([&](math::PowFOp) { return power(f, x, operands[1]); })
      .Case([&](math::SinhOp) { return hyperbolicSine(f, x); })
      .Case([&](math::TanOp) { return tangent(f, x); })
      .Default([](Operation *) { return Value(); });
}
