//===- ConversionPlanTest.cpp - Plans carried out on indices -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutePlan.h"
#include "RandomLayouts.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdio>
#include <map>

using namespace fsm;

namespace {

/// Every place holds the index of its element.
std::vector<uint64_t> indices(const LinearLayout &layout) {
  std::vector<uint64_t> result;
  for (uint64_t place = 0; place < layout.from().size(); ++place)
    result.push_back(layout.apply(place));
  return result;
}

void expectRight(const ConversionPlan &plan) {
  const LinearLayout &destination = plan.destination;
  std::vector<uint64_t> result = executePlan(plan, indices(plan.source));
  ASSERT_EQ(result.size(), destination.from().size());
  for (uint64_t place = 0; place < result.size(); ++place)
    if (destination.to().contains(destination.apply(place)))
      ASSERT_EQ(result[place], destination.apply(place))
          << plan.source.format() << "\nto " << destination.format() << "\nby " << plan.format();
}

/// A number's bits at these places.
uint64_t indexOf(uint64_t number, const std::vector<unsigned> &places) {
  uint64_t index = 0;
  for (size_t i = 0; i < places.size(); ++i)
    index |= (number >> i & 1) << places[i];
  return index;
}

/// Rounds that differ in the bits of words only are one shuffle.
void expectWordsTravelTogether(const ConversionPlan &plan) {
  const ShufflePlan &shuffle = plan.shuffle;
  unsigned together = shuffle.elementsPerShuffle();
  ASSERT_LE(together * plan.elementBytes, std::max(4u, plan.elementBytes));
  uint64_t inSource = indexOf(together - 1, shuffle.sourceTogether);
  uint64_t inDestination = indexOf(together - 1, shuffle.destinationTogether);
  std::map<uint64_t, ShuffleRound> first;
  for (const ShuffleRound &round : shuffle.rounds) {
    const ShuffleRound &word = first.emplace(round.placed & ~inDestination, round).first->second;
    ASSERT_EQ(round.readLane, word.readLane);
    ASSERT_EQ(round.offered & ~inSource, word.offered & ~inSource);
    ASSERT_EQ(round.moves, word.moves);
    for (unsigned i = 0; i < together; ++i)
      if ((round.placed & inDestination) == indexOf(i, shuffle.destinationTogether))
        ASSERT_EQ(round.offered & inSource, indexOf(i, shuffle.sourceTogether));
  }
  for (uint64_t vector : shuffle.placedByLane.columnVectors())
    ASSERT_EQ(vector & inDestination, 0u);
  for (const BitMatrix *byThread : {&shuffle.offeredByLane, &shuffle.offeredByWarp})
    for (uint64_t vector : byThread->columnVectors())
      ASSERT_EQ(vector & inSource, 0u);
}

/// Plans in every way there is and executes each.
void expectAllPlansRight(const LinearLayout &source, const LinearLayout &destination,
                         unsigned elementBytes, std::map<ConversionKind, int> *count = nullptr) {
  for (ConversionKind kind : {ConversionKind::Nothing, ConversionKind::Registers,
                              ConversionKind::Shuffles, ConversionKind::SharedMemory})
    if (auto plan = planConversion(source, destination, elementBytes, kind)) {
      expectRight(*plan);
      expectWordsTravelTogether(*plan);
    }
  auto best = planConversion(source, destination, elementBytes);
  ASSERT_TRUE(best);
  expectRight(*best);
  if (count)
    ++(*count)[best->kind];
}

/// Layouts of 32 x 64 over four warps.
std::vector<LinearLayout> namedLayouts() {
  Extents block = {32, 64};
  std::vector<LinearLayout> all;
  for (unsigned vector : {1, 2, 4, 8})
    all.push_back(rowMajorLayout(block, vector, {32, 4}));
  for (unsigned vector : {1, 2, 4})
    all.push_back(blockedLayout(block, {{vector, 1}, {32, 1}, {1, 4}, {0, 1}}));
  for (unsigned size : {1, 2, 4})
    all.push_back(blockedLayout(block, {{size, size}, {8, 4}, {2, 2}, {1, 0}}));
  all.push_back(blockedLayout(block, {{1, 4}, {4, 8}, {4, 1}, {1, 0}}));
  all.push_back(blockedLayout(block, {{1, 4}, {2, 16}, {1, 4}, {1, 0}}));
  all.push_back(blockedLayout(block, {{2, 2}, {16, 2}, {1, 4}, {0, 1}}));
  all.push_back(blockedLayout(block, {{4, 1}, {1, 32}, {4, 1}, {0, 1}}));
  for (const Fragment &fragment : {mmaLeft(16, 16, 2), mmaRight(16, 2), mmaSums(16)}) {
    all.push_back(tiledFragmentLayout(fragment, block, {1, 4}));
    all.push_back(tiledFragmentLayout(fragment, block, {2, 2}));
  }
  all.push_back(replicatedLayout(block, {32, 4}));
  // The first one with its registers in another order.
  std::vector<uint64_t> bases = all.front().bases();
  std::reverse(bases.begin(), bases.begin() + all.front().from().bitsOf(Dim::Register));
  all.push_back(LinearLayout(all.front().from(), all.front().to(), bases));
  // What a reduction leaves: replicas in lanes, and in warps.
  all.push_back(
      slicedLayout(blockedLayout({32, 64, 8}, {{1, 2, 2}, {4, 4, 2}, {1, 2, 2}, {2, 1, 0}}), 2));
  all.push_back(
      slicedLayout(blockedLayout({8, 32, 64}, {{1, 1, 4}, {8, 1, 4}, {2, 2, 1}, {2, 1, 0}}), 0));
  return all;
}

TEST(ConversionPlan, EqualLayoutsNeedNothing) {
  for (const LinearLayout &layout : namedLayouts()) {
    auto plan = planConversion(layout, layout, 4);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->kind, ConversionKind::Nothing);
    EXPECT_EQ(plan->cost().total(), 0u);
  }
}

