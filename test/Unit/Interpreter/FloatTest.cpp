//===- FloatTest.cpp - Float arithmetic of the interpreter ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm::test;

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Halves = std::vector<F16>;

static Floats binary(const std::string &op, const Floats &a, const Floats &b) {
  return evaluate<float>(op + " %a, %b : #f32", a, b);
}

TEST(Float, ArithmeticOfF32) {
  expectSame(binary("arith.addf", {1.5f, -0.0f, kInf}, {2, -0.0f, -kInf}),
             Floats{3.5f, -0.0f, kNaN});
  expectSame(binary("arith.subf", {1, 2, kInf}, {2, 2, kInf}), Floats{-1, 0, kNaN});
  expectSame(binary("arith.mulf", {3, -2, 0}, {0.5f, 0, kInf}), Floats{1.5f, -0.0f, kNaN});
  expectSame(binary("arith.divf", {1, -1, 0}, {0, 0, 0}), Floats{kInf, -kInf, kNaN});
}

/// 1 + 2^-24 is halfway between two f32 and goes to the even one.
TEST(Float, F32IsRoundedToF32) {
  expectSame(binary("arith.addf", {1, 1}, {0x1p-24f, 0x1.8p-24f}), Floats{1, 0x1.000002p0f});
  expectSame(evaluate<double>("arith.addf %a, %b : #f64", Doubles{1}, Doubles{0x1p-24}),
             Doubles{1 + 0x1p-24});
}

TEST(Float, DenormalsAreKept) {
  expectSame(binary("arith.mulf", {0x1p-126f, 0x1p-149f}, {0.5f, 1}), Floats{0x1p-127f, 0x1p-149f});
}

TEST(Float, RemainderHasTheSignOfTheDividend) {
  expectSame(binary("arith.remf", {7, -7, 7, 5.5f, 1}, {4, 4, -4, kInf, 0}),
             Floats{3, -3, 3, 5.5f, kNaN});
}

TEST(Float, MaxNumAndMinNumIgnoreNaN) {
  Floats a = {1, kNaN, kNaN, -0.0f, 0.0f}, b = {kNaN, 2, kNaN, 0.0f, -0.0f};
  expectSame(binary("arith.maxnumf", a, b), Floats{1, 2, kNaN, 0, 0});
  expectSame(binary("arith.minnumf", a, b), Floats{1, 2, kNaN, -0.0f, -0.0f});
}

TEST(Float, MaximumAndMinimumPropagateNaN) {
  Floats a = {1, kNaN, 3, -0.0f, -kInf}, b = {kNaN, 2, 4, 0.0f, 1};
  expectSame(binary("arith.maximumf", a, b), Floats{kNaN, kNaN, 4, 0, 1});
  expectSame(binary("arith.minimumf", a, b), Floats{kNaN, kNaN, 3, -0.0f, -kInf});
}

TEST(Float, SignOpsWorkOnTheBits) {
  expectSame(evaluate<float>("arith.negf %a : #f32", Floats{1, 0, -kInf}), Floats{-1, -0.0f, kInf});
  expectSame(evaluate<float>("math.absf %a : #f32", Floats{-1, -0.0f, -kInf}), Floats{1, 0, kInf});
  expectSame(
      evaluate<float>("math.copysign %a, %b : #f32", Floats{3, -3, kInf}, Floats{-0.0f, 1, -1}),
      Floats{-3, 3, -kInf});
  EXPECT_EQ(evaluate<F16>("arith.negf %a : #f16", Halves{{0x7E00}})[0].bits, 0xFE00);
}

