//===- Math.cpp - math functions as vector polynomials -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f32 functions are polynomials over whole vectors. exp and erf stay in f32; the
// others compute in f64 and round once, which keeps them within 1 ulp without
// special cases near cancellation. f64 functions, and rare ones, call the C library
// per lane.
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
// Exponentials
//===----------------------------------------------------------------------===//

/// exp(x) in f64 for |x| up to 700, to about 1e-15.
static Value expF64(Formula &f, Value x) {
  Value n = f.nearest(f.mul(x, f.number(1.44269504088896341)));
  Value r = f.fma(n, f.number(-0.693147180369123816490), x);
  r = f.fma(n, f.number(-1.90821492927058770002e-10), r);
  SmallVector<double> series = {1.0};
  for (int k = 1; k <= 13; ++k)
    series.push_back(series.back() / k);
  Value p = f.polynomial(r, series);
  Value power = f.add(n, f.number(6755399441055744.0 + 1023.0));
  return f.mul(p, f.fromBits(f.shiftLeft(f.bits(power), 52)));
}

/// exp(x) - 1 for f32 arguments held in f64.
static Value expm1F64(Formula &f, Value x) {
  // Beyond these an f32 result no longer changes.
  Value result = f.sub(expF64(f, f.clamp(x, -50.0, 100.0)), f.number(1.0));
  // x + x^2 / 2 as a product, which keeps the sign of -0.
  Value small = f.mul(x, f.fma(x, f.number(0.5), f.number(1.0)));
  return f.select(f.less(f.abs(x), f.number(1e-5)), small, result);
}

