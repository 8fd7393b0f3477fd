//===- DoubleFunctions.cpp - Functions of f64 on a GPU thread ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Polynomials in f64, for no library is linked. The coefficients are minimax fits
// (Remez, 160 bits) of what follows the exact leading terms.
//
// The worst errors stated were measured before lowering: the same steps in C, with
// fma, against the long double functions of glibc. Tried were special numbers and 30
// million each of uniform numbers where the function is not constant, random bit
// patterns, random magnitudes and, for half as many, neighbours of multiples of pi/2.
// Two million numbers on an H200 stayed below them.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using namespace fsm::gpu;

/// Added to a number up to 2^51, it leaves the nearest integer in the low bits.
static constexpr double kMagic = 0x1.8p52;

static constexpr double kLog2E = 0x1.71547652b82fep0;

/// ln 2 in two parts. The first has 42 bits, so that an exponent times it is exact.
static constexpr double kLn2High = 0x1.62e42fefa3800p-1, kLn2Low = 0x1.ef35793c76730p-45;

/// The bits of sqrt(1/2), cut to 20 after the point: a mantissa is from there to its double.
static constexpr int64_t kRootBits = 0x3fe6a09e00000000;

static constexpr int64_t kExponentMask = static_cast<int64_t>(0xfff0000000000000);

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

/// (exp(r) - 1 - r) / r^2 for |r| <= ln 2 / 2, to 2^-61 of (exp(r) - 1) / r^2.
static Value exponentialRest(Formula &f, Value r) {
  return f.polynomial(r, {0.5, 0.16666666666666677, 0.041666666666666706, 0.008333333333320689,
                          0.0013888888888865072, 0.00019841269888817297, 2.4801587364088867e-05,
                          2.7557241232593014e-06, 2.7557239721235607e-07, 2.511015708389726e-08,
                          2.0925384779356646e-09});
}

/// 2^n for an integer n from -1022 to 1023.
static Value twoToThe(Formula &f, Value n) {
  return f.fromBits(f.shiftLeft(f.add(n, f.integer(1023)), 52));
}

Exponent fsm::gpu::splitExponent(Formula &f, Value x) {
  Value bounded = f.clamp(x, -760.0, 720.0);
  Value shifted = f.fma(bounded, f.number(kLog2E), f.number(kMagic));
  Value n = f.sub(shifted, f.number(kMagic));
  Value r = f.fma(n, f.number(-kLn2High), bounded);
  return {shifted, f.fma(n, f.number(-kLn2Low), r)};
}

Value fsm::gpu::exponentialLessOne(Formula &f, Value r) {
  return f.fma(f.mul(exponentialRest(f, r), r), r, r);
}

Value fsm::gpu::timesPowerOfTwo(Formula &f, Value number, Value shifted) {
  Value magic = f.bits(f.number(kMagic));
  Value n = f.sub(f.bits(shifted), magic);
  Value half = f.shiftSigned(n, 1), rest = f.sub(n, half);
  return f.mul(f.mul(number, twoToThe(f, half)), twoToThe(f, rest));
}

/// exp(r) for |r| <= ln 2 / 2.
static Value smallExponential(Formula &f, Value r) {
  Value one = f.number(1.0);
  return f.fma(f.fma(exponentialRest(f, r), r, one), r, one);
}

Value fsm::gpu::halfExponential(Formula &f, Value x) {
  Exponent parts = splitExponent(f, x);
  Value less = f.sub(parts.shifted, f.number(1.0));
  return timesPowerOfTwo(f, smallExponential(f, parts.rest), less);
}

Value fsm::gpu::exponentialOfSum(Formula &f, Value x, Value low) {
  Exponent parts = splitExponent(f, x);
  return timesPowerOfTwo(f, smallExponential(f, f.add(parts.rest, low)), parts.shifted);
}

/// exp(x) with x = n ln 2 + r; 0.88 ulp at worst.
static Value wideExponential(Formula &f, Value x) {
  Exponent parts = splitExponent(f, x);
  return timesPowerOfTwo(f, smallExponential(f, parts.rest), parts.shifted);
}

/// 2^x; 0.94 ulp at worst.
static Value binaryExponential(Formula &f, Value x) {
  Value bounded = f.clamp(x, -1090.0, 1030.0);
  Value shifted = f.add(bounded, f.number(kMagic));
  Value fraction = f.sub(bounded, f.sub(shifted, f.number(kMagic)));
  Value r = f.mul(fraction, f.number(0x1.62e42fefa39efp-1));
  return timesPowerOfTwo(f, smallExponential(f, r), shifted);
}