TEST(Float, ComparisonPredicates) {
  // For (1, 2), (2, 2), (3, 2), (NaN, 2), (-0, +0).
  std::pair<const char *, std::vector<int>> cases[] = {
      {"false", {0, 0, 0, 0, 0}}, {"oeq", {0, 1, 0, 0, 1}}, {"ogt", {0, 0, 1, 0, 0}},
      {"oge", {0, 1, 1, 0, 1}},   {"olt", {1, 0, 0, 0, 0}}, {"ole", {1, 1, 0, 0, 1}},
      {"one", {1, 0, 1, 0, 0}},   {"ord", {1, 1, 1, 0, 1}}, {"ueq", {0, 1, 0, 1, 1}},
      {"ugt", {0, 0, 1, 1, 0}},   {"uge", {0, 1, 1, 1, 1}}, {"ult", {1, 0, 0, 1, 0}},
      {"ule", {1, 1, 0, 1, 1}},   {"une", {1, 0, 1, 1, 0}}, {"uno", {0, 0, 0, 1, 0}},
      {"true", {1, 1, 1, 1, 1}}};
  for (auto &[predicate, expected] : cases) {
    std::vector<I1> actual =
        evaluate<I1>(std::string("arith.cmpf ") + predicate + ", %a, %b : #f32",
                     Floats{1, 2, 3, kNaN, -0.0f}, Floats{2, 2, 2, 2, 0.0f});
    for (size_t i = 0; i < 5; ++i)
      EXPECT_EQ(actual[i].bits, expected[i]) << predicate << " " << i;
  }
}

/// f16: 1 is 0x3C00, 2048 is 0x6800, 65504 (the largest) 0x7BFF, inf 0x7C00.
TEST(Float, F16RoundsOnceToNearestEven) {
  Halves sums = evaluate<F16>("arith.addf %a, %b : #f16",
                              Halves{{0x3C00}, {0x6800}, {0x7BFF}, {0x6801}, {0x0001}},
                              Halves{{0x3C00}, {0x3C00}, {0x7BFF}, {0x3C00}, {0x0001}});
  EXPECT_EQ(sums[0].bits, 0x4000); // 2
  EXPECT_EQ(sums[1].bits, 0x6800); // 2049 is halfway, 2048 is even.
  EXPECT_EQ(sums[2].bits, 0x7C00); // Overflows.
  EXPECT_EQ(sums[3].bits, 0x6802); // 2050 + 1 is halfway, 2052 is even.
  EXPECT_EQ(sums[4].bits, 0x0002); // Denormals stay.
}

/// bf16 is the upper half of f32: 1 is 0x3F80, 256 is 0x4380.
TEST(Float, BF16RoundsOnceToNearestEven) {
  std::vector<BF16> sums = evaluate<BF16>(
      "arith.addf %a, %b : #bf16", std::vector<BF16>{{0x3F80}, {0x4380}, {0x4381}, {0x7F80}},
      std::vector<BF16>{{0x3F80}, {0x3F80}, {0x3F80}, {0xFF80}});
  EXPECT_EQ(sums[0].bits, 0x4000);
  EXPECT_EQ(sums[1].bits, 0x4380);          // 257 is halfway, 256 is even.
  EXPECT_EQ(sums[2].bits, 0x4382);          // 258 + 1 is halfway, 260 is even.
  EXPECT_EQ(sums[3].bits & 0x7FC0, 0x7FC0); // inf - inf is NaN.
}

TEST(Float, SelectMovesF8) {
  std::string text = "fsm.kernel @k(%p: !fsm.ptr<f8E4M3FN>, %q: !fsm.ptr<f8E5M2>) {\n"
                     "  %x = fsm.load %p : !fsm.ptr<f8E4M3FN> -> f8E4M3FN\n"
                     "  %one = arith.constant 1.0 : f8E4M3FN\n"
                     "  %t = arith.constant false\n"
                     "  %y = arith.select %t, %one, %x : f8E4M3FN\n"
                     "  %bits = arith.bitcast %y : f8E4M3FN to i8\n"
                     "  %z = arith.bitcast %bits : i8 to f8E5M2\n"
                     "  fsm.store %z, %q : f8E5M2, !fsm.ptr<f8E5M2>\n"
                     "  fsm.store %one, %p : f8E4M3FN, !fsm.ptr<f8E4M3FN>\n"
                     "  fsm.return\n}\n";
  std::vector<uint8_t> p = {0x7F}, q = {0};
  fsm::Result<void> done = run(text, fsm::Grid(), {bufferOf(p), bufferOf(q)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(q[0], 0x7F);
  EXPECT_EQ(p[0], 0x38); // 1.0 with a bias of 7 and 3 bits of fraction.
}
