//===- NamedLayoutsTest.cpp - Named layouts against their formulas -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/NamedLayouts.h"

#include "gtest/gtest.h"

#include <functional>

using namespace fsm;

namespace {

using Position = std::pair<unsigned, unsigned>;

Position positionOf(const LinearLayout &layout, unsigned reg, unsigned lane, unsigned warp = 0) {
  uint64_t image = layout.apply(reg, lane, warp);
  return {static_cast<unsigned>(layout.to().get(image, blockDim(0))),
          static_cast<unsigned>(layout.to().get(image, blockDim(1)))};
}

/// Compares a fragment with the manual's formula for (i, laneid, warpid).
void expectFormula(const Fragment &fragment, unsigned warps,
                   const std::function<Position(unsigned, unsigned, unsigned)> &formula) {
  LinearLayout layout = fragmentLayout(fragment);
  EXPECT_TRUE(layout.isInvertible()) << fragment.name;
  ASSERT_EQ(layout.from().bitsOf(Dim::Lane), 5u);
  ASSERT_EQ(layout.from().bitsOf(Dim::Warp), bitsFor(warps));
  for (uint64_t i : layout.liveRegisters())
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned warp = 0; warp < warps; ++warp)
        EXPECT_EQ(positionOf(layout, i, lane, warp), formula(i, lane, warp))
            << fragment.name << " register " << i << " lane " << lane << " warp " << warp;
}

// The formulas are those of the PTX ISA, "Warp Level Matrix Instructions", section
// "Matrix Fragments for mma.m16n8k16 with floating point type":
//   groupID = %laneid >> 2;  threadID_in_group = %laneid % 4

TEST(Fragments, MmaA) {
  expectFormula(mmaLeft(16, 16, 2), 1, [](unsigned i, unsigned laneid, unsigned) {
    unsigned groupID = laneid >> 2, threadIDInGroup = laneid % 4;
    unsigned row = (i < 2 || (4 <= i && i < 6)) ? groupID : groupID + 8;
    unsigned col = i < 4 ? threadIDInGroup * 2 + (i & 1) : threadIDInGroup * 2 + (i & 1) + 8;
    return Position(row, col);
  });
}

TEST(Fragments, MmaB) {
  expectFormula(mmaRight(16, 2), 1, [](unsigned i, unsigned laneid, unsigned) {
    unsigned groupID = laneid >> 2, threadIDInGroup = laneid % 4;
    unsigned row = i < 2 ? threadIDInGroup * 2 + (i & 1) : threadIDInGroup * 2 + (i & 1) + 8;
    return Position(row, groupID);
  });
}

TEST(Fragments, MmaAccumulator) {
  expectFormula(mmaSums(16), 1, [](unsigned i, unsigned laneid, unsigned) {
    unsigned groupID = laneid >> 2, threadIDInGroup = laneid % 4;
    return Position(i < 2 ? groupID : groupID + 8, threadIDInGroup * 2 + (i & 1));
  });
}

// "Asynchronous Warpgroup Level Matrix Instructions", section "Register Fragments for
// wgmma.mma_async.m64nNk16": warp w of the warpgroup has the rows from 16 w, in each
// the fragments of mma.m16n8k16.

TEST(Fragments, WgmmaA) {
  expectFormula(wgmmaM64K16A(), 4, [](unsigned i, unsigned laneid, unsigned warpid) {
    unsigned row = 16 * (warpid % 4) + laneid / 4 + 8 * (i / 2 % 2);
    return Position(row, laneid % 4 * 2 + i % 2 + 8 * (i / 4));
  });
}

TEST(Fragments, WgmmaAccumulatorOfEveryWidth) {
  for (unsigned n = 8; n <= 256; n += 8) {
    expectFormula(wgmmaAccumulator(n), 4, [](unsigned i, unsigned laneid, unsigned warpid) {
      unsigned row = 16 * (warpid % 4) + laneid / 4 + 8 * (i / 2 % 2);
      return Position(row, 8 * (i / 4) + laneid % 4 * 2 + i % 2);
    });
    EXPECT_EQ(fragmentLayout(wgmmaAccumulator(n)).liveRegisters().size(), n / 2);
  }
}

TEST(Fragments, TilesCoverABlockOnce) {
  LinearLayout layout = tiledFragmentLayout(mmaSums(16), {64, 32}, {2, 2});
  EXPECT_TRUE(layout.isInvertible());
  EXPECT_EQ(positionOf(layout, 0, 0, 1), Position(16, 0));
  EXPECT_EQ(positionOf(layout, 0, 0, 2), Position(0, 8));
  EXPECT_EQ(positionOf(layout, 4, 0, 0), Position(0, 16));
  EXPECT_EQ(positionOf(layout, 8, 0, 0), Position(32, 0));
}

TEST(NamedLayouts, BlockedRepeatsAndReplicates) {
  BlockedShape shape{{1, 4}, {4, 8}, {2, 1}, {1, 0}};
  EXPECT_EQ(blockedLayout({16, 32}, shape).format(),
            "register [(0, 1), (0, 2), (8, 0)], lane [(0, 4), (0, 8), (0, 16), (1, 0), (2, 0)], "
            "warp [(4, 0)], cta [] -> 16 x 32");
  // Half the columns: a lane bit is left over; half the rows: the warps, too.
  EXPECT_EQ(blockedLayout({4, 16}, shape).format(),
            "register [(0, 1), (0, 2)], lane [(0, 4), (0, 8), (0, 0), (1, 0), (2, 0)], "
            "warp [(0, 0)], cta [] -> 4 x 16");
}

