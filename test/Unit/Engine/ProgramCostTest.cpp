//===- ProgramCostTest.cpp - What a program of a plan does ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "fsm/Compiler/KernelCost.h"

using namespace fsm;
using namespace fsm::test;

namespace {

/// The sum of a row of `%cols` numbers, 4096 at a time by four warps.
const char *const kRows = R"(// param STAGES
fsm.kernel @rows(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %cols: i32) attributes {num_warps = 4 : i32} {
  %zero = arith.constant 0 : i32
  %block = arith.constant 4096 : i32
  %none = arith.constant dense<0.0> : tensor<4096xf32>
  %row = fsm.program_id x : i32
  %range = fsm.range 0, 4096 : tensor<4096xi32>
  %n = fsm.splat %cols : tensor<4096xi32>
  %sums = scf.for %first = %zero to %cols step %block iter_args(%sum = %none) -> (tensor<4096xf32>) : i32 {
    %start = fsm.splat %first : tensor<4096xi32>
    %offs = arith.addi %start, %range overflow<nsw> : tensor<4096xi32>
    %mask = arith.cmpi slt, %offs, %n : tensor<4096xi32>
    %x = fsm.load %in[%offs], %mask : !fsm.ptr<f32>, tensor<4096xi32> -> tensor<4096xf32>
    %next = arith.addf %sum, %x : tensor<4096xf32>
    scf.yield %next : tensor<4096xf32>
  } {fsm.num_stages = ${STAGES} : i32}
  %total = fsm.reduce <sum> %sums axis 0 : tensor<4096xf32> -> f32
  %dst = fsm.offset %out, %row : !fsm.ptr<f32>, i32
  fsm.store %total, %dst : f32, !fsm.ptr<f32>
  fsm.return
})";

/// A tile of 64 x 128 of a product, along %k in steps of 64.
const char *const kProduct = R"(// param T
// param PRECISION
fsm.kernel @product(%c: !fsm.ptr<f32>, %a: !fsm.ptr<${T}>, %b: !fsm.ptr<${T}>, %m: i32, %n: i32, %k: i32) {
  %in_a = fsm.descriptor %a sizes [%m, %k] strides [%k, 1] : !fsm.ptr<${T}> -> !fsm.descriptor<2 x ${T}>
  %in_b = fsm.descriptor %b sizes [%k, %n] strides [%n, 1] : !fsm.ptr<${T}> -> !fsm.descriptor<2 x ${T}>
  %in_c = fsm.descriptor %c sizes [%m, %n] strides [%n, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %down = fsm.program_id x : i32
  %row = arith.muli %down, %step overflow<nsw> : i32
  %zeros = arith.constant dense<0.0> : tensor<64x128xf32>
  %sums = scf.for %i = %none to %k step %step iter_args(%sum = %zeros) -> (tensor<64x128xf32>) : i32 {
    %x = fsm.load_tile %in_a[%row, %i] : !fsm.descriptor<2 x ${T}> -> tensor<64x64x${T}>
    %y = fsm.load_tile %in_b[%i, %none] : !fsm.descriptor<2 x ${T}> -> tensor<64x128x${T}>
    %next = fsm.dot %x, %y, %sum ${PRECISION}
      : tensor<64x64x${T}>, tensor<64x128x${T}> -> tensor<64x128xf32>
    scf.yield %next : tensor<64x128xf32>
  } {fsm.num_stages = 6 : i32}
  fsm.store_tile %sums, %in_c[%row, %none] : tensor<64x128xf32>, !fsm.descriptor<2 x f32>
  fsm.return
})";

ProgramCost costOn(const char *target, const char *text,
                   std::map<std::string, std::string> parameters, int64_t extent = 1024, unsigned cluster = 0) {
  Source source = sourceOf(text);
  source.parameters = std::move(parameters);
  CompileOptions options;
  options.target = target;
  options.roles = "always";
  options.cluster = cluster;
  std::vector<float> data(1 << 14);
  std::vector<Argument> arguments;
  std::vector<KernelSignature> kernels = expectValue(Compiler::list(source));
  for (const KernelArgument &argument : kernels[0].arguments)
    arguments.push_back(argument.isPointer()
                            ? Argument::buffer(data.data() + (arguments.size() << 12), 1 << 14)
                            : Argument::integer(extent));
  options.facts = Engine::factsOf(arguments, target);
  return expectValue(costOf(source, options)).program;
}

/// The part whose loops are so many.
const CostPart &partIn(const ProgramCost &cost, size_t loops, bool isBeside = false) {
  for (const CostPart &part : cost.parts)
    if (part.loops.size() == loops && part.isBeside == isBeside)
      return part;
  ADD_FAILURE() << "no part";
  return cost.parts.front();
}

TEST(ProgramCost, OfALoopThatWaitsForItsLoads) {
  ProgramCost cost = costOn("sm_90a", kRows, {{"STAGES", "1"}});
  const CostPart &loop = partIn(cost, 1);
  LaunchNumbers launch;
  launch.arguments = {0, 0, 10000};
  // The first iteration stands in front.
  EXPECT_EQ(evaluate(loop.loops[0].lower, launch), 4096);
  EXPECT_EQ(evaluate(loop.loops[0].upper, launch), 10000);
  EXPECT_EQ(evaluate(loop.loops[0].step, launch), 4096);
  EXPECT_EQ(loop.loadedBytes, 4 * 4096);
  EXPECT_EQ(loop.copiedBytes, 0);
  // 128 threads load 16 bytes at a time.
  EXPECT_EQ(loop.loads, 8);
  EXPECT_EQ(partIn(cost, 0).loadedBytes, 4 * 4096);
  EXPECT_EQ(partIn(cost, 0).storedBytes, 4);
  EXPECT_EQ(cost.warps, 4u);
}

