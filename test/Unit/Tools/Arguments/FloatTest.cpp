//===- FloatTest.cpp - The narrow floats against their definition -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Float.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

using namespace fsm;

namespace {
/// A narrow float by its textbook definition.
struct Definition {
  ScalarType type;
  int exponentBits, fractionBits;
  /// The highest exponent field holds numbers; only all ones is NaN.
  bool isFiniteOnly;
  bool saturates;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  uint32_t signBit() const { return 1u << (exponentBits + fractionBits); }
  double valueOf(uint32_t magnitude) const {
    int fraction = static_cast<int>(magnitude & ((1u << fractionBits) - 1));
    int exponent = static_cast<int>(magnitude >> fractionBits);
    double significand = std::ldexp(fraction, -fractionBits) + (exponent ? 1 : 0);
    return significand * std::pow(2.0, (exponent ? exponent : 1) - bias());
  }
  bool isFinite(uint32_t magnitude) const {
    uint32_t field = magnitude >> fractionBits;
    if (field != (1u << exponentBits) - 1)
      return true;
    return isFiniteOnly && magnitude != signBit() - 1;
  }
  /// All finite values of 0 and more, in order; the index is the encoding.
  std::vector<double> values() const {
    std::vector<double> all;
    for (uint32_t magnitude = 0; isFinite(magnitude); ++magnitude)
      all.push_back(valueOf(magnitude));
    return all;
  }
};
} // namespace

static const Definition kDefinitions[] = {
    {ScalarType::F16, 5, 10, false, false},
    {ScalarType::BF16, 8, 7, false, false},
    {ScalarType::F8E4M3FN, 4, 3, true, true},
    {ScalarType::F8E5M2, 5, 2, false, true},
};

/// The nearest of all values; the even encoding when two are equally near.
static uint32_t nearest(const Definition &definition, const std::vector<double> &values,
                        double value) {
  uint32_t above = std::upper_bound(values.begin(), values.end(), value) - values.begin();
  uint32_t below = above - 1;
  // One step beyond the largest is where it would continue without a limit.
  double next = above < values.size() ? values[above] : definition.valueOf(above);
  double toBelow = value - values[below], toAbove = next - value;
  uint32_t result = toAbove < toBelow || (toAbove == toBelow && below % 2) ? above : below;
  if (result == values.size() && definition.saturates)
    return result - 1;
  return result;
}

class NarrowFloat : public testing::TestWithParam<Definition> {};

TEST_P(NarrowFloat, WidensEveryEncodingToItsDefinition) {
  const Definition &definition = GetParam();
  for (uint32_t bits = 0; bits < 2 * definition.signBit(); ++bits) {
    uint32_t magnitude = bits & (definition.signBit() - 1);
    double value = widenFloat(bits, definition.type);
    EXPECT_EQ(std::signbit(value), (bits & definition.signBit()) != 0) << bits;
    if (definition.isFinite(magnitude))
      EXPECT_EQ(std::fabs(value), definition.valueOf(magnitude)) << bits;
    else if (magnitude % (1u << definition.fractionBits) == 0)
      EXPECT_TRUE(std::isinf(value)) << bits;
    else
      EXPECT_TRUE(std::isnan(value)) << bits;
  }
}

TEST_P(NarrowFloat, NarrowingUndoesWidening) {
  const Definition &definition = GetParam();
  for (uint32_t bits = 0; bits < 2 * definition.signBit(); ++bits) {
    double value = widenFloat(bits, definition.type);
    uint64_t again = narrowFloat(value, definition.type);
    if (!std::isnan(value)) {
      EXPECT_EQ(again, bits);
      continue;
    }
    EXPECT_TRUE(std::isnan(widenFloat(again, definition.type))) << bits;
    EXPECT_EQ(again & definition.signBit(), bits & definition.signBit()) << bits;
  }
}

TEST_P(NarrowFloat, RoundsTiesAndTheirNeighboursToNearestEven) {
  const Definition &definition = GetParam();
  std::vector<double> values = definition.values();
  values.push_back(definition.valueOf(values.size()));
  std::vector<double> midpoints;
  for (size_t i = 0; i + 1 < values.size(); ++i)
    midpoints.push_back((values[i] + values[i + 1]) / 2);
  values.pop_back();
  for (double middle : midpoints)
    for (double value : {std::nextafter(middle, 0), middle, std::nextafter(middle, HUGE_VAL)}) {
      uint32_t expected = nearest(definition, values, value);
      EXPECT_EQ(narrowFloat(value, definition.type), expected) << value;
      EXPECT_EQ(narrowFloat(-value, definition.type), expected | definition.signBit()) << value;
    }
}

