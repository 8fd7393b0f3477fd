//===- ProgramTest.cpp - The grid and promises in the interpreter --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

using Ints = std::vector<int32_t>;

/// Each program stores z * 100 + y * 10 + x at its linear number.
static const char *kGrid = "fsm.kernel @k(%out: !fsm.ptr<i32>) {\n"
                           "  %x = fsm.program_id x : i32\n"
                           "  %y = fsm.program_id y : i32\n"
                           "  %z = fsm.program_id z : i32\n"
                           "  %nx = fsm.num_programs x : i32\n"
                           "  %ny = fsm.num_programs y : i32\n"
                           "  %ten = arith.constant 10 : i32\n"
                           "  %a = arith.muli %z, %ny : i32\n"
                           "  %b = arith.addi %a, %y : i32\n"
                           "  %c = arith.muli %b, %nx : i32\n"
                           "  %i = arith.addi %c, %x : i32\n"
                           "  %d = arith.muli %z, %ten : i32\n"
                           "  %e = arith.addi %d, %y : i32\n"
                           "  %f = arith.muli %e, %ten : i32\n"
                           "  %v = arith.addi %f, %x : i32\n"
                           "  %p = fsm.offset %out, %i : !fsm.ptr<i32>, i32\n"
                           "  fsm.store %v, %p : i32, !fsm.ptr<i32>\n"
                           "  fsm.return\n}\n";

TEST(Program, RunsEveryPointOfTheGrid) {
  Ints out(12, -1);
  Result<void> done = run(kGrid, Grid{2, 3, 2}, {bufferOf(out)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(out, (Ints{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}));
}

TEST(Program, AnEmptyGridRunsNothing) {
  Ints out(1, -1);
  for (Grid grid : {Grid{0, 1, 1}, Grid{1, 0, 1}, Grid{1, 1, 0}})
    EXPECT_TRUE(run(kGrid, grid, {bufferOf(out)}));
  EXPECT_EQ(out[0], -1);
}

TEST(Program, ErrorsNameTheProgram) {
  Ints out(3);
  EXPECT_EQ(
      errorOf(run(kGrid, Grid{2, 2, 1}, {bufferOf(out)})),
      "k:17:3: program (1, 1, 0) stores to bytes 12 to 15 of argument 0 '%out', 4 bytes past its "
      "end (12 bytes)");
}

TEST(Program, BrokenAssumption) {
  const char *text = "fsm.kernel @k(%c: i1) {\n  fsm.assume %c\n  fsm.return\n}\n";
  EXPECT_TRUE(run(text, Grid(), {Argument::integer(1)}));
  EXPECT_EQ(errorOf(run(text, Grid(), {Argument::integer(0)})),
            "k:2:3: program (0, 0, 0) breaks an assumption: the condition is false");
}

static Result<void> hintScalar(const std::string &facts, int64_t value) {
  return run("fsm.kernel @k(%x: i32) {\n  %y = fsm.hint %x {" + facts +
                 "} : i32\n  fsm.return\n}\n",
             Grid(), {Argument::integer(value)});
}

static Result<void> hintBlock(const std::string &facts, const std::string &elements,
                              const std::string &type) {
  return run("fsm.kernel @k() {\n  %x = arith.constant dense<" + elements + "> : tensor<" + type +
                 ">\n  %y = fsm.hint %x {" + facts + "} : tensor<" + type + ">\n  fsm.return\n}\n",
             Grid(), {});
}

TEST(Program, HintMultipleOf) {
  EXPECT_TRUE(hintScalar("multiple_of = array<i64: 16>", 48));
  EXPECT_TRUE(hintScalar("multiple_of = array<i64: 16>", -32));
  EXPECT_EQ(errorOf(hintScalar("multiple_of = array<i64: 16>", 40)),
            "k:2:8: program (0, 0, 0) breaks a hint: 40 is not a multiple of 16");
  EXPECT_EQ(errorOf(hintBlock("multiple_of = array<i64: 4>", "[6, 7]", "2xi32")),
            "k:3:8: program (0, 0, 0) breaks a hint: 6 is not a multiple of 4");
}

TEST(Program, HintMultipleOfEachGroup) {
  const char *ones = "multiple_of = array<i64: 4>, max_contiguous = array<i64: 1>";
  EXPECT_TRUE(hintBlock(ones, "[8, 12, 20, 4]", "4xi32"));
  EXPECT_EQ(errorOf(hintBlock(ones, "[8, 12, 6, 4]", "4xi32")),
            "k:3:8: program (0, 0, 0) breaks a hint: 6 is not a multiple of 4");
  const char *pairs = "multiple_of = array<i64: 4>, max_contiguous = array<i64: 2>";
  EXPECT_TRUE(hintBlock(pairs, "[8, 9, 10, 11]", "4xi32"));
  EXPECT_TRUE(hintBlock(pairs, "[8, 9, 4, 5]", "4xi32"));
  EXPECT_EQ(errorOf(hintBlock(pairs, "[8, 9, 6, 7]", "4xi32")),
            "k:3:8: program (0, 0, 0) breaks a hint: 6 is not a multiple of 4");
  const char *rows = "multiple_of = array<i64: 1, 4>, max_contiguous = array<i64: 1, 2>";
  EXPECT_TRUE(hintBlock(rows, "[[4, 5], [8, 9]]", "2x2xi32"));
  EXPECT_EQ(errorOf(hintBlock(rows, "[[4, 5], [6, 7]]", "2x2xi32")),
            "k:3:8: program (0, 0, 0) breaks a hint: 6 is not a multiple of 4");
}

TEST(Program, HintMaxContiguous) {
  EXPECT_TRUE(hintBlock("max_contiguous = array<i64: 2>", "[8, 9, 3, 4]", "4xi32"));
  EXPECT_EQ(errorOf(hintBlock("max_contiguous = array<i64: 2>", "[8, 9, 3, 5]", "4xi32")),
            "k:3:8: program (0, 0, 0) breaks a hint: in dimension 0, 5 follows 3 inside a group of "
            "2 consecutive numbers");
}

TEST(Program, HintMaxConstancy) {
  EXPECT_TRUE(hintBlock("max_constancy = array<i64: 2, 1>", "[[1, 2], [1, 2]]", "2x2xi32"));
  EXPECT_EQ(errorOf(hintBlock("max_constancy = array<i64: 1, 2>", "[[1, 1], [1, 2]]", "2x2xi64")),
            "k:3:8: program (0, 0, 0) breaks a hint: in dimension 1, 2 follows 1 inside a group of "
            "2 equal numbers");
}

TEST(Program, HintPassesItsValueThrough) {
  expectSame(
      evaluate<int32_t>("fsm.hint %a {max_contiguous = array<i64: 4>} : #i32", Ints{4, 5, 6}),
      Ints{4, 5, 6});
}
