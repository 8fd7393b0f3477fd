//===- NumericTest.cpp - Named conversions, exact roots, random words ----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

namespace fsm::test {
struct F8E4M3FN {
  uint8_t bits;
};
struct F8E5M2 {
  uint8_t bits;
};
static const char *typeName(const F8E4M3FN *) { return "f8E4M3FN"; }
static const char *typeName(const F8E5M2 *) { return "f8E5M2"; }
} // namespace fsm::test

using namespace fsm::test;

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Words = std::vector<int32_t>;

/// The bits of what `rounding` gives for some f32.
template <typename To>
static std::vector<uint64_t> converted(const std::string &rounding, const Floats &a) {
  std::string type = typeName(static_cast<To *>(nullptr));
  std::vector<uint64_t> bits;
  for (To element :
       evaluate<To>("fsm.convert %a rounding = " + rounding + " : #f32 -> #" + type, a))
    bits.push_back(element.bits);
  return bits;
}

using Bits = std::vector<uint64_t>;

/// 1.0625 is halfway between 1 and 1.125, 1.1875 between 1.125 and 1.25.
TEST(Numeric, TiesGoToTheEvenOne) {
  EXPECT_EQ(converted<F8E4M3FN>("nearest_even", {1.0625f, 1.1875f, -1.1875f, 1.0626f}),
            (Bits{0x38, 0x3A, 0xBA, 0x39}));
  EXPECT_EQ(converted<F8E4M3FN>("toward_zero", {1.0625f, 1.1875f, -1.1875f, 1.2499f}),
            (Bits{0x38, 0x39, 0xB9, 0x39}));
}

/// The smallest f8E4M3FN is 2^-9, the smallest f8E5M2 2^-16.
TEST(Numeric, DenormalsAreRoundedOnce) {
  EXPECT_EQ(converted<F8E4M3FN>("nearest_even", {0x1p-9f, 0x1p-10f, 0x1.1p-10f, 0x1.8p-9f, -0.0f}),
            (Bits{0x01, 0x00, 0x01, 0x02, 0x80}));
  EXPECT_EQ(converted<F8E5M2>("toward_zero", {0x1p-16f, 0x1.fp-17f, 0x1.fp-16f}),
            (Bits{0x01, 0x00, 0x01}));
}

/// 448 and 57344 are the largest; NaN has all bits set but the sign.
TEST(Numeric, F8Saturates) {
  EXPECT_EQ(converted<F8E4M3FN>("nearest_even", {448, 464, 1e9f, -kInf, kNaN}),
            (Bits{0x7E, 0x7E, 0x7E, 0xFE, 0x7F}));
  EXPECT_EQ(converted<F8E5M2>("nearest_even", {57344, 61440, kInf, -kInf, kNaN}),
            (Bits{0x7B, 0x7B, 0x7B, 0xFB, 0x7F}));
}

/// 65504 is the largest f16, and 65520 halfway to what would be next.
TEST(Numeric, WhatIsTooLarge) {
  Floats a = {65519, 65520, -1e9f, kInf};
  EXPECT_EQ(converted<F16>("nearest_even", a), (Bits{0x7BFF, 0x7C00, 0xFC00, 0x7C00}));
  EXPECT_EQ(converted<F16>("toward_zero", a), (Bits{0x7BFF, 0x7BFF, 0xFBFF, 0x7C00}));
  EXPECT_EQ(converted<F16>("nearest_even saturate", a), (Bits{0x7BFF, 0x7BFF, 0xFBFF, 0x7BFF}));
  EXPECT_EQ(converted<F16>("toward_zero saturate", a), (Bits{0x7BFF, 0x7BFF, 0xFBFF, 0x7BFF}));
}

TEST(Numeric, WideningIsExact) {
  expectSame(evaluate<float>("fsm.convert %a rounding = toward_zero : #f8E4M3FN -> #f32",
                             std::vector<F8E4M3FN>{{0x01}, {0x07}, {0x7E}, {0x80}, {0xFF}}),
             Floats{0x1p-9f, 7 * 0x1p-9f, 448, -0.0f, kNaN});
  expectSame(evaluate<double>("fsm.convert %a rounding = nearest_even : #f8E5M2 -> #f64",
                              std::vector<F8E5M2>{{0x01}, {0x7B}, {0xFC}, {0x7D}}),
             Doubles{0x1p-16, 57344, -HUGE_VAL, kNaN});
  expectSame(evaluate<double>("fsm.convert %a rounding = nearest_even saturate : #f32 -> #f64",
                              Floats{kInf, 0x1p-149f}),
             Doubles{std::numeric_limits<double>::max(), 0x1p-149});
}

