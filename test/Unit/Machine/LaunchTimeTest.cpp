//===- LaunchTimeTest.cpp - How long a launch is likely to take ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Machine/LaunchTime.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace fsm;

namespace {

using Kind = CostStep::Kind;

CostExpression number(int64_t value) { return {{Kind::Number, value}}; }

TEST(CostExpression, IsWorkedOutFromALaunch) {
  LaunchNumbers launch;
  launch.grid = {7, 5, 3};
  launch.arguments = {100, -9};
  auto combined = [&](Kind kind, CostStep left, CostStep right) {
    return evaluate({left, right, {kind, 0}}, launch);
  };
  CostStep hundred{Kind::Argument, 0}, minusNine{Kind::Argument, 1}, eight{Kind::Number, 8};
  EXPECT_EQ(combined(Kind::Add, hundred, minusNine), 91);
  EXPECT_EQ(combined(Kind::Subtract, hundred, minusNine), 109);
  EXPECT_EQ(combined(Kind::Multiply, hundred, minusNine), -900);
  EXPECT_EQ(combined(Kind::Divide, minusNine, eight), -1);
  EXPECT_EQ(combined(Kind::CeilDivide, hundred, eight), 13);
  EXPECT_EQ(combined(Kind::CeilDivide, minusNine, eight), -1);
  EXPECT_EQ(combined(Kind::Remainder, hundred, eight), 4);
  EXPECT_EQ(combined(Kind::Minimum, hundred, eight), 8);
  EXPECT_EQ(combined(Kind::Maximum, hundred, eight), 100);
  EXPECT_EQ(combined(Kind::And, minusNine, eight), -9 & 8);
  EXPECT_EQ(combined(Kind::Or, hundred, eight), 100 | 8);
  EXPECT_EQ(combined(Kind::Equal, hundred, eight), 0);
  EXPECT_EQ(combined(Kind::Equal, eight, eight), 1);
  EXPECT_EQ(combined(Kind::Less, minusNine, eight), 1);
  EXPECT_EQ(combined(Kind::Less, eight, eight), 0);
  EXPECT_EQ(evaluate({eight, hundred, minusNine, {Kind::Select, 0}}, launch), 100);
  EXPECT_EQ(evaluate({{Kind::Number, 0}, hundred, minusNine, {Kind::Select, 0}}, launch), -9);
  EXPECT_EQ(combined(Kind::Add, {Kind::Programs, 1}, {Kind::ProgramId, 0}), 5);
  EXPECT_EQ(evaluate({{Kind::Unknown, 0}}, launch), kUnknownNumber);
  EXPECT_FALSE(isKnown({hundred, {Kind::Unknown, 0}, {Kind::Add, 0}}));
  EXPECT_TRUE(isKnown({hundred, eight, {Kind::Add, 0}}));
}

TEST(CostExpression, KnowsHowManyProgramsAreStarted) {
  LaunchNumbers launch;
  launch.grid = {512, 1, 1};
  EXPECT_EQ(evaluate({{Kind::Started, 0}}, launch), 512);
  launch.started = 128;
  EXPECT_EQ(evaluate({{Kind::Programs, 0}, {Kind::Started, 0}, {Kind::CeilDivide, 0}}, launch), 4);
}

TEST(CostExpression, NeitherDividesByZeroNorLeavesItsBits) {
  LaunchNumbers launch;
  int64_t most = std::numeric_limits<int64_t>::max(), least = std::numeric_limits<int64_t>::min();
  for (Kind kind : {Kind::Divide, Kind::CeilDivide, Kind::Remainder})
    EXPECT_EQ(evaluate({{Kind::Number, 5}, {Kind::Number, 0}, {kind, 0}}, launch), 0);
  int64_t bound = int64_t(1) << 62;
  EXPECT_EQ(evaluate({{Kind::Number, most}, {Kind::Number, most}, {Kind::Multiply, 0}}, launch),
            bound);
  EXPECT_EQ(evaluate({{Kind::Number, least}, {Kind::Number, most}, {Kind::Subtract, 0}}, launch),
            -bound);
  EXPECT_EQ(evaluate({{Kind::Number, least}, {Kind::Number, -1}, {Kind::Divide, 0}}, launch),
            bound);
  EXPECT_EQ(evaluate({{Kind::Argument, 4}}, launch), 0);
  EXPECT_EQ(evaluate({{Kind::Add, 0}}, launch), kUnknownNumber);
  EXPECT_EQ(evaluate({{Kind::Number, 1}, {Kind::Number, 2}, {Kind::Select, 0}}, launch), kUnknownNumber);
}

/// Ten multiprocessors of a clock a nanosecond, on which nothing but what a test is about takes
/// time.
GpuRates simpleRates() {
  GpuRates rates;
  rates.multiprocessors = 10;
  rates.clocksPerNanosecond = 1;
  rates.groupProducts = 1000;
  rates.warpProducts = 500;
  rates.operations = 100;
  rates.sharedBytes = 1e9;
  rates.l2BytesOfAll = rates.l2Bytes = 10;
  rates.memoryBytes = 50;
  rates.loadClocks = 700;
  rates.copyClocks = 1200;
  rates.notHidden = rates.inTheWay = rates.exchangeClocks = rates.loopClocks = 0;
  rates.roundClocks = rates.roundClocksOfWarp = rates.launchClocks = rates.startClocks = 0;
  return rates;
}

/// Programs of four warps that do so much arithmetic.
ProgramCost computing(double operations, unsigned ctasPerMultiprocessor) {
  ProgramCost cost;
  cost.parts.emplace_back();
  cost.parts[0].operations = operations;
  cost.warps = 4;
  cost.ctasPerMultiprocessor = ctasPerMultiprocessor;
  return cost;
}

double nanoseconds(const ProgramCost &cost, LaunchNumbers launch, GpuRates rates = simpleRates()) {
  return std::round(1e9 * predictSeconds(cost, rates, launch));
}

LaunchNumbers launchOf(int32_t programs) {
  LaunchNumbers launch;
  launch.grid = {programs, 1, 1};
  return launch;
}

TEST(LaunchTime, IsThatOfFullWavesAndOfWhatIsLeft) {
  // 10000 operations are 100 clocks of a multiprocessor, which has two ctas at once.
  ProgramCost cost = computing(10000, 2);
  EXPECT_EQ(nanoseconds(cost, launchOf(1)), 100);
  EXPECT_EQ(nanoseconds(cost, launchOf(10)), 100);
  EXPECT_EQ(nanoseconds(cost, launchOf(11)), 200);
  EXPECT_EQ(nanoseconds(cost, launchOf(20)), 200);
  EXPECT_EQ(nanoseconds(cost, launchOf(21)), 300);
  EXPECT_EQ(nanoseconds(cost, launchOf(45)), 500);
  LaunchNumbers onMore = launchOf(45);
  onMore.multiprocessors = 45;
  EXPECT_EQ(nanoseconds(cost, onMore), 100);
  cost.programsPerCta = 4; // 12 ctas
  EXPECT_EQ(nanoseconds(cost, launchOf(45)), 800);
}

TEST(LaunchTime, AddsUnitsWhereThreadsStoreFactors) {
  // 100 clocks of arithmetic and 50 of tensor cores: one beside the other, or half of the shorter one behind the other.
  ProgramCost cost = computing(10000, 2);
  cost.parts[0].warpProducts = 25000;
  EXPECT_EQ(nanoseconds(cost, launchOf(10)), 100);
  cost.parts[0].storesFactors = true;
  EXPECT_EQ(nanoseconds(cost, launchOf(10)), 125);
  // Another cta computes meanwhile.
  EXPECT_EQ(nanoseconds(cost, launchOf(20)), 200);
}

TEST(LaunchTime, IsThatOfAsManyRoundsAsProgramsMake) {
  // 45 programs are five rounds of nine, 100 clocks each and half a start for each but the first.
  ProgramCost cost = computing(10000, 1);
  cost.parts[0].loops = {{{{Kind::ProgramId, 0}}, {{Kind::Programs, 0}}, {{Kind::Started, 0}}}};
  cost.loopPrograms = 0;
  GpuRates rates = simpleRates();
  rates.startClocks = 8;
  EXPECT_EQ(nanoseconds(cost, launchOf(45), rates), 524);
  EXPECT_EQ(nanoseconds(cost, launchOf(9), rates), 108);
  cost.loopPrograms = 3;
  EXPECT_EQ(nanoseconds(cost, launchOf(45), rates), 1564);
}

TEST(LaunchTime, IsInfiniteWithoutRoom) {
  EXPECT_TRUE(std::isinf(predictSeconds(computing(1, 0), simpleRates(), launchOf(1))));
}

TEST(LaunchTime, CountsTheRoundsOfLoops) {
  ProgramCost cost = computing(1000, 1);
  cost.parts[0].loops = {{number(0), {{Kind::Argument, 0}}, number(64)},
                         {number(2), number(5), number(1)}};
  LaunchNumbers launch = launchOf(1);
  launch.arguments = {130};
  EXPECT_EQ(nanoseconds(cost, launch), 3 * 3 * 10);
  launch.arguments = {0};
  EXPECT_EQ(nanoseconds(cost, launch), 0);
}

TEST(LaunchTime, CopiesThatRunTooFewRoundsAheadAreWaitedFor) {
  ProgramCost cost = computing(30000, 4);
  cost.parts[0].loops = {{number(0), number(8), number(1)}};
  cost.parts[0].copiedBytes = 1;
  for (auto [ahead, each] :
       {std::pair(0u, 300 + 1200), {1u, 1200}, {2u, 600}, {4u, 300}, {8u, 300}}) {
    cost.parts[0].roundsAhead = ahead;
    EXPECT_EQ(nanoseconds(cost, launchOf(1)), 8 * each) << ahead;
  }
  // Four ctas of a multiprocessor wait together, and compute one after the other.
  cost.parts[0].roundsAhead = 1;
  EXPECT_EQ(nanoseconds(cost, launchOf(40)), 8 * 1200);
  EXPECT_EQ(nanoseconds(cost, launchOf(20)), 8 * 1200);
}

TEST(LaunchTime, LoadsAreWaitedForOneAfterTheOther) {
  ProgramCost cost = computing(0, 1);
  cost.parts[0].loadedBytes = 1;
  cost.parts[0].loads = 3;
  EXPECT_EQ(nanoseconds(cost, launchOf(1)), 2100);
}

TEST(LaunchTime, EachArrayComesFromMemoryOnce) {
  ProgramCost cost = computing(0, 1);
  cost.parts[0].copiedBytes = 10000;
  cost.parts[0].roundsAhead = 100;
  // 1e5 bytes by ten multiprocessors at 10 a clock of each; memory has 50 in all.
  LaunchNumbers launch = launchOf(10);
  launch.bytes = 1e5;
  EXPECT_EQ(nanoseconds(cost, launch), 2000);
  launch.bytes = 1e4;
  EXPECT_EQ(nanoseconds(cost, launch), 1000);
}

TEST(LaunchTime, ProgramsOfAClusterAskOnceForWhatTheyShare) {
  ProgramCost cost = computing(0, 1);
  cost.parts[0].copiedBytes = 10000;
  cost.parts[0].roundsAhead = 100;
  cost.cluster = 2;
  LaunchNumbers launch = launchOf(10);
  launch.arguments = {1, 0};
  launch.bytes = 1;
  auto ifArgument = [&](CostStep step) {
    cost.parts[0].sharedCopies = {{6000, {step}}};
    return nanoseconds(cost, launch);
  };
  EXPECT_EQ(ifArgument({Kind::Argument, 0}), 700);
  EXPECT_EQ(ifArgument({Kind::Argument, 1}), 1000);
  EXPECT_EQ(ifArgument({Kind::Unknown, 0}), 1000);
}

TEST(LaunchTime, WarpsThatOnlyLoadWorkBesideTheOthers) {
  ProgramCost cost = computing(50000, 1);
  cost.parts.emplace_back();
  cost.parts[1].copiedBytes = 3000;
  cost.parts[1].roundsAhead = 100;
  EXPECT_EQ(nanoseconds(cost, launchOf(10)), 800);
  cost.parts[1].isBeside = true;
  EXPECT_EQ(nanoseconds(cost, launchOf(10)), 500);
}

TEST(GpuRates, EachTargetHasItsOwn) {
  EXPECT_EQ(ratesOf(*findGpuTarget("sm_80")).multiprocessors, 108u);
  EXPECT_EQ(ratesOf(*findGpuTarget("sm_90a")).multiprocessors, 132u);
  EXPECT_GT(ratesOf(*findGpuTarget("sm_90a")).groupProducts,
            ratesOf(*findGpuTarget("sm_90")).warpProducts);
}

} // namespace
