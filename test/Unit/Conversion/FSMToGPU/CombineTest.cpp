//===- CombineTest.cpp - Tuples combined over threads --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Layout/RandomLayouts.h"
#include "SimulatedThreads.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace fsm;
using namespace fsm::test;

namespace {

using Words = std::vector<uint32_t>;

/// A block, an axis of it, and the threads it is spread over.
struct Shape {
  std::vector<uint64_t> extents;
  unsigned axis;
  unsigned warpBits;

  uint64_t count() const {
    uint64_t product = 1;
    for (uint64_t extent : extents)
      product *= extent;
    return product;
  }
  std::vector<uint64_t> without() const {
    std::vector<uint64_t> left = extents;
    left.erase(left.begin() + axis);
    return left;
  }
  /// The places of the line that `number` is the number of, in order.
  std::vector<size_t> line(size_t number, bool isReverse) const {
    uint64_t inner = 1;
    for (size_t dim = axis + 1; dim < extents.size(); ++dim)
      inner *= extents[dim];
    std::vector<size_t> places;
    for (uint64_t i = 0; i < extents[axis]; ++i)
      places.push_back((number / inner * extents[axis] + i) * inner + number % inner);
    if (isReverse)
      std::reverse(places.begin(), places.end());
    return places;
  }
};

Shape randomShape(Random &random) {
  static const std::vector<std::vector<uint64_t>> shapes = {
      {781}, {64}, {1}, {5, 33}, {16, 64}, {100}, {33, 5}, {3, 7, 10}, {1, 200}, {128, 3}};
  Shape shape{shapes[random() % shapes.size()], 0, static_cast<unsigned>(random() % 4)};
  shape.axis = random() % shape.extents.size();
  return shape;
}

LinearLayout cover(Random &random, const std::vector<uint64_t> &extents, unsigned warpBits) {
  return randomCover(random, BitSpace::block(extents), warpBits);
}

std::string reshapeOp(const std::string &to, const std::string &from, const LinearLayout &source,
                      const LinearLayout &result) {
  return "  " + to + " = fsm.reshape " + from + " : " + blockType(source, "i32") + " -> " +
         blockType(result, "i32") + "\n";
}

/// `%y`, the input as a block of the shape in the layout `first`, and `%z`, the same with other
/// bits in the layout `second`.
std::string operands(Random &random, const Shape &shape, const LinearLayout &first,
                     const LinearLayout &second) {
  LinearLayout flat = cover(random, {shape.count()}, shape.warpBits);
  std::string offsets = blockType(flat, "i32"), z = blockType(second, "i32");
  return "  %from = fsm.range 0, " + std::to_string(shape.count()) + " : " + offsets +
         "\n  %x = fsm.load %in[%from] : !fsm.ptr<i32>, " + offsets + " -> " + offsets + "\n" +
         reshapeOp("%y", "%x", flat, first) + reshapeOp("%w", "%x", flat, second) +
         "  %salt = arith.constant dense<77777> : " + z + "\n  %z = arith.xori %w, %salt : " + z +
         "\n";
}

/// Stores `%r#0 - %r#1`, of these extents and layouts, flat.
std::string storeDifference(Random &random, const Shape &shape,
                            const std::vector<uint64_t> &extents, const LinearLayout &first,
                            const LinearLayout &second) {
  uint64_t count = 1;
  for (uint64_t extent : extents)
    count *= extent;
  LinearLayout flat = cover(random, {count}, shape.warpBits);
  std::string type = blockType(first, "i32"), to = blockType(flat, "i32");
  return "  %c = fsm.convert_layout %r#1 : " + blockType(second, "i32") + " -> " + type +
         "\n  %d = arith.subi %r#0, %c : " + type + "\n" + reshapeOp("%f", "%d", first, flat) +
         "  %to = fsm.range 0, " + std::to_string(count) + " : " + to +
         "\n  fsm.store %f, %out[%to] : " + to + ", !fsm.ptr<i32>, " + to + "\n";
}

Words randomWords(Random &random, size_t count) {
  Words words(count);
  for (uint32_t &word : words)
    word = static_cast<uint32_t>(random()) | 1;
  return words;
}

void check(const std::string &body, const Shape &shape, const Words &values, const Words &expected,
           uint64_t seed) {
  Bytes bytes(values.size() * sizeof(uint32_t));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  Outcome outcome = runThreads(body, 1u << shape.warpBits, "i32", "i32", bytes,
                               expected.size() * sizeof(uint32_t), seed);
  ASSERT_EQ(outcome.error, "") << body;
  Words got(expected.size());
  std::memcpy(got.data(), outcome.out.data(), outcome.out.size());
  ASSERT_EQ(got, expected) << body;
}

} // namespace

