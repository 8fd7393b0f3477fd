//===- GatherTest.cpp - Taking, joining and ordering elements ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

using Ints = std::vector<int32_t>;

/// Runs `lines`, which define %r, a line of `count` elements, and stores it.
template <typename T>
static Result<void> runLines(const std::string &lines, std::vector<T> &result) {
  std::string count = std::to_string(result.size()), type = typeName(static_cast<T *>(nullptr));
  return run("fsm.kernel @k(%out: !fsm.ptr<" + type + ">) {\n" + lines + "\n%o = fsm.range 0, " +
                 count + " : tensor<" + count + "xi32>\nfsm.store %r, %out[%o] : tensor<" + count +
                 "x" + type + ">, !fsm.ptr<" + type + ">, tensor<" + count +
                 "xi32>\nfsm.return\n}\n",
             Grid(), {bufferOf(result)});
}

static Ints intsOf(const std::string &lines, size_t count) {
  Ints result(count);
  Result<void> done = runLines(lines, result);
  EXPECT_TRUE(done) << done.error().message;
  return result;
}

static std::string failureOf(const std::string &lines) {
  Ints result(2);
  return errorOf(runLines(lines, result));
}

/// 10 20 30 / 40 50 60.
static const std::string kTile =
    "%x = arith.constant dense<[[10, 20, 30], [40, 50, 60]]> : tensor<2x3xi32>\n";

TEST(Gather, TakesAlongTheInnerDimension) {
  EXPECT_EQ(intsOf(kTile +
                       "%i = arith.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi64>\n"
                       "%g = fsm.gather %x[%i] axis 1 : tensor<2x3xi32>, tensor<2x2xi64> -> "
                       "tensor<2x2xi32>\n%r = fsm.reshape %g : tensor<2x2xi32> -> tensor<4xi32>",
                   4),
            (Ints{30, 10, 50, 50}));
}

TEST(Gather, TakesAlongTheOuterDimension) {
  EXPECT_EQ(intsOf(kTile +
                       "%i = arith.constant dense<[[1, 0, 1]]> : tensor<1x3xi32>\n"
                       "%g = fsm.gather %x[%i] axis 0 : tensor<2x3xi32>, tensor<1x3xi32> -> "
                       "tensor<1x3xi32>\n%r = fsm.reshape %g : tensor<1x3xi32> -> tensor<3xi32>",
                   3),
            (Ints{40, 20, 60}));
}

TEST(Gather, AnIndexOutsideIsAnError) {
  for (const char *index : {"-1", "3"}) {
    std::string lines = "%x = fsm.range 0, 3 : tensor<3xi32>\n%i = arith.constant dense<[0, " +
                        std::string(index) + "]> : tensor<2xi32>\n" +
                        "%r = fsm.gather %x[%i] axis 0 : tensor<3xi32>, tensor<2xi32> -> "
                        "tensor<2xi32>";
    EXPECT_EQ(failureOf(lines), "k:4:6: program (0, 0, 0) takes element " + std::string(index) +
                                    " of dimension 0, which has 3");
  }
}

TEST(Slice, BeginsWhereItSays) {
  EXPECT_EQ(intsOf(kTile + "%one = arith.constant 1 : i32\n"
                           "%g = fsm.slice %x[0, %one] : tensor<2x3xi32> -> tensor<2x2xi32>\n"
                           "%r = fsm.reshape %g : tensor<2x2xi32> -> tensor<4xi32>",
                   4),
            (Ints{20, 30, 50, 60}));
}

TEST(Slice, BehindTheEndIsAnError) {
  EXPECT_EQ(failureOf("%x = fsm.range 0, 3 : tensor<3xi32>\n%two = arith.constant 2 : i32\n"
                      "%r = fsm.slice %x[%two] : tensor<3xi32> -> tensor<2xi32>"),
            "k:4:6: program (0, 0, 0) takes element 3 of dimension 0, which has 3");
}

TEST(Extract, TakesOneElement) {
  EXPECT_EQ(intsOf(kTile + "%one = arith.constant 1 : i32\n"
                           "%e = fsm.extract %x[%one, 2] : tensor<2x3xi32>\n"
                           "%r = fsm.splat %e : tensor<2xi32>",
                   2),
            (Ints{60, 60}));
}

