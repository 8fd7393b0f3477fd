//===- MathFormulas.cpp - Formulas on scalars and vectors ----------------===//
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

StringRef registers::libraryName(Operation *op) {
  if (isa<math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp, math::FmaOp,
          math::RoundEvenOp, math::RoundOp, math::SqrtOp, math::TruncOp>(op))
    return "";
  return isa<math::PowFOp>(op) ? "pow" : op->getName().stripDialect();
}

/// The number n + bias in the low bits of an f32 whose unit is 1, so that shifting
/// it left by 23 gives 2^n.
static constexpr double kMagic = 12582912.0 + 127.0;

/// exp(r) for r from -ln 2 / 2 to ln 2, which is what the bound of n leaves at the
/// top of the range: the polynomial of degree 7 with exp(0) and exp'(0) exact whose
/// largest relative error, 3.8e-9, is smallest (fitted by iteratively reweighted
/// least squares).
static const double kExpSeries[] = {1.0,
                                    1.0,
                                    0.4999999403953552,
                                    0.16666699945926666,
                                    0.04166807234287262,
                                    0.008326774463057518,
                                    0.0013838608283549547,
                                    0.00023254388361237943};

/// 2^n p(r): `shifted` is n + kMagic, already bounded above.
static Value scaleByPower(Formula &f, Value p, Value shifted) {
  return f.mul(p, f.fromBits(f.shiftLeft(f.bits(shifted), 23)));
}

/// exp(x) / 2^halvings. NaN stays NaN. x = n ln 2 + r with |r| <= ln 2 / 2; n is held where 2^n is
/// finite, and what is beyond grows in p(r).
static Value dividedExponential(Formula &f, Value x, int halvings) {
  Value magic = f.number(kMagic - halvings);
  Value shifted = f.fma(x, f.number(1.44269504088896341), magic);
  shifted = f.least(shifted, f.number(kMagic + 127.0));
  Value n = f.sub(shifted, magic);
  // ln 2 in two parts; the first has so few bits that n times it is exact
  // (Cody and Waite, Software Manual for the Elementary Functions).
  Value r = f.fma(n, f.number(-0.693359375), x);
  r = f.fma(n, f.number(2.12194440e-4), r);
  Value p = f.polynomial(r, kExpSeries);
  Value result = scaleByPower(f, p, shifted);
  return f.select(f.less(x, f.number(-87.33654)), f.number(0.0), result);
}

Value registers::exponential(Formula &f, Value x) { return dividedExponential(f, x, 0); }
Value registers::halfExponentialF32(Formula &f, Value x) { return dividedExponential(f, x, 1); }

Value registers::powerOfTwo(Formula &f, Value x) {
  Value shifted = f.add(x, f.number(kMagic));
  shifted = f.least(shifted, f.number(kMagic + 127.0));
  Value n = f.sub(shifted, f.number(kMagic));
  Value r = f.mul(f.sub(x, n), f.number(0.693147180559945309));
  Value p = f.polynomial(r, kExpSeries);
  Value result = scaleByPower(f, p, shifted);
  return f.select(f.less(x, f.number(-126.0)), f.number(0.0), result);
}

/// An odd polynomial around 0, 1 - exp(polynomial)
/// beyond (the scheme and coefficients published by N. Juffa for GPU maths).
Value registers::errorFunction(Formula &f, Value x,
                               llvm::function_ref<Value(Formula &, Value)> exp) {
  Value t = f.abs(x);
  // erf is 1 in f32 from here on.
  Value bounded = f.least(t, f.number(4.0));
  Value s = f.mul(bounded, bounded);
  Value high = f.fma(f.number(-1.72853470e-5), bounded, f.number(3.83197126e-4));
  Value low = f.fma(f.number(-3.88396438e-3), bounded, f.number(2.42546219e-2));
  Value r = f.fma(high, s, low);
  for (double c : {-1.06777877e-1, -6.34846687e-1, -1.28717512e-1})
    r = f.fma(r, bounded, f.number(c));
  r = f.fma(r, bounded, f.sub(f.number(0.0), bounded));
  Value outer = f.withSign(f.sub(f.number(1.0), exp(f, r)), x);
  Value inner = f.polynomial(f.mul(x, x), {1.28379166e-1, -3.76125336e-1, 1.12819925e-1,
                                           -2.67681349e-2, 4.99119423e-3, -5.96761703e-4});
  inner = f.fma(inner, x, x);
  Value result = f.select(f.less(f.number(0.927734375), t), outer, inner);
  return f.select(f.isNan(x), x, result);
}

