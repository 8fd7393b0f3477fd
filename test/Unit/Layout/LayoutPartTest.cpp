//===- LayoutPartTest.cpp - Parts of blocks, element by element ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/LayoutPart.h"

#include "gtest/gtest.h"

using namespace fsm;

namespace {

/// Each live register of the part holds, in each thread, the element of the block that lies as far behind
/// `first` as that of the part does behind its begin.
void expectPart(const LinearLayout &threads, const Extents &extents, const Extents &first) {
  std::optional<LayoutPart> part = partOf(threads, extents, first);
  ASSERT_TRUE(part);
  const BitSpace &block = threads.to(), &own = part->layout.to();
  for (uint64_t reg : part->layout.liveRegisters())
    for (uint64_t lane = 0; lane < 32; ++lane)
      for (uint64_t warp = 0; warp < uint64_t(1) << threads.from().bitsOf(Dim::Warp); ++warp) {
        uint64_t there = part->layout.apply(reg, lane, warp),
                 here = threads.apply(part->registers[reg], lane, warp);
        for (unsigned dim : {0u, 1u})
          ASSERT_EQ(block.get(here, blockDim(dim)), first[dim] + own.get(there, blockDim(dim)));
      }
}

} // namespace

TEST(LayoutPart, HasItsElementsInTheSameThreads) {
  for (unsigned columns : {256u, 192u}) {
    LinearLayout sums = tiledFragmentLayout(wgmmaAccumulator(columns), {128, columns}, {2, 1});
    for (uint64_t column = 0; column < columns; column += 64)
      expectPart(sums, {128, 64}, {0, column});
    EXPECT_EQ(partOf(sums, {128, 64}, {0, 64})->registers.size(), 32u);
  }
  // All of it is a part, too.
  LinearLayout rows = rowMajorLayout({64, 96}, 4, {32, 4, 1});
  expectPart(rows, {64, 96}, {0, 0});
}

TEST(LayoutPart, IsNoneWhereLanesOrWarpsLeadOutOfIt) {
  // Two groups of warps side by side have 128 columns each.
  LinearLayout sums = tiledFragmentLayout(wgmmaAccumulator(128), {64, 256}, {1, 2});
  EXPECT_TRUE(partOf(sums, {64, 256}, {0, 0}));
  EXPECT_FALSE(partOf(sums, {64, 128}, {0, 128}));
  EXPECT_FALSE(partOf(sums, {32, 256}, {32, 0}));
  EXPECT_FALSE(partOf(sums, {64, 4}, {0, 4}));
  // Nor is what is no power of two, or begins within another part.
  EXPECT_FALSE(partOf(sums, {64, 96}, {0, 0}));
  EXPECT_FALSE(partOf(sums, {64, 64}, {0, 32}));
}