TEST_P(NarrowFloat, RoundsRandomNumbersToTheNearest) {
  const Definition &definition = GetParam();
  std::vector<double> values = definition.values();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(std::log2(values[1]) - 3,
                                                  std::log2(values.back()) + 0.01);
  for (int i = 0; i < 200000; ++i) {
    double value = std::exp2(exponent(random));
    EXPECT_EQ(narrowFloat(value, definition.type), nearest(definition, values, value)) << value;
  }
}

TEST_P(NarrowFloat, OverflowsAsTheLanguageSays) {
  const Definition &definition = GetParam();
  uint32_t count = definition.values().size();
  uint32_t expected = definition.saturates ? count - 1 : count;
  for (double value : {1e39, 1e300, std::ldexp(1.0, 1023)})
    EXPECT_EQ(narrowFloat(value, definition.type), expected);
  double fromInfinity = widenFloat(narrowFloat(-HUGE_VAL, definition.type), definition.type);
  EXPECT_TRUE(std::signbit(fromInfinity));
  EXPECT_TRUE(definition.isFiniteOnly ? std::isnan(fromInfinity) : std::isinf(fromInfinity));
}

TEST_P(NarrowFloat, TinyNumbersKeepOnlyTheirSign) {
  const Definition &definition = GetParam();
  for (double value : {5e-324, 1e-310, 1e-300, 1e-60}) {
    EXPECT_EQ(narrowFloat(value, definition.type), 0u);
    EXPECT_EQ(narrowFloat(-value, definition.type), definition.signBit());
  }
}

TEST_P(NarrowFloat, OrdinalsCountNeighbours) {
  const Definition &definition = GetParam();
  uint32_t count = definition.values().size();
  for (uint32_t bits = 0; bits < count; ++bits) {
    EXPECT_EQ(floatOrdinal(bits, definition.type), static_cast<int64_t>(bits));
    EXPECT_EQ(floatOrdinal(bits | definition.signBit(), definition.type),
              -static_cast<int64_t>(bits));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, NarrowFloat, testing::ValuesIn(kDefinitions),
                         [](const testing::TestParamInfo<Definition> &info) {
                           return std::string(scalarTypeInfo(info.param.type).name);
                         });

TEST(Float, KnownEncodings) {
  EXPECT_EQ(narrowFloat(1.0, ScalarType::F16), 0x3c00u);
  EXPECT_EQ(narrowFloat(65519.99, ScalarType::F16), 0x7bffu);
  EXPECT_EQ(narrowFloat(65520, ScalarType::F16), 0x7c00u);
  EXPECT_EQ(narrowFloat(1.0, ScalarType::BF16), 0x3f80u);
  EXPECT_EQ(narrowFloat(448, ScalarType::F8E4M3FN), 0x7eu);
  EXPECT_EQ(narrowFloat(57344, ScalarType::F8E5M2), 0x7bu);
}

TEST(Float, RoundsOnceNotThroughSingle) {
  // 1 + 2^-11 is a tie in f16. A bit below it that f32 cannot hold must still
  // make it round down, one above it up.
  double tie = 1 + std::ldexp(1.0, -11);
  EXPECT_EQ(narrowFloat(tie, ScalarType::F16), 0x3c00u);
  EXPECT_EQ(narrowFloat(tie + std::ldexp(1.0, -40), ScalarType::F16), 0x3c01u);
}

TEST(Float, SingleAndDoubleAreTheMachinesOwn) {
  float third = 1.0f / 3;
  uint32_t bits;
  std::memcpy(&bits, &third, sizeof(bits));
  EXPECT_EQ(narrowFloat(third, ScalarType::F32), bits);
  EXPECT_EQ(widenFloat(bits, ScalarType::F32), third);
  EXPECT_EQ(widenFloat(narrowFloat(0.1, ScalarType::F64), ScalarType::F64), 0.1);
}