/// exp(x) - 1 with x = n ln 2 + r: 2^n (exp(r) - 1) + (2^n - 1), both halved so that
/// 2^n is finite up to the end; 1.64 ulp at worst.
static Value expMinusOne(Formula &f, Value x) {
  // Beyond these the result is -1 or infinite.
  Value bounded = f.clamp(x, -40.0, 710.0);
  // In the low bits of `shifted` stands n + 1022, the exponent of 2^n / 2.
  Value magic = f.number(kMagic + 1022.0);
  Value shifted = f.fma(bounded, f.number(kLog2E), magic);
  Value n = f.sub(shifted, magic);
  Value high = f.fma(n, f.number(-kLn2High), bounded);
  Value r = f.fma(n, f.number(-kLn2Low), high);
  // What r has lost to rounding.
  Value lost = f.fma(n, f.number(-kLn2Low), f.sub(high, r));
  Value grown = f.add(r, f.fma(f.mul(exponentialRest(f, r), r), r, lost));
  Value power = f.fromBits(f.shiftLeft(f.bits(shifted), 52));
  Value half = f.fma(grown, power, f.sub(power, f.number(0.5)));
  Value isSmall = f.less(f.abs(x), f.number(0x1p-54));
  return f.select(f.either(isSmall, f.isNan(x)), x, f.add(half, half));
}

/// tanh(x): an odd polynomial around 0, 1 - 2 / (exp(2|x|) + 1) beyond; 1.57 ulp
/// at worst.
static Value hyperbolicTangent(Formula &f, Value x) {
  Value magnitude = f.abs(x);
  Value bounded = f.select(f.less(f.number(20.0), magnitude), f.number(20.0), magnitude);
  Value e = wideExponential(f, f.add(bounded, bounded));
  Value outer = f.sub(f.number(1.0), f.div(f.number(2.0), f.add(e, f.number(1.0))));
  Value square = f.mul(x, x);
  Value p =
      f.polynomial(square, {-0.333333333333333, 0.13333333333326877, -0.053968253963896484,
                            0.02186948838946943, -0.008863232657086679, 0.003592092562876434,
                            -0.0014555461121831404, 0.000588457347270472, -0.00023341299171543528,
                            8.335982854333606e-05, -1.9520540906890164e-05});
  Value inner = f.fma(f.mul(p, square), magnitude, magnitude);
  return f.withSign(f.select(f.less(magnitude, f.number(0.55)), inner, outer), x);
}

Value fsm::gpu::smallErrorFunction(Formula &f, Value x) {
  Value p = f.polynomial(f.mul(x, x),
                         {0.1283791670955126, -0.3761263890318375, 0.11283791670954885,
                          -0.02686617064507787, 0.005223977624828393, -0.000854832698142362,
                          0.00012055331132893602, -1.4925595770866938e-05, 1.6461008459513177e-06,
                          -1.635039605711805e-07, 1.4660327786270402e-08, -1.1374952759219517e-09,
                          5.960681308437833e-11});
  return f.fma(p, x, x);
}

