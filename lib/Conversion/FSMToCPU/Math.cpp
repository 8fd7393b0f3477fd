//===- Math.cpp - math functions as vector polynomials -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f32 functions are polynomials over whole vectors, in f32 where 2 ulp allow it; f64
// holds angles that are reduced, powers and erfc up to the last rounding. f64 functions,
// and angles of f32 beyond 2^28, call the C library per lane.
//
// Coefficients are minimax fits (iteratively reweighted least squares) of what follows
// the exact leading terms. The worst errors stated were measured over every 97th f32 number and
// finer where they are largest, of those with two operands over 400 million pairs, against the C
// library in f64.
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "../Registers/MathFormulas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// What the nearest f32 lacks to a number.
static double lackOf(double number) { return number - static_cast<float>(number); }

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

/// 1.6 ulp at worst.
static Value hyperbolicSine(Formula &f, Value x) {
  return registers::sinhFrom(f, x, registers::halfExponentialF32(f, f.abs(x)), 2.0,
                             {0.16666667016802486, 0.008333320119190192, 0.0001984286062643136,
                              2.7474856156049738e-06, 2.6966524595650648e-08});
}

/// log(1 + x), or log(2 x) of large ones.
static Value logOfArea(Formula &f, Value x, Value isHuge) {
  Value result = registers::logOfOnePlusF32(f, x);
  return f.select(isHuge, f.add(result, f.number(0.693147180559945309)), result);
}

/// log(1 + x + x^2 / (1 + sqrt(1 + x^2))); 1.93 ulp at worst.
static Value areaSine(Formula &f, Value x) {
  Value magnitude = f.abs(x), one = f.number(1.0), square = f.mul(x, x);
  Value inner = f.oddPolynomial(magnitude, {-0.16666665278366788, 0.07499889278814792,
                                            -0.04461324977688388, 0.030012948269298238,
                                            -0.019979969948321533, 0.009167693629345037});
  Value isHuge = f.less(f.number(0x1p30), magnitude);
  Value rest = f.div(square, f.add(one, f.sqrt(f.add(square, one))));
  Value outer = logOfArea(f, f.select(isHuge, magnitude, f.add(magnitude, rest)), isHuge);
  return f.withSign(f.select(f.less(magnitude, f.number(0.5)), inner, outer), x);
}

