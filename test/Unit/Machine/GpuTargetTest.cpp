//===- GpuTargetTest.cpp - The table of targets and its occupancy --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Machine/GpuTarget.h"

#include "gtest/gtest.h"

#include <vector>

using namespace fsm;

namespace {

TEST(GpuTarget, IsFoundByItsExactName) {
  ASSERT_NE(findGpuTarget("sm_90a"), nullptr);
  EXPECT_EQ(findGpuTarget("sm_90a")->computeCapability, 90u);
  EXPECT_TRUE(findGpuTarget("sm_90a")->archSpecific);
  EXPECT_FALSE(findGpuTarget("sm_90")->archSpecific);
  EXPECT_EQ(findGpuTarget("sm_9"), nullptr);
  EXPECT_EQ(findGpuTarget("sm_90ab"), nullptr);
  EXPECT_EQ(findGpuTarget(""), nullptr);
  EXPECT_EQ(gpuTargetNames(),
            "sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, sm_103, sm_120, sm_121");
}

TEST(GpuTarget, IsTheNewestThatAGpuRuns) {
  const std::pair<unsigned, const char *> best[] = {
      {75, "sm_75"},   {80, "sm_80"},   {88, "sm_87"},   {89, "sm_89"},  {90, "sm_90a"},
      {100, "sm_100"}, {110, "sm_103"}, {121, "sm_121"}, {130, "sm_121"}};
  for (auto [capability, name] : best)
    EXPECT_EQ(targetFor(capability), findGpuTarget(name)) << capability;
  EXPECT_EQ(targetFor(72), nullptr);
}

TEST(GpuTarget, FeaturesFollowTheManual) {
  EXPECT_FALSE(findGpuTarget("sm_75")->features.cpAsync);
  EXPECT_TRUE(findGpuTarget("sm_80")->features.cpAsync);
  EXPECT_FALSE(findGpuTarget("sm_86")->features.fp8Convert);
  EXPECT_TRUE(findGpuTarget("sm_89")->features.fp8Convert);
  EXPECT_FALSE(findGpuTarget("sm_89")->features.bf16Arithmetic);
  EXPECT_TRUE(findGpuTarget("sm_90")->features.bulkCopy);
  EXPECT_FALSE(findGpuTarget("sm_90")->features.wgmma);
  EXPECT_TRUE(findGpuTarget("sm_90a")->features.wgmma);
  EXPECT_FALSE(findGpuTarget("sm_100")->features.wgmma);
}

struct Question {
  unsigned registers, threads, sharedBytes;
};

/// The answers are those of cuda_occupancy.h of CUDA 13.0 with the largest
/// shared memory carveout, asked once outside of this build.
TEST(Occupancy, AgreesWithTheToolkit) {
  const std::vector<Question> questions = {
      {32, 128, 0},      {64, 256, 16384}, {40, 384, 0},         {168, 128, 0},
      {255, 256, 0},     {24, 32, 0},      {33, 96, 1000},       {128, 1024, 0},
      {16, 1024, 40960}, {32, 128, 65536}, {72, 160, 99 * 1024}, {1, 32, 8192}};
  struct Row {
    const char *name;
    std::vector<unsigned> answers;
  };
  const std::vector<Row> rows = {{"sm_75", {8, 4, 2, 3, 1, 16, 10, 0, 1, 1, 0, 8}},
                                 {"sm_80", {16, 4, 4, 3, 1, 32, 16, 0, 2, 2, 1, 18}},
                                 {"sm_86", {12, 4, 4, 3, 1, 16, 16, 0, 1, 1, 1, 11}},
                                 {"sm_87", {12, 4, 4, 3, 1, 16, 16, 0, 1, 2, 1, 16}},
                                 {"sm_89", {12, 4, 4, 3, 1, 24, 16, 0, 1, 1, 1, 11}},
                                 {"sm_90", {16, 4, 4, 3, 1, 32, 16, 0, 2, 3, 2, 25}},
                                 {"sm_90a", {16, 4, 4, 3, 1, 32, 16, 0, 2, 3, 2, 25}},
                                 {"sm_100", {16, 4, 4, 3, 1, 32, 16, 0, 2, 3, 2, 25}},
                                 {"sm_103", {16, 4, 4, 3, 1, 32, 16, 0, 2, 3, 2, 25}},
                                 {"sm_120", {12, 4, 4, 3, 1, 24, 16, 0, 1, 1, 1, 11}},
                                 {"sm_121", {12, 4, 4, 3, 1, 24, 16, 0, 1, 1, 1, 11}}};
  for (const Row &row : rows) {
    const GpuTarget *target = findGpuTarget(row.name);
    ASSERT_NE(target, nullptr) << row.name;
    for (size_t i = 0; i != questions.size(); ++i)
      EXPECT_EQ(classicalOccupancy(*target, questions[i].registers, questions[i].threads,
                                   questions[i].sharedBytes),
                row.answers[i])
          << row.name << ", question " << i;
  }
}

TEST(Occupancy, IsZeroForWhatCannotRun) {
  const GpuTarget &target = *findGpuTarget("sm_90");
  EXPECT_EQ(classicalOccupancy(target, 32, 0, 0), 0u);
  EXPECT_EQ(classicalOccupancy(target, 32, 1025, 0), 0u);
  EXPECT_EQ(classicalOccupancy(target, 256, 32, 0), 0u);
  // 64 registers of 1024 threads are exactly the 65536 of an SM.
  EXPECT_EQ(classicalOccupancy(target, 64, 1024, 0), 1u);
  EXPECT_EQ(classicalOccupancy(target, 65, 1024, 0), 0u);
  // 227 KiB of 228, one of which is the system's.
  EXPECT_EQ(classicalOccupancy(target, 32, 128, 227 * 1024), 1u);
  EXPECT_EQ(classicalOccupancy(target, 32, 128, 227 * 1024 + 1), 0u);
}

} // namespace
