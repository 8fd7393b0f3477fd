//===- DotTest.cpp - Products of matrices of the interpreter -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

namespace {
/// Of the matrices, as in "2x3".
struct Shapes {
  std::string left, right, sum;
};
} // namespace

static std::string load(const std::string &name, const std::string &type, const std::string &shape,
                        size_t count) {
  std::string flat = "tensor<" + std::to_string(count) + "xi32>", block = shape + "x" + type;
  return "  %" + name + "n = fsm.range 0, " + std::to_string(count) + " : " + flat + "\n  %" +
         name + "o = fsm.reshape %" + name + "n : " + flat + " -> tensor<" + shape + "xi32>\n  %" +
         name + "x = fsm.load %" + name + "[%" + name + "o] : !fsm.ptr<" + type + ">, tensor<" +
         shape + "xi32> -> tensor<" + block + ">\n";
}

/// left * right + acc; `type` names the elements of left and right, whose bits T holds.
template <typename T, typename S>
static std::vector<S> dot(const std::string &type, const Shapes &shapes, std::vector<T> left,
                          std::vector<T> right, std::vector<S> acc,
                          const std::string &precision = "") {
  std::string sum = typeName(static_cast<S *>(nullptr));
  std::vector<S> result(acc.size());
  std::string sums = "tensor<" + shapes.sum + "x" + sum + ">";
  std::string text =
      "fsm.kernel @k(%a: !fsm.ptr<" + type + ">, %b: !fsm.ptr<" + type + ">, %c: !fsm.ptr<" + sum +
      ">, %out: !fsm.ptr<" + sum + ">) {\n" + load("a", type, shapes.left, left.size()) +
      load("b", type, shapes.right, right.size()) + load("c", sum, shapes.sum, acc.size()) +
      "  %d = fsm.dot %ax, %bx, %cx " + precision + " : tensor<" + shapes.left + "x" + type +
      ">, tensor<" + shapes.right + "x" + type + "> -> " + sums +
      "\n  fsm.store %d, %out[%co] : " + sums + ", !fsm.ptr<" + sum + ">, tensor<" + shapes.sum +
      "xi32>\n  fsm.return\n}\n";
  Result<void> done =
      run(text, Grid(), {bufferOf(left), bufferOf(right), bufferOf(acc), bufferOf(result)});
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

TEST(Dot, RowsTimesColumns) {
  // (1 2 3; 4 5 6) * (1 0; 0 1; 10 100) + (1000 2000; 3000 4000)
  std::vector<float> answer = {1031, 2302, 3064, 4605};
  EXPECT_EQ(dot<float>("f32", {"2x3", "3x2", "2x2"}, {1, 2, 3, 4, 5, 6}, {1, 0, 0, 1, 10, 100},
                       std::vector<float>{1000, 2000, 3000, 4000}, "precision = ieee"),
            answer);
}

TEST(Dot, BatchesDoNotMix) {
  // (1 2) * (3; 4) and (5 6) * (7; 8)
  std::vector<double> answer = {11, 83};
  EXPECT_EQ(dot<double>("f64", {"2x1x2", "2x2x1", "2x1x1"}, {1, 2, 5, 6}, {3, 4, 7, 8},
                        std::vector<double>{0, 0}),
            answer);
}

/// 128 * 128 * 4 = 2^16, and 2^31 - 1 + 2^16 - 128 * 127 wraps.
TEST(Dot, BytesAreSignedAndTheirSumsWrap) {
  std::vector<int8_t> lowest = {-128, -128, -128, -128}, mixed = {-128, -128, -128, 127};
  EXPECT_EQ(dot<int8_t>("i8", {"1x4", "4x1", "1x1"}, lowest, lowest, std::vector<int32_t>{0}),
            std::vector<int32_t>{65536});
  EXPECT_EQ(
      dot<int8_t>("i8", {"1x4", "4x1", "1x1"}, lowest, mixed, std::vector<int32_t>{INT32_MAX}),
      std::vector<int32_t>{INT32_MIN + 3 * 16384 - 16256 - 1});
}

/// The same, and its mirror image, stay in the range.
TEST(Dot, SumsOfBytesSaturateWhereAsked) {
  std::vector<int8_t> lowest = {-128, -128, -128, -128}, highest = {127, 127, 127, 127};
  EXPECT_EQ(dot<int8_t>("i8", {"1x4", "4x1", "1x1"}, lowest, lowest,
                        std::vector<int32_t>{INT32_MAX - 65535}, "saturate"),
            std::vector<int32_t>{INT32_MAX});
  EXPECT_EQ(dot<int8_t>("i8", {"1x4", "4x1", "1x1"}, lowest, lowest,
                        std::vector<int32_t>{INT32_MAX - 65536}, "saturate"),
            std::vector<int32_t>{INT32_MAX});
  EXPECT_EQ(dot<int8_t>("i8", {"1x4", "4x1", "1x1"}, lowest, highest,
                        std::vector<int32_t>{INT32_MIN + 1}, "saturate"),
            std::vector<int32_t>{INT32_MIN});
}

/// In f32 each 2^-25 would be lost.
TEST(Dot, AccumulatesWide) {
  std::vector<float> row(1024, 0x1p-13f), column(1024, 0x1p-12f);
  std::string precisions[] = {"ieee", "tf32", "tf32x3", "bf16x3", "bf16x6"};
  for (const std::string &precision : precisions)
    EXPECT_EQ(dot<float>("f32", {"1x1024", "1024x1", "1x1"}, row, column, std::vector<float>{1},
                         "precision = " + precision),
              std::vector<float>{1 + 0x1p-15f});
}

TEST(Dot, NarrowFloats) {
  // 1.5 * 2 + 65504 * 0.5
  EXPECT_EQ(dot<F16>("f16", {"1x2", "2x1", "1x1"}, {{0x3E00}, {0x7BFF}}, {{0x4000}, {0x3800}},
                     std::vector<float>{0}),
            std::vector<float>{3 + 32752});
  EXPECT_EQ(dot<BF16>("bf16", {"1x1", "1x1", "1x1"}, {{0x3FC0}}, {{0xC000}}, std::vector<float>{0}),
            std::vector<float>{-3});
}

/// The least denormals and the largest numbers: 2^-9 and 448, 2^-16 and 57344.
TEST(Dot, F8) {
  EXPECT_EQ(dot<int8_t>("f8E4M3FN", {"1x2", "2x1", "1x1"}, {0x01, 0x7E}, {0x38, 0x38},
                        std::vector<float>{0}),
            std::vector<float>{448 + 0x1p-9f});
  EXPECT_EQ(dot<int8_t>("f8E5M2", {"1x1", "1x1", "1x1"}, {0x01}, {0x7B}, std::vector<float>{0}),
            std::vector<float>{57344 * 0x1p-16f});
  EXPECT_TRUE(std::isnan(
      dot<int8_t>("f8E4M3FN", {"1x1", "1x1", "1x1"}, {0x7F}, {0x00}, std::vector<float>{0})[0]));
  EXPECT_TRUE(std::isnan(
      dot<int8_t>("f8E5M2", {"1x1", "1x1", "1x1"}, {0x7C}, {0x00}, std::vector<float>{0})[0]));
}

TEST(Dot, InfinitiesAndNaNStayInTheirRows) {
  expectSame(dot<float>("f32", {"3x1", "1x2", "3x2"}, {kInf, kNaN, 2}, {1, 0},
                        std::vector<float>(6, 5), "precision = ieee"),
             std::vector<float>{kInf, kNaN, kNaN, kNaN, 7, 5});
}
