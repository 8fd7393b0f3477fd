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

/// Arithmetic on values of one type of floats, and on integers of its width, spelled as formulas.
class Formula {
public:
  Formula(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type)
      : builder(builder), loc(loc), type(type) {}

  mlir::Value number(double value) { return constantReal(builder, loc, type, value); }
  mlir::Value integer(int64_t value) { return constantInt(builder, loc, bitsType(), value); }

  // Of floats or of integers.
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return createFor<mlir::arith::AddFOp, mlir::arith::AddIOp>(a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return createFor<mlir::arith::SubFOp, mlir::arith::SubIOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return createFor<mlir::arith::MulFOp, mlir::arith::MulIOp>(a, b);
  }
  mlir::Value equal(mlir::Value a, mlir::Value b) {
    return isFloat(a) ? compare(mlir::arith::CmpFPredicate::OEQ, a, b)
                      : compare(mlir::arith::CmpIPredicate::eq, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(builder, loc, condition, yes, no);
  }

  // Of floats.
  mlir::Value div(mlir::Value a, mlir::Value b) { return create<mlir::arith::DivFOp>(a, b); }
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) {
    return create<mlir::math::FmaOp>(a, b, c);
  }
  mlir::Value negate(mlir::Value a) { return create<mlir::arith::NegFOp>(a); }
  mlir::Value sqrt(mlir::Value a) { return create<mlir::math::SqrtOp>(a); }
  mlir::Value abs(mlir::Value a) { return create<mlir::math::AbsFOp>(a); }
  mlir::Value withSign(mlir::Value a, mlir::Value sign) {
    return create<mlir::math::CopySignOp>(a, sign);
  }
  mlir::Value nearest(mlir::Value a) { return create<mlir::math::RoundEvenOp>(a); }
  mlir::Value truncated(mlir::Value a) { return create<mlir::math::TruncOp>(a); }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a, mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  mlir::Value less(mlir::Value a, mlir::Value b) {
    return compare(mlir::arith::CmpFPredicate::OLT, a, b);
  }
  mlir::Value isNan(mlir::Value a) { return compare(mlir::arith::CmpFPredicate::UNO, a, a); }
  /// The smaller number; `b` when `a` is NaN, as the host's instruction does.
  mlir::Value least(mlir::Value a, mlir::Value b) { return select(less(a, b), a, b); }
  mlir::Value clamp(mlir::Value a, double low, double high) {
    mlir::Value bounded = select(less(number(high), a), number(high), a);
    return select(less(bounded, number(low)), number(low), bounded);
  }
  /// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    mlir::Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }

  // Of integers, for bits and exponents.
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
  mlir::Value fromSigned(mlir::Value a) {
    return mlir::arith::SIToFPOp::create(builder, loc, type, a);
  }
  mlir::Value fromUnsigned(mlir::Value a) {
    return mlir::arith::UIToFPOp::create(builder, loc, type, a);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a, mlir::Value b) {
    return mlir::arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  mlir::Value both(mlir::Value a, mlir::Value b) { return create<mlir::arith::AndIOp>(a, b); }
  mlir::Value both(mlir::Value a, int64_t b) { return both(a, integer(b)); }
  mlir::Value either(mlir::Value a, mlir::Value b) { return create<mlir::arith::OrIOp>(a, b); }
  mlir::Value differ(mlir::Value a, mlir::Value b) { return create<mlir::arith::XOrIOp>(a, b); }
  mlir::Value shiftLeft(mlir::Value a, mlir::Value by) {
    return create<mlir::arith::ShLIOp>(a, by);
  }
  mlir::Value shiftLeft(mlir::Value a, int64_t by) { return shiftLeft(a, integer(by)); }
  mlir::Value shiftRight(mlir::Value a, mlir::Value by) {
    return create<mlir::arith::ShRUIOp>(a, by);
  }
  mlir::Value shiftRight(mlir::Value a, int64_t by) { return shiftRight(a, integer(by)); }
  /// Copies the sign into the bits that become free.
  mlir::Value shiftSigned(mlir::Value a, int64_t by) {
    return create<mlir::arith::ShRSIOp>(a, integer(by));
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;

private:
  static bool isFloat(mlir::Value a) {
    return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(a));
  }
  template <typename Op, typename... Operands>
  mlir::Value create(Operands... operands) {
    return Op::create(builder, loc, operands...);
  }
  template <typename OfFloats, typename OfIntegers>
  mlir::Value createFor(mlir::Value a, mlir::Value b) {
    return isFloat(a) ? create<OfFloats>(a, b) : create<OfIntegers>(a, b);
  }
};

/// The C library's name of the function that an op of `math` on floats is, without its type's
/// suffix; empty for what is an instruction of each machine.
llvm::StringRef libraryName(mlir::Operation *op);

/// exp(x) of f32 in f32, about 1 ulp; results below 2^-126 are 0.
mlir::Value exponential(Formula &f, mlir::Value x);

/// 2^x of f32, in the same way.
mlir::Value powerOfTwo(Formula &f, mlir::Value x);

/// erf(x) of f32 in f32, with the given exp; about 1 ulp when exp is.
mlir::Value errorFunction(Formula &f, mlir::Value x,
                          llvm::function_ref<mlir::Value(Formula &, mlir::Value)> exp);

/// exp(x) / 2 of f32, finite where that is.
mlir::Value halfExponentialF32(Formula &f, mlir::Value x);

/// log, log2 or log10, as `op` says, log(1 + x) and exp(x) - 1.
mlir::Value logarithmF32(Formula &f, mlir::Operation *op, mlir::Value x);
mlir::Value logOfOnePlusF32(Formula &f, mlir::Value x);
mlir::Value expMinusOneF32(Formula &f, mlir::Value x);

/// tanh(x) of f32 in f32, with the given 1 / x.
mlir::Value tanhF32(Formula &f, mlir::Value x,
                    llvm::function_ref<mlir::Value(Formula &, mlir::Value)> reciprocal);

/// What C's pow gives where a base or an exponent is 0, infinite or NaN, or the base is negative;
/// `result` is |x|^y for others.
mlir::Value powerEdges(Formula &f, mlir::Value x, mlir::Value y, mlir::Value result);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_MATHFORMULAS_H
