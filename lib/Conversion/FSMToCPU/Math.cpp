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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
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
  Value bounded = f.select(f.less(f.number(100.0), x), f.number(100.0), x);
  bounded = f.select(f.less(bounded, f.number(-50.0)), f.number(-50.0), bounded);
  Value result = f.sub(expF64(f, bounded), f.number(1.0));
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
  Value offset = f.integer(0x3fe6a09e667f3bcd);
  Value relative = arith::SubIOp::create(f.builder, f.loc, bits, offset);
  Value exponent = arith::ShRSIOp::create(f.builder, f.loc, relative, f.integer(52));
  Value mantissa = arith::SubIOp::create(f.builder, f.loc, bits, f.shiftLeft(exponent, 52));
  Value m = f.fromBits(mantissa);
  Value s = f.div(f.sub(m, f.number(1.0)), f.add(m, f.number(1.0)));
  SmallVector<double> series;
  for (int k = 0; k < 9; ++k)
    series.push_back(2.0 / (2 * k + 1));
  Value p = f.polynomial(f.mul(s, s), series);
  Value e = arith::SIToFPOp::create(f.builder, f.loc, f.type, exponent);
  return f.fma(e, f.number(0.693147180559945309), f.mul(p, s));
}

/// The values of a logarithm where its argument `x` is no positive number.
static Value logEdges(Formula &f, Value x, Value result) {
  Value infinity = f.number(INFINITY);
  result = f.select(f.equal(x, infinity), infinity, result);
  result = f.select(f.equal(x, f.number(0.0)), f.number(-INFINITY), result);
  result = f.select(f.less(x, f.number(0.0)), f.number(NAN), result);
  Value isNan = arith::CmpFOp::create(f.builder, f.loc, arith::CmpFPredicate::UNO, x, x);
  return f.select(isNan, x, result);
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
  turns = arith::AddIOp::create(f.builder, f.loc, turns, f.integer(quarter));
  auto bitSet = [&](int64_t bit) -> Value {
    Value masked = arith::AndIOp::create(f.builder, f.loc, turns, f.integer(bit));
    return arith::CmpIOp::create(f.builder, f.loc, arith::CmpIPredicate::ne, masked, f.integer(0));
  };
  Value result = f.select(bitSet(1), cos, sin);
  Value negated = f.sub(f.number(0.0), result);
  return f.select(bitSet(2), negated, result);
}

//===----------------------------------------------------------------------===//
// The C library, per lane
//===----------------------------------------------------------------------===//

static LLVM::LLVMFuncOp declare(OpBuilder &builder, Operation *op, StringRef name,
                                ValueRange arguments) {
  auto module = op->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  auto types = llvm::to_vector(arguments.getTypes());
  auto function = LLVM::LLVMFunctionType::get(types[0], types);
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, function);
}

static Value callPerLane(OpBuilder &builder, Operation *op, ValueRange operands, StringRef name) {
  Location loc = op->getLoc();
  Value result = operands[0];
  int64_t lanes = host::lanesOf(result.getType());
  auto call = [&](ValueRange arguments) {
    LLVM::LLVMFuncOp function = declare(builder, op, name, arguments);
    return LLVM::CallOp::create(builder, loc, function, arguments).getResult();
  };
  if (!lanes)
    return call(operands);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    SmallVector<Value> arguments;
    for (Value operand : operands)
      arguments.push_back(vector::ExtractOp::create(builder, loc, operand, lane));
    result = vector::InsertOp::create(builder, loc, call(arguments), result, lane);
  }
  return result;
}

/// The C library's name of a function, without its type's suffix.
static StringRef libraryName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::ExpOp) { return "exp"; })
      .Case([](math::Exp2Op) { return "exp2"; })
      .Case([](math::ExpM1Op) { return "expm1"; })
      .Case([](math::LogOp) { return "log"; })
      .Case([](math::Log2Op) { return "log2"; })
      .Case([](math::Log1pOp) { return "log1p"; })
      .Case([](math::TanhOp) { return "tanh"; })
      .Case([](math::ErfOp) { return "erf"; })
      .Case([](math::SinOp) { return "sin"; })
      .Case([](math::CosOp) { return "cos"; })
      .Default([](Operation *) { return ""; });
}

