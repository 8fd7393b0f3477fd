//===- TensorTilesTest.cpp - Tiles against their addresses ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/TensorTiles.h"

#include "gtest/gtest.h"

#include <set>

using namespace fsm;

namespace {

/// Where element (line, place) is, as the PTX manual's figures of swizzling modes have it.
uint64_t byteOf(unsigned line, unsigned place, unsigned lines, unsigned elementBytes,
                unsigned span) {
  unsigned byte = place * elementBytes;
  unsigned panel = byte / span, chunk = byte % span / 16, within = byte % 16;
  if (span == 128)
    chunk ^= line & 7;
  if (span == 64)
    chunk ^= line >> 1 & 3;
  if (span == 32)
    chunk ^= line >> 2 & 1;
  return uint64_t(panel) * lines * span + line * span + chunk * 16 + within;
}

/// `toOffset` takes elements to where they are.
uint64_t byteOf(const LinearLayout &toOffset, unsigned row, unsigned column,
                unsigned elementBytes) {
  const BitSpace &block = toOffset.from();
  return toOffset.apply(block.place(blockDim(0), row) | block.place(blockDim(1), column)) *
         elementBytes;
}

} // namespace

TEST(TensorTiles, AreWhereTheManualHasThem) {
  for (unsigned bytes : {1u, 2u, 4u})
    for (unsigned span : {128u, 64u, 32u})
      for (unsigned major : {0u, 1u}) {
        unsigned lines = 16, places = 256 / bytes;
        Extents extents = major ? Extents{lines, places} : Extents{places, lines};
        LinearLayout tile = tensorTileLayout(extents, bytes, major, span);
        ASSERT_TRUE(tile.isInvertible());
        LinearLayout toOffset = tile.inverse();
        for (unsigned line = 0; line < lines; ++line)
          for (unsigned place = 0; place < places; ++place)
            ASSERT_EQ(byteOf(toOffset, major ? line : place, major ? place : line, bytes),
                      byteOf(line, place, lines, bytes, span))
                << bytes << " bytes, span " << span << ", major " << major << ": line " << line
                << ", place " << place;
      }
}

TEST(TensorTiles, AreKnownByTheirForm) {
  for (unsigned major : {0u, 1u})
    for (unsigned line : {16u, 32u, 64u, 256u}) {
      Extents extents = major ? Extents{64, line} : Extents{line, 64};
      unsigned span = widestSwizzle(line * 2);
      std::optional<TileForm> form = tileFormOf(tensorTileLayout(extents, 2, major, span), 2);
      ASSERT_TRUE(form);
      EXPECT_EQ(form->major, major);
      EXPECT_EQ(form->swizzleBytes, span);
      EXPECT_EQ(form->alignment(), 8 * span);
    }
  EXPECT_FALSE(tileFormOf(sharedLayout({64, 64}, {1, 0}), 2));
  EXPECT_FALSE(tileFormOf(tensorTileLayout({64, 8}, 2, 1, 0), 2));
  // Lines of several spans may be longer, as where threads fill a tile of 160 columns up to a power of two.
  std::optional<TileForm> longer = tileFormOf(tensorTileLayout({64, 256}, 2, 1, 64), 2);
  ASSERT_TRUE(longer);
  EXPECT_EQ(longer->swizzleBytes, 64u);
}

// Three panels of 64 lines of 128 bytes, and five of 64 bytes: what lies behind their last element no tile has.
TEST(TensorTiles, EndWithTheirLastPanel) {
  EXPECT_EQ(tensorTileLayout({64, 192}, 2, 1, 128).lastLivePlace(), 3 * 64 * 64 - 1u);
  EXPECT_EQ(tensorTileLayout({64, 160}, 2, 1, 64).lastLivePlace(), 5 * 64 * 32 - 1u);
  EXPECT_EQ(tensorTileLayout({64, 144}, 2, 1, 32).lastLivePlace(), 9 * 64 * 16 - 1u);
  EXPECT_EQ(tensorTileLayout({192, 64}, 2, 1, 128).lastLivePlace(), 192 * 64 - 1u);
}

// PTX ISA, "Matrix Descriptor Format": bits 16 to 29 the leading, 32 to 45 the stride offset, both in
// units of 16 bytes, 62 and 63 the swizzle.
TEST(TensorTiles, HaveDescriptors) {
  // Eight lines of 128 bytes are 64 units; the leading offset of such tiles counts for nothing.
  EXPECT_EQ(wgmmaDescriptor({1, 128}, 64, true), 0x4000004000010000u);
  EXPECT_EQ(wgmmaDescriptor({1, 64}, 32, true), 0x8000002000010000u);
  EXPECT_EQ(wgmmaDescriptor({1, 32}, 16, true), 0xC000001000010000u);
  // Lines along rows or columns: from panel to panel 32 lines of 128 bytes, 256 units.
  EXPECT_EQ(wgmmaDescriptor({0, 128}, 32, false), 0x4000004001000000u);
}

TEST(TensorTiles, OfNoSpanArePlain) {
  EXPECT_EQ(tensorTileLayout({8, 32}, 2, 1, 0), sharedLayout({8, 32}, {1, 0}));
  EXPECT_EQ(tensorTileLayout({8, 32}, 2, 0, 0), sharedLayout({8, 32}, {0, 1}));
}

TEST(TensorTiles, OfOneSpanAreTheSwizzleInElements) {
  EXPECT_EQ(tensorTileLayout({64, 64}, 2, 1, 128), xorSharedLayout({64, 64}, {1, 0}, {3, 3, 3}));
}

