//===- AxisShapeTest.cpp - Every claim of axis info about shapes ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisTruth.h"

#include "gtest/gtest.h"

#include <functional>
#include <random>

using namespace fsm;
using namespace fsm::test;

using Shape = std::vector<int64_t>;

static std::string typeOf(const Shape &shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "i32>";
}

/// Numbers that run along each dimension with some step and stay for a while,
/// from the first on: such blocks have facts to lose.
static Numbers randomNumbers(const Shape &shape, std::mt19937 &dice) {
  static const int64_t steps[] = {0, 0, 1, 1, 2, 4, 6, 16, 64, 256};
  static const int64_t stays[] = {1, 1, 1, 2, 4, 8, 64};
  Numbers numbers{{shape.begin(), shape.end()}, {}};
  Shape step, stay;
  size_t count = 1;
  for (int64_t extent : shape) {
    count *= extent;
    step.push_back(steps[dice() % 10]);
    stay.push_back(stays[dice() % 7]);
  }
  // Half of the blocks follow the row-major order as one line.
  bool isLine = dice() % 2 == 0;
  int64_t first = (int64_t(dice() % 64) - 32) * steps[dice() % 10];
  for (size_t i = 0; i < count; ++i) {
    int64_t number = first, rest = i;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      number += rest % shape[dim] / stay[dim] * step[dim];
    numbers.elements.push_back(isLine ? first + int64_t(i) / stay[0] * step[0] : number);
  }
  return numbers;
}

static void checkMove(const std::string &op, const Shape &from, const Shape &to,
                      const std::function<int64_t(const Numbers &, size_t)> &element) {
  OneOp one("%x = arith.constant dense<0> : " + typeOf(from) + "\n%r = fsm." + op + " : " +
            typeOf(from) + " -> " + typeOf(to));
  ASSERT_TRUE(one.op) << op << typeOf(from) << typeOf(to);
  std::mt19937 dice(7);
  size_t count = 1;
  for (int64_t extent : to)
    count *= extent;
  for (int trial = 0; trial < 1500; ++trial) {
    Numbers source = randomNumbers(from, dice);
    Numbers result{{to.begin(), to.end()}, {}};
    for (size_t i = 0; i < count; ++i)
      result.elements.push_back(element(source, i));
    AxisInfo info = truthOf(source);
    std::string wrong = falseClaim(inferAxisInfo(one.op, {&info}), result);
    ASSERT_TRUE(wrong.empty()) << op << " " << typeOf(from) << " to " << typeOf(to) << ": " << wrong
                               << " is false of trial " << trial;
  }
}

static int64_t sameElement(const Numbers &source, size_t index) { return source.elements[index]; }

TEST(AxisShape, Reshapes) {
  std::pair<Shape, Shape> cases[] = {
      {{64}, {8, 8}},     {{8, 8}, {64}},       {{96}, {4, 24}},     {{4, 24}, {96}},
      {{4, 24}, {8, 12}}, {{36}, {3, 12}},      {{3, 12}, {36}},     {{2, 4, 8}, {8, 8}},
      {{4, 4, 6}, {96}},  {{32, 1, 3}, {96}},   {{5, 8}, {1, 5, 8}}, {{96}, {2, 1, 16, 3}},
      {{1}, {1, 1}},      {{16, 4}, {4, 16}},   {{7, 9}, {63}},      {{63}, {9, 7}},
      {{1, 64}, {64, 1}}, {{2, 32, 3}, {6, 32}}};
  for (const auto &[from, to] : cases)
    checkMove("reshape %x", from, to, sameElement);
}

TEST(AxisShape, NewDimensions) {
  checkMove("expand_dims %x axis 0", {24}, {1, 24}, sameElement);
  checkMove("expand_dims %x axis 1", {24}, {24, 1}, sameElement);
  checkMove("expand_dims %x axis 1", {6, 8}, {6, 1, 8}, sameElement);
}

TEST(AxisShape, Broadcasts) {
  checkMove("broadcast %x", {1, 24}, {6, 24},
            [](const Numbers &source, size_t i) { return source.elements[i % 24]; });
  checkMove("broadcast %x", {24, 1}, {24, 6},
            [](const Numbers &source, size_t i) { return source.elements[i / 6]; });
  checkMove("broadcast %x", {1, 1}, {5, 8},
            [](const Numbers &source, size_t) { return source.elements[0]; });
}

