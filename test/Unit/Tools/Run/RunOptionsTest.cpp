//===- RunOptionsTest.cpp - The command line of fsm-run -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunOptions.h"

#include "gtest/gtest.h"

#include <sstream>

using namespace fsm;

static Result<RunOptions> parse(std::vector<std::string_view> words) {
  return parseRunOptions(words);
}

/// Words beside a file and a grid that make no sentence of their own.
static std::string errorOf(std::vector<std::string_view> words) {
  words.insert(words.begin(), {"k.mlir", "--bytes=1", "--time"});
  Result<RunOptions> options = parseRunOptions(words);
  return options ? "no error" : options.error().message;
}

TEST(RunOptions, ReadsTheWholeContract) {
  Result<RunOptions> options = parse({"k.mlir",
                                      "--kernel=@softmax",
                                      "--device=cuda:1",
                                      "--target=sm_90a",
                                      "--grid=4,2,3",
                                      "--arg=f32[4]",
                                      "--arg=n=3",
                                      "-D",
                                      "BLOCK=8",
                                      "-DSTAGES=4",
                                      "--num-warps=8",
                                      "--num-ctas=2",
                                      "--spread=4",
                                      "--batch-programs=16",
                                      "--loop-programs=17",
                                      "--roll-from=1048576",
                                      "--num-stages=3",
                                      "--print-records=7",
                                      "--no-specialize",
                                      "--strict",
                                      "--remarks",
                                      "--guard=end",
                                      "--out=0:o.npy",
                                      "--check=out:r.npy,rtol=0.5",
                                      "--compare=interp",
                                      "--time=7",
                                      "--bytes=100",
                                      "--emit=llvm",
                                      "-o",
                                      "x.ll"});
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->file, "k.mlir");
  EXPECT_EQ(options->compile.kernel, "softmax");
  EXPECT_EQ(options->device, "cuda:1");
  EXPECT_EQ(options->target, "sm_90a");
  EXPECT_EQ(options->grid->grid.x, 4);
  EXPECT_EQ(options->grid->grid.y, 2);
  EXPECT_EQ(options->grid->grid.z, 3);
  EXPECT_EQ(options->arguments.size(), 2u);
  EXPECT_EQ(options->parameters.at("BLOCK"), "8");
  EXPECT_EQ(options->parameters.at("STAGES"), "4");
  EXPECT_EQ(options->compile.numWarps, 8u);
  EXPECT_EQ(options->compile.numCtas, 2u);
  EXPECT_EQ(options->compile.spread, 4u);
  EXPECT_EQ(options->compile.batchPrograms, "16");
  EXPECT_EQ(options->compile.loopPrograms, "17");
  EXPECT_EQ(options->compile.rollFrom, 1048576u);
  EXPECT_EQ(options->compile.numStages, 3u);
  EXPECT_EQ(options->printRecords, 7u);
  EXPECT_FALSE(options->specialize);
  EXPECT_TRUE(options->compile.strict);
  EXPECT_TRUE(options->compile.remarks);
  EXPECT_EQ(options->guard, Guard::End);
  EXPECT_EQ(options->outs[0].path, "o.npy");
  EXPECT_EQ(options->checks[0].argument, "out");
  EXPECT_EQ(options->compare, "interp");
  EXPECT_EQ(*options->timedRuns, 7u);
  EXPECT_EQ(options->bytes, 100u);
  EXPECT_EQ(options->emit, "llvm");
  EXPECT_EQ(options->output, "x.ll");
}

TEST(RunOptions, ValuesMayBeWordsOfTheirOwn) {
  Result<RunOptions> options = parse({"--grid", "4", "--arg", "-1", "--device", "cpu", "--out",
                                      "0:o.npy", "-ox", "--emit", "asm", "--", "-k.mlir"});
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->file, "-k.mlir");
  EXPECT_EQ(options->arguments[0].value.text, "-1");
  EXPECT_EQ(options->output, "x");
}

