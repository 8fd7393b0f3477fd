//===- Number.h - Numbers as the command line spells them -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_NUMBER_H
#define FSM_TOOLS_ARGUMENTS_NUMBER_H

#include "fsm/Artifact/ScalarType.h"
#include "fsm/Support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fsm {

/// A number literal: `781`, `-1`, `0x1F`, `0.5`, `1e-5`, `0x1.8p3`, `inf`,
/// `-inf` or `nan`.
struct Number {
  /// As it was written; reals are rounded from it, once, to the type wanted.
  std::string text;
  /// Written as an integer: no point, exponent, inf or nan.
  bool isInteger = false;
  bool negative = false;
  /// An integer's absolute value, unless it needs more than 64 bits.
  uint64_t magnitude = 0;
  bool needsMoreBits = false;
};

/// Reads all of `text`, or nothing.
std::optional<Number> parseNumber(std::string_view text);

/// Reads all of `text` as a decimal integer from 0 to `max`, or nothing.
std::optional<uint64_t> parseUnsigned(std::string_view text, uint64_t max = UINT64_MAX);

/// Reads a finite real of 0 or more: a tolerance.
std::optional<double> parseTolerance(std::string_view text);

/// The bits of `number` as an element of `type`, in the low bytes. Integers
/// must fit as signed or as unsigned; reals round to nearest even. A finite
/// number too large for the type is an error, except that f8 saturates.
Result<uint64_t> numberBits(const Number &number, ScalarType type);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_NUMBER_H
