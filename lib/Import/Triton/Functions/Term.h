//===- Term.h - Functions written as formulas -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IMPORT_TRITON_TERM_H
#define FSM_IMPORT_TRITON_TERM_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fsm {

/// A scalar or a block of them: floats, integers or truths. Operators of C++ write the ops of
/// `arith` behind one another; of integers `<` is signed and `>>` fills with zeros. What C++ has as
/// a number is of the type that it meets, so one of two operands is no number of C++.
class Term {
public:
  Term(mlir::ImplicitLocOpBuilder &b, mlir::Value value) : b(&b), value(value) {}
  /// Of floats alone.
  Term(double number) : real(number) {}
  Term(int number) : Term(static_cast<int64_t>(number)) {}
  Term(int64_t number) : real(static_cast<double>(number)), whole(number) {}

  mlir::Value get() const { return value; }
  mlir::ImplicitLocOpBuilder &builder() const { return *b; }
  mlir::Type element() const { return mlir::getElementTypeOrSelf(value.getType()); }
  unsigned bits() const { return element().getIntOrFloatBitWidth(); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(element()); }

  /// A number of C++ as one of this type; other terms as they are.
  Term like(const Term &number) const;
  /// The type of this with other elements.
  mlir::Type withElement(mlir::Type element) const;
  mlir::Type integers(unsigned bits) const { return withElement(b->getIntegerType(bits)); }
  mlir::Type floats(unsigned bits) const {
    return withElement(bits == 64 ? mlir::Type(b->getF64Type()) : mlir::Type(b->getF32Type()));
  }

private:
  mlir::ImplicitLocOpBuilder *b = nullptr;
  mlir::Value value;
  double real = 0;
  int64_t whole = 0;
};

Term operator+(const Term &x, const Term &y);
Term operator-(const Term &x, const Term &y);
Term operator*(const Term &x, const Term &y);
/// Of floats.
Term operator/(const Term &x, const Term &y);
Term operator-(const Term &x);
Term operator&(const Term &x, const Term &y);
Term operator|(const Term &x, const Term &y);
Term operator^(const Term &x, const Term &y);
Term operator<<(const Term &x, const Term &by);
Term operator>>(const Term &x, const Term &by);
/// False of NaN, but for `!=`.
Term operator<(const Term &x, const Term &y);
Term operator<=(const Term &x, const Term &y);
Term operator==(const Term &x, const Term &y);
Term operator!=(const Term &x, const Term &y);
inline Term operator>(const Term &x, const Term &y) { return y < x; }
inline Term operator>=(const Term &x, const Term &y) { return y <= x; }

/// `>>` that fills with the sign.
Term shiftedWithSign(const Term &x, const Term &by);
Term select(const Term &condition, const Term &whenTrue, const Term &whenFalse);

/// The op of this name, whose result is of `type`, or of that of the first operand.
Term apply(llvm::StringRef op, llvm::ArrayRef<Term> operands, mlir::Type type = {});
Term abs(const Term &x);
Term exp(const Term &x);
Term log(const Term &x);
Term sqrt(const Term &x);
Term sin(const Term &x);
Term cos(const Term &x);
Term floor(const Term &x);
/// To the nearest integer, halves to even ones.
Term rint(const Term &x);
Term copysign(const Term &x, const Term &sign);
Term fma(const Term &x, const Term &y, const Term &z);

/// The bits of floats as integers, and back.
Term asInteger(const Term &floats);
Term asFloat(const Term &integers);
/// Floats or signed integers as floats of so many bits.
Term toFloat(const Term &x, unsigned bits);
/// Floats cut off and made fit, or integers of other widths, of which these are signed.
Term toInteger(const Term &x, unsigned bits, bool isSigned = true);

/// The coefficients from that of x^0 on.
Term polynomial(const Term &x, llvm::ArrayRef<double> coefficients);
/// Of Chebyshev's polynomials, of which the first counts half; x is from -1 to 1.
Term chebyshev(const Term &x, llvm::ArrayRef<double> coefficients);

} // namespace fsm

#endif // FSM_IMPORT_TRITON_TERM_H