/// The names of those that f32 gets from the C library too.
static StringRef rareLibraryName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AcosOp) { return "acos"; })
      .Case([](math::AcoshOp) { return "acosh"; })
      .Case([](math::AsinOp) { return "asin"; })
      .Case([](math::AsinhOp) { return "asinh"; })
      .Case([](math::AtanOp) { return "atan"; })
      .Case([](math::Atan2Op) { return "atan2"; })
      .Case([](math::AtanhOp) { return "atanh"; })
      .Case([](math::CbrtOp) { return "cbrt"; })
      .Case([](math::CoshOp) { return "cosh"; })
      .Case([](math::ErfcOp) { return "erfc"; })
      .Case([](math::Log10Op) { return "log10"; })
      .Case([](math::PowFOp) { return "pow"; })
      .Case([](math::SinhOp) { return "sinh"; })
      .Case([](math::TanOp) { return "tan"; })
      .Default([](Operation *) { return ""; });
}

/// sin or cos of f32; lanes too large to be reduced in f64 go to the C library.
static Value sineF32(OpBuilder &builder, Operation *op, Value x, Formula &wide) {
  Location loc = op->getLoc();
  Type type = x.getType();
  int quarter = isa<math::CosOp>(op) ? 1 : 0;
  Value limit = host::constantReal(builder, loc, type, 0x1p28);
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value large = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, magnitude, limit);
  Value any = large;
  if (host::lanesOf(type))
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR, large);
  auto choice = scf::IfOp::create(builder, loc, TypeRange{type}, any, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  Value exact = callPerLane(builder, op, x, quarter ? "cosf" : "sinf");
  scf::YieldOp::create(builder, loc, exact);
  builder.setInsertionPointToStart(choice.elseBlock());
  Value result = sineF64(wide, arith::ExtFOp::create(builder, loc, wide.type, x), quarter);
  Value narrow = arith::TruncFOp::create(builder, loc, type, result);
  if (!quarter)
    narrow = arith::SelectOp::create(builder, loc,
                                     arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                                           x, host::zero(builder, loc, type)),
                                     x, narrow);
  scf::YieldOp::create(builder, loc, narrow);
  return choice.getResult(0);
}

/// The C library's function of f64, of f32 rounded once.
static Value rareFunction(OpBuilder &builder, Operation *op, ValueRange operands, StringRef name) {
  Location loc = op->getLoc();
  Type type = operands[0].getType();
  if (getElementTypeOrSelf(type).isF64())
    return callPerLane(builder, op, operands, name);
  Type f64 = host::withElement(type, builder.getF64Type());
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(arith::ExtFOp::create(builder, loc, f64, operand));
  return arith::TruncFOp::create(builder, loc, type, callPerLane(builder, op, wide, name));
}

/// Functions of f32 that compute in f64; null for others.
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
  if (isa<math::RsqrtOp>(op)) {
    Value root = math::SqrtOp::create(builder, loc, x);
    return arith::DivFOp::create(builder, loc, constantReal(builder, loc, type, 1.0), root);
  }
  StringRef name = libraryName(op);
  if (StringRef rare = rareLibraryName(op); !rare.empty())
    return rareFunction(builder, op, operands, rare);
  if (name.empty()) { // sqrt, rounding, sign and fma are instructions.
    OperationState state(loc, op->getName(), operands, {type});
    return builder.create(state)->getResult(0);
  }
  if (getElementTypeOrSelf(type).isF64())
    return callPerLane(builder, op, x, name);
  Formula narrow(builder, loc, type);
  if (isa<math::ExpOp>(op))
    return registers::exponential(narrow, x);
  if (isa<math::Exp2Op>(op))
    return registers::powerOfTwo(narrow, x);
  if (isa<math::ErfOp>(op))
    return registers::errorFunction(narrow, x, registers::exponential);
  Formula wide(builder, loc, withElement(type, builder.getF64Type()));
  if (isa<math::SinOp, math::CosOp>(op))
    return sineF32(builder, op, x, wide);
  Value result = throughF64(op, wide, arith::ExtFOp::create(builder, loc, wide.type, x));
  if (!result)
    return {};
  return arith::TruncFOp::create(builder, loc, type, result);
}
