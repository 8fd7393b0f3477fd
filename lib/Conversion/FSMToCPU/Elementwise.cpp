//===- Elementwise.cpp - what the host does its own way -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fsm;

static Value compare(OpBuilder &builder, Location loc, arith::CmpFPredicate predicate, Value left,
                     Value right) {
  return arith::CmpFOp::create(builder, loc, predicate, left, right);
}

static Value select(OpBuilder &builder, Location loc, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}

Value host::extremum(OpBuilder &builder, Location loc, Value left, Value right, bool isMax,
                     bool propagateNan) {
  Type type = left.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Type bits = withElement(type, builder.getIntegerType(width));
  auto order = isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value result = select(builder, loc, compare(builder, loc, order, left, right), left, right);
  // Equal operands differ at most in the sign of a zero.
  Value leftBits = arith::BitcastOp::create(builder, loc, bits, left);
  Value rightBits = arith::BitcastOp::create(builder, loc, bits, right);
  Value both = isMax ? arith::AndIOp::create(builder, loc, leftBits, rightBits).getResult()
                     : arith::OrIOp::create(builder, loc, leftBits, rightBits).getResult();
  Value zero = arith::BitcastOp::create(builder, loc, type, both);
  Value equal = compare(builder, loc, arith::CmpFPredicate::OEQ, left, right);
  result = select(builder, loc, equal, zero, result);
  // An unordered comparison has chosen the right operand.
  Value doubtful = propagateNan ? left : right;
  Value isNan = compare(builder, loc, arith::CmpFPredicate::UNO, doubtful, doubtful);
  return select(builder, loc, isNan, left, result);
}

/// n / d for a d that is the same in every lane, within 2 ulp: one reciprocal and
/// a product. Tiny and huge divisors are scaled by a power of two, so that the
/// reciprocal is a normal number; zeros, infinities and NaN come out as in the
/// division.
static Value divideByUniform(OpBuilder &builder, Location loc, Value left, Value right) {
  Type f32 = right.getType();
  auto number = [&](double value) { return host::constantReal(builder, loc, f32, value); };
  Value magnitude = math::AbsFOp::create(builder, loc, right);
  Value isTiny = compare(builder, loc, arith::CmpFPredicate::OLT, magnitude, number(0x1p-120));
  Value isHuge = compare(builder, loc, arith::CmpFPredicate::OGT, magnitude, number(0x1p120));
  Value scale = select(builder, loc, isTiny, number(0x1p64), number(1.0));
  scale = select(builder, loc, isHuge, number(0x1p-64), scale);
  Value scaled = arith::MulFOp::create(builder, loc, right, scale);
  Value reciprocal = arith::DivFOp::create(builder, loc, number(1.0), scaled);
  Value product = arith::MulFOp::create(builder, loc, left, reciprocal);
  return arith::MulFOp::create(builder, loc, product, scale);
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
    return host::extremum(builder, loc, left, right, isMax, propagateNan);
  }

  Value divide(OpBuilder &builder, Operation *op, Value left, Value right,
               bool uniformDivisor) const override {
    if (uniformDivisor)
      return divideByUniform(builder, op->getLoc(), left, right);
    return registers::rebuild(builder, op, {left, right}, left.getType());
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
