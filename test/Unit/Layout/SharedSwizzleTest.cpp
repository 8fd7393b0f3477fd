//===- SharedSwizzleTest.cpp - Swizzles counted bank by bank -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/SharedSwizzle.h"
#include "RandomLayouts.h"

#include "gtest/gtest.h"

#include <array>
#include <map>
#include <set>

using namespace fsm;

namespace {

/// The wavefronts of the worst phase, counted: addresses of all lanes, by bank.
unsigned countWavefronts(const LinearLayout &threads, const LinearLayout &shared,
                         const SharedAccess &access, unsigned elementBytes) {
  std::map<uint64_t, uint64_t> offsetOf;
  for (uint64_t offset = 0; offset < shared.from().size(); ++offset)
    offsetOf[shared.apply(offset)] = offset;
  unsigned worst = 0, laneBits = threads.from().bitsOf(Dim::Lane);
  unsigned lanesPerPhase = (1u << laneBits) / access.phases;
  for (uint64_t place = 0; place < threads.from().size() >> laneBits; ++place) {
    // Every register of every warp, all lanes in turn.
    uint64_t reg = place & (threads.from().maskOf(Dim::Register)),
             warp = place >> threads.from().bitsOf(Dim::Register);
    for (unsigned first = 0; first < 1u << laneBits; first += lanesPerPhase) {
      std::array<std::set<uint64_t>, kBanks> words;
      for (unsigned lane = first; lane < first + lanesPerPhase; ++lane) {
        uint64_t offset = offsetOf.at(threads.apply(reg, lane, warp));
        uint64_t address = offset / access.vector * access.bytes;
        for (uint64_t byte = address; byte < address + access.bytes; ++byte)
          words[byte / kBankBytes % kBanks].insert(byte / kBankBytes);
      }
      for (const std::set<uint64_t> &bank : words)
        worst = std::max<unsigned>(worst, bank.size());
    }
  }
  return worst;
}

/// Each aligned vector of offsets is held by one thread.
bool vectorsAreHeldWhole(const LinearLayout &threads, const LinearLayout &shared, unsigned vector) {
  Subspace registers(threads.basesOf(Dim::Register));
  for (uint64_t offset = 1; offset < vector; offset *= 2)
    if (!registers.contains(shared.apply(offset)))
      return false;
  return true;
}

void expectFree(const LinearLayout &writer, const LinearLayout &reader, unsigned bytes,
                unsigned maxBytes) {
  LinearLayout shared = findSwizzle(writer, reader, bytes, maxBytes);
  ASSERT_TRUE(shared.isInjective());
  for (const LinearLayout *threads : {&writer, &reader}) {
    SharedAccess access = analyseSharedAccess(*threads, shared, bytes, maxBytes);
    ASSERT_TRUE(vectorsAreHeldWhole(*threads, shared, access.vector));
    ASSERT_EQ(access.bytes, access.vector * bytes);
    SCOPED_TRACE(writer.format() + " to " + reader.format() + ", " + std::to_string(bytes));
    ASSERT_EQ(access.conflicts, 1u);
    ASSERT_EQ(countWavefronts(*threads, shared, access, bytes), 1u);
  }
}

LinearLayout alongRows(Extents extents, unsigned vector) {
  return rowMajorLayout(extents, vector, {32, 1});
}

LinearLayout alongColumns(Extents extents, unsigned vector) {
  return blockedLayout(extents, {{vector, 1}, {32, 1}, {1, 1}, {0, 1}});
}

TEST(SharedAccess, UnswizzledTransposeHasThirtyTwoWayConflicts) {
  LinearLayout plain = sharedLayout({32, 32}, {1, 0});
  EXPECT_EQ(analyseSharedAccess(alongRows({32, 32}, 1), plain, 4).conflicts, 1u);
  SharedAccess columns = analyseSharedAccess(alongColumns({32, 32}, 1), plain, 4, 4);
  EXPECT_EQ(columns.conflicts, 32u);
  EXPECT_EQ(countWavefronts(alongColumns({32, 32}, 1), plain, columns, 4), 32u);
}

TEST(SharedAccess, WidthsHaveTheirPhases) {
  LinearLayout plain = sharedLayout({1024}, {0});
  for (unsigned bytes : {4u, 8u, 16u}) {
    SharedAccess access = analyseSharedAccess(alongRows({1024}, bytes / 4), plain, 4);
    EXPECT_EQ(access.bytes, bytes);
    EXPECT_EQ(access.phases, bytes / 4);
    EXPECT_EQ(access.conflicts, 1u);
  }
}

TEST(SharedAccess, HandComputedConflicts) {
  // Rows of 64 words: lanes 0..31 down a column are 64 words apart, all in one
  // bank; a swizzle by bits of the row spreads them over as many.
  LinearLayout column = alongColumns({32, 64}, 1);
  EXPECT_EQ(
      analyseSharedAccess(column, xorSharedLayout({32, 64}, {1, 0}, {3, 0, 6}), 4, 4).conflicts,
      4u);
  EXPECT_EQ(
      analyseSharedAccess(column, xorSharedLayout({32, 64}, {1, 0}, {5, 0, 6}), 4, 4).conflicts,
      1u);
  // Halves of one word are one access: 32 columns of f16 are 16 words a row.
  EXPECT_EQ(analyseSharedAccess(alongRows({2, 32}, 1), sharedLayout({2, 32}, {1, 0}), 2).conflicts,
            1u);
}

TEST(SharedAccess, FormulaEqualsTheCountForRandomLayouts) {
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    BitSpace block = BitSpace::block({uint64_t(8) << random() % 3, uint64_t(8) << random() % 3});
    LinearLayout threads = randomCover(random, block, random() % 2);
    LinearLayout shared = randomPermutation(random, BitSpace::offsets(block.bits()), block);
    for (unsigned bytes : {1u, 2u, 4u, 8u}) {
      SharedAccess access = analyseSharedAccess(threads, shared, bytes);
      EXPECT_EQ(access.conflicts, countWavefronts(threads, shared, access, bytes));
    }
  }
}

