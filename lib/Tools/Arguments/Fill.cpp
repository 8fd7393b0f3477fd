//===- Fill.cpp - Made-up array contents --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Fill.h"
#include "fsm/Tools/Arguments/Float.h"

#include <cmath>
#include <cstring>

using namespace fsm;

std::array<uint32_t, 4> fsm::philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t first = uint64_t(0xD2511F53) * counter[0];
    uint64_t second = uint64_t(0xCD9E8D57) * counter[2];
    counter = {
        static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
        static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

/// The two 64-bit random words of the pair of elements 2 * pair, 2 * pair + 1.
static std::array<uint64_t, 2> randomPair(uint64_t seed, uint64_t pair) {
  std::array<uint32_t, 4> words =
      philox({static_cast<uint32_t>(pair), static_cast<uint32_t>(pair >> 32), 0, 0},
             {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  return {words[0] | uint64_t(words[1]) << 32, words[2] | uint64_t(words[3]) << 32};
}

/// Box and Muller: two independent normal numbers from two uniform ones.
static std::array<double, 2> normalPair(const std::array<uint64_t, 2> &random) {
  constexpr double twoPi = 6.283185307179586476925;
  double first = std::ldexp(static_cast<double>((random[0] >> 11) + 1), -53); // (0, 1]
  double second = std::ldexp(static_cast<double>(random[1] >> 11), -53);      // [0, 1)
  double radius = std::sqrt(-2 * std::log(first));
  return {radius * std::cos(twoPi * second), radius * std::sin(twoPi * second)};
}

/// As many random bits as the type has significant ones: the result is exact,
/// so rounding never makes it 1.
static uint64_t uniformBits(uint64_t random, ScalarType type) {
  if (type == ScalarType::I1)
    return random & 1;
  if (!scalarTypeInfo(type).isFloat)
    return random;
  int precision = static_cast<int>(floatPrecision(type));
  return narrowFloat(std::ldexp(static_cast<double>(random >> (64 - precision)), -precision), type);
}

static uint64_t indexBits(uint64_t index, ScalarType type) {
  if (type == ScalarType::I1)
    return index & 1;
  return scalarTypeInfo(type).isFloat ? narrowFloat(static_cast<double>(index), type) : index;
}

/// Calls `bitsOf(i)` for every element and stores the low bytes of what it
/// returns.
template <typename Function>
static void storeEach(ScalarType type, AlignedBuffer &data, Function bitsOf) {
  size_t bytes = scalarTypeInfo(type).bytes;
  uint64_t count = data.size() / bytes;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t bits = bitsOf(i);
    if constexpr (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
      bits <<= 64 - 8 * bytes;
    std::memcpy(data.data() + i * bytes, &bits, bytes);
  }
}

Result<void> fsm::fillElements(const Fill &fill, ScalarType type, AlignedBuffer &data) {
  switch (fill.pattern) {
  case Fill::Pattern::Zeros:
    return {}; // as every AlignedBuffer begins
  case Fill::Pattern::Randn: {
    if (!scalarTypeInfo(type).isFloat)
      return badInput("expected a float type for randn (integers have uniform), got " +
                      std::string(scalarTypeInfo(type).name));
    std::array<double, 2> pair = {};
    storeEach(type, data, [&](uint64_t i) {
      if (i % 2 == 0)
        pair = normalPair(randomPair(fill.seed, i / 2));
      return narrowFloat(pair[i % 2], type);
    });
    return {};
  }
  case Fill::Pattern::Uniform: {
    std::array<uint64_t, 2> pair = {};
    storeEach(type, data, [&](uint64_t i) {
      if (i % 2 == 0)
        pair = randomPair(fill.seed, i / 2);
      return uniformBits(pair[i % 2], type);
    });
    return {};
  }
  case Fill::Pattern::Arange:
    storeEach(type, data, [&](uint64_t i) { return indexBits(i, type); });
    return {};
  case Fill::Pattern::Full:
    break;
  }
  Result<uint64_t> bits = numberBits(fill.value, type);
  if (!bits)
    return bits.error();
  storeEach(type, data, [&](uint64_t) { return *bits; });
  return {};
}