TEST(RunOptions, DefaultsSayNothing) {
  Result<RunOptions> options = parse({"-", "--grid=1"});
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->file, "-");
  EXPECT_TRUE(options->device.empty());
  EXPECT_TRUE(options->specialize);
  EXPECT_FALSE(options->compile.strict);
  EXPECT_FALSE(options->compile.remarks);
  EXPECT_EQ(options->guard, Guard::None);
  EXPECT_FALSE(options->timedRuns);
  EXPECT_EQ(*parse({"k.mlir", "--grid=1", "--time"})->timedRuns, 20u);
}

TEST(RunOptions, GridsHaveTheDevicesLimits) {
  EXPECT_EQ(parse({"k", "--grid=2147483647,65535,65535"})->grid->grid.x, 2147483647);
  EXPECT_EQ(parse({"k", "--grid=0"})->grid->grid.x, 0);
  Result<RunOptions> persistent = parse({"k", "--grid=persistent:12"});
  EXPECT_TRUE(persistent->grid->isPersistent);
  EXPECT_EQ(persistent->grid->grid.x, 12);
  EXPECT_EQ(errorOf({"--grid=1,2x"}),
            "fsm-run: --grid: expected X[,Y[,Z]] with X from 0 to 2147483647, Y and Z from 0 to "
            "65535, each perhaps as N/PARAMETER, persistent:N, or auto, got '1,2x'");
  for (std::string_view grid :
       {"", "2147483648", "1,65536", "1,1,65536", "1,1,1,1", "-1", "1,", ",1", "1 ", "+1", "0x1",
        "persistent", "persistent:", "persistent:x", "persistent:1,1", "99999999999999999999999"})
    EXPECT_NE(errorOf({"--grid", grid}), "no error") << grid;
}

TEST(RunOptions, UnknownOptionsSuggestTheNearest) {
  EXPECT_EQ(errorOf({"--gird=1"}), "fsm-run: unknown option '--gird'; did you mean '--grid'?");
  EXPECT_EQ(errorOf({"--numwarps=1"}),
            "fsm-run: unknown option '--numwarps'; did you mean '--num-warps'?");
  EXPECT_EQ(errorOf({"-list"}), "fsm-run: unknown option '-list'; did you mean '--list'?");
  EXPECT_EQ(errorOf({"--frobnicate"}),
            "fsm-run: unknown option '--frobnicate'; --help lists the options");
}

TEST(RunOptions, ValuesAreNeededOrRefused) {
  EXPECT_EQ(errorOf({"--grid"}), "fsm-run: --grid: expected a value, got nothing");
  EXPECT_EQ(errorOf({"--grid", "--arg=1"}), "fsm-run: --grid: expected a value, got '--arg=1'");
  EXPECT_EQ(errorOf({"--list=1"}), "fsm-run: --list: expected no value, got '1'");
  EXPECT_EQ(errorOf({"--kernel="}), "fsm-run: --kernel: expected a kernel's name, got nothing");
  EXPECT_EQ(parse({"k", "--grid=1", "--time="}).error().message,
            "fsm-run: --time: expected a value after '=', got nothing");
}

TEST(RunOptions, RepeatedOptionsAreRefused) {
  EXPECT_EQ(errorOf({"--grid=1", "--grid=1"}),
            "fsm-run: --grid: expected the option once, got it again");
  EXPECT_EQ(errorOf({"-DA=1", "-D", "A=2"}),
            "fsm-run: -D: expected each parameter once, got a second value for 'A'");
  EXPECT_EQ(errorOf({"--out=0:a", "--out=1:a"}),
            "fsm-run: --out: expected each file once, got a second array for 'a'");
  EXPECT_EQ(errorOf({"l.mlir"}), "fsm-run: expected one file, got 'k.mlir' and 'l.mlir'");
}