TEST(Cat, FollowsTheAxis) {
  EXPECT_EQ(intsOf(kTile + "%y = arith.constant dense<[[1], [2]]> : tensor<2x1xi32>\n"
                           "%c = fsm.cat %x, %y, %x axis 1 : tensor<2x3xi32>, tensor<2x1xi32>, "
                           "tensor<2x3xi32> -> tensor<2x7xi32>\n"
                           "%r = fsm.reshape %c : tensor<2x7xi32> -> tensor<14xi32>",
                   14),
            (Ints{10, 20, 30, 1, 10, 20, 30, 40, 50, 60, 2, 40, 50, 60}));
}

TEST(Places, SumCoordinatesTimesStrides) {
  const std::string places =
      "%four = arith.constant 4 : i32\n"
      "%p, %in = fsm.places origin [1, %four] strides [100, 2] bounds [2, 6] : tensor<2x3xi32>\n";
  EXPECT_EQ(intsOf(places + "%r = fsm.reshape %p : tensor<2x3xi32> -> tensor<6xi32>", 6),
            (Ints{108, 110, 112, 208, 210, 212}));
  EXPECT_EQ(intsOf(places + "%m = fsm.reshape %in : tensor<2x3xi1> -> tensor<6xi1>\n"
                            "%r = arith.extui %m : tensor<6xi1> to tensor<6xi32>",
                   6),
            (Ints{1, 1, 0, 0, 0, 0}));
}

TEST(Sort, PutsNaNLastAndNegativeZeroFirst) {
  std::vector<float> result(6);
  Result<void> done =
      runLines("%x = arith.constant dense<[1.0, 0x7FC00000, 0.0, -0.0, -2.0, 0x7F800000]> : "
               "tensor<6xf32>\n%r = fsm.sort %x axis 0 : tensor<6xf32>",
               result);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(result[0], -2);
  EXPECT_TRUE(result[1] == 0 && std::signbit(result[1]));
  EXPECT_TRUE(result[2] == 0 && !std::signbit(result[2]));
  EXPECT_EQ(result[3], 1);
  EXPECT_TRUE(std::isinf(result[4]));
  EXPECT_TRUE(std::isnan(result[5]));
}

TEST(Sort, DescendsAlongTheOuterDimension) {
  EXPECT_EQ(intsOf(kTile + "%s = fsm.sort %x axis 0 descending : tensor<2x3xi32>\n"
                           "%r = fsm.reshape %s : tensor<2x3xi32> -> tensor<6xi32>",
                   6),
            (Ints{40, 50, 60, 10, 20, 30}));
}

TEST(TopK, GivesTheFirstOfEqualElementsFirst) {
  const std::string found =
      "%x = arith.constant dense<[3, 7, 3, 7, 5]> : tensor<5xi32>\n"
      "%v, %i = fsm.topk %x axis 0 : tensor<5xi32> -> tensor<4xi32>\n"
      "%w, %j = fsm.topk %x axis 0 smallest : tensor<5xi32> -> tensor<4xi32>\n";
  const std::string kept = " = arith.addi %zero, ";
  auto of = [&](const std::string &name) {
    return intsOf(found + "%zero = arith.constant dense<0> : tensor<4xi32>\n%r" + kept + name +
                      " : tensor<4xi32>",
                  4);
  };
  EXPECT_EQ(of("%v"), (Ints{7, 7, 5, 3}));
  EXPECT_EQ(of("%i"), (Ints{1, 3, 4, 0}));
  EXPECT_EQ(of("%w"), (Ints{3, 3, 5, 7}));
  EXPECT_EQ(of("%j"), (Ints{0, 2, 4, 1}));
}

TEST(Histogram, CountsWhatHasABin) {
  EXPECT_EQ(intsOf("%x = arith.constant dense<[1, 3, 1, -1, 4, 0, 1]> : tensor<7xi8>\n"
                   "%r = fsm.histogram %x : tensor<7xi8> -> tensor<4xi32>",
                   4),
            (Ints{1, 3, 0, 1}));
}