static void checkTranspose(const Shape &from, const std::vector<size_t> &order) {
  Shape to, strides(from.size(), 1);
  for (size_t dim = from.size() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * from[dim];
  std::string list;
  for (size_t dim : order) {
    to.push_back(from[dim]);
    list += (list.empty() ? "" : ", ") + std::to_string(dim);
  }
  checkMove("transpose %x order [" + list + "]", from, to, [&](const Numbers &source, size_t i) {
    size_t position = 0;
    for (size_t dim = to.size(); dim-- > 0; i /= to[dim])
      position += i % to[dim] * strides[order[dim]];
    return source.elements[position];
  });
}

TEST(AxisShape, Transposes) {
  checkTranspose({24}, {0});
  checkTranspose({8, 24}, {1, 0});
  checkTranspose({6, 1, 16}, {2, 0, 1});
  checkTranspose({4, 3, 8}, {1, 0, 2});
}

/// What is claimed of a block that is moved along dimensions only is all that is true.
TEST(AxisShape, TransposesLoseNothing) {
  std::mt19937 dice(3);
  OneOp one("%x = arith.constant dense<0> : tensor<4x24xi32>\n"
            "%r = fsm.transpose %x order [1, 0] : tensor<4x24xi32> -> tensor<24x4xi32>");
  ASSERT_TRUE(one.op);
  for (int trial = 0; trial < 300; ++trial) {
    Numbers source = randomNumbers({4, 24}, dice), result{{24, 4}, {}};
    for (size_t i = 0; i < 96; ++i)
      result.elements.push_back(source.elements[i % 4 * 24 + i / 4]);
    AxisInfo info = truthOf(source);
    EXPECT_TRUE(inferAxisInfo(one.op, {&info}) == truthOf(result)) << trial;
  }
}

static void checkSplit(const Shape &to) {
  Shape from = to;
  from.push_back(2);
  OneOp one("%x = arith.constant dense<0> : " + typeOf(from) +
            "\n%l, %r = fsm.split %x : " + typeOf(from) + " -> " + typeOf(to));
  ASSERT_TRUE(one.op) << typeOf(to);
  std::mt19937 dice(7);
  for (int trial = 0; trial < 1500; ++trial) {
    Numbers source = randomNumbers(from, dice);
    AxisInfo info = truthOf(source);
    for (size_t which : {0, 1}) {
      Numbers part{{to.begin(), to.end()}, {}};
      for (size_t i = which; i < source.elements.size(); i += 2)
        part.elements.push_back(source.elements[i]);
      std::string wrong = falseClaim(inferAxisInfo(one.op, {&info}, which), part);
      ASSERT_TRUE(wrong.empty()) << typeOf(to) << " " << which << ": " << wrong
                                 << " is false of trial " << trial;
    }
  }
}

TEST(AxisShape, Splits) {
  checkSplit({24});
  checkSplit({1});
  checkSplit({6, 8});
  checkSplit({4, 3, 2});
}

static void checkJoin(const Shape &from, bool isSame) {
  Shape to = from;
  to.push_back(2);
  OneOp one("%x = arith.constant dense<0> : " + typeOf(from) +
            "\n%y = arith.constant dense<1> : " + typeOf(from) + "\n%r = fsm.join %x, " +
            (isSame ? "%x" : "%y") + " : " + typeOf(from) + " -> " + typeOf(to));
  ASSERT_TRUE(one.op) << typeOf(from);
  std::mt19937 dice(7);
  for (int trial = 0; trial < 1500; ++trial) {
    Numbers left = randomNumbers(from, dice), right = randomNumbers(from, dice);
    if (isSame)
      right = left;
    if (trial % 8 == 0)
      for (size_t i = 0; i < left.elements.size(); ++i) {
        left.elements[i] = trial;
        right.elements[i] = trial + trial % 3;
      }
    if (isSame)
      right = left;
    Numbers pairs{{to.begin(), to.end()}, {}};
    for (size_t i = 0; i < left.elements.size(); ++i) {
      pairs.elements.push_back(left.elements[i]);
      pairs.elements.push_back(right.elements[i]);
    }
    AxisInfo leftInfo = truthOf(left), rightInfo = truthOf(right);
    AxisInfo claim = inferAxisInfo(one.op, {&leftInfo, &rightInfo});
    std::string wrong = falseClaim(claim, pairs);
    ASSERT_TRUE(wrong.empty()) << typeOf(from) << ": " << wrong << " is false of trial " << trial;
    if (isSame) {
      EXPECT_EQ(claim.dims.back().constancy, 2);
    }
  }
}

TEST(AxisShape, Joins) {
  checkJoin({24}, false);
  checkJoin({1}, false);
  checkJoin({6, 8}, false);
  checkJoin({6, 8}, true);
}

TEST(AxisShape, Reductions) {
  auto column = [](const Numbers &source, size_t i, auto combine) {
    int64_t result = source.elements[i];
    for (size_t row = 1; row < 6; ++row)
      result = combine(result, source.elements[row * 8 + i]);
    return result;
  };
  auto addTo = [](int64_t x, int64_t y) { return x + y; };
  auto greater = [](int64_t x, int64_t y) { return std::max(x, y); };
  auto bits = [](int64_t x, int64_t y) { return x ^ y; };
  checkMove("reduce <sum> %x axis 0", {6, 8}, {8},
            [&](const Numbers &source, size_t i) { return column(source, i, addTo); });
  checkMove("reduce <max> %x axis 0", {6, 8}, {8},
            [&](const Numbers &source, size_t i) { return column(source, i, greater); });
  checkMove("reduce <xor> %x axis 0", {6, 8}, {8},
            [&](const Numbers &source, size_t i) { return column(source, i, bits); });
}

TEST(AxisShape, ListedNumbersByDefinition) {
  std::mt19937 dice(11);
  for (int trial = 0; trial < 300; ++trial) {
    Numbers numbers = randomNumbers({6, 8}, dice);
    std::string text = "%r = arith.constant dense<[";
    for (size_t i = 0; i < numbers.elements.size(); ++i)
      text += (i % 8 ? "," : i ? "],[" : "[") + std::to_string(numbers.elements[i]);
    OneOp one(text + "]]> : tensor<6x8xi32>");
    ASSERT_TRUE(one.op) << text;
    EXPECT_TRUE(inferAxisInfo(one.op, {}) == truthOf(numbers)) << text;
  }
}
