//===- ProductSums.cpp - Sums as tensor cores make them ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductSums.h"

#include "../NumberFormats.h"
#include "ExactSum.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fsm;
using namespace fsm::sim;

/// f16 without a call: its digits are those of a float with another exponent.
static double numberOfHalf(uint64_t bits) {
  constexpr uint64_t kSign = 0x8000, kInfinity = 0x7c00;
  if ((bits & kInfinity) == kInfinity)
    return decodeFloatBits(bits, Type::F16);
  double magnitude = floatOfBits((bits & (kSign - 1)) << 13) * 0x1p112;
  return bits & kSign ? -magnitude : magnitude;
}

/// tf32 is cut out of an f32.
template <>
double sim::numberOf<double>(uint64_t bits, Type type) {
  constexpr uint64_t kBehindTf32 = (1 << 13) - 1;
  if (type == Type::F16)
    return numberOfHalf(bits);
  if (type == Type::BF16)
    return floatOfBits(bits << 16);
  if (type != Type::F32)
    return decodeFloatBits(bits, type);
  float whole = floatOfBits(bits);
  return std::isnan(whole) ? whole : floatOfBits(bits & ~kBehindTf32);
}

template <>
int64_t sim::numberOf<int64_t>(uint64_t bits, Type type) {
  return type == Type::S8 ? static_cast<int8_t>(bits) : static_cast<int64_t>(bits);
}

/// The exponent of a factor; of zero and what is below the normal numbers, the least.
static int exponentOf(double number, Type type) {
  int least = type == Type::E5M2 ? -14 : -6;
  return number == 0 ? least : std::max(std::ilogb(number), least);
}

/// Sums of f8 are integers of this many bits behind the point of the largest term.
static constexpr int kShortSumBits = 13;

static double shortSum(const double *left, const double *right, double old,
                       const MatrixProduct &product) {
  int largest = old == 0 ? std::numeric_limits<int>::min() : std::ilogb(old);
  for (unsigned i = 0; i < product.k; ++i)
    largest =
        std::max(largest, exponentOf(left[i], product.left) + exponentOf(right[i], product.right));
  auto cut = [&](double term) { return std::trunc(std::ldexp(term, kShortSumBits - largest)); };
  double sum = cut(old);
  for (unsigned i = 0; i < product.k; ++i)
    sum += cut(left[i] * right[i]);
  return std::ldexp(sum, largest - kShortSumBits);
}

/// The sum's bits, of which all digits are known: f32 is cut, f16 is rounded to the nearest.
static uint64_t encodeSum(long double exact, Type type) {
  return encodeFloat(exact, type, type == Type::F32 ? Rounding::Zero : Rounding::Nearest);
}

uint64_t sim::addProducts(const double *left, const double *right, uint64_t old,
                          const MatrixProduct &product) {
  if (product.sums == Type::F64) {
    double sum = doubleOfBits(old);
    for (unsigned i = 0; i < product.k; ++i)
      sum = std::fma(left[i], right[i], sum);
    return encodeFloat(sum, Type::F64);
  }
  double terms[kMostTerms + 1], plain = decodeFloatBits(old, product.sums);
  terms[0] = plain;
  for (unsigned i = 0; i < product.k; ++i)
    plain += terms[i + 1] = left[i] * right[i];
  // With an infinity or a NaN among them the order does not matter.
  if (!std::isfinite(plain))
    return encodeFloat(plain, product.sums);
  unsigned count = product.k + 1u;
  if (bitsOf(product.left) == 8) {
    terms[0] = shortSum(left, right, terms[0], product);
    count = 1;
  }
  if (product.sums == Type::F32)
    return bitsOfFloat(sumTowardZero(terms, count));
  ExactSum exact;
  for (unsigned i = 0; i < count; ++i)
    exact.add(terms[i]);
  return encodeSum(exact.cut(), product.sums);
}

uint64_t sim::addProducts(const int64_t *left, const int64_t *right, uint64_t old,
                          const MatrixProduct &product) {
  int64_t sum = static_cast<int32_t>(old);
  for (unsigned i = 0; i < product.k; ++i)
    sum += left[i] * right[i];
  if (product.saturate)
    sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
  return static_cast<uint32_t>(sum);
}

static constexpr int kFractionBits = 52, kExponentBias = 1023, kMostExponent = 0x7ff;

static int exponentField(double number) {
  return static_cast<int>(bitsOfDouble(number) >> kFractionBits & kMostExponent);
}

/// All numbers here are normal as doubles.
Digits sim::digitsOf(const double *numbers, unsigned count) {
  Digits digits;
  for (unsigned i = 0; i < count; ++i) {
    if (numbers[i] == 0)
      continue;
    int field = exponentField(numbers[i]);
    digits.areFinite &= field != kMostExponent;
    uint64_t fraction = bitsOfDouble(numbers[i]) | uint64_t(1) << kFractionBits;
    int highest = field - kExponentBias;
    digits.highest = std::max(digits.highest, highest);
    digits.lowest =
        std::min(digits.lowest, highest - kFractionBits + __builtin_ctzll(fraction));
  }
  return digits;
}

/// Where no digit of any term can lie beyond the 53 of a double, its sums have no error.
uint64_t sim::addProducts(const double *left, const Digits &leftDigits, const double *right,
                          const Digits &rightDigits, uint64_t old, const MatrixProduct &product) {
  constexpr int kCarries = 7; // Of 33 products, each one digit longer than its factors say.
  const bool isHalf = product.sums == Type::F16;
  if (bitsOf(product.left) == 8 || !leftDigits.areFinite || !rightDigits.areFinite ||
      (product.sums != Type::F32 && !isHalf))
    return addProducts(left, right, old, product);
  double sum = isHalf ? numberOfHalf(old) : floatOfBits(old);
  int highest = leftDigits.highest + rightDigits.highest,
      lowest = leftDigits.lowest + rightDigits.lowest;
  if (sum != 0) {
    int exponent = exponentField(sum) - kExponentBias;
    highest = std::max(highest, exponent);
    lowest = std::min(lowest, isHalf ? -24 : std::max(exponent - 23, -149));
  }
  if (highest + kCarries - lowest > kFractionBits || highest > 1000)
    return addProducts(left, right, old, product);
  sum += 0.0; // No sum is -0.
  for (unsigned i = 0; i < product.k; ++i)
    sum += left[i] * right[i];
  return isHalf ? encodeSum(sum, Type::F16) : bitsOfFloat(cutTowardZero(sum));
}
