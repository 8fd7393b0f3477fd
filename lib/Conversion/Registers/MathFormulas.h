//===- MathFormulas.h - Formulas on scalars and vectors --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_MATHFORMULAS_H
#define FSM_CONVERSION_REGISTERS_MATHFORMULAS_H

#include "Values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace fsm::registers {

/// Arithmetic on values of one float type, spelled as formulas.
class Formula {
public:
  Formula(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  mlir::Value number(double value) { return constantReal(builder, loc, type, value); }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddFOp::create(builder, loc, a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubFOp::create(builder, loc, a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulFOp::create(builder, loc, a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return mlir::arith::DivFOp::create(builder, loc, a, b);
  }
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) {
    return mlir::math::FmaOp::create(builder, loc, a, b, c);
  }
  mlir::Value negate(mlir::Value a) { return mlir::arith::NegFOp::create(builder, loc, a); }
  mlir::Value sqrt(mlir::Value a) { return mlir::math::SqrtOp::create(builder, loc, a); }
  mlir::Value abs(mlir::Value a) { return mlir::math::AbsFOp::create(builder, loc, a); }
  mlir::Value withSign(mlir::Value a, mlir::Value sign) {
    return mlir::math::CopySignOp::create(builder, loc, a, sign);
  }
  mlir::Value nearest(mlir::Value a) { return mlir::math::RoundEvenOp::create(builder, loc, a); }
  mlir::Value less(mlir::Value a, mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, mlir::arith::CmpFPredicate::OLT, a, b);
  }
  mlir::Value equal(mlir::Value a, mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, mlir::arith::CmpFPredicate::OEQ, a, b);
  }
  mlir::Value isNan(mlir::Value a) {
    return mlir::arith::CmpFOp::create(builder, loc, mlir::arith::CmpFPredicate::UNO, a, a);
  }
  mlir::Value both(mlir::Value a, mlir::Value b) {
    return mlir::arith::AndIOp::create(builder, loc, a, b);
  }
  mlir::Value either(mlir::Value a, mlir::Value b) {
    return mlir::arith::OrIOp::create(builder, loc, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(builder, loc, condition, yes, no);
  }
  /// The smaller number; `b` when `a` is NaN, as the host's instruction does.
  mlir::Value least(mlir::Value a, mlir::Value b) { return select(less(a, b), a, b); }

  /// The integers of the type's width, for bits and exponents.
  mlir::Type bitsType() {
    unsigned width = mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    return withElement(type, builder.getIntegerType(width));
  }
  mlir::Value bits(mlir::Value a) {
    return mlir::arith::BitcastOp::create(builder, loc, bitsType(), a);
  }
  mlir::Value fromBits(mlir::Value a) {
    return mlir::arith::BitcastOp::create(builder, loc, type, a);
  }
  mlir::Value integer(int64_t value) { return constantInt(builder, loc, bitsType(), value); }
  mlir::Value shiftLeft(mlir::Value a, int64_t by) {
    return mlir::arith::ShLIOp::create(builder, loc, a, integer(by));
  }

  /// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    mlir::Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

/// exp(x) of f32 in f32, about 1 ulp; results below 2^-126 are 0.
mlir::Value exponential(Formula &f, mlir::Value x);

/// 2^x of f32, in the same way.
mlir::Value powerOfTwo(Formula &f, mlir::Value x);

/// erf(x) of f32 in f32, with the given exp; about 1 ulp when exp is.
mlir::Value errorFunction(Formula &f, mlir::Value x,
                          llvm::function_ref<mlir::Value(Formula &, mlir::Value)> exp);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_MATHFORMULAS_H
