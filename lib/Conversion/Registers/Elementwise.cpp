//===- Elementwise.cpp - arith on scalars and vectors ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "MathFormulas.h"
#include "Values.h"

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fsm;
using fsm::registers::ElementwiseBackend;

ElementwiseBackend::~ElementwiseBackend() = default;

Value registers::rebuild(OpBuilder &builder, Operation *op, ValueRange operands, Type result) {
  OperationState state(op->getLoc(), op->getName(), operands, {result});
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

static Value compare(OpBuilder &builder, Location loc, arith::CmpIPredicate predicate, Value left,
                     Value right) {
  return arith::CmpIOp::create(builder, loc, predicate, left, right);
}

static Value compare(OpBuilder &builder, Location loc, arith::CmpFPredicate predicate, Value left,
                     Value right) {
  return arith::CmpFOp::create(builder, loc, predicate, left, right);
}

static Value select(OpBuilder &builder, Location loc, Value condition, Value yes, Value no) {
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A divisor the division cannot trap on: 1 instead of 0, and instead of -1
/// under the smallest number.
static Value safeDivisor(OpBuilder &builder, Location loc, Value dividend, Value divisor,
                         bool isSigned) {
  Type type = divisor.getType();
  Value one = registers::constantInt(builder, loc, type, 1);
  Value bad = compare(builder, loc, arith::CmpIPredicate::eq, divisor,
                      registers::constantInt(builder, loc, type, 0));
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (isSigned && width > 1) {
    Value smallest =
        registers::constantInt(builder, loc, type, APInt::getSignedMinValue(width).getSExtValue());
    Value isSmallest = compare(builder, loc, arith::CmpIPredicate::eq, dividend, smallest);
    Value isMinusOne = compare(builder, loc, arith::CmpIPredicate::eq, divisor,
                               registers::constantInt(builder, loc, type, -1));
    Value overflows = arith::AndIOp::create(builder, loc, isSmallest, isMinusOne);
    bad = arith::OrIOp::create(builder, loc, bad, overflows);
  }
  return select(builder, loc, bad, one, divisor);
}

static Value divide(OpBuilder &builder, Operation *op, ValueRange operands) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op);
  Location loc = op->getLoc();
  Value left = operands[0];
  Value right = safeDivisor(builder, loc, left, operands[1], isSigned);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op)) {
    OperationState state(loc, op->getName(), {left, right}, {left.getType()});
    return builder.create(state)->getResult(0);
  }
  Value quotient = isSigned ? arith::DivSIOp::create(builder, loc, left, right).getResult()
                            : arith::DivUIOp::create(builder, loc, left, right).getResult();
  Value product = arith::MulIOp::create(builder, loc, quotient, right);
  Value inexact = compare(builder, loc, arith::CmpIPredicate::ne, product, left);
  Value one = registers::constantInt(builder, loc, left.getType(), 1);
  bool roundsDown = isa<arith::FloorDivSIOp>(op);
  if (isSigned) {
    // The truncated quotient is wrong on one side of zero only.
    Value signs = arith::XOrIOp::create(builder, loc, left, right);
    Value zero = registers::constantInt(builder, loc, left.getType(), 0);
    auto side = roundsDown ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sge;
    Value applies = compare(builder, loc, side, signs, zero);
    inexact = arith::AndIOp::create(builder, loc, inexact, applies);
  }
  Value moved = roundsDown ? arith::SubIOp::create(builder, loc, quotient, one).getResult()
                           : arith::AddIOp::create(builder, loc, quotient, one).getResult();
  return select(builder, loc, inexact, moved, quotient);
}

/// An over-wide shift gives an unspecified value; LLVM's poison must not spread.
static Value shift(OpBuilder &builder, Operation *op, ValueRange operands) {
  Type type = operands[1].getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  Value most = registers::constantInt(builder, op->getLoc(), type, width - 1);
  Value amount = arith::AndIOp::create(builder, op->getLoc(), operands[1], most);
  OperationState state(op->getLoc(), op->getName(), {operands[0], amount}, {type});
  return builder.create(state)->getResult(0);
}

