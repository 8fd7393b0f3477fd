//===- Functions.h - Functions of floats on a GPU thread -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_FUNCTIONS_H
#define FSM_CONVERSION_FSMTOGPU_MATH_FUNCTIONS_H

#include "../../Registers/Elementwise.h"
#include "../../Registers/MathFormulas.h"

namespace fsm::gpu {

class ThreadLowering;

using namespace registers;

/// What a GPU thread does in its own way. A divisor that repeats gets one reciprocal for lanes that
/// hold one number (which is found out here).
const ElementwiseBackend &threadBackend();

/// The function of f64 that `op` names, of scalars or of each lane, within 2 ulp; null when there
/// is none. The rarer ones are those that f32 gets by a conversion on either side.
Value functionOfDouble(Formula &f, Operation *op, ValueRange operands);
Value rareFunctionOfDouble(Formula &f, Operation *op, ValueRange operands);

/// sin(x + quarter * pi/2) of f32 or f64, for `quarter` 0 (sin) or 1 (cos).
Value sine(Formula &f, Value x, int quarter);

/// C's fmod of f32 or f64, exact: scalars, or vectors of equal lanes.
Value remainder(OpBuilder &builder, Location loc, Value left, Value right);

/// 1 / d of an f32 whose reciprocal is a normal number: the hardware's, improved by a step of Newton.
Value improvedReciprocal(Formula &f, Value divisor);

/// Lanes of f32, the f16 or bf16 that they were, whether the GPU multiplies pairs of bf16, and
/// whether the quotients are only rounded to such again.
struct NarrowDividends {
  Value wide, narrow;
  bool hasPairs, areRoundedAgain;
};

/// These divided by one number, each rounded to nearest, or to what becomes the same when it is
/// rounded again: so many `together` behind one branch.
Value narrowQuotients(OpBuilder &builder, Location loc, NarrowDividends dividends, Value divisor,
                      size_t together);

/// A vector of i8, `isSigned` or not, as floats of `type`, f16 or bf16. The latter takes a GPU that multiplies and adds bf16.
Value bytesToFloats(OpBuilder &builder, Location loc, Value bytes, FloatType type, bool isSigned);

/// A float to the nearest integer toward zero that the type has; NaN gives 0.
Value toIntegers(OpBuilder &builder, Location loc, Value value, Type result, bool isSigned);

/// A conversion to f8 by nearest even, or of f8 to f16 or f32, of two numbers at a time, on GPUs
/// with an instruction for it. Null for others.
Value pairsOfF8(ThreadLowering &thread, ConvertOp op, Value source);

/// A mask that compares indices of a block with one number, as the thread's registers have it: from one number
/// where `fsm.counts_left` says so, and once for neighbours that end alike. Null for other comparisons; fails where
/// that attribute is on one. `operands` are those of `op` as they have become.
FailureOr<Value> maskThatEnds(ThreadLowering &thread, arith::CmpIOp op, ValueRange operands);

/// A quotient or remainder that `fsm.groups` says neighbours have in common, computed once for
/// them. Null for other ops; fails where the attribute does not fit.
FailureOr<Value> onceOfGroups(ThreadLowering &thread, Operation *op, ValueRange operands);

/// An i1: whether any lane of an i1 or of a vector of i1 is set.
Value anyLane(OpBuilder &builder, Location loc, Value condition);

/// A call of the function of libdevice that is `op` of `math`, on f32 or f64, for scalars or for
/// each lane. Null when the op's kernel does not ask for libdevice, and when `op` has an
/// instruction of its own.
Value libdeviceFunction(OpBuilder &builder, Operation *op, ValueRange operands);

//===----------------------------------------------------------------------===//
// Rarer functions of f64
//===----------------------------------------------------------------------===//

/// tan, within 2 ulp; asin, 1.59 ulp at worst; acos, 1.09.
Value tangent(Formula &f, Value x);
Value arcSine(Formula &f, Value x);
Value arcCosine(Formula &f, Value x);

/// The angle of the point (x, y), 1.72 ulp at worst.
Value arcTangent(Formula &f, Value y, Value x);

/// x^y as C's pow, 1.01 ulp at worst.
Value power(Formula &f, Value x, Value y);
/// The same of f32, 0.95 ulp at worst, with the given 1 / x of an x near 2.
Value powerOfSingles(Formula &f, Value x, Value y,
                     function_ref<Value(Formula &, Value)> reciprocal);

//===----------------------------------------------------------------------===//
// What other functions of f64 are made of
//===----------------------------------------------------------------------===//

/// x = n ln 2 + rest, |rest| <= ln 2 / 2; the low bits of `shifted` are n.
struct Exponent {
  Value shifted, rest;
};

/// For x from -760 to 720; the nearest of these for others.
Exponent splitExponent(Formula &f, Value x);

/// exp(r) - 1 for |r| <= ln 2 / 2.
Value exponentialLessOne(Formula &f, Value r);

/// number * 2^n: times two powers, for 2^n alone may be infinite or 0.
Value timesPowerOfTwo(Formula &f, Value number, Value shifted);

/// exp(x) / 2, finite where that is; exp(x + low) for a tiny `low`.
Value halfExponential(Formula &f, Value x);
Value exponentialOfSum(Formula &f, Value x, Value low);

/// A positive number as 2^exponent (1 + fraction), the fraction from sqrt(1/2) - 1 to
/// sqrt(2) - 1.
struct ScaledFloat {
  Value exponent, fraction;
};

/// ln(1 + fraction) = fraction - square + rest, with square = fraction^2 / 2.
struct LnParts {
  Value square, rest;
};

ScaledFloat scaledFloat(Formula &f, Value x);
LnParts lnNearOne(Formula &f, Value fraction);

/// ln(x) + low of a positive normal number; ln(1 + x) + low, null meaning 0.
Value logOfNormal(Formula &f, Value x, Value low);
Value logOfOnePlus(Formula &f, Value x, Value low = {});

/// erf(x) for |x| up to 1.
Value smallErrorFunction(Formula &f, Value x);

/// The values of a logarithm where its argument `x` is no positive number.
Value logEdges(Formula &f, Value x, Value result);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_FUNCTIONS_H
