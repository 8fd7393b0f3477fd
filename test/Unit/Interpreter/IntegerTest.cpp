//===- IntegerTest.cpp - Integer arithmetic of the interpreter -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm::test;

using Bytes = std::vector<int8_t>;
using Ints = std::vector<int32_t>;
using Longs = std::vector<int64_t>;

static constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
static constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
static constexpr int64_t kMinLong = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMaxLong = std::numeric_limits<int64_t>::max();

static Ints binary(const std::string &op, const Ints &a, const Ints &b) {
  return evaluate<int32_t>(op + " %a, %b : #i32", a, b);
}

TEST(Integer, AddSubtractAndMultiplyWrap) {
  expectSame(binary("arith.addi", {1, kMax, -5}, {2, 1, 3}), Ints{3, kMin, -2});
  expectSame(binary("arith.subi", {1, kMin, 7}, {2, 1, 7}), Ints{-1, kMax, 0});
  expectSame(binary("arith.muli", {6, kMax, 65536}, {-7, 2, 65536}), Ints{-42, -2, 0});
}

TEST(Integer, WrapsInEveryWidth) {
  expectSame(evaluate<int8_t>("arith.addi %a, %b : #i8", Bytes{127, -128}, Bytes{1, -1}),
             Bytes{-128, 127});
  expectSame(evaluate<int64_t>("arith.muli %a, %b : #i64", Longs{kMaxLong, int64_t(1) << 40},
                               Longs{kMaxLong, int64_t(1) << 40}),
             Longs{1, 0});
  std::vector<int16_t> words = evaluate<int16_t>(
      "arith.subi %a, %b : #i16", std::vector<int16_t>{-32768}, std::vector<int16_t>{1});
  EXPECT_EQ(words[0], 32767);
  std::vector<I1> bits = evaluate<I1>("arith.addi %a, %b : #i1", std::vector<I1>{{1}, {1}, {0}},
                                      std::vector<I1>{{1}, {0}, {0}});
  EXPECT_EQ(bits[0].bits, 0);
  EXPECT_EQ(bits[1].bits, 1);
  EXPECT_EQ(bits[2].bits, 0);
}

TEST(Integer, SignedDivisionTruncates) {
  Ints a = {7, -7, 7, -7, 6}, b = {2, 2, -2, -2, 3};
  expectSame(binary("arith.divsi", a, b), Ints{3, -3, -3, 3, 2});
  expectSame(binary("arith.remsi", a, b), Ints{1, -1, 1, -1, 0});
}

TEST(Integer, FloorAndCeilDivision) {
  Ints a = {7, -7, 7, -7, 6}, b = {2, 2, -2, -2, 3};
  expectSame(binary("arith.floordivsi", a, b), Ints{3, -4, -4, 3, 2});
  expectSame(binary("arith.ceildivsi", a, b), Ints{4, -3, -3, 4, 2});
  expectSame(binary("arith.ceildivui", {7, -1, 0, 6}, {2, 2, 5, 3}), Ints{4, kMin, 0, 2});
}

TEST(Integer, UnsignedDivision) {
  expectSame(binary("arith.divui", {-1, 7, 5}, {2, 2, -1}), Ints{kMax, 3, 0});
  expectSame(binary("arith.remui", {-1, 7, 5}, {10, 2, -1}), Ints{5, 1, 5});
}

/// Unspecified values, but the host must not trap.
TEST(Integer, DivisionWithoutAResultDoesNotTrap) {
  for (const char *op :
       {"divsi", "remsi", "floordivsi", "ceildivsi", "divui", "remui", "ceildivui"}) {
    std::string name = std::string("arith.") + op;
    EXPECT_EQ(binary(name, {1, kMin, 0, 8}, {0, -1, 0, 1}).size(), 4u) << op;
    evaluate<int64_t>(name + " %a, %b : #i64", Longs{1, kMinLong}, Longs{0, -1});
    evaluate<int8_t>(name + " %a, %b : #i8", Bytes{1, -128}, Bytes{0, -1});
    evaluate<I1>(name + " %a, %b : #i1", std::vector<I1>{{1}, {1}}, std::vector<I1>{{0}, {1}});
  }
}