TEST(ConversionPlan, RegistersInAnotherOrderAreRenamed) {
  BitSpace block = BitSpace::block({128});
  LinearLayout a(BitSpace::threads(2, 5, 0), block, {1, 2, 4, 8, 16, 32, 64});
  LinearLayout b(BitSpace::threads(2, 5, 0), block, {2, 3, 4, 8, 16, 32, 64});
  auto plan = planConversion(a, b, 4);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->kind, ConversionKind::Registers);
  EXPECT_EQ(plan->sourceRegisters, (std::vector<uint64_t>{0, 2, 3, 1}));
  EXPECT_EQ(plan->cost().total(), 0u);
  expectRight(*plan);
}

TEST(ConversionPlan, TwoByTwoTransposeIsOneButterfly) {
  BitSpace block = BitSpace::block({2, 2});
  LinearLayout rows(BitSpace::threads(1, 1, 0), block, {1, 2});
  LinearLayout columns(BitSpace::threads(1, 1, 0), block, {2, 1});
  auto plan = planConversion(rows, columns, 4, ConversionKind::Shuffles);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->shuffle.isButterfly());
  ASSERT_EQ(plan->shuffle.rounds.size(), 2u);
  EXPECT_FALSE(plan->shuffle.rounds[0].moves);
  EXPECT_TRUE(plan->shuffle.rounds[1].moves);
  EXPECT_EQ(plan->shuffle.rounds[1].readLane, 1u);
  EXPECT_EQ(plan->cost().shuffles, 1u);
  expectRight(*plan);
}

TEST(ConversionPlan, LanesInAnotherOrderNeedOneShuffleARegister) {
  // Lane bits 0 and 4 change places: no butterfly, but one round per register.
  BitSpace block = BitSpace::block({64});
  LinearLayout a(BitSpace::threads(1, 5, 0), block, {1, 2, 4, 8, 16, 32});
  LinearLayout b(BitSpace::threads(1, 5, 0), block, {1, 32, 4, 8, 16, 2});
  auto plan = planConversion(a, b, 4, ConversionKind::Shuffles);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->shuffle.isButterfly());
  EXPECT_EQ(plan->cost().shuffles, 2u);
  EXPECT_EQ(plan->cost().selects, 0u);
  expectRight(*plan);
  // Two f16 that stay neighbours travel in one word.
  auto halves = planConversion(a, b, 2, ConversionKind::Shuffles);
  EXPECT_EQ(halves->cost().shuffles, 1u);
}

TEST(ConversionPlan, ReplicatedSourcesNeedNoShuffle) {
  LinearLayout everywhere = replicatedLayout({64}, {32, 1});
  LinearLayout spread = rowMajorLayout({64}, 2, {32, 1});
  auto plan = planConversion(everywhere, spread, 4);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->kind, ConversionKind::Shuffles);
  EXPECT_EQ(plan->cost().shuffles, 0u);
  expectRight(*plan);
}

TEST(ConversionPlan, AcrossWarpsGoesThroughSharedMemoryWithABarrier) {
  LinearLayout rows = rowMajorLayout({32, 64}, 4, {32, 4});
  LinearLayout columns = blockedLayout({32, 64}, {{4, 1}, {8, 4}, {1, 4}, {0, 1}});
  EXPECT_FALSE(planConversion(rows, columns, 4, ConversionKind::Shuffles));
  auto plan = planConversion(rows, columns, 4);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->kind, ConversionKind::SharedMemory);
  EXPECT_EQ(plan->cost().barriers, 1u);
  EXPECT_EQ(plan->cost().sharedBytes, 32u * 64 * 4);
  // 2048 words by 128 bytes, each way.
  EXPECT_EQ(plan->cost().wavefronts, 2u * 2048 / 4 / 32);
  expectRight(*plan);
}

