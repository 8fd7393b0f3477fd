//===- MathFormulas.cpp - Formulas on scalars and vectors ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathFormulas.h"

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

/// NaN stays NaN. x = n ln 2 + r with |r| <= ln 2 / 2; n is held at 127 so that 2^n is finite, and
/// what is beyond grows in p(r).
Value registers::exponential(Formula &f, Value x) {
  Value shifted = f.fma(x, f.number(1.44269504088896341), f.number(kMagic));
  shifted = f.least(shifted, f.number(kMagic + 127.0));
  Value n = f.sub(shifted, f.number(kMagic));
  // ln 2 in two parts; the first has so few bits that n times it is exact
  // (Cody and Waite, Software Manual for the Elementary Functions).
  Value r = f.fma(n, f.number(-0.693359375), x);
  r = f.fma(n, f.number(2.12194440e-4), r);
  Value p = f.polynomial(r, kExpSeries);
  Value result = scaleByPower(f, p, shifted);
  return f.select(f.less(x, f.number(-87.33654)), f.number(0.0), result);
}

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