TEST(ProgramCost, OfCopiesThatRunAhead) {
  ProgramCost cost = costOn("sm_90a", kRows, {{"STAGES", "4"}});
  const CostPart &loop = partIn(cost, 1);
  EXPECT_EQ(loop.copiedBytes, 4 * 4096);
  EXPECT_EQ(loop.loadedBytes, 0);
  EXPECT_EQ(loop.roundsAhead, 3u);
  // Three slots of 16 KiB are 48 KiB, of 228 that a multiprocessor has.
  EXPECT_EQ(cost.ctasPerMultiprocessor, 4u);
}

TEST(ProgramCost, OfAProductByGroupsOfWarps) {
  ProgramCost cost = costOn("sm_90a", kProduct, {{"T", "f16"}, {"PRECISION", "//"}});
  EXPECT_EQ(partIn(cost, 1).groupProducts, 64 * 128 * 64);
  EXPECT_EQ(partIn(cost, 1).warpProducts, 0);
  // Others load: of seven slots of 24 KiB one is read.
  EXPECT_EQ(partIn(cost, 1, /*isBeside=*/true).copiedBytes, 2 * (64 * 64 + 64 * 128));
  EXPECT_EQ(partIn(cost, 1, /*isBeside=*/true).roundsAhead, 6u);
  EXPECT_EQ(cost.ctasPerMultiprocessor, 1u);
  EXPECT_EQ(cost.spilledBytes, 0);
}

TEST(ProgramCost, OfBoxesWhoseRowsStraddleSectors) {
  ProgramCost cost = costOn("sm_90a", kProduct, {{"T", "f16"}, {"PRECISION", "//"}}, 1032);
  // Three boxes of 64 rows of 128 bytes, seven of eight of which are in two lines, and as 20 more lines each.
  EXPECT_EQ(partIn(cost, 1, /*isBeside=*/true).copiedBytes, 128 * 3 * (64 + 7 * 64 / 8 + 20));
}

TEST(ProgramCost, OfProgramsThatLoadForOneAnother) {
  ProgramCost alone = costOn("sm_90a", kProduct, {{"T", "f16"}, {"PRECISION", "//"}}, 1032);
  EXPECT_EQ(alone.cluster, 1u);
  EXPECT_TRUE(alone.straddlesSectors);
  EXPECT_TRUE(partIn(alone, 1, /*isBeside=*/true).sharedCopies.empty());
  ProgramCost pair = costOn("sm_90a", kProduct, {{"T", "f16"}, {"PRECISION", "//"}}, 1024, /*cluster=*/2);
  EXPECT_EQ(pair.cluster, 2u);
  EXPECT_FALSE(pair.straddlesSectors);
  const CostPart &copies = partIn(pair, 1, /*isBeside=*/true);
  ASSERT_EQ(copies.sharedCopies.size(), 2u);
  EXPECT_EQ(copies.sharedCopies[0].bytes + copies.sharedCopies[1].bytes, copies.copiedBytes);
  // The tile of a is of the program's row of tiles, that of b of none.
  LaunchNumbers launch;
  EXPECT_TRUE(isKnown(copies.sharedCopies[0].isShared) && isKnown(copies.sharedCopies[1].isShared));
  EXPECT_EQ(evaluate(copies.sharedCopies[0].isShared, launch), 0);
  EXPECT_NE(evaluate(copies.sharedCopies[1].isShared, launch), 0);
}

TEST(ProgramCost, OfFactorsThatWarpsRead) {
  ProgramCost cost = costOn("sm_80", kProduct, {{"T", "f16"}, {"PRECISION", "//"}});
  EXPECT_EQ(cost.warps, 2u);
  // Each of two warps has half of the columns, reads half of the second factor and all of the
  // first. Both are copied once.
  EXPECT_EQ(partIn(cost, 1).sharedBytes, 2 * (64 * 64 + 64 * 128) + 2 * (2 * 64 * 64 + 64 * 128));
  EXPECT_FALSE(partIn(cost, 1).storesFactors);
}

TEST(ProgramCost, OfAProductByOtherInstructions) {
  const std::map<std::string, std::string> tf32 = {{"T", "f32"}, {"PRECISION", "precision = tf32"}};
  // One of tf32 takes as long as two of 16 bits.
  EXPECT_EQ(partIn(costOn("sm_80", kProduct, tf32), 1).warpProducts, 2 * 64 * 128 * 64);
  ProgramCost exact = costOn("sm_80", kProduct, {{"T", "f32"}, {"PRECISION", "precision = ieee"}});
  EXPECT_EQ(partIn(exact, 1).warpProducts, 0);
  EXPECT_GE(partIn(exact, 1).operations, 64 * 128 * 64);
}

TEST(Launches, HaveManyProgramsAlongX) {
  EXPECT_TRUE(hasManyPrograms({133, 1, 1}, 132));
  EXPECT_FALSE(hasManyPrograms({132, 1, 1}, 132));
  EXPECT_FALSE(hasManyPrograms({133, 2, 1}, 132));
  EXPECT_FALSE(hasManyPrograms({133, 1, 2}, 132));
  EXPECT_FALSE(hasManyPrograms({-1, 1, 1}, 132));
}

} // namespace