TEST(FindSwizzle, TransposeIsTheClassicalOne) {
  LinearLayout shared = findSwizzle(alongRows({32, 32}, 1), alongColumns({32, 32}, 1), 4, 4);
  for (unsigned offset = 0; offset < 1024; ++offset) {
    unsigned row = offset / 32;
    EXPECT_EQ(shared.apply(offset), row * 32 + (offset % 32 ^ row));
  }
}

TEST(FindSwizzle, TakesTheWidestCommonVector) {
  LinearLayout wide = alongRows({16, 128}, 4), other = rowMajorLayout({16, 128}, 8, {32, 1});
  LinearLayout shared = findSwizzle(wide, other, 4);
  EXPECT_EQ(analyseSharedAccess(wide, shared, 4).bytes, 16u);
  EXPECT_EQ(analyseSharedAccess(other, shared, 4).bytes, 16u);
  EXPECT_EQ(analyseSharedAccess(other, findSwizzle(wide, other, 4, 8), 4, 8).bytes, 8u);
}

TEST(FindSwizzle, OneSideOfATransposeIsWide) {
  LinearLayout rows = alongRows({64, 128}, 4);
  LinearLayout columns = blockedLayout({64, 128}, {{1, 1}, {32, 1}, {1, 1}, {1, 0}});
  for (bool readerIsWide : {false, true}) {
    LinearLayout shared =
        findSwizzle(readerIsWide ? columns : rows, readerIsWide ? rows : columns, 4);
    EXPECT_EQ(analyseSharedAccess(rows, shared, 4).bytes, 16u);
    EXPECT_EQ(analyseSharedAccess(rows, shared, 4).conflicts, 1u);
    EXPECT_EQ(analyseSharedAccess(columns, shared, 4).conflicts, 1u);
  }
}

TEST(FindSwizzle, TransposesOfEveryWidthAreFree) {
  for (unsigned bytes : {1, 2, 4, 8})
    for (unsigned vector : {1, 2, 4})
      for (unsigned maxBytes : {4, 8, 16})
        expectFree(alongRows({64, 128}, vector), alongColumns({64, 128}, vector), bytes,
                   std::max(bytes, maxBytes));
}

TEST(FindSwizzle, FragmentsAreFree) {
  LinearLayout rows = rowMajorLayout({64, 64}, 8, {32, 4});
  for (const Fragment &fragment : {mmaLeft(16, 16, 2), mmaRight(16, 2), mmaSums(16)})
    for (unsigned bytes : {2u, 4u})
      expectFree(rows, tiledFragmentLayout(fragment, {64, 64}, {2, 2}), bytes, 16);
  expectFree(tiledFragmentLayout(wgmmaAccumulator(64), {64, 64}, {1, 1}), rows, 4, 16);
}

TEST(FindSwizzle, RandomPairsAreFree) {
  Random random(9);
  for (int i = 0; i < 400 && !HasFatalFailure(); ++i) {
    BitSpace block = BitSpace::block({uint64_t(8) << random() % 4, uint64_t(8) << random() % 4});
    unsigned warpBits = random() % 3;
    LinearLayout writer = randomCover(random, block, warpBits);
    LinearLayout reader = randomCover(random, block, warpBits);
    for (unsigned bytes : {1u, 2u, 4u, 8u})
      expectFree(writer, reader, bytes, 16);
  }
}

} // namespace
