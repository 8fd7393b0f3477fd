//===- ShapeTest.cpp - Shape ops and constants of the interpreter --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

using Ints = std::vector<int32_t>;

/// Runs `lines`, which define %r, a block `shape` of i32, and gives its
/// elements in row-major order.
static Ints blockOf(const std::string &lines, const std::string &shape, size_t count) {
  std::string block = "tensor<" + shape + "xi32>";
  std::string flat = "tensor<" + std::to_string(count) + "xi32>";
  Ints result(count);
  Result<void> done =
      run("fsm.kernel @k(%out: !fsm.ptr<i32>) {\n" + lines +
              "\n  %flat = fsm.reshape %r : " + block + " -> " + flat + "\n  %o = fsm.range 0, " +
              std::to_string(count) + " : " + flat + "\n  fsm.store %flat, %out[%o] : " + flat +
              ", !fsm.ptr<i32>, " + flat + "\n  fsm.return\n}\n",
          Grid(), {bufferOf(result)});
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

TEST(Shape, RangeStartsWhereItSays) {
  EXPECT_EQ(blockOf("%r = fsm.range -2, 3 : tensor<5xi32>", "5", 5), (Ints{-2, -1, 0, 1, 2}));
}

TEST(Shape, SplatRepeatsAScalar) {
  EXPECT_EQ(blockOf("%c = arith.constant -7 : i32\n%r = fsm.splat %c : tensor<2x3xi32>", "2x3", 6),
            Ints(6, -7));
}

TEST(Shape, ExpandThenBroadcastRows) {
  EXPECT_EQ(blockOf("%x = fsm.range 0, 3 : tensor<3xi32>\n"
                    "%e = fsm.expand_dims %x axis 0 : tensor<3xi32> -> tensor<1x3xi32>\n"
                    "%r = fsm.broadcast %e : tensor<1x3xi32> -> tensor<2x3xi32>",
                    "2x3", 6),
            (Ints{0, 1, 2, 0, 1, 2}));
}

TEST(Shape, ExpandThenBroadcastColumns) {
  EXPECT_EQ(blockOf("%x = fsm.range 0, 3 : tensor<3xi32>\n"
                    "%e = fsm.expand_dims %x axis 1 : tensor<3xi32> -> tensor<3x1xi32>\n"
                    "%r = fsm.broadcast %e : tensor<3x1xi32> -> tensor<3x2xi32>",
                    "3x2", 6),
            (Ints{0, 0, 1, 1, 2, 2}));
}

TEST(Shape, BroadcastsTheMiddleDimension) {
  EXPECT_EQ(blockOf("%x = fsm.range 0, 4 : tensor<4xi32>\n"
                    "%e = fsm.reshape %x : tensor<4xi32> -> tensor<2x1x2xi32>\n"
                    "%r = fsm.broadcast %e : tensor<2x1x2xi32> -> tensor<2x3x2xi32>",
                    "2x3x2", 12),
            (Ints{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3}));
}

TEST(Shape, TransposeExchangesRowsAndColumns) {
  EXPECT_EQ(blockOf("%x = fsm.range 0, 6 : tensor<6xi32>\n"
                    "%y = fsm.reshape %x : tensor<6xi32> -> tensor<2x3xi32>\n"
                    "%r = fsm.transpose %y order [1, 0] : tensor<2x3xi32> -> tensor<3x2xi32>",
                    "3x2", 6),
            (Ints{0, 3, 1, 4, 2, 5}));
}

// Element (i, j, k) of the result is element (j, k, i) of the source, 6 j + 2 k + i.
TEST(Shape, TransposeRotatesThreeDimensions) {
  EXPECT_EQ(blockOf("%x = fsm.range 0, 12 : tensor<12xi32>\n"
                    "%y = fsm.reshape %x : tensor<12xi32> -> tensor<2x3x2xi32>\n"
                    "%r = fsm.transpose %y order [2, 0, 1] : tensor<2x3x2xi32> -> "
                    "tensor<2x2x3xi32>",
                    "2x2x3", 12),
            (Ints{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}));
}

TEST(Shape, JoinPutsTheSecondBlockNextToTheFirst) {
  EXPECT_EQ(blockOf("%x = fsm.range 0, 3 : tensor<3xi32>\n"
                    "%y = fsm.range 7, 10 : tensor<3xi32>\n"
                    "%r = fsm.join %x, %y : tensor<3xi32> -> tensor<3x2xi32>",
                    "3x2", 6),
            (Ints{0, 7, 1, 8, 2, 9}));
}

TEST(Shape, SplitTakesEveryOtherElement) {
  const std::string pairs = "%x = fsm.range 0, 8 : tensor<8xi32>\n"
                            "%y = fsm.reshape %x : tensor<8xi32> -> tensor<2x2x2xi32>\n";
  EXPECT_EQ(
      blockOf(pairs + "%r, %s = fsm.split %y : tensor<2x2x2xi32> -> tensor<2x2xi32>", "2x2", 4),
      (Ints{0, 2, 4, 6}));
  EXPECT_EQ(
      blockOf(pairs + "%l, %r = fsm.split %y : tensor<2x2x2xi32> -> tensor<2x2xi32>", "2x2", 4),
      (Ints{1, 3, 5, 7}));
}

TEST(Shape, ReshapeKeepsRowMajorOrder) {
  EXPECT_EQ(blockOf("%x = fsm.range 0, 6 : tensor<6xi32>\n"
                    "%y = fsm.reshape %x : tensor<6xi32> -> tensor<2x3xi32>\n"
                    "%r = fsm.reshape %y : tensor<2x3xi32> -> tensor<3x2xi32>",
                    "3x2", 6),
            (Ints{0, 1, 2, 3, 4, 5}));
}

TEST(Shape, ConstantBlocks) {
  EXPECT_EQ(blockOf("%r = arith.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>", "2x2", 4),
            (Ints{1, -2, 3, 4}));
  EXPECT_EQ(blockOf("%r = arith.constant dense<9> : tensor<3xi32>", "3", 3), Ints(3, 9));
}

TEST(Shape, ConstantFloats) {
  expectSame(evaluate<float>("arith.constant dense<[0xFF800000, -0.0, 1.5]> : #f32",
                             std::vector<float>(3)),
             std::vector<float>{-kInf, -0.0f, 1.5f});
  std::vector<I1> flags =
      evaluate<I1>("arith.constant dense<[true, false]> : #i1", std::vector<float>(2));
  EXPECT_EQ(flags[0].bits, 1);
  EXPECT_EQ(flags[1].bits, 0);
}

TEST(Shape, PoisonIsZero) {
  EXPECT_EQ(blockOf("%r = ub.poison : tensor<2xi32>", "2", 2), (Ints{0, 0}));
}