/// x = a x + b, which does not commute, from and to blocks in any layouts.
TEST(CombineToGPU, ScansTuplesInOrder) {
  Random random(31);
  for (unsigned trial = 0; trial < 18; ++trial) {
    Shape shape = randomShape(random);
    bool isReverse = trial % 2;
    LinearLayout layouts[] = {cover(random, shape.extents, shape.warpBits),
                              cover(random, shape.extents, shape.warpBits)};
    // Both operands have the types of both results.
    std::string types = blockType(layouts[0], "i32") + ", " + blockType(layouts[1], "i32");
    std::string body = operands(random, shape, layouts[0], layouts[1]) +
                       "  %r:2 = fsm.scan_with %y, %z axis " + std::to_string(shape.axis) +
                       (isReverse ? " reverse" : "") + " : " + types +
                       " {\n  ^bb0(%a0: i32, %b0: i32, %a1: i32, %b1: i32):\n"
                       "    %a = arith.muli %a0, %a1 : i32\n"
                       "    %m = arith.muli %a1, %b0 : i32\n"
                       "    %b = arith.addi %m, %b1 : i32\n"
                       "    fsm.yield %a, %b : i32, i32\n  }\n" +
                       storeDifference(random, shape, shape.extents, layouts[0], layouts[1]);
    Words values = randomWords(random, shape.count()), expected(values.size());
    for (size_t line = 0; line < shape.count() / shape.extents[shape.axis]; ++line) {
      uint32_t a = 1, b = 0;
      for (size_t place : shape.line(line, isReverse)) {
        b = values[place] * b + (values[place] ^ 77777);
        a *= values[place];
        expected[place] = a - b;
      }
    }
    check(body, shape, values, expected, trial);
    if (HasFatalFailure())
      return;
  }
}

/// A sum and a maximum at once.
TEST(CombineToGPU, ReducesTuples) {
  Random random(32);
  for (unsigned trial = 0; trial < 18; ++trial) {
    Shape shape = randomShape(random);
    LinearLayout first = cover(random, shape.extents, shape.warpBits);
    LinearLayout second = cover(random, shape.extents, shape.warpBits);
    std::vector<uint64_t> left = shape.without();
    std::string body = operands(random, shape, first, second) +
                       "  %r:2 = fsm.reduce_with %y, %z axis " + std::to_string(shape.axis) +
                       " : " + blockType(first, "i32") + ", " + blockType(second, "i32") + " -> ";
    std::string region = " {\n  ^bb0(%s0: i32, %m0: i32, %s1: i32, %m1: i32):\n"
                         "    %s = arith.addi %s0, %s1 : i32\n"
                         "    %m = arith.maxui %m0, %m1 : i32\n"
                         "    fsm.yield %s, %m : i32, i32\n  }\n";
    if (left.empty()) {
      body += "i32, i32" + region +
              "  %d = arith.subi %r#0, %r#1 : i32\n  fsm.store %d, %out : i32, !fsm.ptr<i32>\n";
    } else {
      LinearLayout sums = cover(random, left, shape.warpBits);
      LinearLayout most = cover(random, left, shape.warpBits);
      body += blockType(sums, "i32") + ", " + blockType(most, "i32") + region +
              storeDifference(random, shape, left, sums, most);
    }
    Words values = randomWords(random, shape.count());
    Words expected(shape.count() / shape.extents[shape.axis]);
    for (size_t line = 0; line < expected.size(); ++line) {
      uint32_t sum = 0, most = 0;
      for (size_t place : shape.line(line, /*isReverse=*/false)) {
        sum += values[place];
        most = std::max(most, values[place] ^ 77777);
      }
      expected[line] = sum - most;
    }
    check(body, shape, values, expected, trial);
    if (HasFatalFailure())
      return;
  }
}
