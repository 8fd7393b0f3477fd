//===- FloatConversions.cpp - Conversions with a rounding ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every source is first held exactly in f32, or in f64 when it is that. From there:
//
// 1. Where nothing is lost (f64, or f32 from a narrower one), and to f16, bf16 and f32
//    by nearest even, the machine's own conversion rounds once.
// 2. Otherwise the magnitude is rounded as an integer. The bits of a float, read as an
//    integer, grow with it, and a carry out of the fraction goes to the exponent as it
//    should. So a source whose exponent the result has as a normal number is shifted
//    right by the bits that are too many, after the exponent's bias has been changed
//    and, for nearest even, half of the last unit been added: less 1 if the unit is
//    even, for ties. A source below is added to a number so large that its last bit is
//    the result's smallest denormal: the sum's rounding is the one that is wanted, and
//    its low bits are the result's.
// 3. What is too large becomes the largest number or infinity, and NaN the one whose
//    bits but the sign are all set (as the instructions of a GPU do), by comparisons of
//    the same integers.
//
// f32 to f8E5M2, nearest even: 1.375 is 0x3fb00000. Its exponent has the bias 127 and
// gets 15: 0x07b00000. Of the last unit 2^21, half less 1 is 0x0fffff, and the unit is
// odd: 0x07b00000 + 0x0fffff + 1 = 0x07c00000, shifted by 21 bits 0x3e. That is 1.5: of
// 1.25 and 1.5, equally far away, the even one.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "MathFormulas.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

namespace {
/// What the bits of a float type say; all as numbers of its own width.
struct Format {
  explicit Format(Type element);

  int64_t magnitudeMask() const { return static_cast<int64_t>((uint64_t(1) << (width - 1)) - 1); }
  int bias() const { return 1 - leastExponent; }

  Type element;
  unsigned width;
  /// Bits of the significand, the hidden one included.
  int precision;
  /// The exponent of the smallest normal number.
  int leastExponent;
  /// The bits of the largest finite number; those of infinity are one more.
  int64_t largest;
};

/// One conversion of one value.
class Conversion {
public:
  Conversion(OpBuilder &builder, const registers::ElementwiseBackend &backend, ConvertOp op);

  Value run(Value source);

private:
  Value widenE4M3(Value source);
  Value widened(Value source);
  bool isByMachine() const;
  Value byMachine(Value wide, Value isNan);
  Value roundedMagnitude(Formula &f, Value magnitude);
  Value denormal(Formula &f, Value magnitude);
  Value limited(Formula &f, Value rounded, Value isInfinite);
  Value ofBits(Value bits);

  OpBuilder &builder;
  Location loc;
  const registers::ElementwiseBackend &backend;
  Format from, to;
  bool toNearest, saturates;
};
} // namespace

Format::Format(Type element) : element(element), width(element.getIntOrFloatBitWidth()) {
  const llvm::fltSemantics &semantics = cast<FloatType>(element).getFloatSemantics();
  precision = static_cast<int>(llvm::APFloat::semanticsPrecision(semantics));
  leastExponent = llvm::APFloat::semanticsMinExponent(semantics);
  APInt bits = llvm::APFloat::getLargest(semantics).bitcastToAPInt();
  largest = static_cast<int64_t>(bits.getZExtValue());
}

Conversion::Conversion(OpBuilder &builder, const registers::ElementwiseBackend &backend,
                       ConvertOp op)
    : builder(builder), loc(op.getLoc()), backend(backend),
      from(elementTypeOf(op.getSource().getType())), to(elementTypeOf(op.getResult().getType())),
      toNearest(op.getRounding() == Rounding::NearestEven),
      saturates(op.getSaturate() || to.width == 8) {}

/// f8E5M2 is the upper half of an f16, NaN and infinities included.
static Value widenE5M2(OpBuilder &builder, Location loc, Value bits) {
  Formula half(builder, loc, registers::withElement(bits.getType(), builder.getF16Type()));
  Value wide = arith::ExtUIOp::create(builder, loc, half.bitsType(), bits);
  return registers::widen(builder, loc, half.fromBits(half.shiftLeft(wide, 8)));
}