TEST(Integer, Shifts) {
  expectSame(binary("arith.shli", {1, 3, -1}, {4, 31, 1}), Ints{16, kMin, -2});
  expectSame(binary("arith.shrsi", {-8, kMin, 9}, {1, 31, 2}), Ints{-4, -1, 2});
  expectSame(binary("arith.shrui", {-8, kMin, 9}, {1, 31, 2}), Ints{kMax - 3, 1, 2});
}

TEST(Integer, ShiftsByTheWidthOrMoreDoNotTrap) {
  for (const char *op : {"arith.shli", "arith.shrsi", "arith.shrui"}) {
    binary(op, {1, 1, 1}, {32, -1, 64});
    evaluate<int64_t>(std::string(op) + " %a, %b : #i64", Longs{1, 1}, Longs{64, -1});
  }
}

TEST(Integer, BitwiseOps) {
  expectSame(binary("arith.andi", {12}, {10}), Ints{8});
  expectSame(binary("arith.ori", {12}, {10}), Ints{14});
  expectSame(binary("arith.xori", {12}, {-1}), Ints{-13});
}

TEST(Integer, MaximaAndMinima) {
  Ints a = {-1, 3, kMin}, b = {1, 2, kMax};
  expectSame(binary("arith.maxsi", a, b), Ints{1, 3, kMax});
  expectSame(binary("arith.minsi", a, b), Ints{-1, 2, kMin});
  expectSame(binary("arith.maxui", a, b), Ints{-1, 3, kMin});
  expectSame(binary("arith.minui", a, b), Ints{1, 2, kMax});
}

TEST(Integer, AbsoluteValueOfTheLowestNumberWraps) {
  expectSame(evaluate<int32_t>("math.absi %a : #i32", Ints{-3, 3, kMin}), Ints{3, 3, kMin});
  expectSame(evaluate<int8_t>("math.absi %a : #i8", Bytes{-3, -128}), Bytes{3, -128});
}

TEST(Integer, ComparisonPredicates) {
  // For (-1, 1), (2, 2), (3, -4).
  std::pair<const char *, std::vector<int>> cases[] = {
      {"eq", {0, 1, 0}},  {"ne", {1, 0, 1}},  {"slt", {1, 0, 0}}, {"sle", {1, 1, 0}},
      {"sgt", {0, 0, 1}}, {"sge", {0, 1, 1}}, {"ult", {0, 0, 1}}, {"ule", {0, 1, 1}},
      {"ugt", {1, 0, 0}}, {"uge", {1, 1, 0}}};
  for (auto &[predicate, expected] : cases) {
    std::vector<I1> actual = evaluate<I1>(
        std::string("arith.cmpi ") + predicate + ", %a, %b : #i32", Ints{-1, 2, 3}, Ints{1, 2, -4});
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(actual[i].bits, expected[i]) << predicate << " " << i;
  }
}

/// As a signed number, a true i1 is -1.
TEST(Integer, ComparesI1AsSignedNumber) {
  std::vector<I1> less = evaluate<I1>("arith.cmpi slt, %a, %b : #i1", std::vector<I1>{{1}, {0}},
                                      std::vector<I1>{{0}, {1}});
  EXPECT_EQ(less[0].bits, 1);
  EXPECT_EQ(less[1].bits, 0);
}

TEST(Integer, SelectChoosesByElement) {
  expectSame(evaluate<int32_t>("arith.select %a, %b, %c : #i1, #i32", std::vector<I1>{{1}, {0}},
                               Ints{1, 2}, Ints{3, 4}),
             Ints{1, 4});
}

TEST(Integer, SelectOfWholeBlocks) {
  for (bool condition : {true, false}) {
    std::string chosen =
        condition ? "%t = arith.constant true\n  " : "%t = arith.constant false\n  ";
    chosen += "%r = arith.select %t, %a, %b : #i32";
    expectSame(evaluate<int32_t>(chosen, Ints{1, 2}, Ints{3, 4}),
               condition ? Ints{1, 2} : Ints{3, 4});
  }
}