//===----------------------------------------------------------------------===//
// Logarithms, and exponentials near 0
//===----------------------------------------------------------------------===//
// Coefficients are minimax fits (Remez, 120 bits) of what follows the exact leading terms; errors
// were measured on an H200 over every 29th f32 number, and over every third on a CPU where they
// come near 2 ulp.

/// ln(1 + m) for m from -1/4 to 1/2: m - m^2 / 2 + m^3 p(m).
static Value lnNearOne(Formula &f, Value m) {
  Value p = f.polynomial(m, {0.33333340287208557, -0.2500016391277313, 0.19999605417251587,
                             -0.16655300557613373, 0.14276252686977386, -0.12727753818035126,
                             0.1170048788189888, -0.09115930646657944, 0.037671707570552826});
  Value square = f.mul(m, m);
  return f.fma(f.fma(p, m, f.number(-0.5)), square, m);
}

/// The bits of the exponent, in place, that leave `x` between 3/4 and 3/2.
static Value exponentBits(Formula &f, Value x) {
  return f.both(f.sub(f.bits(x), f.integer(0x3f400000)), -0x800000);
}

/// The number of an exponent in place.
static Value exponentOf(Formula &f, Value inPlace) {
  return f.fromSigned(f.shiftSigned(inPlace, 23));
}

/// The values of a logarithm where its argument `x` is no positive number.
static Value logEdges(Formula &f, Value x, Value result) {
  Value infinity = f.number(INFINITY);
  result = f.select(f.equal(x, infinity), infinity, result);
  result = f.select(f.equal(x, f.number(0.0)), f.number(-INFINITY), result);
  Value notNegative = f.compare(arith::CmpFPredicate::OGE, x, f.number(0.0));
  return f.select(notNegative, result, f.number(NAN));
}

/// log, log2 or log10 of x = 2^e (1 + m); 0.89, 1.65 and 1.90 ulp at worst.
Value registers::logarithmF32(Formula &f, Operation *op, Value x) {
  Value isDenormal = f.less(x, f.number(0x1p-126));
  Value normal = f.select(isDenormal, f.mul(x, f.number(0x1p23)), x);
  Value inPlace = exponentBits(f, normal);
  Value mantissa = f.sub(f.bits(normal), inPlace);
  Value shift = f.select(isDenormal, f.number(-23.0), f.number(0.0));
  Value e = f.add(shift, exponentOf(f, inPlace));
  Value ln = lnNearOne(f, f.sub(f.fromBits(mantissa), f.number(1.0)));
  if (isa<math::LogOp>(op))
    return logEdges(f, x, f.fma(e, f.number(0.693147180559945309), ln));
  if (isa<math::Log10Op>(op)) {
    // log10 2 and log10 e in two parts; the first of log10 2 has so few bits that e times it is
    // exact.
    Value low = f.mul(e, f.number(4.6050389811980175e-06));
    low = f.fma(ln, f.number(-1.010305006321488e-08), low);
    Value high = f.mul(e, f.number(0.301025390625));
    high = f.fma(ln, f.number(0.4342944920063018798828125), high);
    return logEdges(f, x, f.add(high, low));
  }
  // log2 e in two parts.
  Value result = f.fma(ln, f.number(1.44269502162933349), e);
  return logEdges(f, x, f.fma(ln, f.number(1.92596299e-8), result));
}

/// log(1 + x) with 1 + x = 2^e (1 + m), m computed from x; 0.89 ulp at worst.
Value registers::logOfOnePlusF32(Formula &f, Value x) {
  Value sum = f.add(x, f.number(1.0));
  Value inPlace = exponentBits(f, sum);
  // 4 / 2^e, a normal number for every e.
  Value power = f.fromBits(f.sub(f.integer(0x40800000), inPlace));
  Value quarter = f.number(0.25);
  Value m = f.fma(f.mul(x, quarter), power, f.fma(quarter, power, f.number(-1.0)));
  Value result = f.fma(exponentOf(f, inPlace), f.number(0.693147180559945309), lnNearOne(f, m));
  return f.select(f.less(f.abs(x), f.number(0x1p-30)), x, logEdges(f, sum, result));
}

