//===- CompileTest.cpp - Sources to code, and their errors ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "fsm/Compiler/Guarded.h"

#include <cstdlib>

using namespace fsm;
using namespace fsm::test;

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != text.npos;
}

TEST(Compile, ListsKernelsInTheOrderOfTheText) {
  auto kernels = expectValue(Compiler::list(sourceOf(std::string(kIds) + kAdd)));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "ids");
  EXPECT_EQ(kernels[1].name, "add");
  ASSERT_EQ(kernels[1].arguments.size(), 4u);
  EXPECT_EQ(kernels[1].arguments[3].name, "n");
  EXPECT_EQ(kernels[1].arguments[3].type, ScalarType::I32);
  EXPECT_FALSE(kernels[1].arguments[3].isPointer());
  EXPECT_EQ(kernels[1].arguments[0].pointerDepth, 1u);
}

TEST(Compile, LocatesSyntaxErrors) {
  std::string message = errorOf(Compiler::list(sourceOf("fsm.kernel @a() {\n  fsm.nothing\n}")));
  EXPECT_TRUE(contains(message, "k.mlir:2:3: error: ")) << message;
  EXPECT_NE(message.back(), '\n');
}

TEST(Compile, LocatesVerifierErrors) {
  std::string message =
      errorOf(Compiler::compile(sourceOf("fsm.kernel @a(%n: index) {\n  fsm.return\n}"), {}));
  EXPECT_TRUE(contains(message, "k.mlir:1:")) << message;
}

TEST(Compile, NamesTheKernelsToChooseFrom) {
  Source source = sourceOf(std::string(kIds) + kAdd);
  EXPECT_TRUE(contains(errorOf(Compiler::compile(source, {})), "@ids, @add"));
  CompileOptions options;
  options.kernel = "sub";
  std::string message = errorOf(Compiler::compile(source, options));
  EXPECT_TRUE(contains(message, "@ids, @add") && contains(message, "'sub'")) << message;
  EXPECT_TRUE(contains(errorOf(Compiler::compile(sourceOf("module {}"), {})), "got none"));
}

TEST(Compile, TakesOneOfSeveralKernels) {
  CompileOptions options;
  options.kernel = "add";
  auto kernel = expectValue(Compiler::compile(sourceOf(std::string(kIds) + kAdd), options));
  EXPECT_EQ(kernel.name, "add");
  EXPECT_EQ(kernel.code.substr(1, 3), "ELF");
}

TEST(Compile, CarriesTheAuthorsPromises) {
  auto kernel = expectValue(
      Compiler::compile(sourceOf(storeScalar("i32", " {fsm.divisible = 8 : i32}")), {}));
  ASSERT_EQ(kernel.promises.size(), 2u);
  EXPECT_EQ(kernel.promises[0], ArgumentFact());
  EXPECT_EQ(kernel.promises[1].divisible, 8u);
}

TEST(Compile, WantsFactsOfEveryArgument) {
  CompileOptions options;
  options.facts.resize(2);
  std::string message = errorOf(Compiler::compile(sourceOf(kAdd), options));
  EXPECT_TRUE(contains(message, "4 arguments") && contains(message, "got 2")) << message;
}

TEST(Compile, RefusesOtherTargets) {
  CompileOptions options;
  for (const char *target : {"sm_30", "sm_90b", "tpu", ""}) {
    options.target = target;
    std::string message = errorOf(Compiler::compile(sourceOf(kAdd), options));
    EXPECT_TRUE(contains(message, "expected one of the targets cpu, ")) << message;
    EXPECT_TRUE(contains(message, "got '" + options.target + "'")) << message;
  }
}

TEST(Compile, SaysHowAGpuLaunches) {
  CompileOptions options;
  options.target = "sm_80";
  options.batchPrograms = "never";
  for (bool packPrograms : {true, false}) {
    options.packPrograms = packPrograms;
    CompiledKernel kernel = expectValue(Compiler::compile(sourceOf(kAdd), options));
    EXPECT_EQ(kernel.target, "sm_80");
    EXPECT_NE(kernel.code.find(".target sm_80"), std::string::npos);
    EXPECT_NE(kernel.code.find(".entry add("), std::string::npos);
    // 64 elements are not more than a warp's work.
    EXPECT_EQ(kernel.device.numWarps, 1u);
    EXPECT_EQ(kernel.device.programsPerCta > 1, packPrograms);
    EXPECT_EQ(kernel.device.sharedBytes, 0u);
    std::vector<HiddenArgument> hidden;
    if (packPrograms)
      hidden.push_back(HiddenArgument::ProgramCount);
    EXPECT_EQ(kernel.hiddenArguments, hidden);
  }
}