/// f8E4M3FN to f32: its exponent and fraction, in place, are those of a number that is
/// 2^(127 - 7) times too small, also when it is a denormal.
Value Conversion::widenE4M3(Value source) {
  Type type = registers::withElement(source.getType(), builder.getF32Type());
  Formula f(builder, loc, type);
  Value bits = arith::ExtUIOp::create(builder, loc, f.bitsType(), source);
  Value magnitude = f.both(bits, 0x7f), sign = f.both(bits, 0x80);
  Value value = f.mul(f.fromBits(f.shiftLeft(magnitude, 20)), f.number(0x1p120));
  value = f.select(f.equal(magnitude, f.integer(0x7f)), f.number(NAN), value);
  return f.fromBits(f.either(f.bits(value), f.shiftLeft(sign, 24)));
}

/// The source in f32 or f64, exactly.
Value Conversion::widened(Value source) {
  if (isa<Float8E4M3FNType>(from.element))
    return widenE4M3(source);
  if (isa<Float8E5M2Type>(from.element))
    return widenE5M2(builder, loc, source);
  return registers::widen(builder, loc, source);
}

/// Whether the machine's own conversion from f32 or f64 rounds as is asked for.
bool Conversion::isByMachine() const {
  bool isExact = to.element.isF64() || (to.element.isF32() && !from.element.isF64());
  return isExact || (toNearest && to.width > 8);
}

/// The integer that stands for the number of result's denormals in `magnitude`, a
/// float below the smallest normal number.
Value Conversion::denormal(Formula &f, Value magnitude) {
  int unit = to.leastExponent - to.precision + 1;
  Format wide(getElementTypeOrSelf(f.type));
  Value large = f.number(std::ldexp(1.0, unit + wide.precision - 1));
  Value number = f.fromBits(magnitude);
  Value sum = f.add(number, large);
  Value units = f.sub(f.bits(sum), f.bits(large));
  if (toNearest)
    return units;
  // One less where the sum was rounded up.
  Value isMore = f.less(number, f.sub(sum, large));
  return f.select(isMore, f.sub(units, f.integer(1)), units);
}

/// The result's bits, without its sign, of a magnitude that may be too large for it.
Value Conversion::roundedMagnitude(Formula &f, Value magnitude) {
  Format wide(getElementTypeOrSelf(f.type));
  int shift = wide.precision - to.precision;
  int64_t rebias = int64_t(wide.bias() - to.bias()) << (wide.precision - 1);
  Value moved = f.sub(magnitude, f.integer(rebias));
  if (toNearest) {
    Value isOdd = f.both(f.shiftRight(moved, shift), 1);
    int64_t lessThanHalf = (int64_t(1) << (shift - 1)) - 1;
    moved = f.add(f.add(moved, f.integer(lessThanHalf)), isOdd);
  }
  Value normal = f.shiftRight(moved, shift);
  int64_t leastNormal = rebias + (int64_t(1) << (wide.precision - 1));
  Value isDenormal = f.compare(arith::CmpIPredicate::ult, magnitude, f.integer(leastNormal));
  return f.select(isDenormal, denormal(f, magnitude), normal);
}

/// What is too large becomes the largest finite number or infinity.
Value Conversion::limited(Formula &f, Value rounded, Value isInfinite) {
  bool keepsInfinity = !saturates && !toNearest;
  int64_t most = saturates || !toNearest ? to.largest : to.largest + 1;
  Value result = arith::MinUIOp::create(builder, loc, rounded, f.integer(most));
  return keepsInfinity ? f.select(isInfinite, f.integer(to.largest + 1), result) : result;
}

/// The result of its bits, integers of its width.
Value Conversion::ofBits(Value bits) {
  Type type = registers::registerType(to.element, registers::lanesOf(bits.getType()));
  return type == bits.getType() ? bits : arith::BitcastOp::create(builder, loc, type, bits);
}

/// By the machine's own conversion; what is left to do are infinities and NaN.
Value Conversion::byMachine(Value wide, Value isNan) {
  Type type = registers::withElement(wide.getType(), to.element);
  Formula f(builder, loc, type);
  bool grows = to.element.isF64() && !from.element.isF64();
  Value value = grows ? arith::ExtFOp::create(builder, loc, type, wide).getResult()
                      : backend.narrow(builder, loc, wide, to.element);
  Value bits = f.bits(value);
  if (saturates) {
    Value magnitude = f.both(bits, to.magnitudeMask());
    Value sign = f.sub(bits, magnitude);
    bits = f.either(sign, arith::MinUIOp::create(builder, loc, magnitude, f.integer(to.largest)));
  }
  return ofBits(f.select(isNan, f.integer(to.magnitudeMask()), bits));
}