TEST(ConversionPlan, CtasKeepToThemselves) {
  BlockedShape a{{1, 4}, {4, 8}, {2, 1}, {1, 0}, {2, 1}}, b{{4, 1}, {8, 4}, {1, 2}, {0, 1}, {2, 1}};
  auto plan = planConversion(blockedLayout({32, 64}, a), blockedLayout({32, 64}, b), 4);
  ASSERT_TRUE(plan);
  expectRight(*plan);
  EXPECT_EQ(plan->cost().sharedBytes, 16u * 64 * 4);
  b.ctasPerCluster = {1, 2};
  EXPECT_FALSE(planConversion(blockedLayout({32, 64}, a), blockedLayout({32, 64}, b), 4));
}

TEST(ConversionPlan, CtasThatHoldTheSameEachWriteIt) {
  BitSpace block = BitSpace::block({8, 8}), threads = BitSpace::threads(1, 5, 0, 1);
  LinearLayout rows(threads, block, {1, 2, 4, 8, 16, 32, 0});
  LinearLayout columns(threads, block, {8, 16, 32, 1, 2, 4, 0});
  auto plan = planConversion(rows, columns, 4, ConversionKind::SharedMemory);
  ASSERT_TRUE(plan);
  expectRight(*plan);
}

TEST(ConversionPlan, EveryPairOfNamedLayoutsConverts) {
  std::vector<LinearLayout> all = namedLayouts();
  ASSERT_GE(all.size(), 20u);
  std::map<ConversionKind, int> count;
  for (const LinearLayout &source : all)
    for (const LinearLayout &destination : all) {
      expectAllPlansRight(source, destination, 4, &count);
      auto halves = planConversion(source, destination, 2);
      expectRight(*halves);
      expectWordsTravelTogether(*halves);
    }
  for (auto [kind, times] : count)
    std::printf("%s: %d of %zu\n", std::string(conversionKindName(kind)).c_str(), times,
                all.size() * all.size());
  EXPECT_EQ(count.size(), 4u);
}

TEST(ConversionPlan, TrueExtentsChangeNothing) {
  Extents block = {27, 50};
  std::vector<LinearLayout> all = {
      rowMajorLayout(block, 4, {32, 4}), rowMajorLayout(block, 1, {32, 4}),
      blockedLayout(block, {{4, 1}, {8, 4}, {1, 4}, {0, 1}}), replicatedLayout(block, {32, 4})};
  for (const LinearLayout &source : all)
    for (const LinearLayout &destination : all)
      expectAllPlansRight(source, destination, 4);
}

TEST(ConversionPlan, RegistersOutsideTheBlockNeedNoRound) {
  // 781 numbers: the lanes change places, 28 of 32 registers are live.
  LinearLayout a = rowMajorLayout({781}, 4, {32, 1});
  std::vector<uint64_t> bases = a.bases();
  std::swap(bases[5], bases[6]);
  LinearLayout b(a.from(), a.to(), bases);
  auto plan = planConversion(a, b, 4, ConversionKind::Shuffles);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->cost().shuffles, 28u);
  expectRight(*plan);
}

TEST(ConversionPlan, RandomPairsConvert) {
  Random random(10);
  std::map<ConversionKind, int> count;
  for (int i = 0; i < 3000 && !HasFatalFailure(); ++i) {
    BitSpace block = BitSpace::block({uint64_t(4) << random() % 3, uint64_t(4) << random() % 3});
    unsigned warpBits = random() % 3;
    LinearLayout source = randomCover(random, block, warpBits);
    LinearLayout destination = randomCover(random, block, warpBits);
    expectAllPlansRight(source, destination, i % 2 ? 4 : 1, &count);
  }
  EXPECT_GE(count[ConversionKind::Shuffles], 100);
  EXPECT_GE(count[ConversionKind::SharedMemory], 100);
}

TEST(ConversionPlan, PermutationsOfOneWarpAlwaysShuffle) {
  // Random permutations of one warp's places: shuffles are right for all.
  Random random(11);
  BitSpace block = BitSpace::block({16, 16}), threads = BitSpace::threads(3, 5, 0);
  for (int i = 0; i < 2000 && !HasFatalFailure(); ++i) {
    LinearLayout source = randomPermutation(random, threads, block);
    LinearLayout destination = randomPermutation(random, threads, block);
    auto plan = planConversion(source, destination, 4, ConversionKind::Shuffles);
    ASSERT_TRUE(plan) << source.format() << "\nto " << destination.format();
    ASSERT_EQ(plan->shuffle.rounds.size(), 8u);
    expectRight(*plan);
  }
}

} // namespace
