//===- Term.cpp - Functions written as formulas ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Term.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fsm;

Type Term::withElement(Type element) const {
  auto block = dyn_cast<RankedTensorType>(value.getType());
  return block ? Type(block.clone(element)) : element;
}

Term Term::like(const Term &number) const {
  if (number.value)
    return number;
  TypedAttr attribute;
  if (isFloat())
    attribute = b->getFloatAttr(element(), number.real);
  else
    attribute = b->getIntegerAttr(element(), number.whole);
  if (auto block = dyn_cast<RankedTensorType>(value.getType()))
    attribute = DenseElementsAttr::get(block, attribute);
  return {*b, arith::ConstantOp::create(*b, attribute)};
}

Term fsm::apply(StringRef op, ArrayRef<Term> operands, Type type) {
  const Term &typed =
      *llvm::find_if(operands, [](const Term &operand) { return bool(operand.get()); });
  SmallVector<Value> values =
      llvm::map_to_vector(operands, [&](const Term &x) { return typed.like(x).get(); });
  ImplicitLocOpBuilder &b = typed.builder();
  OperationState state(b.getLoc(), op, values, type ? type : typed.get().getType());
  return {b, b.create(state)->getResult(0)};
}

/// One op of floats, another of integers.
static Term binary(StringRef ofFloats, StringRef ofIntegers, const Term &x, const Term &y) {
  bool isFloat = (x.get() ? x : y).isFloat();
  return apply(isFloat ? ofFloats : ofIntegers, {x, y});
}

Term fsm::operator+(const Term &x, const Term &y) {
  return binary("arith.addf", "arith.addi", x, y);
}
Term fsm::operator-(const Term &x, const Term &y) {
  return binary("arith.subf", "arith.subi", x, y);
}
Term fsm::operator*(const Term &x, const Term &y) {
  return binary("arith.mulf", "arith.muli", x, y);
}
Term fsm::operator/(const Term &x, const Term &y) { return apply("fsm.div_rn", {x, y}); }
Term fsm::operator-(const Term &x) { return x.isFloat() ? apply("arith.negf", {x}) : 0 - x; }
Term fsm::operator&(const Term &x, const Term &y) { return apply("arith.andi", {x, y}); }
Term fsm::operator|(const Term &x, const Term &y) { return apply("arith.ori", {x, y}); }
Term fsm::operator^(const Term &x, const Term &y) { return apply("arith.xori", {x, y}); }
Term fsm::operator<<(const Term &x, const Term &by) { return apply("arith.shli", {x, by}); }
Term fsm::operator>>(const Term &x, const Term &by) { return apply("arith.shrui", {x, by}); }
Term fsm::shiftedWithSign(const Term &x, const Term &by) { return apply("arith.shrsi", {x, by}); }

static Term compare(arith::CmpFPredicate ofFloats, arith::CmpIPredicate ofIntegers, const Term &x,
                    const Term &y) {
  const Term &typed = x.get() ? x : y;
  ImplicitLocOpBuilder &b = typed.builder();
  Value left = typed.like(x).get(), right = typed.like(y).get();
  if (typed.isFloat())
    return {b, arith::CmpFOp::create(b, ofFloats, left, right)};
  return {b, arith::CmpIOp::create(b, ofIntegers, left, right)};
}

Term fsm::operator<(const Term &x, const Term &y) {
  return compare(arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt, x, y);
}
Term fsm::operator<=(const Term &x, const Term &y) {
  return compare(arith::CmpFPredicate::OLE, arith::CmpIPredicate::sle, x, y);
}
Term fsm::operator==(const Term &x, const Term &y) {
  return compare(arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq, x, y);
}
Term fsm::operator!=(const Term &x, const Term &y) {
  return compare(arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne, x, y);
}

Term fsm::select(const Term &condition, const Term &whenTrue, const Term &whenFalse) {
  const Term &typed = whenTrue.get() ? whenTrue : whenFalse;
  ImplicitLocOpBuilder &b = condition.builder();
  return {b, arith::SelectOp::create(b, condition.get(), typed.like(whenTrue).get(),
                                     typed.like(whenFalse).get())};
}

Term fsm::abs(const Term &x) { return apply(x.isFloat() ? "math.absf" : "math.absi", {x}); }
Term fsm::exp(const Term &x) { return apply("math.exp", {x}); }
Term fsm::log(const Term &x) { return apply("math.log", {x}); }
Term fsm::sqrt(const Term &x) { return apply("fsm.sqrt_rn", {x}); }
Term fsm::sin(const Term &x) { return apply("math.sin", {x}); }
Term fsm::cos(const Term &x) { return apply("math.cos", {x}); }
Term fsm::floor(const Term &x) { return apply("math.floor", {x}); }
Term fsm::rint(const Term &x) { return apply("math.roundeven", {x}); }
Term fsm::copysign(const Term &x, const Term &sign) { return apply("math.copysign", {x, sign}); }
Term fsm::fma(const Term &x, const Term &y, const Term &z) { return apply("math.fma", {x, y, z}); }

Term fsm::asInteger(const Term &floats) {
  return apply("arith.bitcast", {floats}, floats.integers(floats.bits()));
}

Term fsm::asFloat(const Term &integers) {
  return apply("arith.bitcast", {integers}, integers.floats(integers.bits()));
}

Term fsm::toFloat(const Term &x, unsigned bits) {
  if (!x.isFloat())
    return apply("arith.sitofp", {x}, x.floats(bits));
  if (x.bits() == bits)
    return x;
  return apply(x.bits() < bits ? "arith.extf" : "arith.truncf", {x}, x.floats(bits));
}

Term fsm::toInteger(const Term &x, unsigned bits, bool isSigned) {
  if (x.isFloat())
    return apply(isSigned ? "arith.fptosi" : "arith.fptoui", {x}, x.integers(bits));
  if (x.bits() == bits)
    return x;
  if (x.bits() > bits)
    return apply("arith.trunci", {x}, x.integers(bits));
  return apply(isSigned ? "arith.extsi" : "arith.extui", {x}, x.integers(bits));
}

Term fsm::polynomial(const Term &x, ArrayRef<double> coefficients) {
  Term sum = x.like(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, coefficient);
  return sum;
}

/// Clenshaw's recurrence.
Term fsm::chebyshev(const Term &x, ArrayRef<double> coefficients) {
  Term twice = x + x, one = x.like(0), two = x.like(0);
  for (double coefficient : llvm::reverse(coefficients.drop_front())) {
    Term next = fma(twice, one, x.like(coefficient) - two);
    two = one;
    one = next;
  }
  return fma(x, one, x.like(coefficients.front() / 2) - two);
}
