//===- ConvertLayoutTest.cpp - Elements arrive where they belong ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../Layout/RandomLayouts.h"
#include "SimulatedThreads.h"

#include "fsm/Layout/ConversionPlan.h"

#include <gtest/gtest.h>

#include <map>

using namespace fsm;
using namespace fsm::test;

namespace {

struct ElementType {
  const char *name;
  unsigned bytes;
};

constexpr ElementType kElements[] = {{"i8", 1},  {"i16", 2}, {"i32", 4},      {"i64", 8},
                                     {"f16", 2}, {"f32", 4}, {"f8E4M3FN", 1}, {"bf16", 2},
                                     {"f64", 8}, {"i1", 1}};

Bytes randomElements(Random &random, const ElementType &element, size_t count) {
  Bytes bytes(count * element.bytes);
  for (uint8_t &byte : bytes)
    byte = static_cast<uint8_t>(element.name == std::string("i1") ? random() % 2 : random());
  return bytes;
}

std::string rangeOp(const std::string &name, uint64_t count, const LinearLayout &layout) {
  return "  " + name + " = fsm.range 0, " + std::to_string(count) + " : " +
         blockType(layout, "i32") + "\n";
}

std::string loadOp(const ElementType &element, const LinearLayout &layout) {
  return "  %x = fsm.load %in[%from] : !fsm.ptr<" + std::string(element.name) + ">, " +
         blockType(layout, "i32") + " -> " + blockType(layout, element.name) + "\n";
}

std::string storeOp(const std::string &value, const ElementType &element,
                    const LinearLayout &layout) {
  return "  fsm.store " + value + ", %out[%to] : " + blockType(layout, element.name) +
         ", !fsm.ptr<" + element.name + ">, " + blockType(layout, "i32") + "\n";
}

std::string moveOp(const std::string &op, const std::string &result, const std::string &operand,
                   const ElementType &element, const LinearLayout &from, const LinearLayout &to) {
  return "  " + result + " = fsm." + op + " " + operand + " : " + blockType(from, element.name) +
         " -> " + blockType(to, element.name) + "\n";
}

} // namespace

TEST(ConvertLayoutToGPU, BringsEachElementToItsPlace) {
  Random random(7);
  std::map<ConversionKind, unsigned> kinds;
  for (unsigned trial = 0; trial < 120; ++trial) {
    unsigned warpBits = random() % 4;
    uint64_t extent = 1 + random() % (trial % 2 ? 300 : 1500);
    BitSpace block = BitSpace::block({extent});
    LinearLayout from = randomCover(random, block, warpBits);
    LinearLayout to = randomCover(random, block, warpBits);
    ElementType element = kElements[trial % std::size(kElements)];
    Bytes in = randomElements(random, element, extent);
    std::string body =
        rangeOp("%from", extent, from) + rangeOp("%to", extent, to) + loadOp(element, from) +
        moveOp("convert_layout", "%y", "%x", element, from, to) + storeOp("%y", element, to);
    Outcome outcome =
        runThreads(body, 1u << warpBits, element.name, element.name, in, in.size(), trial);
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.out, in) << body;
    ++kinds[planConversion(from, to, element.bytes)->kind];
  }
  EXPECT_GT(kinds[ConversionKind::Shuffles], 5u);
  EXPECT_GT(kinds[ConversionKind::SharedMemory], 20u);
}

TEST(ConvertLayoutToGPU, ShufflesWithinWarps) {
  Random random(8);
  unsigned shuffles = 0;
  for (unsigned trial = 0; trial < 60; ++trial) {
    // Equal warps, other lanes and registers.
    BitSpace block = BitSpace::block({1 + random() % 512});
    LinearLayout from = randomCover(random, block, 0);
    ElementType element = kElements[trial % std::size(kElements)];
    std::vector<uint64_t> bases = from.bases();
    for (unsigned i = 0; i < 4; ++i)
      std::swap(bases[random() % bases.size()], bases[random() % bases.size()]);
    LinearLayout to(from.from(), block, bases);
    if (!to.isCanonical())
      continue;
    uint64_t extent = block.axes()[0].extent;
    Bytes in = randomElements(random, element, extent);
    std::string body =
        rangeOp("%from", extent, from) + rangeOp("%to", extent, to) + loadOp(element, from) +
        moveOp("convert_layout", "%y", "%x", element, from, to) + storeOp("%y", element, to);
    Outcome outcome = runThreads(body, 1, element.name, element.name, in, in.size(), trial);
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.out, in) << body;
    shuffles += planConversion(from, to, element.bytes)->kind == ConversionKind::Shuffles;
  }
  EXPECT_GT(shuffles, 10u);
}

TEST(ReshapeToGPU, KeepsTheRowMajorOrder) {
  Random random(9);
  const std::vector<std::vector<uint64_t>> shapes = {{3, 5},  {7, 16},    {16, 7}, {4, 8},
                                                     {3, 20}, {2, 3, 11}, {1, 37}, {64, 3}};
  for (unsigned trial = 0; trial < 64; ++trial) {
    const std::vector<uint64_t> &shape = shapes[trial % shapes.size()];
    uint64_t extent = 1;
    for (uint64_t one : shape)
      extent *= one;
    unsigned warpBits = random() % 3;
    BitSpace flat = BitSpace::block({extent});
    LinearLayout from = randomCover(random, flat, warpBits);
    LinearLayout middle = randomCover(random, BitSpace::block(shape), warpBits);
    LinearLayout to = randomCover(random, flat, warpBits);
    ElementType element = kElements[random() % std::size(kElements)];
    Bytes in = randomElements(random, element, extent);
    std::string body =
        rangeOp("%from", extent, from) + rangeOp("%to", extent, to) + loadOp(element, from) +
        moveOp("reshape", "%y", "%x", element, from, middle) +
        moveOp("reshape", "%z", "%y", element, middle, to) + storeOp("%z", element, to);
    Outcome outcome =
        runThreads(body, 1u << warpBits, element.name, element.name, in, in.size(), trial);
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.out, in) << body;
  }
}
