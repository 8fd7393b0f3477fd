//===- Elementwise.cpp - what the host does its own way -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "../Registers/MathFormulas.h"

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// f64 to f32 such that rounding the result again to fewer bits gives what one
/// rounding would: an inexact result gets an odd last bit (round to odd).
static Value narrowToOdd(OpBuilder &builder, Location loc, Value value) {
  Formula f(builder, loc, host::withElement(value.getType(), builder.getF32Type()));
  Value near = arith::TruncFOp::create(builder, loc, f.type, value);
  Value back = arith::ExtFOp::create(builder, loc, value.getType(), near);
  Value bits = f.bits(near), zero = host::constantReal(builder, loc, value.getType(), 0.0);
  Value positive = f.compare(arith::CmpFPredicate::OGT, value, zero);
  Value negative = f.compare(arith::CmpFPredicate::OLT, value, zero);
  Value above = f.both(f.compare(arith::CmpFPredicate::OGT, back, value), positive);
  Value below = f.both(f.compare(arith::CmpFPredicate::OLT, back, value), negative);
  Value away = f.either(above, below);
  Value one = f.integer(1);
  Value odd = f.either(f.select(away, f.sub(bits, one), bits), one);
  Value inexact = f.compare(arith::CmpFPredicate::ONE, back, value);
  return f.fromBits(f.select(inexact, odd, bits));
}

/// f32 to bf16 in integers: the host's own instruction flushes denormals.
static Value narrowToBF16(OpBuilder &builder, Location loc, Value value) {
  Formula f(builder, loc, value.getType());
  Formula half(builder, loc, host::withElement(value.getType(), builder.getBF16Type()));
  Value bits = f.bits(value);
  Value high = f.shiftRight(bits, 16);
  Value bias = f.add(f.both(high, 1), f.integer(0x7fff));
  Value rounded = f.shiftRight(f.add(bits, bias), 16);
  Value quiet = f.either(high, f.integer(0x40));
  Value result = f.select(f.isNan(value), quiet, rounded);
  return half.fromBits(arith::TruncIOp::create(builder, loc, half.bitsType(), result));
}

Value host::narrow(OpBuilder &builder, Location loc, Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  if (from.isF64() && !element.isF32())
    value = narrowToOdd(builder, loc, value);
  if (element.isBF16())
    return narrowToBF16(builder, loc, value);
  return arith::TruncFOp::create(builder, loc, withElement(value.getType(), element), value);
}

static Value extremumOf(Formula f, Value left, Value right, bool isMax, bool propagateNan) {
  auto order = isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value result = f.select(f.compare(order, left, right), left, right);
  // Equal operands differ at most in the sign of a zero.
  Value leftBits = f.bits(left), rightBits = f.bits(right);
  Value zero = f.fromBits(isMax ? f.both(leftBits, rightBits) : f.either(leftBits, rightBits));
  result = f.select(f.equal(left, right), zero, result);
  // An unordered comparison has chosen the right operand.
  return f.select(f.isNan(propagateNan ? left : right), left, result);
}

/// n / d for a d that is the same in every lane, within 2 ulp: one reciprocal and
/// a product. Tiny and huge divisors are scaled by a power of two, so that the
/// reciprocal is a normal number; zeros, infinities and NaN come out as in the
/// division.
static Value divideByUniform(Formula f, Value left, Value right) {
  Value magnitude = f.abs(right);
  Value isTiny = f.less(magnitude, f.number(0x1p-120));
  Value isHuge = f.compare(arith::CmpFPredicate::OGT, magnitude, f.number(0x1p120));
  Value scale = f.select(isTiny, f.number(0x1p64), f.number(1.0));
  scale = f.select(isHuge, f.number(0x1p-64), scale);
  Value reciprocal = f.div(f.number(1.0), f.mul(right, scale));
  return f.mul(f.mul(left, reciprocal), scale);
}

namespace {
class Host final : public registers::ElementwiseBackend {
public:
  Value narrow(OpBuilder &builder, Location loc, Value value, Type element) const override {
    return host::narrow(builder, loc, value, element);
  }

  Value toInteger(OpBuilder &builder, Location loc, Value value, Type result,
                  bool isSigned) const override {
    StringRef name = isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    return LLVM::CallIntrinsicOp::create(builder, loc, result, builder.getStringAttr(name),
                                         ValueRange{value})
        .getResult(0);
  }

  Value extremum(OpBuilder &builder, Location loc, Value left, Value right, bool isMax,
                 bool propagateNan) const override {
    return extremumOf(Formula(builder, loc, left.getType()), left, right, isMax, propagateNan);
  }

  Value divide(OpBuilder &builder, Operation *op, Value left, Value right,
               bool uniformDivisor) const override {
    if (uniformDivisor)
      return divideByUniform(Formula(builder, op->getLoc(), right.getType()), left, right);
    return registers::rebuild(builder, op, {left, right}, left.getType());
  }

  /// Vectors have no division of integers. That of floats rounds a / b by less than a / b / 2^p,
  /// with p bits of a fraction; it does not reach the next integer, which is 1 / b away or more,
  /// while a is less than 2^p.
  Value quotient(OpBuilder &builder, Location loc, Value left, Value right,
                 bool isSigned) const override {
    unsigned width = getElementTypeOrSelf(left.getType()).getIntOrFloatBitWidth();
    if (!isa<VectorType>(left.getType()) || width == 1 || width > 32)
      return {};
    Type real = width > 16u ? builder.getF64Type() : builder.getF32Type();
    Type reals = host::withElement(left.getType(), real);
    auto toReal = [&](Value value) -> Value {
      if (isSigned)
        return arith::SIToFPOp::create(builder, loc, reals, value);
      return arith::UIToFPOp::create(builder, loc, reals, value);
    };
    Value ratio = arith::DivFOp::create(builder, loc, toReal(left), toReal(right));
    if (isSigned)
      return arith::FPToSIOp::create(builder, loc, left.getType(), ratio);
    return arith::FPToUIOp::create(builder, loc, left.getType(), ratio);
  }

  /// The host's instruction selection calls the C library.
  Value remainder(OpBuilder &builder, Operation *op, Value left, Value right) const override {
    return registers::rebuild(builder, op, {left, right}, left.getType());
  }

  Value mathFunction(OpBuilder &builder, Operation *op, ValueRange operands) const override {
    return host::mathFunction(builder, op, operands);
  }
};
} // namespace

const registers::ElementwiseBackend &host::hostBackend() {
  static const Host host;
  return host;
}

Value host::elementwise(OpBuilder &builder, Operation *op, ValueRange operands,
                        bool uniformDivisor) {
  return registers::elementwise(builder, hostBackend(), op, operands, uniformDivisor);
}
