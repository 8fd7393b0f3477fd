//===- Libdevice.h - Functions of CUDA's library as formulas ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IMPORT_TRITON_LIBDEVICE_H
#define FSM_IMPORT_TRITON_LIBDEVICE_H

#include "Term.h"

#include <limits>
#include <optional>

namespace fsm {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A function of libdevice.
struct LibraryFunction {
  /// Without `__nv_`. Where `types` has an x, two functions: of f64, and with an f behind it, of
  /// f32.
  llvm::StringRef name;
  /// Of the result, then of the operands: f and d are f32 and f64, x either, i and l i32 and i64.
  llvm::StringRef types;
  Term (*write)(llvm::ArrayRef<Term> operands);
  /// Of f32 it is computed in f64, and rounded to f32 behind it.
  bool isWide = false;
};

/// Of integers, and between integers, floats and their bits.
llvm::ArrayRef<LibraryFunction> integerFunctions();
/// Of floats: their parts, remainders, lengths.
llvm::ArrayRef<LibraryFunction> floatFunctions();
/// Gamma, errors and normal distributions.
llvm::ArrayRef<LibraryFunction> specialFunctions();
llvm::ArrayRef<LibraryFunction> besselFunctions();

/// A function whose name ends in how it rounds (`fadd_rz`, `float2int_rn`); none for what no op of
/// the language rounds so, and for operands of other types.
std::optional<Term> roundedFunction(llvm::StringRef name, llvm::ArrayRef<Term> operands);

/// Of halves of a turn.
Term sinpi(const Term &x);
/// The next number from x towards y.
Term nextAfter(const Term &x, const Term &y);

} // namespace fsm

#endif // FSM_IMPORT_TRITON_LIBDEVICE_H