/// tanh for f32 arguments held in f64: (1 - t) / (1 + t) with t = exp(-2|x|).
static Value tanhF64(Formula &f, Value x) {
  Value magnitude = f.abs(x);
  Value bounded = f.select(f.less(f.number(20.0), magnitude), f.number(20.0), magnitude);
  Value t = expF64(f, f.mul(bounded, f.number(-2.0)));
  Value result = f.div(f.sub(f.number(1.0), t), f.add(f.number(1.0), t));
  Value cube = f.mul(f.mul(x, x), f.number(-1.0 / 3.0));
  Value small = f.fma(cube, magnitude, magnitude);
  return f.withSign(f.select(f.less(magnitude, f.number(1e-3)), small, result), x);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// ln(x) in f64 for positive normal x, to about 1e-14: x = 2^e m with m around 1,
/// ln m = 2 artanh((m - 1) / (m + 1)).
static Value lnF64(Formula &f, Value x) {
  Value bits = f.bits(x);
  // Counting exponents from sqrt(1/2) puts m between sqrt(1/2) and sqrt(2).
  Value exponent = f.shiftSigned(f.sub(bits, f.integer(0x3fe6a09e667f3bcd)), 52);
  Value m = f.fromBits(f.sub(bits, f.shiftLeft(exponent, 52)));
  Value s = f.div(f.sub(m, f.number(1.0)), f.add(m, f.number(1.0)));
  SmallVector<double> series;
  for (int k = 0; k < 9; ++k)
    series.push_back(2.0 / (2 * k + 1));
  Value p = f.polynomial(f.mul(s, s), series);
  return f.fma(f.fromSigned(exponent), f.number(0.693147180559945309), f.mul(p, s));
}

/// The values of a logarithm where its argument `x` is no positive number.
static Value logEdges(Formula &f, Value x, Value result) {
  Value infinity = f.number(INFINITY);
  result = f.select(f.equal(x, infinity), infinity, result);
  result = f.select(f.equal(x, f.number(0.0)), f.number(-INFINITY), result);
  result = f.select(f.less(x, f.number(0.0)), f.number(NAN), result);
  return f.select(f.isNan(x), x, result);
}

static Value log1pF64(Formula &f, Value x) {
  Value u = f.add(x, f.number(1.0));
  // What the sum has lost, to first order.
  Value lost = f.div(f.sub(x, f.sub(u, f.number(1.0))), u);
  Value result = logEdges(f, u, f.add(lnF64(f, u), lost));
  return f.select(f.less(f.abs(x), f.number(1e-12)), x, result);
}

//===----------------------------------------------------------------------===//
// Error function, sine and cosine
//===----------------------------------------------------------------------===//

/// sin(x + quarter * pi/2) for f32 arguments held in f64 up to 2^28: x is reduced
/// by multiples of pi/2 in three parts (fdlibm's split of pi/2).
static Value sineF64(Formula &f, Value x, int quarter) {
  Value n = f.nearest(f.mul(x, f.number(6.36619772367581382433e-01)));
  Value r = f.fma(n, f.number(-1.57079632673412561417e+00), x);
  r = f.fma(n, f.number(-6.07710050630396597660e-11), r);
  r = f.fma(n, f.number(-2.02226624879595063154e-21), r);
  SmallVector<double> sine = {1.0}, cosine = {1.0};
  for (int k = 1; k <= 7; ++k) {
    sine.push_back(-sine.back() / ((2 * k) * (2 * k + 1)));
    cosine.push_back(-cosine.back() / ((2 * k - 1) * (2 * k)));
  }
  Value s = f.mul(r, r);
  Value sin = f.mul(f.polynomial(s, sine), r);
  Value cos = f.polynomial(s, cosine);
  Value turns = arith::FPToSIOp::create(f.builder, f.loc, f.bitsType(), n);
  turns = f.add(turns, f.integer(quarter));
  auto bitSet = [&](int64_t bit) {
    return f.compare(arith::CmpIPredicate::ne, f.both(turns, bit), f.integer(0));
  };
  Value result = f.select(bitSet(1), cos, sin);
  Value negated = f.sub(f.number(0.0), result);
  return f.select(bitSet(2), negated, result);
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

/// sin or cos of f32; lanes too large to be reduced in f64 go to the C library.
static Value sineF32(OpBuilder &builder, Operation *op, Value x, Formula &wide) {
  Location loc = op->getLoc();
  Type type = x.getType();
  int quarter = isa<math::CosOp>(op) ? 1 : 0;
  Formula f(builder, loc, type);
  Value any = f.compare(arith::CmpFPredicate::OGT, f.abs(x), f.number(0x1p28));
  if (host::lanesOf(type))
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, any);
  auto choice = scf::IfOp::create(builder, loc, TypeRange{type}, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  Value exact = callPerLane(builder, op, x, quarter ? "cosf" : "sinf");
  if (!exact)
    return {};
  scf::YieldOp::create(builder, loc, exact);
  builder.setInsertionPointToStart(choice.elseBlock());
  Value result = sineF64(wide, arith::ExtFOp::create(builder, loc, wide.type, x), quarter);
  Value narrow = arith::TruncFOp::create(builder, loc, type, result);
  if (!quarter)
    narrow = f.select(f.equal(x, f.number(0.0)), x, narrow);
  scf::YieldOp::create(builder, loc, narrow);
  return choice.getResult(0);
}

/// Functions of f32 that compute in f64; null for others, for which the C library does.
static Value throughF64(Operation *op, Formula &f, Value x) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::LogOp) { return logEdges(f, x, lnF64(f, x)); })
      .Case([&](math::Log2Op) {
        return f.mul(logEdges(f, x, lnF64(f, x)), f.number(1.44269504088896341));
      })
      .Case([&](math::Log1pOp) { return log1pF64(f, x); })
      .Case([&](math::ExpM1Op) { return expm1F64(f, x); })
      .Case([&](math::TanhOp) { return tanhF64(f, x); })
      .Default([](Operation *) { return Value(); });
}

Value host::mathFunction(OpBuilder &builder, Operation *op, ValueRange operands) {
  Location loc = op->getLoc();
  Value x = operands[0];
  Type type = x.getType();
  Formula f(builder, loc, type);
  if (isa<math::RsqrtOp>(op)) {
    Value root = f.sqrt(x);
    return f.div(f.number(1.0), root);
  }
  StringRef name = registers::libraryName(op);
  if (name.empty()) {
    OperationState state(loc, op->getName(), operands, {type});
    return builder.create(state)->getResult(0);
  }
  if (getElementTypeOrSelf(type).isF64())
    return callPerLane(builder, op, operands, name);
  if (isa<math::ExpOp>(op))
    return registers::exponential(f, x);
  if (isa<math::Exp2Op>(op))
    return registers::powerOfTwo(f, x);
  if (isa<math::ErfOp>(op))
    return registers::errorFunction(f, x, registers::exponential);
  Formula wide(builder, loc, withElement(type, builder.getF64Type()));
  if (isa<math::SinOp, math::CosOp>(op))
    return sineF32(builder, op, x, wide);
  auto operandsF64 = llvm::map_to_vector(operands, [&](Value operand) -> Value {
    return arith::ExtFOp::create(builder, loc, wide.type, operand);
  });
  Value result = throughF64(op, wide, operandsF64[0]);
  if (!result)
    result = callPerLane(builder, op, operandsF64, name);
  return result ? arith::TruncFOp::create(builder, loc, type, result).getResult() : result;
}