TEST(NamedLayouts, BlockedDividesAmongCtasFirst) {
  BlockedShape shape{{4}, {32}, {1}, {0}, {2}};
  EXPECT_EQ(blockedLayout({1024}, shape).format(),
            "register [(1), (2), (128), (256)], lane [(4), (8), (16), (32), (64)], warp [], "
            "cta [(512)] -> 1024");
}

TEST(NamedLayouts, RowMajorFillsRowsThenColumns) {
  EXPECT_EQ(rowMajorLayout({1024}, 4, {32, 4}).format(),
            "register [(1), (2), (512)], lane [(4), (8), (16), (32), (64)], "
            "warp [(128), (256)], cta [] -> 1024");
  EXPECT_EQ(rowMajorLayout({8, 16}, 4, {32, 1}).format(),
            "register [(0, 1), (0, 2)], lane [(0, 4), (0, 8), (1, 0), (2, 0), (4, 0)], warp [], "
            "cta [] -> 8 x 16");
  EXPECT_EQ(rowMajorLayout({}, 4, {32, 1}).from().bits(), 5u);
}

TEST(NamedLayouts, CtasHavePartsOfTheSlowestDimension) {
  // Two warps of each of four ctas: of four rows each has one, of two rows half of one.
  EXPECT_EQ(rowMajorLayout({4, 256}, 4, {32, 2, 4}).format(),
            "register [(0, 1), (0, 2)], lane [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)], "
            "warp [(0, 128)], cta [(1, 0), (2, 0)] -> 4 x 256");
  EXPECT_EQ(rowMajorLayout({2, 512}, 4, {32, 2, 4}).format(),
            "register [(0, 1), (0, 2)], lane [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)], "
            "warp [(0, 128)], cta [(0, 256), (1, 0)] -> 2 x 512");
  // What the threads of one cta hold is in all of them.
  EXPECT_EQ(rowMajorLayout({64}, 1, {32, 2, 4}).format(),
            "register [], lane [(1), (2), (4), (8), (16)], warp [(32)], cta [(0), (0)] -> 64");
}

TEST(NamedLayouts, CtasShareTheEndOfALine) {
  // 1024 places of 1000: in parts of 256 the last cta would have 232 of them.
  LinearLayout layout = rowMajorLayout({1000}, 1, {32, 2, 4});
  EXPECT_EQ(layout.format(), "register [(256), (512)], lane [(1), (2), (4), (8), (16)], warp [(32)], "
                             "cta [(64), (128)] -> 1000");
  // A register that no thread has an element in is none: of 1025 elements 2047 places, as of 1280.
  EXPECT_EQ(rowMajorLayout({1025}, 1, {32, 2, 4}).liveRegisters().size(), 5u);
  EXPECT_EQ(rowMajorLayout({1024}, 1, {32, 2, 4}).format(),
            "register [(64), (128)], lane [(1), (2), (4), (8), (16)], warp [(32)], "
            "cta [(256), (512)] -> 1024");
}

TEST(NamedLayouts, WarpsAreCountedThroughCtas) {
  LinearLayout layout = rowMajorLayout({2, 512}, 4, {32, 2, 4}), one = layout.overOneCta();
  EXPECT_EQ(one.from().bitsOf(Dim::Warp), 3u);
  EXPECT_EQ(one.from().bitsOf(Dim::Cta), 0u);
  for (uint64_t cta = 0; cta < 4; ++cta)
    for (uint64_t warp = 0; warp < 2; ++warp)
      EXPECT_EQ(layout.apply(3, 17, warp, cta), one.apply(3, 17, cta * 2 + warp));
}

TEST(NamedLayouts, SlicedLeavesOneRegisterPerElement) {
  LinearLayout block = blockedLayout({16, 32}, {{2, 4}, {4, 8}, {2, 1}, {1, 0}});
  EXPECT_EQ(slicedLayout(block, 1).format(),
            "register [(1)], lane [(0), (0), (0), (2), (4)], warp [(8)], cta [] -> 16");
  EXPECT_EQ(slicedLayout(block, 0).format(),
            "register [(1), (2)], lane [(4), (8), (16), (0), (0)], warp [(0)], cta [] -> 32");
}

TEST(NamedLayouts, ReplicatedHoldsEverythingEverywhere) {
  LinearLayout layout = replicatedLayout({2, 4}, {32, 2});
  EXPECT_EQ(layout.freeBits(Dim::Lane), 31u);
  EXPECT_EQ(layout.freeBits(Dim::Warp), 1u);
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(positionOf(layout, i, 17, 1), Position(i / 4, i % 4));
}

TEST(NamedLayouts, XorSwizzleIsItsFormula) {
  LinearLayout layout = xorSharedLayout({16, 64}, {1, 0}, {3, 3, 3});
  EXPECT_TRUE(layout.isInvertible());
  for (unsigned offset = 0; offset < 1024; ++offset) {
    // 16-byte chunk c of row r of 128 bytes holds chunk c ^ (r % 8).
    unsigned row = offset / 64, chunk = offset % 64 / 8;
    EXPECT_EQ(layout.apply(offset), row * 64 + (chunk ^ row % 8) * 8 + offset % 8);
  }
}

} // namespace