/// log(1 + t + sqrt(t^2 + 2 t)) with t = x - 1, and what the sum has lost; 1.6 ulp at worst.
static Value areaCosine(Formula &f, Value x) {
  Value one = f.number(1.0), isHuge = f.less(f.number(0x1p30), x);
  Value t = f.sub(x, one), root = f.sqrt(f.fma(t, t, f.add(t, t)));
  Value sum = f.add(root, t), lost = f.sub(t, f.sub(sum, root));
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
  Value outer = f.mul(f.number(0.5), registers::logOfOnePlusF32(f, quotient));
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
static Value arcOfSine(Formula &f, Value x, bool isCosine) {
  Value magnitude = f.abs(x), isLarge = f.less(f.number(0.5), magnitude);
  Value half = f.fma(magnitude, f.number(-0.5), f.number(0.5));
  Value square = f.select(isLarge, half, f.mul(x, x));
  Value u = f.select(isLarge, f.sqrt(square), magnitude);
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
// Through f64
//===----------------------------------------------------------------------===//

/// exp(x) in f64 to 2^-34, for |x| up to 200 and the nearest of these beyond.
static Value expF64(Formula &f, Value x) {
  // A number this large has units in its low bits.
  Value magic = f.number(6755399441055744.0 + 1023.0), bounded = f.clamp(x, -200.0, 200.0);
  Value shifted = f.fma(bounded, f.number(1.44269504088896341), magic);
  Value r = f.fma(f.sub(shifted, magic), f.number(-0.693147180559945309), bounded);
  Value p = f.polynomial(r, {0.9999999999615715, 1.0000000002438127, 0.5000000104762898,
                             0.16666665122715388, 0.04166622478619333, 0.00833356143147582,
                             0.0013948226358501308, 0.00019775118935513923});
  return f.mul(p, f.fromBits(f.shiftLeft(f.bits(shifted), 52)));
}

/// ln(x) in f64 for positive normal x, to 2^-37: x = 2^e m with m around 1, ln m = 2 artanh((m - 1)
/// / (m + 1)).
static Value lnF64(Formula &f, Value x) {
  Value bits = f.bits(x);
  // Counting exponents from sqrt(1/2) puts m between sqrt(1/2) and sqrt(2).
  Value exponent = f.shiftSigned(f.sub(bits, f.integer(0x3fe6a09e667f3bcd)), 52);
  Value m = f.fromBits(f.sub(bits, f.shiftLeft(exponent, 52)));
  Value s = f.div(f.sub(m, f.number(1.0)), f.add(m, f.number(1.0)));
  Value p = f.polynomial(f.mul(s, s), {2.0000000000084377, 0.6666666523862002, 0.4000038624251517,
                                       0.28534962252524126, 0.23617925297772888});
  return f.fma(f.fromSigned(exponent), f.number(0.693147180559945309), f.mul(p, s));
}

/// exp(-x^2) g(t) / (1 + 2 x) of |x|, where t = (x - 4) / (x + 4) keeps g smooth (M. Shepherd and
/// J. Laframboise, 1981).
static Value errorComplementF64(Formula &f, Value x) {
  Value four = f.number(4.0), one = f.number(1.0), magnitude = f.abs(x);
  // From 10.06 on it is 0.
  Value bounded = f.least(magnitude, f.number(10.1));
  Value t = f.div(f.sub(bounded, four), f.add(bounded, four));
  Value g = f.polynomial(t, {1.2329951187350128, -0.13962111905156965, 0.015379630531305826,
                             0.06809718341749232, -0.10103829506604245, 0.09373113069773903,
                             -0.06634084124789139, 0.037170775552933556, -0.016138457053915038,
                             0.005079212504462917, -0.0008625680278106962, -0.00038604826250088583,
                             7.654711486921405e-05});
  Value power = expF64(f, f.negate(f.mul(bounded, bounded)));
  Value large = f.div(f.mul(power, g), f.add(one, f.add(bounded, bounded)));
  Value result = f.select(f.less(x, f.number(0.0)), f.sub(f.number(2.0), large), large);
  return f.select(f.isNan(x), x, result);
}

namespace {
/// An f32 angle up to 2^28 as a multiple of pi/2, in i32, and what is left, in f64.
struct Angle {
  Value quarters, rest;
};
} // namespace

static Angle reducedAngle(Formula &wide, Value x) {
  Value magic = wide.number(6755399441055744.0);
  Value shifted = wide.fma(x, wide.number(6.36619772367581382433e-01), magic);
  Value n = wide.sub(shifted, magic), r = x;
  // pi/2 in three parts (fdlibm's).
  for (double part :
       {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21})
    r = wide.fma(n, wide.number(-part), r);
  Type i32 = host::withElement(wide.type, wide.builder.getI32Type());
  return {arith::TruncIOp::create(wide.builder, wide.loc, i32, wide.bits(shifted)), r};
}

/// tan up to 2^28, in f64 to 2^-25.
static Value tangentF64(Formula &wide, Value x) {
  Angle angle = reducedAngle(wide, x);
  Value t = wide.oddPolynomial(angle.rest,
                               {0.3333315682236221, 0.13338800239682494, 0.053411212076827363,
                                0.02443037959202686, 0.003119533363994965, 0.009385629295274898});
  Formula i32(wide.builder, wide.loc, angle.quarters.getType());
  Value isEven = i32.equal(i32.both(angle.quarters, 1), i32.integer(0));
  return wide.select(isEven, t, wide.div(wide.number(-1.0), t));
}

/// sin, or cos a quarter later, up to 2^28: the angle in f64, the polynomials in f32.
static Value sineF32(Formula &f, Formula &wide, Value x, int quarter) {
  Angle angle = reducedAngle(wide, x);
  Value r = arith::TruncFOp::create(f.builder, f.loc, f.type, angle.rest), square = f.mul(r, r);
  Value sine =
      f.polynomial(square, {-0.16666655242443085, 0.008332177996635437, -0.00019517203327268362});
  sine = f.fma(f.mul(sine, square), r, r);
  Value cosine = f.polynomial(
      square, {1.0, -0.5, 0.04166664555668831, -0.001388736767694354, 2.4438411855953746e-5});
  Formula i32(f.builder, f.loc, angle.quarters.getType());
  Value turns = i32.add(angle.quarters, i32.integer(quarter));
  auto bitClear = [&](int64_t bit) { return i32.equal(i32.both(turns, bit), i32.integer(0)); };
  Value result = f.select(bitClear(1), sine, cosine);
  return f.select(bitClear(2), result, f.sub(f.number(0.0), result));
}

//===----------------------------------------------------------------------===//
// The C library, per lane
//===----------------------------------------------------------------------===//

/// Null where a kernel has the function's name.
static Value callPerLane(OpBuilder &builder, Operation *op, ValueRange operands, StringRef name) {
  return host::perLane(builder, op->getLoc(), operands, [&](ValueRange arguments) {
    auto types = llvm::to_vector(arguments.getTypes());
    auto function = LLVM::lookupOrCreateFn(builder, op->getParentOfType<ModuleOp>(), name, types,
                                           types.front());
    return succeeded(function)
               ? LLVM::CallOp::create(builder, op->getLoc(), *function, arguments).getResult()
               : Value();
  });
}

/// sin, cos or tan of f32; lanes too large to be reduced in f64 go to the C library.
static Value angleFunction(OpBuilder &builder, Operation *op, Value x, Formula &wide) {
  Location loc = op->getLoc();
  Type type = x.getType();
  Formula f(builder, loc, type);
  Value any = f.compare(arith::CmpFPredicate::OGT, f.abs(x), f.number(0x1p28));
  if (host::lanesOf(type))
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, any);
  auto choice = scf::IfOp::create(builder, loc, TypeRange{type}, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  Value exact = callPerLane(builder, op, x, (registers::libraryName(op) + "f").str());
  if (!exact)
    return {};
  scf::YieldOp::create(builder, loc, exact);
  builder.setInsertionPointToStart(choice.elseBlock());
  Value angle = arith::ExtFOp::create(builder, loc, wide.type, x), result;
  if (isa<math::TanOp>(op))
    result = arith::TruncFOp::create(builder, loc, type, tangentF64(wide, angle));
  else
    result = sineF32(f, wide, angle, isa<math::CosOp>(op) ? 1 : 0);
  // The reduction has lost the sign of zero.
  if (!isa<math::CosOp>(op))
    result = f.select(f.equal(x, f.number(0.0)), x, result);
  scf::YieldOp::create(builder, loc, result);
  return choice.getResult(0);
}

/// A function of f32.
static Value functionOfSingle(OpBuilder &builder, Operation *op, ValueRange operands) {
  Location loc = op->getLoc();
  Value x = operands[0];
  Formula f(builder, loc, x.getType());
  Formula wide(builder, loc, host::withElement(f.type, builder.getF64Type()));
  auto widened = [&](Value a) { return arith::ExtFOp::create(builder, loc, wide.type, a); };
  auto narrowed = [&](Value a) { return arith::TruncFOp::create(builder, loc, f.type, a); };
  auto reciprocal = [](Formula &f, Value a) { return f.div(f.number(1.0), a); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return registers::exponential(f, x); })
      .Case([&](math::Exp2Op) { return registers::powerOfTwo(f, x); })
      .Case([&](math::ExpM1Op) { return registers::expMinusOneF32(f, x); })
      .Case<math::LogOp, math::Log2Op, math::Log10Op>(
          [&](Operation *log) { return registers::logarithmF32(f, log, x); })
      .Case([&](math::Log1pOp) { return registers::logOfOnePlusF32(f, x); })
      .Case([&](math::ErfOp) { return registers::errorFunction(f, x, registers::exponential); })
      .Case([&](math::TanhOp) { return registers::tanhF32(f, x, reciprocal); })
      .Case([&](math::SinhOp) { return hyperbolicSine(f, x); })
      // 1.4 ulp at worst.
      .Case([&](math::CoshOp) {
        return registers::coshFrom(f, registers::halfExponentialF32(f, f.abs(x)));
      })
      .Case([&](math::AsinhOp) { return areaSine(f, x); })
      .Case([&](math::AcoshOp) { return areaCosine(f, x); })
      .Case([&](math::AtanhOp) { return areaTangent(f, x); })
      .Case([&](math::AsinOp) { return arcOfSine(f, x, /*isCosine=*/false); })
      .Case([&](math::AcosOp) { return arcOfSine(f, x, /*isCosine=*/true); })
      .Case([&](math::AtanOp) { return arcTangent(f, x, f.number(1.0)); })
      .Case([&](math::Atan2Op) { return arcTangent(f, x, operands[1]); })
      .Case([&](math::CbrtOp) { return cubeRoot(f, x); })
      .Case<math::SinOp, math::CosOp, math::TanOp>(
          [&](Operation *) { return angleFunction(builder, op, x, wide); })
      .Case([&](math::ErfcOp) { return narrowed(errorComplementF64(wide, widened(x))); })
      .Case([&](math::PowFOp) {
        Value log = lnF64(wide, widened(f.abs(x)));
        Value power = narrowed(expF64(wide, wide.mul(widened(operands[1]), log)));
        return registers::powerEdges(f, x, operands[1], power);
      })
      .Default([](Operation *) { return Value(); });
}

Value host::mathFunction(OpBuilder &builder, Operation *op, ValueRange operands) {
  Type type = operands[0].getType();
  Formula f(builder, op->getLoc(), type);
  if (isa<math::RsqrtOp>(op))
    return f.div(f.number(1.0), f.sqrt(operands[0]));
  StringRef name = registers::libraryName(op);
  if (name.empty())
    return builder.create(OperationState(op->getLoc(), op->getName(), operands, {type}))
        ->getResult(0);
  return getElementTypeOrSelf(type).isF64() ? callPerLane(builder, op, operands, name)
                                            : functionOfSingle(builder, op, operands);
}