static const char *const kReduced =
    "num_stages is reduced from 8 to 4: 8 stages need 458752 bytes of shared memory a program, of "
    "which sm_90a has 232448 left; use smaller blocks or a lower num_stages\n"
    "k.mlir:6:10: note: this load is to run ahead of the loop";

TEST(Compile, KeepsWhatItWarnsOf) {
  Source source = sourceOf(kWide);
  CompileOptions options;
  EXPECT_TRUE(expectValue(Compiler::compile(source, options)).diagnostics.empty());
  options.target = "sm_90a";
  std::vector<std::string> warning = {std::string("k.mlir:4:3: warning: ") + kReduced};
  EXPECT_EQ(expectValue(Compiler::compile(source, options)).diagnostics, warning);
  for (const char *stage : {"fsm", "ptx"}) {
    std::vector<std::string> diagnostics;
    expectValue(Compiler::emit(source, options, stage, &diagnostics));
    EXPECT_EQ(diagnostics, warning) << stage;
  }
  options.remarks = true;
  std::vector<std::string> said = expectValue(Compiler::compile(source, options)).diagnostics;
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[0], warning[0]);
  EXPECT_TRUE(contains(said[1], "k.mlir:6:10: remark: this load runs 3 iterations ahead"))
      << said[1];
  EXPECT_TRUE(contains(said[2], "remark: a thread holds about")) << said[2];
}

static bool changed(bool value) { return !value; }
static unsigned changed(unsigned value) { return value + 1; }
static std::string changed(const std::string &value) { return value + "x"; }
template <typename T>
static std::vector<T> changed(std::vector<T> values) {
  values.emplace_back();
  return values;
}

// What a batch has compiled last is taken again for the same options.
TEST(Compile, OptionsAreTheSameIfAllOfThemAre) {
  EXPECT_TRUE(CompileOptions() == CompileOptions());
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  {                                                                                                \
    CompileOptions options;                                                                        \
    options.member = changed(options.member);                                                      \
    EXPECT_FALSE(options == CompileOptions()) << flag;                                             \
  }
#include "fsm/Compiler/CompileOptions.def"
}

TEST(Compile, WarnsOfTheChosenKernelOnly) {
  CompileOptions options;
  options.target = "sm_90a";
  options.kernel = "add";
  options.strict = options.remarks = true;
  Source source = sourceOf(std::string(kWide) + kAdd);
  std::vector<std::string> said = expectValue(Compiler::compile(source, options)).diagnostics;
  ASSERT_EQ(said.size(), 2u);
  EXPECT_TRUE(contains(said[0], "remark: computes 4 programs at once")) << said[0];
  EXPECT_TRUE(contains(said[1], "remark: a thread holds about")) << said[1];
}

TEST(Compile, RefusesWhatDoesNotFitWhenStrict) {
  CompileOptions options;
  options.target = "sm_90a";
  options.strict = true;
  EXPECT_EQ(errorOf(Compiler::compile(sourceOf(kWide), options)),
            std::string("k.mlir:4:3: error: ") + kReduced);
  options.numStages = 4;
  EXPECT_TRUE(expectValue(Compiler::compile(sourceOf(kWide), options)).diagnostics.empty());
}

TEST(Compile, TakesTheVectorRegistersThereAre) {
  CompileOptions options;
  options.vectorBytes = 12;
  std::string message = errorOf(Compiler::compile(sourceOf(kAdd), options));
  EXPECT_TRUE(contains(message, "vector registers of 8, 16, 32 or 64 bytes, got 12")) << message;
  // Two elements, or up to sixteen, of four bytes at once.
  options.vectorBytes = 8;
  std::string text = expectValue(Compiler::emit(sourceOf(kAdd), options, "llvm"));
  EXPECT_TRUE(contains(text, "vector<2x")) << text;
  EXPECT_FALSE(contains(text, "vector<4x")) << text;
}

static void change(bool &value) { value = !value; }
static void change(unsigned &value) { ++value; }
static void change(std::string &value) { value += "x"; }
template <typename T>
static void change(std::vector<T> &values) {
  values.emplace_back();
}

TEST(CompileOptions, AreAllPartOfTheKey) {
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  {                                                                                                \
    CompileOptions one, other;                                                                     \
    EXPECT_TRUE(one == other);                                                                     \
    change(other.member);                                                                          \
    EXPECT_FALSE(one == other) << flag;                                                            \
  }
#include "fsm/Compiler/CompileOptions.def"
}

