//===- ConvertTest.cpp - Conversions of the interpreter ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm::test;

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Ints = std::vector<int32_t>;

static constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
static constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

TEST(Convert, WidthsOfIntegers) {
  expectSame(evaluate<int64_t>("arith.extsi %a : #i32 to #i64", Ints{-1, kMax}),
             std::vector<int64_t>{-1, kMax});
  expectSame(evaluate<int64_t>("arith.extui %a : #i32 to #i64", Ints{-1, kMax}),
             std::vector<int64_t>{0xFFFFFFFF, kMax});
  expectSame(evaluate<int8_t>("arith.trunci %a : #i32 to #i8", Ints{511, -129, 128}),
             std::vector<int8_t>{-1, 127, -128});
  expectSame(evaluate<int32_t>("arith.extsi %a : #i1 to #i32", std::vector<I1>{{1}, {0}}),
             Ints{-1, 0});
  expectSame(evaluate<int32_t>("arith.extui %a : #i1 to #i32", std::vector<I1>{{1}, {0}}),
             Ints{1, 0});
}

TEST(Convert, BitcastKeepsTheBits) {
  expectSame(evaluate<int32_t>("arith.bitcast %a : #f32 to #i32", Floats{1, -0.0f}),
             Ints{0x3F800000, kMin});
  expectSame(evaluate<float>("arith.bitcast %a : #i32 to #f32", Ints{0x3F800000, 1}),
             Floats{1, 0x1p-149f});
}

TEST(Convert, FloatToSignedSaturatesAndNaNIsZero) {
  expectSame(
      evaluate<int32_t>("arith.fptosi %a : #f32 to #i32",
                        Floats{1.9f, -1.9f, 3e9f, -3e9f, kInf, -kInf, kNaN, 0x1p31f, -0x1p31f}),
      Ints{1, -1, kMax, kMin, kMax, kMin, 0, kMax, kMin});
  expectSame(evaluate<int8_t>("arith.fptosi %a : #f64 to #i8", Doubles{127.9, 128, -128.9, -129}),
             std::vector<int8_t>{127, 127, -128, -128});
  expectSame(evaluate<int64_t>("arith.fptosi %a : #f64 to #i64", Doubles{1e19, -1e19, -5.5}),
             std::vector<int64_t>{std::numeric_limits<int64_t>::max(),
                                  std::numeric_limits<int64_t>::min(), -5});
}

TEST(Convert, FloatToUnsignedSaturatesAndNaNIsZero) {
  expectSame(evaluate<int32_t>("arith.fptoui %a : #f32 to #i32",
                               Floats{1.9f, -1, 3e9f, 1e10f, kNaN, -kInf}),
             Ints{1, 0, static_cast<int32_t>(3000000000u), -1, 0, 0});
  expectSame(evaluate<int64_t>("arith.fptoui %a : #f64 to #i64", Doubles{1e19, 1e20}),
             std::vector<int64_t>{static_cast<int64_t>(10000000000000000000u), -1});
}

TEST(Convert, IntegerToFloatRoundsOnce) {
  expectSame(evaluate<float>("arith.sitofp %a : #i32 to #f32", Ints{-3, 16777217, 16777219}),
             Floats{-3, 16777216, 16777220});
  expectSame(evaluate<float>("arith.uitofp %a : #i32 to #f32", Ints{-1, 5}), Floats{0x1p32f, 5});
  expectSame(evaluate<double>("arith.sitofp %a : #i64 to #f64", std::vector<int64_t>{-7}),
             Doubles{-7});
}

/// 2^60 + 2^52 + 1 is just above halfway between two bf16; through double it
/// would lose the 1 and go to the even one below.
TEST(Convert, IntegerToBF16HasNoDoubleRounding) {
  std::vector<int64_t> a = {(int64_t(1) << 60) + (int64_t(1) << 52) + 1,
                            (int64_t(1) << 60) + (int64_t(1) << 52)};
  std::vector<BF16> result = evaluate<BF16>("arith.sitofp %a : #i64 to #bf16", a);
  EXPECT_EQ(result[0].bits, 0x5D81);
  EXPECT_EQ(result[1].bits, 0x5D80);
}

TEST(Convert, IntegerBeyondF16IsInfinite) {
  std::vector<F16> result =
      evaluate<F16>("arith.sitofp %a : #i32 to #f16", Ints{70000, -70000, 2049});
  EXPECT_EQ(result[0].bits, 0x7C00);
  EXPECT_EQ(result[1].bits, 0xFC00);
  EXPECT_EQ(result[2].bits, 0x6800);
}

TEST(Convert, ExtendsFloatsExactly) {
  expectSame(
      evaluate<float>("arith.extf %a : #f16 to #f32",
                      std::vector<F16>{{0x3C00}, {0x0001}, {0x8000}, {0xFC00}, {0x7E00}, {0x7BFF}}),
      Floats{1, 0x1p-24f, -0.0f, -kInf, kNaN, 65504});
  expectSame(evaluate<double>("arith.extf %a : #bf16 to #f64",
                              std::vector<BF16>{{0x3F80}, {0x0001}, {0xFF80}}),
             Doubles{1, 0x1p-133, -HUGE_VAL});
}

/// 1 + 2^-11 + 2^-40 is above halfway between two f16; through f32 it would be
/// halfway and go to the even one below.
TEST(Convert, TruncatesFloatsWithOneRounding) {
  std::vector<F16> result = evaluate<F16>(
      "arith.truncf %a : #f64 to #f16", Doubles{1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-11, 1e6, 0x1p-25});
  EXPECT_EQ(result[0].bits, 0x3C01);
  EXPECT_EQ(result[1].bits, 0x3C00);
  EXPECT_EQ(result[2].bits, 0x7C00);
  EXPECT_EQ(result[3].bits, 0x0000);
  expectSame(evaluate<float>("arith.truncf %a : #f64 to #f32", Doubles{1 + 0x1p-24, 1e300}),
             Floats{1, kInf});
}
