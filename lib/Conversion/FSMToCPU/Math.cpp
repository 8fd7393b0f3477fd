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
// the exact leading terms.
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
  auto root = [](Formula &f, Value a) { return f.sqrt(a); };
  if (Value result = registers::rareFunctionF32(f, op, operands, root))
    return result;
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return registers::exponential(f, x); })
      .Case([&](math::Exp2Op) { return registers::powerOfTwo(f, x); })
      .Case([&](math::ExpM1Op) { return registers::expMinusOneF32(f, x); })
      .Case<math::LogOp, math::Log2Op>(
          [&](Operation *log) { return registers::logarithmF32(f, log, x); })
      .Case([&](math::Log1pOp) { return registers::logOfOnePlusF32(f, x); })
      .Case([&](math::ErfOp) { return registers::errorFunction(f, x, registers::exponential); })
      .Case([&](math::TanhOp) {
        return registers::tanhF32(f, x, registers::exponentialOfTwice, reciprocal);
      })
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
