//===- NumberFormats.cpp - f16, bf16 and bits --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberFormats.h"

#include <algorithm>
#include <cmath>

using namespace fsm;
using namespace fsm::sim;

namespace {
struct Format {
  int precision, bias, bits;
  /// E4M3 has numbers where others have infinity.
  bool hasInfinity = true;
};

Format formatOf(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return {11, 15, 16};
  case Type::BF16:
  case Type::BF16x2:
    return {8, 127, 16};
  case Type::F64:
    return {53, 1023, 64};
  case Type::E4M3:
    return {4, 7, 8, false};
  case Type::E5M2:
    return {3, 15, 8};
  default:
    return {24, 127, 32};
  }
}

uint64_t canonicalNaN(Type type) {
  switch (formatOf(type).bits) {
  case 8:
    return 0x7f;
  case 16:
    return 0x7fff;
  case 64:
    return 0x7ff8000000000000;
  default:
    return 0x7fffffff;
  }
}
} // namespace

long double sim::roundTo(long double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Nearest:
    return std::nearbyint(value);
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  default:
    return std::ceil(value);
  }
}

double sim::decodeFloatBits(uint64_t bits, Type type) {
  Format format = formatOf(type);
  if (type == Type::F64)
    return doubleOfBits(bits);
  if (format.bits == 32)
    return floatOfBits(bits);
  if (format.precision == 8)
    return floatOfBits(bits << 16 & 0xffffffff);
  const uint64_t one = uint64_t(1) << (format.precision - 1);
  const uint64_t highest = static_cast<uint64_t>(2 * format.bias + 1);
  uint64_t mantissa = bits & (one - 1), exponent = bits >> (format.precision - 1) & highest;
  double sign = bits >> (format.bits - 1) & 1 ? -1 : 1;
  if (exponent == highest && !format.hasInfinity && mantissa == one - 1)
    return std::nan("");
  if (exponent == highest && format.hasInfinity)
    return mantissa ? std::nan("") : sign * INFINITY;
  const int least = 2 - format.bias - format.precision;
  double value = exponent ? std::ldexp(double(mantissa | one), int(exponent) - 1 + least)
                          : std::ldexp(double(mantissa), least);
  return sign * value;
}

long double sim::largest(Type type) {
  Format format = formatOf(type);
  if (!format.hasInfinity)
    return 448;
  return std::ldexp(2 - std::ldexp(1.0L, 1 - format.precision), format.bias);
}

uint64_t sim::encodeFloat(long double value, Type type, Rounding rounding) {
  if (std::isnan(value))
    return canonicalNaN(type);
  Format format = formatOf(type);
  if (!format.hasInfinity)
    value = std::clamp(value, -largest(type), largest(type));
  const uint64_t sign = uint64_t(std::signbit(value)) << (format.bits - 1);
  const uint64_t one = uint64_t(1) << (format.precision - 1);
  const uint64_t infinity = uint64_t(2 * format.bias + 1) * one;
  if (value == 0)
    return sign;
  if (std::isinf(value))
    return sign | infinity;
  int exponent;
  std::frexp(value, &exponent);
  // The weight of the last bit kept.
  int last = std::max(exponent - format.precision, 2 - format.bias - format.precision);
  long double whole = std::fabs(roundTo(std::ldexp(value, -last), rounding));
  uint64_t digits = static_cast<uint64_t>(whole);
  if (digits == 2 * one) {
    digits = one;
    ++last;
  }
  if (digits < one)
    return sign | digits;
  int field = last + format.precision - 1 + format.bias;
  if (field <= 2 * format.bias + !format.hasInfinity)
    return sign | (uint64_t(field) * one + (digits - one));
  bool isInfinite = rounding == Rounding::Nearest || (rounding == Rounding::Down && sign) ||
                    (rounding == Rounding::Up && !sign);
  return sign | (isInfinite ? infinity : infinity - 1);
}

uint64_t sim::flushSubnormal(uint64_t bits, Type type) {
  Format format = formatOf(type);
  uint64_t sign = uint64_t(1) << (format.bits - 1);
  return (bits & ~sign) < (uint64_t(1) << (format.precision - 1)) ? bits & sign : bits;
}