Value Conversion::run(Value source) {
  Value wide = widened(source);
  Formula f(builder, loc, wide.getType());
  Value isNan = f.isNan(wide);
  if (isByMachine())
    return byMachine(wide, isNan);
  Format held(getElementTypeOrSelf(f.type));
  Value bits = f.bits(wide);
  Value magnitude = f.both(bits, held.magnitudeMask());
  Value isInfinite = f.equal(magnitude, f.integer(held.largest + 1));
  Value result = limited(f, roundedMagnitude(f, magnitude), isInfinite);
  Value sign = f.shiftRight(f.sub(bits, magnitude), held.width - to.width);
  result = f.either(result, sign);
  result = f.select(isNan, f.integer(to.magnitudeMask()), result);
  Type narrow = registers::withElement(f.type, builder.getIntegerType(to.width));
  if (narrow != result.getType())
    result = arith::TruncIOp::create(builder, loc, narrow, result);
  return ofBits(result);
}

Value registers::convertFloat(OpBuilder &builder, const ElementwiseBackend &backend, ConvertOp op,
                              Value source) {
  return Conversion(builder, backend, op).run(source);
}

//===----------------------------------------------------------------------===//
// Factors of products
//===----------------------------------------------------------------------===//

/// The bits of f8E4M3FN have their place in an f16, too, but their exponent counts from 7 and not
/// from 15: the number is 2^8 times larger, and all ones are NaN.
static Value widenE4M3(OpBuilder &builder, Location loc, Value bits) {
  Formula f(builder, loc, registers::withElement(bits.getType(), builder.getF32Type()));
  Formula half(builder, loc, registers::withElement(bits.getType(), builder.getF16Type()));
  Value wide = arith::ExtUIOp::create(builder, loc, half.bitsType(), bits);
  Value sign = half.both(half.shiftLeft(wide, 8), -0x8000);
  Value shifted = half.either(half.shiftLeft(half.both(wide, 0x7F), 7), sign);
  Value number = registers::widen(builder, loc, half.fromBits(shifted));
  number = f.mul(number, f.number(0x1p8));
  Value isNaN = half.equal(half.both(wide, 0x7F), half.integer(0x7F));
  return f.select(isNaN, f.number(NAN), number);
}

Value registers::widenFactor(OpBuilder &builder, Location loc, Value value, Type element) {
  if (isa<Float8E4M3FNType>(element))
    return widenE4M3(builder, loc, value);
  if (isa<Float8E5M2Type>(element))
    return widenE5M2(builder, loc, value);
  if (element.isInteger(8))
    return arith::ExtSIOp::create(builder, loc, withElement(value.getType(), builder.getI32Type()),
                                  value);
  return widen(builder, loc, value);
}

Value registers::multiplyAdd(OpBuilder &builder, Location loc, Value left, Value right, Value sum,
                             bool saturate) {
  Formula f(builder, loc, sum.getType());
  if (isa<FloatType>(getElementTypeOrSelf(f.type)))
    return f.fma(left, right, sum);
  Value product = f.mul(left, right), added = f.add(product, sum);
  if (!saturate)
    return added;
  // Both terms have the sign that the sum lacks: then the bound of that sign.
  Value differs = arith::AndIOp::create(builder, loc,
                                        arith::XOrIOp::create(builder, loc, product, added),
                                        arith::XOrIOp::create(builder, loc, sum, added));
  unsigned signBit = getElementTypeOrSelf(f.type).getIntOrFloatBitWidth() - 1;
  Value sign = arith::ShRSIOp::create(builder, loc, sum, f.integer(signBit));
  Value bound = arith::XOrIOp::create(builder, loc, sign,
                                      f.integer((int64_t(1) << signBit) - 1));
  Value isOver = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, differs,
                                       f.integer(0));
  return arith::SelectOp::create(builder, loc, isOver, bound, added);
}
