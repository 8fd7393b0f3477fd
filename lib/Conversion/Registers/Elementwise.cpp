//===- Elementwise.cpp - arith on scalars and vectors ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "MathFormulas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;
using fsm::registers::ElementwiseBackend;
using fsm::registers::Formula;

ElementwiseBackend::~ElementwiseBackend() = default;

Value registers::rebuild(OpBuilder &builder, Operation *op, ValueRange operands, Type result) {
  OperationState state(op->getLoc(), op->getName(), operands, {result});
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

/// The same op without its properties.
static Value rebuildPlain(OpBuilder &builder, Operation *op, ValueRange operands, Type result) {
  OperationState state(op->getLoc(), op->getName(), operands, {result});
  return builder.create(state)->getResult(0);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A divisor the division cannot trap on: 1 instead of 0, and instead of -1
/// under the smallest number.
static Value safeDivisor(Formula &f, Value dividend, Value divisor, bool isSigned) {
  Value bad = f.equal(divisor, f.integer(0));
  unsigned width = getElementTypeOrSelf(f.type).getIntOrFloatBitWidth();
  if (isSigned && width > 1) {
    Value smallest = f.integer(APInt::getSignedMinValue(width).getSExtValue());
    Value isSmallest = f.equal(dividend, smallest);
    Value isMinusOne = f.equal(divisor, f.integer(-1));
    bad = f.either(bad, f.both(isSmallest, isMinusOne));
  }
  return f.select(bad, f.integer(1), divisor);
}

Value ElementwiseBackend::quotient(OpBuilder &, Location, Value, Value, bool) const { return {}; }

static Value divide(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                    ValueRange operands) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op);
  Location loc = op->getLoc();
  Value left = operands[0];
  Formula f(builder, loc, left.getType());
  Value right = safeDivisor(f, left, operands[1], isSigned);
  // LLVM multiplies by what it knows.
  Value quotient = matchPattern(op->getOperand(1), m_Constant())
                       ? Value()
                       : backend.quotient(builder, loc, left, right, isSigned);
  if (!quotient && isa<arith::RemSIOp, arith::RemUIOp>(op))
    return rebuildPlain(builder, op, {left, right}, f.type);
  if (!quotient)
    quotient = isSigned ? arith::DivSIOp::create(builder, loc, left, right).getResult()
                        : arith::DivUIOp::create(builder, loc, left, right).getResult();
  if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    return quotient;
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return f.sub(left, f.mul(quotient, right));
  Value inexact = f.compare(arith::CmpIPredicate::ne, f.mul(quotient, right), left);
  bool roundsDown = isa<arith::FloorDivSIOp>(op);
  if (isSigned) {
    // The truncated quotient is wrong on one side of zero only.
    auto side = roundsDown ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge;
    inexact = f.both(inexact, f.compare(side, f.differ(left, right), f.integer(0)));
  }
  Value one = f.integer(1);
  Value moved = roundsDown ? f.sub(quotient, one) : f.add(quotient, one);
  return f.select(inexact, moved, quotient);
}