TEST(RunOptions, MalformedValuesAreRefused) {
  EXPECT_EQ(errorOf({"--device=gpu"}),
            "fsm-run: --device: expected interp, cpu, cuda[:N] or sim, got 'gpu'");
  EXPECT_EQ(errorOf({"--compare=cuda"}), "fsm-run: --compare: expected cpu or interp, got 'cuda'");
  EXPECT_EQ(errorOf({"--num-warps=0"}),
            "fsm-run: --num-warps: expected an integer from 1 to 32, got '0'");
  EXPECT_EQ(errorOf({"--roll-from=1048577"}),
            "fsm-run: --roll-from: expected an integer from 1 to 1048576, got '1048577'");
  for (std::vector<std::string_view> words :
       std::vector<std::vector<std::string_view>>{{"-D", "A"},
                                                  {"-D", "=1"},
                                                  {"-D", "1A=1"},
                                                  {"-DA="},
                                                  {"--out=x.npy"},
                                                  {"--out=0:"},
                                                  {"--check=0"},
                                                  {"--arg="},
                                                  {"--arg=f32[x]"},
                                                  {"--device=cuda:"},
                                                  {"--device=cuda:x"},
                                                  {"--num-stages=x"},
                                                  {"--roll-from=0"},
                                                  {"--roll-from=-1"},
                                                  {"--roll-from="},
                                                  {"--roll-from=4294967296"},
                                                  {"--print-records=16777217"},
                                                  {"--num-ctas=-1"},
                                                  {"--guard=middle"},
                                                  {"-5"},
                                                  {""}})
    EXPECT_NE(errorOf(words), "no error") << words[0];
  EXPECT_NE(parse({"k", "--grid=1", "--time=0"}).error().message, "");
  EXPECT_NE(parse({"k", "--grid=1", "--time", "--bytes=0"}).error().message, "");
}

TEST(RunOptions, OptionsThatNeedEachOther) {
  EXPECT_EQ(parse({}).error().message,
            "fsm-run: expected a FILE.mlir; --help shows how to call it");
  EXPECT_EQ(parse({"k"}).error().message,
            "fsm-run: expected --grid=X[,Y[,Z]]; --list and --emit alone need none");
  EXPECT_EQ(parse({"k", "--grid=1", "-o", "x"}).error().message,
            "fsm-run: -o: expected --emit=STAGE beside it (arrays are written by --out)");
  EXPECT_EQ(parse({"k", "--grid=1", "--bytes=1"}).error().message,
            "fsm-run: --bytes: expected --time beside it");
  EXPECT_EQ(parse({"k", "--emit=fsm", "--check=0:x"}).error().message,
            "fsm-run: --check: expected --grid=X[,Y[,Z]] beside it");
  EXPECT_TRUE(parse({"k", "--emit=fsm"}));
  EXPECT_TRUE(parse({"k", "--list"}));
  EXPECT_TRUE(parse({"--help"})->help);
  EXPECT_TRUE(parse({"-h"})->help);
  EXPECT_TRUE(parse({"--version"})->version);
}

TEST(RunOptions, TheHelpNamesEveryOption) {
  for (const char *option :
       {"--list",  "--kernel",    "--device",   "--target",     "--grid",          "--arg",
        "-D ",     "--num-warps", "--num-ctas", "--num-stages", "--no-specialize", "--out",
        "--check", "--compare",   "--time",     "--bytes",      "--emit",          "-o ",
        "--help",  "--version",   "--strict",   "--remarks"})
    EXPECT_NE(runHelpText().find(option), std::string_view::npos) << option;
#define FSM_LIBRARY_OPTION(type, member, initial, flag, meaning)
#define FSM_OPTION(type, member, initial, flag, form, meaning)                                     \
  EXPECT_NE(runHelpText().find("\n  --" flag), std::string::npos) << flag;
#include "fsm/Compiler/CompileOptions.def"
}

TEST(RunOptions, TheHelpFitsATerminal) {
  std::istringstream text(runHelpText());
  for (std::string line; std::getline(text, line);)
    EXPECT_TRUE(line.size() <= 100 && (line.empty() || line.back() != ' ')) << line;
}

TEST(RunOptions, PassesAreLeftOutByName) {
  Result<RunOptions> options =
      parse({"k", "--grid=1", "--without=cse,fsm-combine", "--without", "x"});
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->compile.without, (std::vector<std::string>{"cse", "fsm-combine", "x"}));
  EXPECT_EQ(errorOf({"--without=cse,"}), "fsm-run: --without: expected PASS[,PASS], got nothing");
}
