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
  Formula(OpBuilder &builder, Location loc, Type type) : builder(builder), loc(loc), type(type) {}

  Value number(double value) { return constantReal(builder, loc, type, value); }
  Value integer(int64_t value) { return constantInt(builder, loc, bitsType(), value); }

  // Of floats or of integers.
  Value add(Value a, Value b) { return createFor<arith::AddFOp, arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return createFor<arith::SubFOp, arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) { return createFor<arith::MulFOp, arith::MulIOp>(a, b); }
  Value equal(Value a, Value b) {
    return isFloat(a) ? compare(arith::CmpFPredicate::OEQ, a, b)
                      : compare(arith::CmpIPredicate::eq, a, b);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  }

  // Of floats.
  Value div(Value a, Value b) { return create<arith::DivFOp>(a, b); }
  Value fma(Value a, Value b, Value c) { return create<math::FmaOp>(a, b, c); }
  Value negate(Value a) { return create<arith::NegFOp>(a); }
  Value sqrt(Value a) { return create<math::SqrtOp>(a); }
  Value abs(Value a) { return create<math::AbsFOp>(a); }
  Value withSign(Value a, Value sign) { return create<math::CopySignOp>(a, sign); }
  Value nearest(Value a) { return create<math::RoundEvenOp>(a); }
  Value truncated(Value a) { return create<math::TruncOp>(a); }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value less(Value a, Value b) { return compare(arith::CmpFPredicate::OLT, a, b); }
  Value isNan(Value a) { return compare(arith::CmpFPredicate::UNO, a, a); }
  /// The smaller number; `b` when `a` is NaN, as the host's instruction does.
  Value least(Value a, Value b) { return select(less(a, b), a, b); }
  Value clamp(Value a, double low, double high) {
    Value bounded = select(less(number(high), a), number(high), a);
    return select(less(bounded, number(low)), number(low), bounded);
  }
  /// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }

  /// x + x^3 p(x^2), where p has these coefficients.
  Value oddPolynomial(Value x, ArrayRef<double> coefficients) {
    Value square = mul(x, x);
    return fma(mul(polynomial(square, coefficients), square), x, x);
  }

  // Of integers, for bits and exponents.
  Type bitsType() {
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    return withElement(type, builder.getIntegerType(width));
  }
  Value bits(Value a) { return arith::BitcastOp::create(builder, loc, bitsType(), a); }
  Value fromBits(Value a) { return arith::BitcastOp::create(builder, loc, type, a); }
  Value fromSigned(Value a) { return arith::SIToFPOp::create(builder, loc, type, a); }
  Value fromUnsigned(Value a) { return arith::UIToFPOp::create(builder, loc, type, a); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value both(Value a, Value b) { return create<arith::AndIOp>(a, b); }
  Value both(Value a, int64_t b) { return both(a, integer(b)); }
  Value either(Value a, Value b) { return create<arith::OrIOp>(a, b); }
  Value differ(Value a, Value b) { return create<arith::XOrIOp>(a, b); }
  Value shiftLeft(Value a, Value by) { return create<arith::ShLIOp>(a, by); }
  Value shiftLeft(Value a, int64_t by) { return shiftLeft(a, integer(by)); }
  Value shiftRight(Value a, Value by) { return create<arith::ShRUIOp>(a, by); }
  Value shiftRight(Value a, int64_t by) { return shiftRight(a, integer(by)); }
  /// Copies the sign into the bits that become free.
  Value shiftSigned(Value a, int64_t by) { return create<arith::ShRSIOp>(a, integer(by)); }

  OpBuilder &builder;
  Location loc;
  Type type;

private:
  static bool isFloat(Value a) { return isa<FloatType>(getElementTypeOrSelf(a)); }
  template <typename Op, typename... Operands>
  Value create(Operands... operands) {
    return Op::create(builder, loc, operands...);
  }
  template <typename OfFloats, typename OfIntegers>
  Value createFor(Value a, Value b) {
    return isFloat(a) ? create<OfFloats>(a, b) : create<OfIntegers>(a, b);
  }
};

/// The C library's name of the function that an op of `math` on floats is, without its type's
/// suffix; empty for what is an instruction of each machine.
StringRef libraryName(Operation *op);

/// exp(x) of f32 in f32, about 1 ulp; results below 2^-126 are 0.
Value exponential(Formula &f, Value x);

/// 2^x of f32, in the same way.
Value powerOfTwo(Formula &f, Value x);

/// erf(x) of f32 in f32, with the given exp; about 1 ulp when exp is.
Value errorFunction(Formula &f, Value x, function_ref<Value(Formula &, Value)> exp);

/// exp(x) / 2 of f32, finite where that is.
Value halfExponentialF32(Formula &f, Value x);

/// log, log2 or log10, as `op` says, log(1 + x) and exp(x) - 1.
Value logarithmF32(Formula &f, Operation *op, Value x);
Value logOfOnePlusF32(Formula &f, Value x);
Value expMinusOneF32(Formula &f, Value x);

/// sinh(x) and cosh(x), given h = exp(|x|) / 2; the former is an odd polynomial below a bound.
Value sinhFrom(Formula &f, Value x, Value h, double bound, ArrayRef<double> coefficients);
Value coshFrom(Formula &f, Value h);

/// tanh(x) of f32 in f32, with the given exp(2x) of x from 0 on, and 1 / x.
Value tanhF32(Formula &f, Value x, function_ref<Value(Formula &, Value)> exponentialOfTwice,
              function_ref<Value(Formula &, Value)> reciprocal);
/// exp(2x) of f32 for x from 0 on, by a polynomial; beyond 10 that of 10.
Value exponentialOfTwice(Formula &f, Value x);

/// The rarer functions of f32 that need no wider type, within 2 ulp, with the given square root: of
/// what is at least 2^-25, 0, infinite or NaN, where an infinite one's may be NaN. Null for others.
Value rareFunctionF32(Formula &f, Operation *op, ValueRange operands,
                      function_ref<Value(Formula &, Value)> root);

/// What C's pow gives where a base or an exponent is 0, infinite or NaN, or the base is negative;
/// `result` is |x|^y for others.
Value powerEdges(Formula &f, Value x, Value y, Value result);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_MATHFORMULAS_H
