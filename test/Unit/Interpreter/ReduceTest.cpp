//===- ReduceTest.cpp - Reductions of the interpreter --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

/// Reduces a block of the given elements to one.
template <typename T>
static T reduce(const std::string &kind, std::vector<T> elements, const std::string &suffix = "") {
  std::string type = typeName(static_cast<T *>(nullptr));
  std::string count = std::to_string(elements.size());
  std::string block = "tensor<" + count + "x" + type + ">", offsets = "tensor<" + count + "xi32>";
  std::vector<T> result(1);
  Result<void> done = run(
      "fsm.kernel @k(%p: !fsm.ptr<" + type + ">, %out: !fsm.ptr<" + type + ">) {\n" +
          "  %offsets = fsm.range 0, " + count + " : " + offsets + "\n" +
          "  %x = fsm.load %p[%offsets] : !fsm.ptr<" + type + ">, " + offsets + " -> " + block +
          "\n  %r = fsm.reduce <" + kind + "> %x axis 0 " + suffix + " : " + block + " -> " + type +
          "\n  fsm.store %r, %out : " + type + ", !fsm.ptr<" + type + ">\n" + "  fsm.return\n}\n",
      Grid(), {bufferOf(elements), bufferOf(result)});
  EXPECT_TRUE(done) << done.error().message;
  return result[0];
}

TEST(Reduce, IntegersOfEveryKind) {
  std::vector<int32_t> x = {6, -3, 5};
  EXPECT_EQ(reduce("sum", x), 8);
  EXPECT_EQ(reduce("prod", x), -90);
  EXPECT_EQ(reduce("max", x), 6);
  EXPECT_EQ(reduce("min", x), -3);
  EXPECT_EQ(reduce("umax", x), -3);
  EXPECT_EQ(reduce("umin", x), 5);
  EXPECT_EQ(reduce("and", x), 6 & -3 & 5);
  EXPECT_EQ(reduce("or", x), 6 | -3 | 5);
  EXPECT_EQ(reduce("xor", x), 6 ^ -3 ^ 5);
}

TEST(Reduce, IntegerSumWraps) {
  EXPECT_EQ(reduce("sum", std::vector<int8_t>{100, 100}), -56);
  EXPECT_EQ(reduce("prod", std::vector<int64_t>{int64_t(1) << 62, 4}), 0);
}

TEST(Reduce, SumAndProductOfFloats) {
  EXPECT_EQ(reduce("sum", std::vector<float>{1, 2, 3.5f}), 6.5f);
  EXPECT_EQ(reduce("prod", std::vector<double>{1.5, -2}), -3);
  EXPECT_TRUE(std::isnan(reduce("sum", std::vector<float>{kInf, -kInf})));
}

TEST(Reduce, SumOfNegativeZerosIsNegativeZero) {
  EXPECT_TRUE(std::signbit(reduce("sum", std::vector<float>{-0.0f, -0.0f})));
}

/// In f32 each 2^-25 would be lost.
TEST(Reduce, F32SumAccumulatesWide) {
  std::vector<float> x(1025, 0x1p-25f);
  x[0] = 1;
  EXPECT_EQ(reduce("sum", x), 1 + 0x1p-15f);
}

/// 2048 + 1 is 2048 in f16, but 2048 + 1 + 1 rounds once to 2050.
TEST(Reduce, F16SumAccumulatesInF32) {
  EXPECT_EQ(reduce("sum", std::vector<F16>{{0x6800}, {0x3C00}, {0x3C00}}).bits, 0x6801);
  // 65504 + 65504 - 65504
  EXPECT_EQ(reduce("sum", std::vector<F16>{{0x7BFF}, {0x7BFF}, {0xFBFF}}).bits, 0x7BFF);
  EXPECT_EQ(reduce("sum", std::vector<BF16>{{0x4380}, {0x3F80}, {0x3F80}}).bits, 0x4381);
}

TEST(Reduce, MaxAndMinIgnoreNaN) {
  expectSame(std::vector<float>{reduce("max", std::vector<float>{kNaN, 1, -2}),
                                reduce("min", std::vector<float>{1, kNaN, -2}),
                                reduce("max", std::vector<float>{kNaN, kNaN})},
             std::vector<float>{1, -2, kNaN});
}

TEST(Reduce, MaxAndMinPropagateNaNOnRequest) {
  std::string suffix = "propagate_nan";
  expectSame(std::vector<float>{reduce("max", std::vector<float>{kNaN, 1}, suffix),
                                reduce("min", std::vector<float>{1, kNaN}, suffix),
                                reduce("max", std::vector<float>{3, 4}, suffix)},
             std::vector<float>{kNaN, kNaN, 4});
}