/// An over-wide shift gives an unspecified value; LLVM's poison must not spread.
static Value shift(OpBuilder &builder, Operation *op, ValueRange operands) {
  Formula f(builder, op->getLoc(), operands[1].getType());
  unsigned width = getElementTypeOrSelf(f.type).getIntOrFloatBitWidth();
  return rebuildPlain(builder, op, {operands[0], f.both(operands[1], width - 1)}, f.type);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Value ElementwiseBackend::multiplyHigh(OpBuilder &builder, Location loc, Value left,
                                       Value right) const {
  return arith::MulUIExtendedOp::create(builder, loc, left, right).getHigh();
}

/// In f32 the sum would be rounded twice: 289 * 2^22 + 64 is nearer to the upper of
/// its neighbours in bf16, but as an f32 it lies between them. In f64 the product is
/// exact, and so is what the sum loses; the last bit of an inexact sum is made odd, so
/// that it is neither a half number nor between two.
Value ElementwiseBackend::fuseHalves(OpBuilder &builder, Operation *op, ValueRange operands) const {
  Location loc = op->getLoc();
  Type half = operands[0].getType();
  Formula f(builder, loc, registers::withElement(half, builder.getF64Type()));
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(
        arith::ExtFOp::create(builder, loc, f.type, registers::widen(builder, loc, operand)));
  Value product = f.mul(wide[0], wide[1]);
  Value sum = f.add(product, wide[2]);
  // What an addition loses is a number of its own (Knuth); NaN where the sum is none.
  Value part = f.sub(sum, product);
  Value lost = f.add(f.sub(product, f.sub(sum, part)), f.sub(wide[2], part));
  Value zero = f.number(0.0);
  Value isInexact = f.compare(arith::CmpFPredicate::ONE, lost, zero);
  // A sum that is too far from 0 lies beyond the exact one, on the other side of an odd number.
  Value isFar = f.differ(f.less(sum, zero), f.less(lost, zero));
  Value bits = f.bits(sum), one = f.integer(1);
  Value odd = f.either(f.select(isFar, f.sub(bits, one), bits), one);
  return narrow(builder, loc, f.fromBits(f.select(isInexact, odd, bits)),
                getElementTypeOrSelf(half));
}

/// Ops that compute on floats, in f32 for the half formats.
static Value floatArithmetic(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                             ValueRange operands, bool uniformDivisor) {
  Location loc = op->getLoc();
  Type element = getElementTypeOrSelf(operands[0].getType());
  if (isa<math::FmaOp>(op) && isa<Float16Type, BFloat16Type>(element))
    return backend.fuseHalves(builder, op, operands);
  auto wide = llvm::map_to_vector(
      operands, [&](Value operand) { return registers::widen(builder, loc, operand); });
  Value result;
  if (isa<arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp, arith::MinimumFOp>(op))
    result = backend.extremum(builder, loc, wide[0], wide[1],
                              isa<arith::MaxNumFOp, arith::MaximumFOp>(op),
                              isa<arith::MaximumFOp, arith::MinimumFOp>(op));
  else if (isa_and_present<math::MathDialect>(op->getDialect()))
    result = backend.mathFunction(builder, op, wide);
  else if (isa<arith::DivFOp>(op))
    result = backend.divide(builder, op, wide[0], wide[1], uniformDivisor && element.isF32());
  else if (isa<arith::RemFOp>(op))
    result = backend.remainder(builder, op, wide[0], wide[1]);
  else
    result = registers::rebuild(builder, op, wide, wide[0].getType());
  return result ? backend.narrow(builder, loc, result, element) : result;
}

/// Division or square root of IEEE 754. For f16 and bf16, of q = 11 and 8 bits, that of
/// f32, of p = 24, is rounded once more, which changes nothing as p >= 2q + 2 (S. Figueroa,
/// "When is double rounding innocuous?", 1995): a quotient or root that is no tie between
/// two numbers of q bits is further from one than f32's rounding moves it. That holds for
/// denormals too: a tie between them has fewer bits, and a quotient a 2^i / (b 2^j) with
/// a, b < 2^q misses one by more than 2^(-149 - 1), half of f32's own smallest unit.
static Value correctlyRounded(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                              ValueRange operands) {
  Location loc = op->getLoc();
  Type element = getElementTypeOrSelf(operands[0].getType());
  Value left = registers::widen(builder, loc, operands[0]);
  Value result;
  if (isa<SqrtRNOp>(op))
    result = math::SqrtOp::create(builder, loc, left);
  else
    result = arith::DivFOp::create(builder, loc, left, registers::widen(builder, loc, operands[1]));
  return backend.narrow(builder, loc, result, element);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// A 64-bit integer that f64 holds exactly and that is rounded to a half format as
/// `value` is: of numbers beyond 2^53, the low 12 bits become one sticky bit.
static Value shortened(Formula f, Value value, bool isSigned) {
  Value low = f.both(value, 0xfff);
  Value high = f.sub(value, low);
  Value inexact = f.compare(arith::CmpIPredicate::ne, low, f.integer(0));
  Value rounded = f.either(high, f.select(inexact, f.integer(0x800), f.integer(0)));
  constexpr int64_t exact = int64_t(1) << 53;
  Value moved = isSigned ? f.add(value, f.integer(exact)) : value;
  Value most = f.integer(isSigned ? 2 * exact : exact);
  return f.select(f.compare(arith::CmpIPredicate::ule, moved, most), value, rounded);
}

/// An i1 as a float: 0 or 1, or -1 of a signed one. A choice, so that what is computed of it is
/// folded before choices that ptxas compiles wrongly are looked for
/// (test/Fuzz/zero-or-minus-one.mlir).
static Value truthToFloat(Formula f, Value value, bool isSigned) {
  return f.select(value, f.number(isSigned ? -1.0 : 1.0), f.number(0.0));
}

/// Integer to float. The half formats are reached through f64, which holds every
/// integer of up to 53 bits.
static Value toFloat(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                     Value operand, Type result) {
  Location loc = op->getLoc();
  Type element = getElementTypeOrSelf(result);
  bool isHalf = isa<Float16Type, BFloat16Type>(element), isSigned = isa<arith::SIToFPOp>(op);
  if (isHalf && getElementTypeOrSelf(operand.getType()).isInteger(64))
    operand = shortened(Formula(builder, loc, operand.getType()), operand, isSigned);
  Type direct = isHalf ? registers::withElement(result, builder.getF64Type()) : result;
  Value value = getElementTypeOrSelf(operand.getType()).isInteger(1)
                    ? truthToFloat(Formula(builder, loc, direct), operand, isSigned)
                    : rebuildPlain(builder, op, operand, direct);
  return backend.narrow(builder, loc, value, element);
}

static Value convert(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                     Value operand, Type result) {
  Location loc = op->getLoc();
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return backend.toInteger(builder, loc, registers::widen(builder, loc, operand), result,
                             isa<arith::FPToSIOp>(op));
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return toFloat(builder, backend, op, operand, result);
  if (isa<arith::TruncFOp>(op))
    return backend.narrow(builder, loc, registers::widen(builder, loc, operand),
                          getElementTypeOrSelf(result));
  if (isa<arith::BitcastOp>(op) && operand.getType() == result)
    return operand;
  if (isa<arith::ExtFOp>(op)) {
    Value wide = registers::widen(builder, loc, operand);
    return wide.getType() == result ? wide
                                    : arith::ExtFOp::create(builder, loc, result, wide).getResult();
  }
  return rebuildPlain(builder, op, operand, result);
}

Value registers::elementwise(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                             ValueRange operands, bool uniformDivisor) {
  Type first = operands[0].getType();
  Type result = registerType(elementTypeOf(op->getResult(0).getType()), lanesOf(first));
  Formula f(builder, op->getLoc(), first);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp, arith::FloorDivSIOp>(
          [&](Operation *) { return divide(builder, backend, op, operands); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](Operation *) { return shift(builder, op, operands); })
      // They wrap, whatever they promise: the promise has been used where addresses are planned.
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [&](Operation *) { return rebuildPlain(builder, op, operands, first); })
      .Case<arith::FPToSIOp, arith::FPToUIOp, arith::SIToFPOp, arith::UIToFPOp, arith::TruncFOp,
            arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp>(
          [&](Operation *) { return convert(builder, backend, op, operands[0], result); })
      .Case([&](arith::SelectOp) { return f.select(operands[0], operands[1], operands[2]); })
      .Case([&](arith::CmpFOp compared) {
        Value left = widen(builder, f.loc, operands[0]), right = widen(builder, f.loc, operands[1]);
        return f.compare(compared.getPredicate(), left, right);
      })
      .Case([&](math::AbsIOp) {
        Value negated = f.sub(f.integer(0), operands[0]);
        return arith::MaxSIOp::create(builder, f.loc, operands[0], negated).getResult();
      })
      .Case<math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp>(
          [&](Operation *) { return rebuild(builder, op, operands, result); })
      .Case([&](ConvertOp convert) { return convertFloat(builder, backend, convert, operands[0]); })
      .Case<DivRNOp, SqrtRNOp>(
          [&](Operation *) { return correctlyRounded(builder, backend, op, operands); })
      .Case([&](UMulHiOp) {
        return backend.multiplyHigh(builder, f.loc, operands[0], operands[1]);
      })
      .Case([&](HintOp) { return operands[0]; })
      .Default([&](Operation *) -> Value {
        if (isa<FloatType>(getElementTypeOrSelf(first)))
          return floatArithmetic(builder, backend, op, operands, uniformDivisor);
        if (isa_and_present<arith::ArithDialect>(op->getDialect()))
          return rebuild(builder, op, operands, result);
        return {};
      });
}