/// Sums, differences and products wrap, whatever they promise: the promise has
/// been used where addresses are planned.
static Value wrapping(OpBuilder &builder, Operation *op, ValueRange operands) {
  OperationState state(op->getLoc(), op->getName(), operands, {operands[0].getType()});
  return builder.create(state)->getResult(0);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// In f32 the sum would be rounded twice: 289 * 2^22 + 64 is nearer to the upper of
/// its neighbours in bf16, but as an f32 it lies between them. In f64 the product is
/// exact, and so is what the sum loses; the last bit of an inexact sum is made odd, so
/// that it is neither a half number nor between two.
Value ElementwiseBackend::fuseHalves(OpBuilder &builder, Operation *op, ValueRange operands) const {
  Location loc = op->getLoc();
  Type half = operands[0].getType();
  registers::Formula f(builder, loc, registers::withElement(half, builder.getF64Type()));
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
  Value isInexact = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ONE, lost, zero);
  // A sum that is too far from 0 lies beyond the exact one, on the other side of an odd number.
  Value isFar = arith::XOrIOp::create(builder, loc, f.less(sum, zero), f.less(lost, zero));
  Value bits = f.bits(sum), one = f.integer(1);
  Value nearer = f.select(isFar, arith::SubIOp::create(builder, loc, bits, one), bits);
  Value odd = arith::OrIOp::create(builder, loc, nearer, one);
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
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(registers::widen(builder, loc, operand));
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
static Value shortened(OpBuilder &builder, Location loc, Value value, bool isSigned) {
  auto number = [&](int64_t n) { return registers::constantInt(builder, loc, value.getType(), n); };
  Value low = arith::AndIOp::create(builder, loc, value, number(0xfff));
  Value high = arith::SubIOp::create(builder, loc, value, low);
  Value inexact = compare(builder, loc, arith::CmpIPredicate::ne, low, number(0));
  Value sticky = select(builder, loc, inexact, number(0x800), number(0));
  Value rounded = arith::OrIOp::create(builder, loc, high, sticky);
  constexpr int64_t exact = int64_t(1) << 53;
  Value moved =
      isSigned ? arith::AddIOp::create(builder, loc, value, number(exact)).getResult() : value;
  Value isSmall =
      compare(builder, loc, arith::CmpIPredicate::ule, moved, number(isSigned ? 2 * exact : exact));
  return select(builder, loc, isSmall, value, rounded);
}

/// An i1 as a float: 0 or 1, or -1 of a signed one. A choice, so that what is computed of it is
/// folded before choices that ptxas compiles wrongly are looked for
/// (test/Fuzz/zero-or-minus-one.mlir).
static Value truthToFloat(OpBuilder &builder, Location loc, Value value, Type type, bool isSigned) {
  Value truth = registers::constantReal(builder, loc, type, isSigned ? -1.0 : 1.0);
  return select(builder, loc, value, truth, registers::constantReal(builder, loc, type, 0.0));
}

/// Integer to float. The half formats are reached through f64, which holds every
/// integer of up to 53 bits.
static Value toFloat(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                     Value operand, Type result) {
  Type element = getElementTypeOrSelf(result);
  bool isHalf = isa<Float16Type, BFloat16Type>(element);
  if (isHalf && getElementTypeOrSelf(operand.getType()).isInteger(64))
    operand = shortened(builder, op->getLoc(), operand, isa<arith::SIToFPOp>(op));
  Type direct = isHalf ? registers::withElement(result, builder.getF64Type()) : result;
  if (getElementTypeOrSelf(operand.getType()).isInteger(1)) {
    Value chosen = truthToFloat(builder, op->getLoc(), operand, direct, isa<arith::SIToFPOp>(op));
    return backend.narrow(builder, op->getLoc(), chosen, element);
  }
  OperationState state(op->getLoc(), op->getName(), {operand}, {direct});
  Value value = builder.create(state)->getResult(0);
  return backend.narrow(builder, op->getLoc(), value, element);
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
  OperationState state(loc, op->getName(), {operand}, {result});
  return builder.create(state)->getResult(0);
}

Value registers::elementwise(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                             ValueRange operands, bool uniformDivisor) {
  Type first = operands[0].getType();
  Type result = registerType(elementTypeOf(op->getResult(0).getType()), lanesOf(first));
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp, arith::FloorDivSIOp>(
          [&](Operation *) { return divide(builder, op, operands); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](Operation *) { return shift(builder, op, operands); })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [&](Operation *) { return wrapping(builder, op, operands); })
      .Case<arith::FPToSIOp, arith::FPToUIOp, arith::SIToFPOp, arith::UIToFPOp, arith::TruncFOp,
            arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp>(
          [&](Operation *) { return convert(builder, backend, op, operands[0], result); })
      .Case([&](arith::SelectOp) {
        return select(builder, op->getLoc(), operands[0], operands[1], operands[2]);
      })
      .Case([&](arith::CmpFOp compared) {
        return compare(builder, op->getLoc(), compared.getPredicate(),
                       widen(builder, op->getLoc(), operands[0]),
                       widen(builder, op->getLoc(), operands[1]));
      })
      .Case([&](math::AbsIOp) {
        Value zero = constantInt(builder, op->getLoc(), first, 0);
        Value negated = arith::SubIOp::create(builder, op->getLoc(), zero, operands[0]);
        return arith::MaxSIOp::create(builder, op->getLoc(), operands[0], negated).getResult();
      })
      .Case<math::CountLeadingZerosOp, math::CountTrailingZerosOp, math::CtPopOp>(
          [&](Operation *) { return rebuild(builder, op, operands, result); })
      .Case([&](ConvertOp convert) { return convertFloat(builder, backend, convert, operands[0]); })
      .Case<DivRNOp, SqrtRNOp>(
          [&](Operation *) { return correctlyRounded(builder, backend, op, operands); })
      .Case([&](UMulHiOp) {
        return arith::MulUIExtendedOp::create(builder, op->getLoc(), operands[0], operands[1])
            .getHigh();
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