TEST(Reduce, PlusZeroIsGreaterThanMinusZero) {
  EXPECT_FALSE(std::signbit(reduce("max", std::vector<float>{-0.0f, 0.0f, -0.0f})));
  EXPECT_TRUE(std::signbit(reduce("min", std::vector<float>{0.0f, -0.0f, 0.0f})));
}

/// Sums of 0..23 as a 2x3x4 block, along each dimension.
TEST(Reduce, EachAxisOfABlock) {
  std::pair<std::string, std::vector<int32_t>> cases[] = {
      {"3x4", {12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34}},
      {"2x4", {12, 15, 18, 21, 48, 51, 54, 57}},
      {"2x3", {6, 22, 38, 54, 70, 86}}};
  for (size_t axis = 0; axis < 3; ++axis) {
    auto &[shape, expected] = cases[axis];
    std::string count = std::to_string(expected.size());
    std::vector<int32_t> result(expected.size());
    Result<void> done =
        run("fsm.kernel @k(%out: !fsm.ptr<i32>) {\n"
            "  %x = fsm.range 0, 24 : tensor<24xi32>\n"
            "  %b = fsm.reshape %x : tensor<24xi32> -> tensor<2x3x4xi32>\n"
            "  %s = fsm.reduce <sum> %b axis " +
                std::to_string(axis) + " : tensor<2x3x4xi32> -> tensor<" + shape +
                "xi32>\n  %f = fsm.reshape %s : tensor<" + shape + "xi32> -> tensor<" + count +
                "xi32>\n  %o = fsm.range 0, " + count + " : tensor<" + count +
                "xi32>\n  fsm.store %f, %out[%o] : tensor<" + count +
                "xi32>, !fsm.ptr<i32>, tensor<" + count + "xi32>\n  fsm.return\n}\n",
            Grid(), {bufferOf(result)});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(result, expected) << "axis " << axis;
  }
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// Scans a block of the given elements.
template <typename T>
static std::vector<T> scan(const std::string &kind, std::vector<T> elements,
                           const std::string &suffix = "") {
  std::string type = typeName(static_cast<T *>(nullptr));
  std::string count = std::to_string(elements.size());
  std::string block = "tensor<" + count + "x" + type + ">", offsets = "tensor<" + count + "xi32>";
  std::vector<T> result(elements.size());
  Result<void> done =
      run("fsm.kernel @k(%p: !fsm.ptr<" + type + ">, %out: !fsm.ptr<" + type + ">) {\n" +
              "  %offsets = fsm.range 0, " + count + " : " + offsets + "\n" +
              "  %x = fsm.load %p[%offsets] : !fsm.ptr<" + type + ">, " + offsets + " -> " + block +
              "\n  %r = fsm.scan <" + kind + "> %x axis 0 " + suffix + " : " + block +
              "\n  fsm.store %r, %out[%offsets] : " + block + ", !fsm.ptr<" + type + ">, " +
              offsets + "\n  fsm.return\n}\n",
          Grid(), {bufferOf(elements), bufferOf(result)});
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

TEST(Scan, EachElementCombinesAllBeforeIt) {
  std::vector<int32_t> x = {6, -3, 5, 1};
  EXPECT_EQ(scan("sum", x), (std::vector<int32_t>{6, 3, 8, 9}));
  EXPECT_EQ(scan("prod", x), (std::vector<int32_t>{6, -18, -90, -90}));
  EXPECT_EQ(scan("max", x), (std::vector<int32_t>{6, 6, 6, 6}));
  EXPECT_EQ(scan("umax", x), (std::vector<int32_t>{6, -3, -3, -3}));
  EXPECT_EQ(scan("xor", x), (std::vector<int32_t>{6, 6 ^ -3, 6 ^ -3 ^ 5, 6 ^ -3 ^ 5 ^ 1}));
}

TEST(Scan, ReverseBeginsAtTheEnd) {
  EXPECT_EQ(scan("sum", std::vector<int32_t>{6, -3, 5, 1}, "reverse"),
            (std::vector<int32_t>{9, 3, 6, 1}));
  EXPECT_EQ(scan("min", std::vector<float>{-1, 4, 2, 3}, "reverse"),
            (std::vector<float>{-1, 2, 2, 3}));
}

TEST(Scan, IntegerSumsWrap) {
  EXPECT_EQ(scan("sum", std::vector<int8_t>{100, 100, 100}), (std::vector<int8_t>{100, -56, 44}));
}

/// 2048 + 1 is 2048 in f16: what is carried on is not what has been rounded.
TEST(Scan, HalvesAccumulateInF32) {
  std::vector<F16> sums = scan("sum", std::vector<F16>{{0x6800}, {0x3C00}, {0x3C00}});
  EXPECT_EQ(sums[1].bits, 0x6800);
  EXPECT_EQ(sums[2].bits, 0x6801);
}

TEST(Scan, MaxIgnoresNaNUnlessAsked) {
  std::vector<float> x = {kNaN, 1, kNaN, 2};
  expectSame(scan("max", x), std::vector<float>{kNaN, 1, 1, 2});
  expectSame(scan("max", x, "reverse propagate_nan"), std::vector<float>{kNaN, kNaN, kNaN, 2});
}

TEST(Scan, SumsOfNegativeZerosAreNegativeZero) {
  for (float sum : scan("sum", std::vector<float>{-0.0f, -0.0f}))
    EXPECT_TRUE(std::signbit(sum));
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Runs a kernel with a block of 2 x 3 numbers 0 to 5, `%x`, and as many `%ones`; `body` gives
/// the flat block `%f`, which is stored.
static std::vector<int32_t> combine(const std::string &body, size_t count) {
  std::vector<int32_t> result(count);
  std::string flat = "tensor<" + std::to_string(count) + "xi32>";
  Result<void> done = run("fsm.kernel @k(%out: !fsm.ptr<i32>) {\n"
                          "  %n = fsm.range 0, 6 : tensor<6xi32>\n"
                          "  %x = fsm.reshape %n : tensor<6xi32> -> tensor<2x3xi32>\n"
                          "  %one = arith.constant 1 : i32\n"
                          "  %ones = fsm.splat %one : tensor<2x3xi32>\n" +
                              body + "  %o = fsm.range 0, " + std::to_string(count) + " : " + flat +
                              "\n  fsm.store %f, %out[%o] : " + flat + ", !fsm.ptr<i32>, " + flat +
                              "\n  fsm.return\n}\n",
                          Grid(), {bufferOf(result)});
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

/// a of the first, then b of the second: which shows who was first.
static const std::string kTens = " {\n  ^bb0(%a: i32, %b: i32):\n"
                                 "    %ten = arith.constant 10 : i32\n"
                                 "    %tens = arith.muli %a, %ten : i32\n"
                                 "    %s = arith.addi %tens, %b : i32\n"
                                 "    fsm.yield %s : i32\n  }\n";

TEST(ScanWith, TheFirstTupleIsOfElementsBefore) {
  std::string flatten = "  %f = fsm.reshape %r : tensor<2x3xi32> -> tensor<6xi32>\n";
  EXPECT_EQ(combine("  %r = fsm.scan_with %x axis 1 : tensor<2x3xi32>" + kTens + flatten, 6),
            (std::vector<int32_t>{0, 1, 12, 3, 34, 345}));
  EXPECT_EQ(
      combine("  %r = fsm.scan_with %x axis 1 reverse : tensor<2x3xi32>" + kTens + flatten, 6),
      (std::vector<int32_t>{210, 21, 2, 543, 54, 5}));
  EXPECT_EQ(combine("  %r = fsm.scan_with %x axis 0 : tensor<2x3xi32>" + kTens + flatten, 6),
            (std::vector<int32_t>{0, 1, 2, 3, 14, 25}));
}

/// Sums of the elements, and their counts.
TEST(ReduceWith, CombinesTuples) {
  std::string region = " {\n  ^bb0(%a: i32, %n0: i32, %b: i32, %n1: i32):\n"
                       "    %s = arith.addi %a, %b : i32\n"
                       "    %count = arith.addi %n0, %n1 : i32\n"
                       "    fsm.yield %s, %count : i32, i32\n  }\n";
  std::string reduce = "  %r:2 = fsm.reduce_with %x, %ones axis 1 : tensor<2x3xi32>, "
                       "tensor<2x3xi32> -> tensor<2xi32>, tensor<2xi32>" +
                       region;
  std::string scale = "  %hundred = arith.constant dense<100> : tensor<2xi32>\n"
                      "  %counts = arith.muli %r#1, %hundred : tensor<2xi32>\n"
                      "  %f = arith.addi %counts, %r#0 : tensor<2xi32>\n";
  EXPECT_EQ(combine(reduce + scale, 2), (std::vector<int32_t>{303, 312}));
}

TEST(ReduceWith, ABlockOfRankOneGivesScalars) {
  EXPECT_EQ(combine("  %s = fsm.reduce_with %n axis 0 : tensor<6xi32> -> i32" + kTens +
                        "  %f = fsm.splat %s : tensor<1xi32>\n",
                    1),
            (std::vector<int32_t>{12345}));
}