TEST(TensorTiles, HaveTheWidestSpanThatFits) {
  EXPECT_EQ(widestSwizzle(256), 128u);
  EXPECT_EQ(widestSwizzle(192), 64u);
  EXPECT_EQ(widestSwizzle(96), 32u);
  EXPECT_EQ(widestSwizzle(16), 0u);
}

/// Eight rows of a matrix, in a plain tile and in each of the swizzled ones: 16 bytes of eight
/// lines lie in the banks of 8 / (128 / span) different lines, unless chunks are exchanged.
TEST(TensorTiles, AreReadByLdmatrixWithoutConflicts) {
  for (unsigned major : {0u, 1u})
    for (unsigned span : {128u, 64u, 32u}) {
      Extents extents = major ? Extents{32, span / 2} : Extents{span / 2, 32};
      auto conflicts = [&](unsigned swizzle) {
        LinearLayout tile = tensorTileLayout(extents, 2, major, swizzle);
        std::array<uint64_t, 3> rows;
        for (unsigned bit = 0; bit < 3; ++bit)
          rows[bit] = tile.to().place(blockDim(1 - major), uint64_t(1) << bit);
        return matrixConflicts(tile, 2, rows);
      };
      EXPECT_EQ(conflicts(span), 1u) << span;
      EXPECT_EQ(conflicts(0), span / 16) << span;
    }
}

namespace {
/// Whether eight lanes, as far as there are lines, `apart` lines from one another, read the same chunk
/// of 16 bytes in as many different groups of four banks.
bool haveBanksOfTheirOwn(const LinearLayout &toOffset, unsigned lines, unsigned chunk, unsigned apart,
                         unsigned elementBytes) {
  for (unsigned first = 0; first < apart; ++first) {
    std::set<uint64_t> groups;
    unsigned lanes = std::min(8u, lines / apart);
    for (unsigned lane = 0; lane < lanes; ++lane)
      groups.insert(byteOf(toOffset, first + lane * apart, chunk * 16 / elementBytes, elementBytes) /
                    16 % 8);
    if (groups.size() != lanes)
      return false;
  }
  return true;
}
} // namespace

TEST(TensorTiles, OfLinesAreReadWithoutConflicts) {
  for (unsigned bytes : {1u, 2u, 4u, 8u})
    for (unsigned line : {16u, 32u, 64u, 128u, 256u})
      for (unsigned apart : {1u, 2u, 4u, 8u}) {
        unsigned lines = 64, places = line / bytes;
        LinearLayout tile = lineTileLayout({lines, places}, bytes, 1, apart);
        ASSERT_TRUE(tile.isInvertible());
        LinearLayout toOffset = tile.inverse();
        for (unsigned chunk = 0; chunk < line / 16; ++chunk) {
          EXPECT_TRUE(haveBanksOfTheirOwn(toOffset, lines, chunk, apart, bytes))
              << bytes << " bytes, lines of " << line << ", " << apart << " apart, chunk " << chunk;
          // Chunks stay in one piece.
          for (unsigned place = 0; place < 16 / bytes; ++place)
            EXPECT_EQ(byteOf(toOffset, 5, chunk * 16 / bytes + place, bytes),
                      byteOf(toOffset, 5, chunk * 16 / bytes, bytes) + place * bytes);
        }
      }
}

TEST(TensorTiles, OfLinesOneApartAreThoseOfTMA) {
  for (unsigned line : {32u, 64u, 128u})
    EXPECT_EQ(lineTileLayout({32, line / 4}, 4, 1, 1), tensorTileLayout({32, line / 4}, 4, 1, line));
}

/// Of a fragment of mma.sync four lines, in each of which eight lanes have neighbours: 32 words, a
/// bank each.
TEST(TensorTiles, OfLinesAreReadByWordsWithoutConflicts) {
  for (unsigned line : {32u, 64u, 128u}) {
    LinearLayout toOffset = lineTileLayout({16, line}, 4, 1, 1, 32).inverse();
    for (unsigned first : {0u, 4u, 8u})
      for (unsigned place = 0; place < line; place += 8) {
        std::set<unsigned> banks;
        for (unsigned lane = 0; lane < 32; ++lane)
          banks.insert(byteOf(toOffset, first + lane % 4, place + lane / 4, 4) / 4 % 32);
        EXPECT_EQ(banks.size(), 32u) << line << " numbers, lines from " << first;
      }
  }
}

/// Of a fragment of f64 half a warp has four lines, in each of which four lanes have neighbours: 32 words.
TEST(TensorTiles, OfLinesAreReadByDoublesWithoutConflicts) {
  for (unsigned line : {16u, 32u, 64u}) {
    LinearLayout toOffset = lineTileLayout({16, line}, 8, 1, 1, 32).inverse();
    for (unsigned first : {0u, 4u, 8u})
      for (unsigned place = 0; place < line; place += 4) {
        std::set<unsigned> banks;
        for (unsigned lane = 0; lane < 16; ++lane)
          banks.insert(byteOf(toOffset, first + lane / 4, place + lane % 4, 8) / 8 % 16);
        EXPECT_EQ(banks.size(), 16u) << line << " numbers, lines from " << first;
      }
  }
}

// Line 9 of 64 bytes, 4 apart: its bits 2 to 4 are 2, so chunk 1 is exchanged by 2 * 16 bytes.
TEST(TensorTiles, OfLinesFourApart) {
  LinearLayout toOffset = lineTileLayout({32, 16}, 4, 1, 4).inverse();
  EXPECT_EQ(byteOf(toOffset, 9, 5, 4), 628u);
  EXPECT_EQ(lineTileLayout({32, 16}, 4, 1, 0), sharedLayout({32, 16}, {1, 0}));
  EXPECT_EQ(lineTileLayout({32, 16}, 4, 0, 0), sharedLayout({32, 16}, {0, 1}));
}