/// 1 + 2^-11 + 2^-40 is above a tie of f16; rounded to f32 first it would be one.
TEST(Numeric, ConvertsF64WithOneRounding) {
  std::vector<F16> result = evaluate<F16>("fsm.convert %a rounding = nearest_even : #f64 -> #f16",
                                          Doubles{1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11});
  EXPECT_EQ(result[0].bits, 0x3C01);
  EXPECT_EQ(result[1].bits, 0x3C00);
}

/// 1/3 in f16 is 0x3555; 1 / 0x1.ffcp0 in f16 is just above 1/2.
TEST(Numeric, QuotientsAndRootsAreRoundedOnce) {
  expectSame(
      evaluate<float>("fsm.div_rn %a, %b : #f32", Floats{1, 1, 0x1p-149f, 0}, Floats{3, 0, 2, 0}),
      Floats{0x1.555556p-2f, kInf, 0, kNaN});
  std::vector<F16> third =
      evaluate<F16>("fsm.div_rn %a, %b : #f16", std::vector<F16>{{0x3C00}, {0x3C00}},
                    std::vector<F16>{{0x4200}, {0x3FFF}});
  EXPECT_EQ(third[0].bits, 0x3555);
  EXPECT_EQ(third[1].bits, 0x3801);
  expectSame(evaluate<float>("fsm.sqrt_rn %a : #f32", Floats{2, -0.0f, -1, 0x1p-148f}),
             Floats{0x1.6a09e6p0f, -0.0f, kNaN, 0x1p-74f});
}

/// (2^64 - 1)^2 = 2^128 - 2^65 + 1; 200 * 100 = 78 * 256 + 32.
TEST(Numeric, UpperHalvesOfUnsignedProducts) {
  expectSame(evaluate<int64_t>("fsm.umulhi %a, %b : #i64", std::vector<int64_t>{-1, -1, 1LL << 32},
                               std::vector<int64_t>{-1, 2, 1LL << 33}),
             std::vector<int64_t>{-2, 1, 2});
  expectSame(evaluate<int8_t>("fsm.umulhi %a, %b : #i8", std::vector<int8_t>{-56, 15},
                              std::vector<int8_t>{100, 17}),
             std::vector<int8_t>{78, 0});
}

/// The published vectors of Random123's kat_vectors for philox4x32 with 10 rounds.
TEST(Numeric, PhiloxKnownAnswers) {
  auto word = [](uint32_t bits) { return static_cast<int32_t>(bits); };
  Words c0 = {0, -1, word(0x243f6a88)}, c1 = {0, -1, word(0x85a308d3)},
        c2 = {0, -1, word(0x13198a2e)}, c3 = {0, -1, word(0x03707344)},
        k0 = {0, -1, word(0xa4093822)}, k1 = {0, -1, word(0x299f31d0)};
  const uint32_t expected[4][3] = {{0x6627e8d5, 0x408f276d, 0xd16cfe09},
                                   {0xe169c58d, 0x41c83b0e, 0x94fdcceb},
                                   {0xbc57ac4c, 0xa20bc7c6, 0x5001e420},
                                   {0x9b00dbd8, 0x6d5451fd, 0x24126ea1}};
  for (int k = 0; k < 4; ++k) {
    std::string text = "%w0, %w1, %w2, %w3 = fsm.philox counter %a, %b, %c, %d key %e, %f : #i32\n"
                       "%zero = arith.constant dense<0> : #i32\n"
                       "%r = arith.ori %w" +
                       std::to_string(k) + ", %zero : #i32";
    Words result = evaluate<int32_t>(text, c0, c1, c2, c3, k0, k1);
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(static_cast<uint32_t>(result[i]), expected[k][i]) << "word " << k;
  }
}
