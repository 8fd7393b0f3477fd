//===- AccessWidthTest.cpp - How wide a global access may be -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/AccessWidth.h"
#include "RandomLayouts.h"

#include "gtest/gtest.h"

using namespace fsm;

namespace {

TEST(AccessWidth, HoldsTheExampleOfItsComment) {
  LinearLayout layout(BitSpace::threads(3, 0, 0), BitSpace::block({16, 4}), {1, 8 << 2, 2});
  AccessWidth access = widestAccess(layout, {1, 16, 16}, 4);
  EXPECT_EQ(access.vector, 4u);
  EXPECT_EQ(access.registers, (std::vector<uint64_t>{0, 1, 4, 5}));
  EXPECT_EQ(widestAccess(layout, {1, 2, 16}, 4).vector, 2u);
  EXPECT_EQ(widestAccess(layout, {0, 16, 16}, 4).vector, 1u);
}

TEST(AccessWidth, IsBoundedByEachFact) {
  LinearLayout layout = rowMajorLayout({1024}, 8, {32, 1});
  EXPECT_EQ(widestAccess(layout, {0, 1024, 16}, 4).bytes, 16u);
  EXPECT_EQ(widestAccess(layout, {0, 1024, 16}, 2).vector, 8u);
  EXPECT_EQ(widestAccess(layout, {0, 1024, 8}, 4).bytes, 8u);
  EXPECT_EQ(widestAccess(layout, {0, 1, 16}, 4).bytes, 4u);
  EXPECT_EQ(widestAccess(layout, {0, 1024, 32}, 4, 8).bytes, 8u);
  EXPECT_EQ(widestAccess(rowMajorLayout({1024}, 2, {32, 1}), {0, 1024, 16}, 4).vector, 2u);
}

TEST(AccessWidth, KnowsVectorsThatTheTrueExtentCuts) {
  EXPECT_TRUE(widestAccess(rowMajorLayout({781}, 4, {32, 1}), {0, 1024, 16}, 4).isCut);
  EXPECT_FALSE(widestAccess(rowMajorLayout({780}, 4, {32, 1}), {0, 1024, 16}, 4).isCut);
}

TEST(AccessWidth, RegistersHoldConsecutiveElements) {
  Random random(12);
  for (int i = 0; i < 2000; ++i) {
    BitSpace block = BitSpace::block({uint64_t(4) << random() % 3, uint64_t(4) << random() % 3});
    LinearLayout layout = randomCover(random, block, 0);
    unsigned dim = random() % 2;
    AccessWidth access = widestAccess(layout, {dim, 64, 16}, 2);
    ASSERT_EQ(access.registers.size(), access.vector);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned j = 0; j < access.vector; ++j)
        ASSERT_EQ(layout.apply(access.registers[j], lane, 0),
                  layout.apply(0, lane, 0) ^ block.place(blockDim(dim), j));
  }
}

} // namespace
