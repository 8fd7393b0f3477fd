//===- Float.cpp - Narrow floats in software ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Float.h"

#include "fsm/Support/BitCast.h"

#include <cmath>
#include <cstring>

using namespace fsm;

namespace {
/// How the bits of a narrow float are laid out: sign, `exponentBits`,
/// `fractionBits`.
struct Format {
  unsigned exponentBits;
  unsigned fractionBits;
  /// The bits of the largest finite value.
  uint32_t largest;
  /// What a finite value that is too large becomes, and what infinity does.
  uint32_t overflow;
  uint32_t infinity;
  uint32_t nan;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint32_t signBit() const { return uint32_t(1) << (exponentBits + fractionBits); }
};
} // namespace

static const Format &formatOf(ScalarType type) {
  static constexpr Format half = {5, 10, 0x7bff, 0x7c00, 0x7c00, 0x7e00};
  static constexpr Format brain = {8, 7, 0x7f7f, 0x7f80, 0x7f80, 0x7fc0};
  static constexpr Format e4m3 = {4, 3, 0x7e, 0x7e, 0x7f, 0x7f};
  static constexpr Format e5m2 = {5, 2, 0x7b, 0x7b, 0x7c, 0x7e};
  switch (type) {
  case ScalarType::F16:
    return half;
  case ScalarType::BF16:
    return brain;
  case ScalarType::F8E4M3FN:
    return e4m3;
  default:
    return e5m2;
  }
}

/// `significand` / 2^shift, rounded to nearest even.
static uint64_t shiftRounding(uint64_t significand, int shift) {
  if (shift > 54)
    return 0;
  uint64_t quotient = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  return quotient + (rest > half || (rest == half && (quotient & 1)) ? 1 : 0);
}

/// Rounds a finite value of 0 or more.
static uint32_t narrowMagnitude(double value, const Format &format) {
  auto bits = bitCast<uint64_t>(value);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  // A double's own denormals are far below half of every format's smallest.
  if (exponent == -1023)
    return 0;
  if (exponent > format.bias() + 1)
    return format.overflow;
  uint64_t significand = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  int smallestExponent = 1 - format.bias();
  int shift = 52 - static_cast<int>(format.fractionBits);
  uint64_t result;
  if (exponent < smallestExponent) {
    // Denormal. Rounding up to the smallest normal lands on its encoding.
    result = shiftRounding(significand, shift + smallestExponent - exponent);
  } else {
    // The hidden bit adds 1 to the exponent field, hence the - 1; a carry out of
    // the fraction moves to the next exponent, as it should.
    result = shiftRounding(significand, shift) +
             (static_cast<uint64_t>(exponent + format.bias() - 1) << format.fractionBits);
  }
  return result > format.largest ? format.overflow : static_cast<uint32_t>(result);
}

uint64_t fsm::narrowFloat(double value, ScalarType type) {
  if (type == ScalarType::F64)
    return bitCast<uint64_t>(value);
  if (type == ScalarType::F32)
    return bitCast<uint32_t>(static_cast<float>(value));
  const Format &format = formatOf(type);
  uint32_t sign = std::signbit(value) ? format.signBit() : 0;
  if (std::isnan(value))
    return sign | format.nan;
  if (std::isinf(value))
    return sign | format.infinity;
  return sign | narrowMagnitude(std::fabs(value), format);
}

double fsm::widenFloat(uint64_t bits, ScalarType type) {
  if (type == ScalarType::F64)
    return bitCast<double>(bits);
  if (type == ScalarType::F32)
    return bitCast<float>(static_cast<uint32_t>(bits));
  const Format &format = formatOf(type);
  auto magnitude = static_cast<uint32_t>(bits) & (format.signBit() - 1);
  double sign = bits & format.signBit() ? -1.0 : 1.0;
  if (magnitude > format.largest) {
    bool isInfinite = magnitude == format.infinity && format.infinity != format.nan;
    return std::copysign(isInfinite ? HUGE_VAL : std::nan(""), sign);
  }
  uint32_t fraction = magnitude & ((uint32_t(1) << format.fractionBits) - 1);
  auto exponent = static_cast<int>(magnitude >> format.fractionBits);
  if (exponent)
    fraction |= uint32_t(1) << format.fractionBits;
  else
    exponent = 1;
  return sign *
         std::ldexp(fraction, exponent - format.bias() - static_cast<int>(format.fractionBits));
}

unsigned fsm::floatPrecision(ScalarType type) {
  if (type == ScalarType::F64)
    return 53;
  if (type == ScalarType::F32)
    return 24;
  return formatOf(type).fractionBits + 1;
}

int64_t fsm::floatOrdinal(uint64_t bits, ScalarType type) {
  uint64_t signBit = uint64_t(1) << (scalarTypeInfo(type).bytes * 8 - 1);
  auto magnitude = static_cast<int64_t>(bits & (signBit - 1));
  return bits & signBit ? -magnitude : magnitude;
}