/// exp(x) - 1 with x = j ln 2 + r: 2^j (exp(r) - 1) + (2^j - 1), both halved so that
/// 2^j is finite up to the end; 1.44 ulp at worst.
Value registers::expMinusOneF32(Formula &f, Value x) {
  // Beyond these the result is -1 or infinite.
  Value bounded = f.clamp(x, -20.0, 89.0);
  // In the low bits of `shifted` stands j + 126, the exponent of 2^j / 2.
  constexpr double magic = 12582912.0 + 126.0;
  Value shifted = f.fma(bounded, f.number(1.44269504088896341), f.number(magic));
  Value j = f.sub(shifted, f.number(magic));
  Value r = f.fma(j, f.number(-0.693145751953125), bounded);
  r = f.fma(j, f.number(-1.42860682030941723e-6), r);
  Value p = f.polynomial(r, {0.5, 0.1666666567325592, 0.041666362434625626, 0.008333389647305012,
                             0.0013940652132133897, 0.0001984594709938392});
  Value grown = f.fma(f.mul(p, r), r, r);
  Value power = f.fromBits(f.shiftLeft(f.bits(shifted), 23));
  Value half = f.fma(grown, power, f.sub(power, f.number(0.5)));
  Value isSmall = f.less(f.abs(x), f.number(0x1p-30));
  return f.select(f.either(isSmall, f.isNan(x)), x, f.add(half, half));
}

Value registers::sinhFrom(Formula &f, Value x, Value h, double bound,
                          ArrayRef<double> coefficients) {
  Value magnitude = f.abs(x), outer = f.sub(h, f.div(f.number(0.25), h));
  Value inner = f.oddPolynomial(magnitude, coefficients);
  return f.withSign(f.select(f.less(magnitude, f.number(bound)), inner, outer), x);
}

Value registers::coshFrom(Formula &f, Value h) { return f.add(h, f.div(f.number(0.25), h)); }

Value registers::exponentialOfTwice(Formula &f, Value x) {
  Value bounded = f.select(f.less(f.number(10.0), x), f.number(10.0), x);
  return registers::exponential(f, f.add(bounded, bounded));
}

/// tanh(x): an odd polynomial around 0, 1 - 2 / (exp(2|x|) + 1) beyond; 1.50 ulp at
/// worst, and 1.81 with the ex2 of an H200, over all f32 numbers (decision 220).
Value registers::tanhF32(Formula &f, Value x,
                         llvm::function_ref<Value(Formula &, Value)> exponentialOfTwice,
                         llvm::function_ref<Value(Formula &, Value)> reciprocal) {
  Value magnitude = f.abs(x);
  Value e = exponentialOfTwice(f, magnitude);
  Value outer = f.fma(reciprocal(f, f.add(e, f.number(1.0))), f.number(-2.0), f.number(1.0));
  Value square = f.mul(x, x);
  Value p = f.polynomial(square, {-0.33333298563957214, 0.13331960141658783, -0.053786832839250565,
                                  0.0208058413118124, -0.005906358361244202});
  Value inner = f.fma(f.mul(p, square), magnitude, magnitude);
  return f.withSign(f.select(f.less(magnitude, f.number(0.6)), inner, outer), x);
}

Value registers::powerEdges(Formula &f, Value x, Value y, Value result) {
  Value zero = f.number(0.0), one = f.number(1.0), infinity = f.number(INFINITY);
  Value base = f.abs(x);
  Value isFalling = f.less(y, zero);
  result = f.select(f.equal(base, zero), f.select(isFalling, infinity, zero), result);
  Value baseIsInfinite = f.equal(base, infinity);
  result = f.select(baseIsInfinite, f.select(isFalling, zero, infinity), result);
  Value grows = f.differ(f.less(one, base), isFalling);
  Value atInfinity = f.select(f.equal(base, one), one, f.select(grows, infinity, zero));
  result = f.select(f.equal(f.abs(y), infinity), atInfinity, result);
  auto whole = [&](Value number) { return f.equal(number, f.truncated(number)); };
  Value isWhole = whole(y);
  Value isEven = whole(f.mul(y, f.number(0.5)));
  Value signs = f.select(isEven, base, x);
  result = f.select(isWhole, f.withSign(result, signs), result);
  Value isFraction = f.compare(arith::CmpFPredicate::UNE, y, f.truncated(y));
  Value isFinite = f.less(base, infinity);
  Value isUndefined = f.both(f.both(f.less(x, zero), isFraction), isFinite);
  isUndefined = f.either(isUndefined, f.either(f.isNan(x), f.isNan(y)));
  result = f.select(isUndefined, f.number(NAN), result);
  return f.select(f.either(f.equal(x, one), f.equal(y, zero)), one, result);
}
