//===- FloatBits.cpp - Numbers as elements of floats ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// LLVM's APFloat does the same; but what builds kernels is linked by programs without LLVM.

#include "FloatBits.h"

#include <algorithm>
#include <cmath>

using namespace fsm;

/// How the bits of a float are shared out, from the sign downwards.
struct Format {
  int exponentBits, fractionBits;
};

static Format formatOf(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return {5, 10};
  case ScalarType::BF16:
    return {8, 7};
  case ScalarType::F32:
    return {8, 23};
  case ScalarType::F8E4M3FN:
    return {4, 3};
  case ScalarType::F8E5M2:
    return {5, 2};
  default:
    return {11, 52};
  }
}

uint64_t fsm::floatBits(double number, ScalarType type) {
  auto [exponentBits, fractionBits] = formatOf(type);
  uint64_t sign = std::signbit(number) ? uint64_t(1) << (exponentBits + fractionBits) : 0;
  uint64_t top = ((uint64_t(1) << exponentBits) - 1) << fractionBits;
  bool hasInfinity = type != ScalarType::F8E4M3FN;
  uint64_t infinity = hasInfinity ? top : top | ((uint64_t(1) << fractionBits) - 1);
  uint64_t nan = hasInfinity ? top | uint64_t(1) << (fractionBits - 1) : infinity;
  if (std::isnan(number))
    return sign | nan;
  if (number == 0)
    return sign;
  if (std::isinf(number))
    return sign | infinity;
  // The power of two of the number, or the smallest of those that have a leading one.
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent = std::max(std::ilogb(number), 1 - bias);
  // Whole multiples of the last fraction bit; a carry goes on into the exponent by itself.
  auto steps =
      static_cast<uint64_t>(std::nearbyint(std::ldexp(std::fabs(number), fractionBits - exponent)));
  if (exponent > bias + 1)
    return sign | infinity;
  uint64_t bits = (static_cast<uint64_t>(exponent + bias - 1) << fractionBits) + steps;
  return sign | std::min(bits, infinity);
}
