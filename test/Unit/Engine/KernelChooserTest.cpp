//===- KernelChooserTest.cpp - Values of parameters by a model -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "fsm/Compiler/ParsedSource.h"
#include "fsm/Engine/KernelChooser.h"

#include <cmath>

using namespace fsm;
using namespace fsm::test;

namespace {

/// out[i] = 2 in[i], a block a program, whose extent has a domain.
const char *const kDouble = R"(// param B = 64 in 32, 64, x, 4096
fsm.kernel @double(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) grid [ceildiv(%n, ${B})] {
  %block = arith.constant ${B} : i32
  %pid = fsm.program_id x : i32
  %start = arith.muli %pid, %block overflow<nsw> : i32
  %range = fsm.range 0, ${B} : tensor<${B}xi32>
  %starts = fsm.splat %start : tensor<${B}xi32>
  %offs = arith.addi %starts, %range overflow<nsw> : tensor<${B}xi32>
  %ns = fsm.splat %n : tensor<${B}xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<${B}xi32>
  %x = fsm.load %in[%offs], %mask : !fsm.ptr<f32>, tensor<${B}xi32> -> tensor<${B}xf32>
  %y = arith.addf %x, %x : tensor<${B}xf32>
  fsm.store %y, %out[%offs], %mask : tensor<${B}xf32>, !fsm.ptr<f32>, tensor<${B}xi32>
  fsm.return
})";

CompileOptions forHopper() {
  CompileOptions options;
  options.target = "sm_90a";
  return options;
}

std::vector<Argument> arraysOf(std::vector<float> &out, std::vector<float> &in) {
  return {Argument::buffer(out.data(), 4 * out.size()), Argument::buffer(in.data(), 4 * in.size()),
          Argument::integer(static_cast<int64_t>(in.size()))};
}

TEST(KernelChooser, TakesTheLeastOfAllCombinations) {
  KernelChooser chooser(sourceOf(kDouble), forHopper());
  std::vector<float> out(100000), in(100000);
  std::vector<Candidate> all = expectValue(chooser.candidates(arraysOf(out, in)));
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].parameters.at("B"), "64");
  EXPECT_EQ(all[1].grid.x, 1563);
  EXPECT_EQ(all[3].grid.x, 25);
  EXPECT_TRUE(std::isinf(all[2].seconds));
  EXPECT_NE(all[2].fault.find("error: "), std::string::npos);
  Candidate best = expectValue(chooser.choose(arraysOf(out, in)));
  for (const Candidate &candidate : all)
    EXPECT_LE(best.seconds, candidate.seconds);
  EXPECT_EQ(chooser.sourceOf(best).parameters, best.parameters);
  EXPECT_EQ(expectValue(chooser.choose(arraysOf(out, in))).parameters, best.parameters);
}

// The arrays and all that code is specialised for are the same: a choice is remembered by the sizes, too.
TEST(KernelChooser, ChoosesAgainForOtherNumbers) {
  KernelChooser chooser(sourceOf(kDouble), forHopper());
  std::vector<float> out(65536), in(65536);
  for (int64_t count : {4096, 65536, 4096}) {
    std::vector<Argument> arguments = arraysOf(out, in);
    arguments.back() = Argument::integer(count);
    Candidate best = expectValue(chooser.choose(arguments));
    int64_t block = std::stoll(best.parameters.at("B"));
    EXPECT_EQ(best.grid.x, (count + block - 1) / block) << count;
  }
}

TEST(KernelChooser, WhatIsChosenIsLaunched) {
  EngineOptions options;
  options.simulatorLibrary = FSM_SIMULATOR_LIBRARY;
  Engine engine = expectValue(Engine::create("sim", options));
  KernelChooser chooser(engine, sourceOf(kDouble));
  for (size_t count : {100, 3000}) {
    std::vector<float> out(count), in(count);
    for (size_t i = 0; i < count; ++i)
      in[i] = static_cast<float>(i);
    Candidate best = expectValue(chooser.choose(arraysOf(out, in)));
    Kernel kernel = expectValue(engine.load(chooser.sourceOf(best)));
    ASSERT_TRUE(engine.launch(kernel, best.grid, arraysOf(out, in)));
    for (size_t i = 0; i < count; ++i)
      ASSERT_EQ(out[i], 2 * in[i]);
  }
}

TEST(KernelChooser, TakesAGridThatIsNotStated) {
  KernelChooser chooser(
      sourceOf(kDouble), forHopper(), 0,
      [](const Source &source, const KernelCost &, const std::vector<Argument> &) -> Result<Grid> {
        return Grid{source.parameters.at("B") == "32" ? 7 : 9, 1, 1};
      });
  std::vector<float> out(64), in(64);
  std::vector<Candidate> all = expectValue(chooser.candidates(arraysOf(out, in)));
  EXPECT_EQ(all[0].grid.x, 7);
  EXPECT_EQ(all[3].grid.x, 9);
}

TEST(KernelChooser, RefusesWhatHasNoChoice) {
  std::vector<float> out(64), in(64);
  auto errorOf = [&](Source source, CompileOptions options) {
    Result<Candidate> chosen =
        KernelChooser(std::move(source), std::move(options)).choose(arraysOf(out, in));
    return chosen ? std::string() : chosen.error().message;
  };
  Source given = sourceOf(kDouble);
  given.parameters["B"] = "64";
  EXPECT_NE(
      errorOf(given, forHopper())
          .find("expected a parameter with values behind 'in' and none given, to choose from"),
      std::string::npos);
  EXPECT_NE(
      errorOf(sourceOf(kDouble), CompileOptions()).find("sm_121 to predict times of, got 'cpu'"),
      std::string::npos);
  std::string many = kDouble;
  for (int i = 0; i < 10; ++i)
    many = "// param P" + std::to_string(i) + " = 1 in 1, 2\n" + many;
  EXPECT_NE(errorOf(sourceOf(many), forHopper())
                .find("expected at most 1024 combinations of the parameters' values to choose "
                      "from, got more"),
            std::string::npos);
  EXPECT_NE(errorOf(sourceOf("// param B = x in x\nfsm.kernel @k() grid [1] { ${B} }"), forHopper())
                .find("error: "),
            std::string::npos);
}

} // namespace

/// Of 132 multiprocessors 115 run clusters of four or eight at once.
TEST(KernelChooser, loopsAreSharedByClustersThatRunAtOnce) {
  SpreadUse use;
  use.trips.push_back({CostStep::Kind::Number, 128});
  auto ctasOf = [&](int32_t programs) {
    return use.spreadFor(Grid{programs, 1, 1}, 132, [] { return std::vector<int64_t>(); });
  };
  EXPECT_EQ(ctasOf(14), 8u);
  EXPECT_EQ(ctasOf(15), 4u);
  EXPECT_EQ(ctasOf(28), 4u);
  EXPECT_EQ(ctasOf(29), 2u);
  EXPECT_EQ(ctasOf(33), 2u);
  EXPECT_EQ(ctasOf(66), 2u);
  EXPECT_EQ(ctasOf(67), 0u);
}
