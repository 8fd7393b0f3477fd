//===- MathTest.cpp - Math functions of the interpreter ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm::test;

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

static Floats unary(const std::string &op, const Floats &a) {
  return evaluate<float>("math." + op + " %a : #f32", a);
}

TEST(Math, Exponentials) {
  expectSame(unary("exp", {0, 1, -kInf, kInf, 100, kNaN}),
             Floats{1, 2.71828182845904523f, 0, kInf, kInf, kNaN});
  expectSame(unary("exp2", {3, -1, -149, -kInf}), Floats{8, 0.5f, 0x1p-149f, 0});
  expectSame(unary("expm1", {0, 1e-10f, -kInf}), Floats{0, 1e-10f, -1});
}

TEST(Math, Logarithms) {
  expectSame(unary("log", {1, 0, -1, kInf}), Floats{0, -kInf, kNaN, kInf});
  expectSame(unary("log2", {8, 0x1p-149f}), Floats{3, -149});
  expectSame(unary("log1p", {0, 1e-10f, -1}), Floats{0, 1e-10f, -kInf});
}

/// Decimal expansions of the functions' values, correctly rounded to f32.
TEST(Math, TrigonometricTanhAndErf) {
  expectSame(unary("sin", {0, 1}), Floats{0, 0.841470984807896507f});
  expectSame(unary("cos", {0, 1}), Floats{1, 0.540302305868139717f});
  expectSame(unary("tanh", {0.5f, kInf, -0.0f}), Floats{0.462117157260009758f, 1, -0.0f});
  expectSame(unary("erf", {0.5f, -kInf}), Floats{0.520499877813046538f, -1});
}

TEST(Math, Roots) {
  expectSame(unary("sqrt", {2, -1, -0.0f}), Floats{1.41421356237309505f, kNaN, -0.0f});
  expectSame(unary("rsqrt", {4, 0, -0.0f, kInf}), Floats{0.5f, kInf, -kInf, 0});
}

TEST(Math, RoundingToIntegers) {
  Floats a = {2.5f, 3.5f, -2.5f, -0.3f, kInf};
  expectSame(unary("roundeven", a), Floats{2, 4, -2, -0.0f, kInf});
  expectSame(unary("floor", a), Floats{2, 3, -3, -1, kInf});
  expectSame(unary("ceil", a), Floats{3, 4, -2, -0.0f, kInf});
  expectSame(unary("trunc", a), Floats{2, 3, -2, -0.0f, kInf});
}

/// (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24; a rounded product would give 0.
TEST(Math, FmaRoundsOnce) {
  float a = 1 + 0x1p-12f, c = -(1 + 0x1p-11f);
  expectSame(evaluate<float>("math.fma %a, %b, %c : #f32", Floats{a}, Floats{a}, Floats{c}),
             Floats{0x1p-24f});
}

/// 641 * 6700417 is 2^32 + 1, so the exact sum 1 + 2^-24 + 2^-56 is above
/// halfway between two f32. In double it would first be rounded to halfway.
TEST(Math, FmaOfF32HasNoDoubleRounding) {
  expectSame(evaluate<float>("math.fma %a, %b, %c : #f32", Floats{641 * 0x1p-28f},
                             Floats{6700417 * 0x1p-28f}, Floats{1}),
             Floats{1 + 0x1p-23f});
}

TEST(Math, DoubleIsLibm) {
  expectSame(evaluate<double>("math.exp %a : #f64", Doubles{1}), Doubles{2.718281828459045});
  expectSame(evaluate<double>("math.tanh %a : #f64", Doubles{0.5}),
             Doubles{0.462117157260009758502});
}

/// exp(1) in f16 is 2.71875, in bf16 2.71875 as well; exp(12) exceeds f16.
TEST(Math, NarrowFloatsRoundOnce) {
  std::vector<F16> half =
      evaluate<F16>("math.exp %a : #f16", std::vector<F16>{{0x3C00}, {0x4A00}, {0xFC00}});
  EXPECT_EQ(half[0].bits, 0x4170);
  EXPECT_EQ(half[1].bits, 0x7C00);
  EXPECT_EQ(half[2].bits, 0x0000);
  EXPECT_EQ(evaluate<BF16>("math.exp %a : #bf16", std::vector<BF16>{{0x3F80}})[0].bits, 0x402E);
}

/// Decimal expansions of the functions' values, correctly rounded to f32.
TEST(Math, InverseAndHyperbolicFunctions) {
  expectSame(unary("tan", {1, -0.0f, kInf}), Floats{1.55740772465490223f, -0.0f, kNaN});
  expectSame(unary("asin", {0.5f, 1.5f}), Floats{0.523598775598298873f, kNaN});
  expectSame(unary("acos", {-1, 1}), Floats{3.14159265358979324f, 0});
  expectSame(unary("atan", {1, -kInf}), Floats{0.785398163397448310f, -1.57079632679489662f});
  expectSame(unary("sinh", {1, -kInf}), Floats{1.17520119364380146f, -kInf});
  expectSame(unary("cosh", {1, -kInf}), Floats{1.54308063481524378f, kInf});
  expectSame(unary("asinh", {1, -0.0f}), Floats{0.881373587019543025f, -0.0f});
  expectSame(unary("acosh", {2, 1, 0.5f}), Floats{1.31695789692481671f, 0, kNaN});
  expectSame(unary("atanh", {0.5f, -1, 2}), Floats{0.549306144334054846f, -kInf, kNaN});
  expectSame(unary("erfc", {1, kInf, -kInf}), Floats{0.157299207050285131f, 0, 2});
}

TEST(Math, PowersAndCubeRoots) {
  expectSame(unary("log10", {1000, 0}), Floats{3, -kInf});
  expectSame(unary("cbrt", {-27, 2, -0.0f}), Floats{-3, 1.25992104989487316f, -0.0f});
  expectSame(evaluate<float>("math.powf %a, %b : #f32", Floats{2, -8, -8, 0, kNaN, -1},
                             Floats{0.5f, 3, 0.5f, -1, 0, kInf}),
             Floats{1.41421356237309505f, -512, kNaN, kInf, 1, 1});
  expectSame(evaluate<float>("math.atan2 %a, %b : #f32", Floats{1, 0, -0.0f, kInf},
                             Floats{-1, -0.0f, 1, kInf}),
             Floats{2.35619449019234493f, 3.14159265358979324f, -0.0f, 0.785398163397448310f});
}

TEST(Math, RoundTakesHalvesAwayFromZero) {
  expectSame(unary("round", {2.5f, -2.5f, 0.49999997f, -0.3f}), Floats{3, -3, 0, -0.0f});
}

TEST(Math, CountsBits) {
  std::vector<int32_t> a = {0, 1, -1, 0x00F00000};
  expectSame(evaluate<int32_t>("math.ctpop %a : #i32", a), std::vector<int32_t>{0, 1, 32, 4});
  expectSame(evaluate<int32_t>("math.ctlz %a : #i32", a), std::vector<int32_t>{32, 31, 0, 8});
  expectSame(evaluate<int32_t>("math.cttz %a : #i32", a), std::vector<int32_t>{32, 0, 0, 20});
}