TEST(HiddenArgument, IsNamedAndGivenInOnePlace) {
  HiddenValues values{-3, uint64_t(1) << 63};
  EXPECT_EQ(values.bitsOf(HiddenArgument::ProgramCount), 0xfffffffdu);
  EXPECT_EQ(values.bitsOf(HiddenArgument::DebugRecords), uint64_t(1) << 63);
  EXPECT_EQ(findHiddenArgument("program_count"), HiddenArgument::ProgramCount);
  EXPECT_EQ(findHiddenArgument("debug_records"), HiddenArgument::DebugRecords);
  EXPECT_FALSE(findHiddenArgument("debug_ops"));
}

TEST(ArgumentFact, HasOneText) {
  ArgumentFact nothing, all;
  all.divisible = 16;
  all.isOne = all.noAlias = all.isLarge = true;
  EXPECT_EQ(factText(nothing), "");
  EXPECT_EQ(factText(all), "16+one+noalias+large");
  EXPECT_EQ(*parseFact(""), nothing);
  EXPECT_EQ(*parseFact("large+one+16+noalias"), all);
  EXPECT_EQ(parseFact("64")->divisible, 64u);
  EXPECT_TRUE(parseFact("noalias")->noAlias);
  ArgumentFact within;
  within.atLeast = 1025;
  within.atMost = 2048;
  EXPECT_EQ(factText(within), "1025..2048");
  EXPECT_EQ(*parseFact("1025..2048"), within);
  within.divisible = 16;
  within.atMost = INT64_MAX;
  EXPECT_EQ(factText(within), "16+1025..");
  EXPECT_EQ(*parseFact("1025..+16"), within);
  EXPECT_EQ(parseFact("..-7")->atMost, -7);
  for (const char *wrong : {"..", "1...2", "8..7", "1..x", "x..1", "1..99999999999999999999"})
    EXPECT_FALSE(parseFact(wrong)) << wrong;
  for (const char *wrong : {"0", "-4", "4x", "two", "2147483648", "one+", "One"})
    EXPECT_EQ(bool(parseFact(wrong)), wrong == std::string("one+")) << wrong;
}

TEST(Compile, SubstitutesParameters) {
  Source source = sourceOf("// param T = f32\n" + storeScalar("${T}"));
  EXPECT_EQ(expectValue(Compiler::list(source))[0].arguments[1].type, ScalarType::F32);
  source.parameters["T"] = "i8";
  EXPECT_EQ(expectValue(Compiler::list(source))[0].arguments[1].type, ScalarType::I8);
}

TEST(Emit, GivesEveryStage) {
  Source source = sourceOf(kAdd);
  EXPECT_TRUE(contains(expectValue(Compiler::emit(source, {}, "fsm")), "fsm.kernel @add"));
  EXPECT_TRUE(contains(expectValue(Compiler::emit(source, {}, "llvm")), "llvm.func @add"));
  EXPECT_TRUE(contains(expectValue(Compiler::emit(source, {}, "llvmir")), "define void @add"));
  EXPECT_TRUE(contains(expectValue(Compiler::emit(source, {}, "asm")), "add:"));
}

TEST(Emit, NamesTheStages) {
  EXPECT_TRUE(contains(errorOf(Compiler::emit(sourceOf(kAdd), {}, "sass")),
                       "source, fsm, llvm, llvmir, asm for the target 'cpu', got 'sass'"));
}

/// Recursion that has no end; the compiler may not see that.
static int recurse(volatile char *above) {
  volatile char frame[4096] = {};
  frame[0] = above ? above[0] : 1;
  return frame[0] ? recurse(frame) + frame[1] : 0;
}

TEST(Guarded, TurnsTheEndOfTheStackIntoAnError) {
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(contains(
        errorOf(guarded<int>(sourceOf(""), []() -> Result<int> { return recurse(nullptr); }),
                Error::Kind::Internal),
        "k.mlir: error: the compiler"));
}

TEST(Guarded, TurnsCrashesIntoErrors) {
  for (int i = 0; i < 3; ++i) {
    Result<int> crashed = guarded<int>(sourceOf(""), []() -> Result<int> { std::abort(); });
    EXPECT_TRUE(contains(errorOf(crashed, Error::Kind::Internal), "k.mlir: error: the compiler"));
    EXPECT_EQ(expectValue(guarded<int>(sourceOf(""), []() -> Result<int> { return 7; })), 7);
  }
}
