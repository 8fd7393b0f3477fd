//===- ExactSum.cpp - Sums that are rounded once -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExactSum.h"

#include "../NumberFormats.h"

#include <algorithm>
#include <cmath>

using namespace fsm;
using namespace fsm::sim;

static constexpr int kLowestBit = -320, kDoubleBits = 53;

void ExactSum::add(double number) {
  int exponent;
  double fraction = std::frexp(std::fabs(number), &exponent);
  if (fraction == 0)
    return;
  // Digits times 2^place, of which those below the lowest bit are zero.
  auto digits = static_cast<uint64_t>(std::ldexp(fraction, kDoubleBits));
  int place = exponent - kDoubleBits - kLowestBit;
  if (place < 0) {
    digits >>= -place;
    place = 0;
  }
  Words &words = number < 0 ? negative : positive;
  size_t word = static_cast<size_t>(place) / 64;
  unsigned shift = static_cast<unsigned>(place) % 64;
  uint64_t parts[2] = {digits << shift, shift ? digits >> (64 - shift) : 0};
  uint64_t carry = 0;
  for (size_t i = 0; word < kWords && (i < 2 || carry); ++word, ++i) {
    uint64_t sum = 0, part = i < 2 ? parts[i] : 0;
    bool over = __builtin_add_overflow(words[word], part, &sum);
    carry = __builtin_add_overflow(sum, carry, &words[word]) || over;
  }
}

long double ExactSum::cut() const {
  const bool isNegative = std::lexicographical_compare(positive.rbegin(), positive.rend(),
                                                       negative.rbegin(), negative.rend());
  Words rest = isNegative ? negative : positive;
  const Words &less = isNegative ? positive : negative;
  uint64_t borrow = 0;
  for (size_t i = 0; i < kWords; ++i) {
    uint64_t difference = 0;
    bool under = __builtin_sub_overflow(rest[i], less[i], &difference);
    borrow = __builtin_sub_overflow(difference, borrow, &rest[i]) || under;
  }
  size_t top = kWords;
  while (top > 0 && rest[top - 1] == 0)
    --top;
  if (top == 0)
    return 0;
  unsigned free = static_cast<unsigned>(__builtin_clzll(rest[top - 1]));
  uint64_t digits = rest[top - 1] << free;
  if (free && top > 1)
    digits |= rest[top - 2] >> (64 - free);
  long double value =
      std::ldexp(static_cast<long double>(digits),
                 static_cast<int>(64 * (top - 1)) - static_cast<int>(free) + kLowestBit);
  return isNegative ? -value : value;
}

/// Cuts an f64 or a wider number to an f32.
template <typename T>
static float toFloat(T value) {
  if (std::fabs(value) >= T(0x1p128))
    return value < 0 ? -INFINITY : INFINITY;
  return floatOfBits(encodeFloat(value, Type::F32, Rounding::Zero));
}

float sim::cutTowardZero(double number) {
  double magnitude = std::fabs(number);
  if (magnitude < 0x1p-126 || magnitude >= 0x1p128)
    return toFloat(number);
  constexpr uint64_t kBehindFloat = (uint64_t(1) << (kDoubleBits - 24)) - 1;
  return static_cast<float>(doubleOfBits(bitsOfDouble(number) & ~kBehindFloat));
}

float sim::sumTowardZero(const double *numbers, size_t count) {
  // As long as no addition of f64 has an error (Knuth's), there is no need for more.
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    double next = sum + numbers[i], of = next - sum;
    if ((sum - (next - of)) + (numbers[i] - of) != 0) {
      ExactSum exact;
      for (size_t j = 0; j < count; ++j)
        exact.add(numbers[j]);
      return toFloat(exact.cut());
    }
    sum = next;
  }
  return cutTowardZero(sum);
}
