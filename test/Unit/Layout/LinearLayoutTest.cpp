//===- LinearLayoutTest.cpp - The algebra of layouts ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/LinearLayout.h"
#include "RandomLayouts.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cstdio>
#include <map>
#include <set>

using namespace fsm;

namespace {

/// The example of the comment at LinearLayout.
LinearLayout example() {
  BitSpace block = BitSpace::block({4, 8});
  // A packed position is row * 8 + column.
  return LinearLayout(BitSpace::threads(2, 3, 0), block, {1, 8, 2, 4, 16});
}

TEST(BitSpace, PacksRowMajorAndKnowsTrueExtents) {
  BitSpace block = BitSpace::block({3, 781});
  EXPECT_EQ(block.bits(), 12u);
  EXPECT_EQ(block.place(blockDim(0), 2) | block.place(blockDim(1), 5), 2u << 10 | 5);
  EXPECT_TRUE(block.contains(2 << 10 | 780));
  EXPECT_FALSE(block.contains(2 << 10 | 781));
  EXPECT_FALSE(block.contains(3 << 10));
  EXPECT_EQ(block.format(2 << 10 | 780), "(2, 780)");
  EXPECT_EQ(BitSpace::block({}).bits(), 0u);
}

TEST(LinearLayout, HoldsTheExampleOfItsComment) {
  LinearLayout layout = example();
  EXPECT_EQ(layout.to().format(layout.apply(3, 5, 0)), "(3, 3)");
  EXPECT_TRUE(layout.isInvertible());
  EXPECT_EQ(layout.inverse().apply(layout.apply(3, 5, 0)), 5u << 2 | 3);
  EXPECT_EQ(layout.format(), "register [(0, 1), (1, 0)], lane [(0, 2), (0, 4), (2, 0)], warp [], "
                             "cta [] -> 4 x 8");
}

TEST(LinearLayout, ChecksWhatItIsMadeOf) {
  BitSpace from = BitSpace::threads(1, 1, 0), to = BitSpace::block({4});
  EXPECT_EQ(LinearLayout::check(from, to, {1, 2}), std::nullopt);
  EXPECT_EQ(LinearLayout::check(from, to, {1}), "expected 2 bases, one for each bit, got 1");
  EXPECT_EQ(LinearLayout::check(from, to, {1, 4}), "basis 4 is outside the block");
  EXPECT_EQ(LinearLayout::check(from, BitSpace({{blockDim(0), 3, 4}}), {1, 4}),
            "expected 2 bits for dim0 of 4, got 3");
}

TEST(LinearLayout, ReplicasAreTheFreeBits) {
  // Lane bit 1 and warp bit 0 repeat what others hold.
  LinearLayout layout(BitSpace::threads(1, 3, 1), BitSpace::block({8}), {1, 2, 3, 4, 0});
  EXPECT_EQ(layout.freeBits(Dim::Register), 0u);
  EXPECT_EQ(layout.freeBits(Dim::Lane), 0b010u);
  EXPECT_EQ(layout.freeBits(Dim::Warp), 1u);
  EXPECT_FALSE(layout.isInjective());
  EXPECT_TRUE(layout.isSurjective());
}

TEST(LinearLayout, CanonicalFormDropsDependentRegisters) {
  LinearLayout layout(BitSpace::threads(4, 1, 0), BitSpace::block({8}), {0, 1, 2, 3, 4});
  EXPECT_FALSE(layout.isCanonical());
  EXPECT_EQ(layout.canonical().basesOf(Dim::Register), (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(layout.canonical().basesOf(Dim::Lane), std::vector<uint64_t>{4});
}

TEST(LinearLayout, ARowOf781IsSevenVectors) {
  LinearLayout layout = rowMajorLayout({781}, 4, {32, 1});
  EXPECT_EQ(layout.from().bitsOf(Dim::Register), 5u);
  EXPECT_EQ(layout.liveRegisters().size(), 28u);
  EXPECT_EQ(layout.liveRegisters().back(), 27u);
}

TEST(LinearLayout, ProductRepeatsAPattern) {
  LinearLayout pair(BitSpace::threads(1, 0, 0), BitSpace::block({2}), {1});
  LinearLayout lanes(BitSpace::threads(0, 2, 0), BitSpace::block({4}), {1, 2});
  EXPECT_EQ(pair * lanes,
            LinearLayout(BitSpace::threads(1, 2, 0), BitSpace::block({8}), {1, 2, 4}));
}

TEST(LinearLayout, ADimensionTakenAwayMovesTheOthersUp) {
  LinearLayout rows = example().withoutDim(blockDim(1));
  EXPECT_EQ(rows, LinearLayout(BitSpace::threads(1, 3, 0), BitSpace::block({4}), {1, 0, 0, 2}));
  LinearLayout columns = example().withoutDim(blockDim(0));
  EXPECT_EQ(columns, LinearLayout(BitSpace::threads(1, 3, 0), BitSpace::block({8}), {1, 2, 4, 0}));
}

// Properties of random layouts; each function checks one law on one layout.

void freeBitsNameEachElementOnce(const LinearLayout &layout) {
  std::set<uint64_t> all, owned;
  for (uint64_t place = 0; place < layout.from().size(); ++place) {
    all.insert(layout.apply(place));
    if (!(place & layout.freeBits()))
      ASSERT_TRUE(owned.insert(layout.apply(place)).second);
  }
  ASSERT_EQ(all, owned);
  ASSERT_EQ(all.size(), uint64_t(1) << layout.rank());
  ASSERT_EQ(layout.isSurjective(), all.size() == layout.to().size());
  ASSERT_EQ(layout.isInjective(), all.size() == layout.from().size());
}

void applyIsLinear(const LinearLayout &layout, Random &random) {
  uint64_t mask = layout.from().size() - 1, x = random() & mask, y = random() & mask;
  ASSERT_EQ(layout.apply(x ^ y), layout.apply(x) ^ layout.apply(y));
  ASSERT_EQ(layout.apply(x), layout.matrix().apply(x));
}

void pseudoInverseFindsThePlace(const LinearLayout &layout, Random &random) {
  uint64_t y = layout.apply(random() & (layout.from().size() - 1));
  uint64_t place = layout.pseudoInverse().apply(y);
  ASSERT_EQ(layout.apply(place), y);
  ASSERT_EQ(place & layout.freeBits(), 0u);
}

void canonicalFormHoldsTheSame(const LinearLayout &layout) {
  LinearLayout canonical = layout.canonical();
  ASSERT_TRUE(canonical.isCanonical());
  ASSERT_EQ(canonical.canonical(), canonical);
  for (Dim dim : {Dim::Lane, Dim::Warp, Dim::Cta})
    ASSERT_EQ(canonical.basesOf(dim), layout.basesOf(dim));
  ASSERT_EQ(Subspace(canonical.basesOf(Dim::Register)).basis(),
            Subspace(layout.basesOf(Dim::Register)).basis());
}

void liveRegistersHoldSomethingInRange(const LinearLayout &layout) {
  std::set<uint64_t> live;
  for (uint64_t place = 0; place < layout.from().size(); ++place)
    if (layout.to().contains(layout.apply(place)))
      live.insert(layout.from().get(place, Dim::Register));
  std::vector<uint64_t> registers = layout.liveRegisters();
  ASSERT_EQ(std::vector<uint64_t>(live.begin(), live.end()), registers);
}

void inverseAndCompositionUndo(Random &random) {
  BitSpace block = BitSpace::block({uint64_t(1) << random() % 4, uint64_t(2) << random() % 4});
  unsigned lanes = random() % (block.bits() + 1);
  BitSpace threads = BitSpace::threads(block.bits() - lanes, lanes, 0);
  LinearLayout a = randomPermutation(random, threads, block);
  LinearLayout b = randomPermutation(random, threads, block);
  ASSERT_EQ(a.inverse().compose(a), LinearLayout::identity(threads, threads));
  ASSERT_EQ(a.inverse().inverse(), a);
  ASSERT_EQ(a.compose(a.inverse().compose(b)), b);
  uint64_t x = random() & (threads.size() - 1);
  ASSERT_EQ(a.inverse().compose(b).apply(x), a.inverse().apply(b.apply(x)));
}

void productHasTheBitsOfBoth(Random &random) {
  BitSpace block = BitSpace::block({2, 4});
  LinearLayout pattern = randomPermutation(random, BitSpace::threads(1, 2, 0), block);
  LinearLayout outer = randomLayout(random);
  LinearLayout product = pattern * outer;
  ASSERT_EQ(product.from().bits(), pattern.from().bits() + outer.from().bits());
  ASSERT_EQ(product.rank(), pattern.rank() + outer.rank());
}

TEST(LinearLayout, LawsHoldForRandomLayouts) {
  Random random(7);
  auto start = std::chrono::steady_clock::now();
  int properties = 0;
  for (; properties < 100000 && !HasFatalFailure(); properties += 7) {
    LinearLayout layout = randomLayout(random);
    SCOPED_TRACE(layout.format());
    freeBitsNameEachElementOnce(layout);
    applyIsLinear(layout, random);
    pseudoInverseFindsThePlace(layout, random);
    canonicalFormHoldsTheSame(layout);
    liveRegistersHoldSomethingInRange(layout);
    inverseAndCompositionUndo(random);
    productHasTheBitsOfBoth(random);
  }
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%d properties of random layouts in %.2f s\n", properties, seconds.count());
  RecordProperty("seconds", std::to_string(seconds.count()));
}

} // namespace
