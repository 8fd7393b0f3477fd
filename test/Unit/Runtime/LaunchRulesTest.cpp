//===- LaunchRulesTest.cpp - What a launch must keep to -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/LaunchRules.h"
#include "fsm/Runtime/Device.h"

#include "gtest/gtest.h"

using namespace fsm;

static bool holds(const char *fact, ScalarType type, unsigned pointerDepth, uint64_t value) {
  KernelArgument argument;
  argument.type = type;
  argument.pointerDepth = pointerDepth;
  return fsm::holds(*parseFact(fact), argument, value);
}

TEST(LaunchRules, FactsOfPointersAreOfAddresses) {
  EXPECT_TRUE(holds("64", ScalarType::F32, 1, 4096 + 64));
  EXPECT_FALSE(holds("64", ScalarType::F32, 1, 4096 + 32));
  EXPECT_TRUE(holds("64", ScalarType::F32, 1, 0));
  // How large a buffer is does not make code wrong; an address does not say that nothing overlaps.
  EXPECT_TRUE(holds("large", ScalarType::I8, 2, 3));
  EXPECT_FALSE(holds("noalias+large", ScalarType::I8, 2, 3));
}

TEST(LaunchRules, FactsOfIntegersAreOfTheLowBits) {
  EXPECT_TRUE(holds("16", ScalarType::I32, 0, 0xDEADBEEF00000020));
  EXPECT_FALSE(holds("16", ScalarType::I32, 0, 0x28));
  EXPECT_TRUE(holds("16", ScalarType::I8, 0, 0xF0)); // -16
  EXPECT_TRUE(holds("one", ScalarType::I16, 0, 0xFFFF0001));
  EXPECT_FALSE(holds("one", ScalarType::I64, 0, 0xFFFF0001));
  EXPECT_TRUE(holds("one", ScalarType::I1, 0, 1));
  EXPECT_FALSE(holds("one", ScalarType::I1, 0, 0));
  EXPECT_TRUE(holds("1025..2048", ScalarType::I32, 0, 2048));
  EXPECT_FALSE(holds("1025..2048", ScalarType::I32, 0, 2049));
  EXPECT_FALSE(holds("1025..", ScalarType::I32, 0, 0xFFFFFFFF)); // -1
}

TEST(LaunchRules, GridsThatKernelsStateAreOfTheArguments) {
  KernelSignature signature{"k", {{"m", ScalarType::I32}, {"n", ScalarType::I8}}, {}};
  EXPECT_FALSE(gridOf(signature, {}));
  signature.grid = {*parseLaunchExpression("arg0 64 ceildiv"), *parseLaunchExpression("arg1 2 *")};
  Result<Grid> grid = gridOf(signature, {Argument::real(65.0), Argument::integer(3)});
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->x, 2);
  EXPECT_EQ(grid->y, 6);
  EXPECT_EQ(grid->z, 1);
  EXPECT_FALSE(gridOf(signature, {Argument::integer(64), Argument::integer(-1)}));
  Result<Grid> missing = gridOf(signature, {Argument::integer(64)});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "error: expected 2 arguments for the grid that kernel "
                                    "@k(%m: i32, %n: i8) states, got 1");
}

TEST(LaunchRules, StatedGridsStayIn64Bits) {
  KernelSignature signature{"k", {{"m", ScalarType::I64}, {"n", ScalarType::I64}}, {}};
  signature.grid = {*parseLaunchExpression("arg0 arg1 *")};
  auto programs = [&](int64_t m, int64_t n) {
    Result<Grid> grid = gridOf(signature, {Argument::integer(m), Argument::integer(n)});
    return grid ? std::to_string(grid->x) : grid.error().message;
  };
  EXPECT_EQ(programs(1 << 15, 1 << 15), "1073741824");
  // 2^64 and 2^64 + 2, of which 0 and 2 would be left.
  std::string wrapped = "error: expected 0 to 2147483647 programs along x of the grid that kernel "
                        "@k states, which divides by 0 or less, or leaves 64 bits";
  EXPECT_EQ(programs(int64_t(1) << 32, int64_t(1) << 32), wrapped);
  EXPECT_EQ(programs(0x5555555555555556, 3), wrapped);
}

TEST(LaunchRules, LaterGpusRunPtxUnlessItIsOfOne) {
  EXPECT_TRUE(runsOn("sm_80", 90));
  EXPECT_TRUE(runsOn("sm_90", 90));
  EXPECT_FALSE(runsOn("sm_100", 90));
  EXPECT_TRUE(runsOn("sm_90a", 90));
  EXPECT_FALSE(runsOn("sm_90a", 100));
  EXPECT_FALSE(runsOn("cpu", 90));
  EXPECT_FALSE(runsOn("", 90));
}

TEST(LaunchRules, DevicesHaveNames) {
  auto text = [](const char *name) {
    std::optional<cuda::DeviceName> parsed = cuda::DeviceName::parse(name);
    return parsed ? parsed->text() : "none";
  };
  EXPECT_EQ(text("cuda"), "cuda:0");
  EXPECT_EQ(text("cuda:12"), "cuda:12");
  EXPECT_EQ(text("sim"), "sim");
  EXPECT_EQ(text("sim:0"), "sim");
  EXPECT_EQ(text("sim:3"), "sim:3");
  for (const char *wrong : {"", "cpu", "cuda:", "cuda:x", "cuda:1x", "sim:", "cuda:12345", "cudas"})
    EXPECT_EQ(text(wrong), "none") << wrong;
}
