//===- NumberFormats.cpp - f16, bf16 and bits --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberFormats.h"

#include <cmath>

using namespace fsm;
using namespace fsm::sim;

namespace {
struct Format {
  int precision, bias, bits;
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
  default:
    return {24, 127, 32};
  }
}

uint64_t canonicalNaN(Type type) {
  switch (formatOf(type).bits) {
  case 16:
    return 0x7fff;
  case 64:
    return 0x7ff8000000000000;
  default:
    return 0x7fffffff;
  }
}

long double roundTo(long double value, Rounding rounding) {
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
} // namespace

double sim::decodeFloatBits(uint64_t bits, Type type) {
  Format format = formatOf(type);
  if (type == Type::F64)
    return doubleOfBits(bits);
  if (format.bits == 32)
    return floatOfBits(bits);
  if (format.precision == 8)
    return floatOfBits(bits << 16 & 0xffffffff);
  uint64_t mantissa = bits & 0x3ff, exponent = bits >> 10 & 31;
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31)
    return mantissa ? std::nan("") : sign * INFINITY;
  double value = exponent ? std::ldexp(double(mantissa | 0x400), int(exponent) - 25)
                          : std::ldexp(double(mantissa), -24);
  return sign * value;
}

uint64_t sim::encodeFloat(long double value, Type type, Rounding rounding) {
  if (std::isnan(value))
    return canonicalNaN(type);
  Format format = formatOf(type);
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
  if (field <= 2 * format.bias)
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