/// erf(x): an odd polynomial up to 1, 1 - exp(q(|x|)) beyond; 1.15 ulp at worst.
static Value wideErrorFunction(Formula &f, Value x) {
  Value magnitude = f.abs(x);
  // erf is 1 from 5.93 on. q is ln(1 - erf), to 2^-59 of 1 when taken back.
  Value bounded = f.least(magnitude, f.number(5.95));
  Value q =
      f.polynomial(bounded, {-1.843729552146269e-07, -1.1283772825175562, -0.6366287031842195,
                             -0.10274664412570358, 0.019076958310263147, 0.0002822242886924551,
                             -0.0017709203886509676, 0.0006428290701068057, -4.595254039705515e-05,
                             -6.97524456688062e-05, 4.477085045758721e-05, -1.642182199374307e-05,
                             4.301875657107485e-06, -8.452134048257096e-07, 1.248341351171332e-07,
                             -1.3522608383345588e-08, 1.0170771571379885e-09,
                             -4.751849754684536e-11, 1.039080644939989e-12});
  Value outer = f.withSign(f.sub(f.number(1.0), wideExponential(f, q)), x);
  Value inner = smallErrorFunction(f, x);
  return f.select(f.isNan(x), x, f.select(f.less(f.number(1.0), magnitude), outer, inner));
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

namespace {
/// A positive number as 2^exponent (1 + fraction); `inPlace` are the exponent's bits where a double
/// has them.
struct FloatParts {
  Value inPlace, fraction;
};
} // namespace

/// Of a positive normal number.
static FloatParts splitFloat(Formula &f, Value x) {
  Value inPlace = f.both(f.sub(f.bits(x), f.integer(kRootBits)), kExponentMask);
  return {inPlace, f.sub(f.fromBits(f.sub(f.bits(x), inPlace)), f.number(1.0))};
}

static Value exponentOf(Formula &f, Value inPlace) {
  return f.fromSigned(f.shiftSigned(inPlace, 52));
}

ScaledFloat fsm::gpu::scaledFloat(Formula &f, Value x) {
  Value isDenormal = f.less(x, f.number(0x1p-1022));
  FloatParts parts = splitFloat(f, f.select(isDenormal, f.mul(x, f.number(0x1p54)), x));
  Value shift = f.select(isDenormal, f.number(-54.0), f.number(0.0));
  return {f.add(shift, exponentOf(f, parts.inPlace)), parts.fraction};
}

/// The scheme of fdlibm's e_log.c: with s = m / (2 + m), ln(1 + m) is 2 atanh(s).
LnParts fsm::gpu::lnNearOne(Formula &f, Value m) {
  Value s = f.div(m, f.add(m, f.number(2.0))), z = f.mul(s, s);
  Value p = f.polynomial(z, {0.6666666666666734, 0.3999999999941536, 0.2857142874234286,
                             0.2222219856961069, 0.18183564854042236, 0.15314029628227432,
                             0.147962240855202});
  Value square = f.mul(f.mul(m, f.number(0.5)), m);
  return {square, f.mul(s, f.fma(p, z, square))};
}

/// e ln 2 + ln(1 + m) + low, the small terms first.
static Value lnSum(Formula &f, Value e, Value m, Value low = {}) {
  LnParts ln = lnNearOne(f, m);
  Value rest = f.fma(e, f.number(kLn2Low), ln.rest);
  rest = low ? f.add(rest, low) : rest;
  return f.fma(e, f.number(kLn2High), f.sub(m, f.sub(ln.square, rest)));
}

Value fsm::gpu::logEdges(Formula &f, Value x, Value result) {
  Value infinity = f.number(INFINITY);
  result = f.select(f.equal(x, infinity), infinity, result);
  result = f.select(f.equal(x, f.number(0.0)), f.number(-INFINITY), result);
  Value isNegative = f.less(x, f.number(0.0));
  return f.select(f.either(isNegative, f.isNan(x)), f.number(NAN), result);
}

/// e + log2(1 + m), in two parts up to the last sum.
static Value binarySum(Formula &f, Value e, Value m) {
  LnParts ln = lnNearOne(f, m);
  Value high = f.sub(m, ln.square);
  Value low = f.add(f.sub(f.sub(m, high), ln.square), ln.rest);
  Value log2E = f.number(kLog2E);
  Value product = f.mul(high, log2E), negated = f.negate(product);
  Value rest = f.fma(high, f.number(0x1.777d0ffda0d24p-56), f.fma(high, log2E, negated));
  rest = f.fma(low, log2E, rest);
  Value sum = f.add(e, product);
  return f.add(sum, f.add(f.add(f.sub(e, sum), product), rest));
}

/// log or log2; 0.86 and 0.85 ulp at worst.
static Value logarithm(Formula &f, Value x, bool isBinary) {
  auto [e, fraction] = scaledFloat(f, x);
  return logEdges(f, x, isBinary ? binarySum(f, e, fraction) : lnSum(f, e, fraction));
}

Value fsm::gpu::logOfNormal(Formula &f, Value x, Value low) {
  FloatParts parts = splitFloat(f, x);
  return lnSum(f, exponentOf(f, parts.inPlace), parts.fraction, low);
}

/// With 1 + x = 2^e (1 + m), m is computed from x; 1.38 ulp at worst.
Value fsm::gpu::logOfOnePlus(Formula &f, Value x, Value low) {
  Value sum = f.add(x, f.number(1.0));
  FloatParts parts = splitFloat(f, sum);
  // 4 / 2^e, a normal number for every e.
  Value four = f.bits(f.number(4.0));
  Value power = f.fromBits(f.sub(four, parts.inPlace));
  Value quarter = f.number(0.25);
  Value m = f.fma(f.mul(x, quarter), power, f.fma(quarter, power, f.number(-1.0)));
  Value result = logEdges(f, sum, lnSum(f, exponentOf(f, parts.inPlace), m, low));
  return f.select(f.less(f.abs(x), f.number(0x1p-54)), x, result);
}

Value fsm::gpu::functionOfDouble(Formula &f, Operation *op, ValueRange operands) {
  Value x = operands[0];
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return wideExponential(f, x); })
      .Case([&](math::Exp2Op) { return binaryExponential(f, x); })
      .Case([&](math::ExpM1Op) { return expMinusOne(f, x); })
      .Case([&](math::LogOp) { return logarithm(f, x, /*isBinary=*/false); })
      .Case([&](math::Log2Op) { return logarithm(f, x, /*isBinary=*/true); })
      .Case([&](math::Log1pOp) { return logOfOnePlus(f, x); })
      .Case([&](math::TanhOp) { return hyperbolicTangent(f, x); })
      .Case([&](math::ErfOp) { return wideErrorFunction(f, x); })
      .Case([&](math::SinOp) { return sine(f, x, /*quarter=*/0); })
      .Case([&](math::CosOp) { return sine(f, x, /*quarter=*/1); })
      // 1.49 ulp at worst.
      .Case([&](math::RsqrtOp) { return f.div(f.number(1.0), f.sqrt(x)); })
      .Default([&](Operation *) { return rareFunctionOfDouble(f, op, operands); });
}
