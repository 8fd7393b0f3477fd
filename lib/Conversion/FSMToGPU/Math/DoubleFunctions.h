//===- DoubleFunctions.h - Functions of f64 on a GPU thread ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_DOUBLEFUNCTIONS_H
#define FSM_CONVERSION_FSMTOGPU_MATH_DOUBLEFUNCTIONS_H

#include "../../Registers/MathFormulas.h"

namespace fsm::gpu {

/// The function of f64 that `op` names, of a scalar or of each lane, within 2 ulp;
/// null when it is none of exp, exp2, expm1, log, log2, log1p, tanh, erf, sin, cos
/// and rsqrt.
mlir::Value functionOfDouble(registers::Formula &f, mlir::Operation *op, mlir::Value x);

//===----------------------------------------------------------------------===//
// What other functions of f64 are made of
//===----------------------------------------------------------------------===//

/// x = n ln 2 + rest, |rest| <= ln 2 / 2; the low bits of `shifted` are n.
struct Exponent {
  mlir::Value shifted, rest;
};

/// For x from -760 to 720; the nearest of these for others.
Exponent splitExponent(registers::Formula &f, mlir::Value x);

/// exp(r) - 1 for |r| <= ln 2 / 2.
mlir::Value exponentialLessOne(registers::Formula &f, mlir::Value r);

/// number * 2^n: times two powers, for 2^n alone may be infinite or 0.
mlir::Value timesPowerOfTwo(registers::Formula &f, mlir::Value number, mlir::Value shifted);

/// exp(x) / 2, finite where that is; exp(x + low) for a tiny `low`.
mlir::Value halfExponential(registers::Formula &f, mlir::Value x);
mlir::Value exponentialOfSum(registers::Formula &f, mlir::Value x, mlir::Value low);

/// A positive number as 2^exponent (1 + fraction), the fraction from sqrt(1/2) - 1 to
/// sqrt(2) - 1; `inPlace` are the exponent's bits where a double has them.
struct FloatParts {
  mlir::Value inPlace, fraction;
};

/// ln(1 + fraction) = fraction - square + rest, with square = fraction^2 / 2.
struct LnParts {
  mlir::Value square, rest;
};

/// Of a positive normal number.
FloatParts splitFloat(registers::Formula &f, mlir::Value x);
mlir::Value exponentOf(registers::Formula &f, mlir::Value inPlace);
LnParts lnNearOne(registers::Formula &f, mlir::Value fraction);

/// ln(x) + low of a positive normal number; ln(1 + x) + low, null meaning 0.
mlir::Value logOfNormal(registers::Formula &f, mlir::Value x, mlir::Value low);
mlir::Value logOfOnePlus(registers::Formula &f, mlir::Value x, mlir::Value low = {});

/// The values of a logarithm where its argument `x` is no positive number.
mlir::Value logEdges(registers::Formula &f, mlir::Value x, mlir::Value result);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_DOUBLEFUNCTIONS_H
