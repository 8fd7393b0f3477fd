//===- ReduceTest.cpp - Reductions over threads --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Layout/RandomLayouts.h"
#include "SimulatedThreads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

using namespace fsm;
using namespace fsm::test;

namespace {

/// A kind of reduction, and what it does to two numbers.
struct Kind {
  const char *name;
  std::function<int64_t(int64_t, int64_t)> combine;
};

const std::vector<Kind> &integerKinds() {
  static const std::vector<Kind> kinds = {
      {"sum",
       [](int64_t a, int64_t b) {
         return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
       }},
      {"prod",
       [](int64_t a, int64_t b) {
         return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
       }},
      {"max", [](int64_t a, int64_t b) { return std::max(a, b); }},
      {"min", [](int64_t a, int64_t b) { return std::min(a, b); }},
      {"umax",
       [](int64_t a, int64_t b) {
         return static_cast<int64_t>(std::max(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
       }},
      {"umin",
       [](int64_t a, int64_t b) {
         return static_cast<int64_t>(std::min(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
       }},
      {"and", [](int64_t a, int64_t b) { return a & b; }},
      {"or", [](int64_t a, int64_t b) { return a | b; }},
      {"xor", [](int64_t a, int64_t b) { return a ^ b; }}};
  return kinds;
}

template <typename T>
Bytes bytesOf(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename T>
std::vector<T> valuesOf(const Bytes &bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// A layout in which each bit moves along one dimension, or any layout.
LinearLayout randomOperand(Random &random, const std::vector<uint64_t> &extents,
                           unsigned warpBits) {
  BitSpace block = BitSpace::block(extents);
  LinearLayout any = randomCover(random, block, warpBits);
  if (random() % 4 == 0)
    return any;
  std::vector<unsigned> free;
  for (unsigned bit = 0; bit < block.bits(); ++bit)
    free.push_back(bit);
  std::vector<uint64_t> bases;
  for (uint64_t base : any.bases()) {
    bases.push_back(0);
    if (!base)
      continue;
    size_t chosen = random() % free.size();
    bases.back() = uint64_t(1) << free[chosen];
    free.erase(free.begin() + static_cast<long>(chosen));
  }
  return LinearLayout(any.from(), block, bases);
}

std::string rangeOp(const std::string &name, uint64_t count, const LinearLayout &layout) {
  return "  " + name + " = fsm.range 0, " + std::to_string(count) + " : " +
         blockType(layout, "i32") + "\n";
}

/// A kernel that reduces a block of these extents along `axis`; the result is stored flat.
std::string reduceBody(Random &random, const std::vector<uint64_t> &extents, unsigned axis,
                       unsigned warpBits, const std::string &kind, const std::string &element) {
  uint64_t count = 1;
  for (uint64_t extent : extents)
    count *= extent;
  LinearLayout flat = randomCover(random, BitSpace::block({count}), warpBits);
  LinearLayout operand = randomOperand(random, extents, warpBits);
  std::string body = rangeOp("%from", count, flat) + "  %x = fsm.load %in[%from] : !fsm.ptr<" +
                     element + ">, " + blockType(flat, "i32") + " -> " + blockType(flat, element) +
                     "\n";
  body += "  %y = fsm.reshape %x : " + blockType(flat, element) + " -> " +
          blockType(operand, element) + "\n";
  std::string reduce = "  %z = fsm.reduce <" + kind + "> %y axis " + std::to_string(axis) + " : " +
                       blockType(operand, element) + " -> ";
  if (extents.size() == 1)
    return body + reduce + element + "\n  fsm.store %z, %out : " + element + ", !fsm.ptr<" +
           element + ">\n";
  LinearLayout partial = slicedLayout(operand, axis);
  LinearLayout result = random() % 2 ? partial : randomCover(random, partial.to(), warpBits);
  uint64_t left = count / extents[axis];
  if (extents.size() > 2) {
    LinearLayout last = randomCover(random, BitSpace::block({left}), warpBits);
    body += reduce + blockType(result, element) + "\n";
    body += "  %w = fsm.reshape %z : " + blockType(result, element) + " -> " +
            blockType(last, element) + "\n";
    return body + rangeOp("%to", left, last) +
           "  fsm.store %w, %out[%to] : " + blockType(last, element) + ", !fsm.ptr<" + element +
           ">, " + blockType(last, "i32") + "\n";
  }
  return body + reduce + blockType(result, element) + "\n" + rangeOp("%to", left, result) +
         "  fsm.store %z, %out[%to] : " + blockType(result, element) + ", !fsm.ptr<" + element +
         ">, " + blockType(result, "i32") + "\n";
}

/// The reduction of a row-major block, element by element.
template <typename T>
std::vector<T> reduced(const std::vector<T> &values, const std::vector<uint64_t> &extents,
                       unsigned axis, const std::function<T(T, T)> &combine) {
  uint64_t inner = 1;
  for (size_t dim = axis + 1; dim < extents.size(); ++dim)
    inner *= extents[dim];
  std::vector<T> result(values.size() / extents[axis]);
  for (size_t i = 0; i < result.size(); ++i) {
    size_t first = i / inner * inner * extents[axis] + i % inner;
    result[i] = values[first];
    for (uint64_t k = 1; k < extents[axis]; ++k)
      result[i] = combine(result[i], values[first + k * inner]);
  }
  return result;
}

const std::vector<std::vector<uint64_t>> kShapes = {{781}, {64},    {1},        {5, 33},  {16, 64},
                                                    {100}, {33, 5}, {3, 7, 10}, {1, 200}, {128, 3}};

template <typename T>
void checkIntegers(Random &random, const std::string &element, unsigned trials) {
  for (unsigned trial = 0; trial < trials; ++trial) {
    const std::vector<uint64_t> &extents = kShapes[random() % kShapes.size()];
    unsigned axis = random() % extents.size(), warpBits = random() % 4;
    const Kind &kind = integerKinds()[trial % integerKinds().size()];
    uint64_t count = 1;
    for (uint64_t extent : extents)
      count *= extent;
    std::vector<T> values(count);
    for (T &value : values)
      value = static_cast<T>(random() | 1);
    std::string body = reduceBody(random, extents, axis, warpBits, kind.name, element);
    std::vector<T> expected = reduced<T>(
        values, extents, axis, [&](T a, T b) { return static_cast<T>(kind.combine(a, b)); });
    Outcome outcome = runThreads(body, 1u << warpBits, element, element, bytesOf(values),
                                 expected.size() * sizeof(T), trial);
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(valuesOf<T>(outcome.out), expected) << body;
  }
}

} // namespace

TEST(ReduceToGPU, CombinesIntegersOfEveryWidth) {
  Random random(21);
  checkIntegers<int8_t>(random, "i8", 27);
  checkIntegers<int16_t>(random, "i16", 27);
  checkIntegers<int32_t>(random, "i32", 36);
  checkIntegers<int64_t>(random, "i64", 27);
}

TEST(ReduceToGPU, CombinesFloats) {
  Random random(22);
  for (unsigned trial = 0; trial < 40; ++trial) {
    const std::vector<uint64_t> &extents = kShapes[random() % kShapes.size()];
    unsigned axis = random() % extents.size(), warpBits = random() % 4;
    uint64_t count = 1;
    for (uint64_t extent : extents)
      count *= extent;
    // Small integers: each sum is exact, in any order. NaN is ignored by max.
    bool isSum = trial % 2 == 0;
    std::vector<float> values(count);
    for (float &value : values)
      value = !isSum && random() % 8 == 0 ? NAN : static_cast<float>(random() % 201) - 300;
    std::vector<float> expected = reduced<float>(
        values, extents, axis, [&](float a, float b) { return isSum ? a + b : std::fmax(a, b); });
    std::string body = reduceBody(random, extents, axis, warpBits, isSum ? "sum" : "max", "f32");
    Outcome outcome = runThreads(body, 1u << warpBits, "f32", "f32", bytesOf(values),
                                 expected.size() * sizeof(float), trial);
    ASSERT_EQ(outcome.error, "");
    std::vector<float> got = valuesOf<float>(outcome.out);
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_TRUE(got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i])))
          << "result " << i << ": " << got[i] << ", not " << expected[i] << "\n"
          << body;
  }
}

TEST(ReduceToGPU, AccumulatesHalvesInSingle) {
  Random random(23);
  // 2048 + 1 is 2048 in f16: only a sum in f32 gives 2048 + 780.
  std::vector<uint16_t> values(781, 0x3C00);
  values[0] = 0x6800;
  for (unsigned trial = 0; trial < 8; ++trial) {
    unsigned warpBits = trial % 4;
    std::string body = reduceBody(random, {781}, 0, warpBits, "sum", "f16");
    Outcome outcome = runThreads(body, 1u << warpBits, "f16", "f16", bytesOf(values), 2, trial);
    ASSERT_EQ(outcome.error, "");
    EXPECT_EQ(valuesOf<uint16_t>(outcome.out)[0], 0x6800 + 780 / 2) << body;
  }
}
