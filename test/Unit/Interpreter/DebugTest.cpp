//===- DebugTest.cpp - Prints and asserts in the interpreter -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

using Lines = std::vector<std::string>;

/// Runs a kernel; gives its lines, and in `failure` the message of an error.
static Lines linesOf(const std::string &text, Grid grid, const std::vector<Argument> &arguments,
                     std::string *failure = nullptr) {
  Lines lines;
  Result<void> done =
      run(text, grid, arguments, [&](const std::string &line) { lines.push_back(line); });
  EXPECT_EQ(bool(done), !failure) << (done ? "no error" : done.error().message);
  if (failure)
    *failure = errorOf(done);
  return lines;
}

TEST(Debug, PrintsEachElementInRowMajorOrder) {
  const char *text = "fsm.kernel @k(%n: i32) {\n"
                     "  %r = fsm.range 0, 4 : tensor<4xi32>\n"
                     "  %b = fsm.reshape %r : tensor<4xi32> -> tensor<2x2xi32>\n"
                     "  fsm.print \"b\" %b, %n : tensor<2x2xi32>, i32\n"
                     "  fsm.return\n}\n";
  EXPECT_EQ(
      linesOf(text, Grid(), {Argument::integer(-5)}),
      (Lines{"k:4:3: program (0, 0, 0): b #0 [0, 0] = 0",
             "k:4:3: program (0, 0, 0): b #0 [0, 1] = 1",
             "k:4:3: program (0, 0, 0): b #0 [1, 0] = 2",
             "k:4:3: program (0, 0, 0): b #0 [1, 1] = 3", "k:4:3: program (0, 0, 0): b #1 = -5"}));
}

TEST(Debug, PrintsOpsInTheOrderOfTheProgram) {
  const char *text = "fsm.kernel @k(%n: i32) {\n"
                     "  %0 = arith.constant 0 : i32\n"
                     "  %1 = arith.constant 1 : i32\n"
                     "  scf.for %i = %0 to %n step %1 : i32 {\n"
                     "    fsm.print \"i\" hex %i : i32\n"
                     "  }\n"
                     "  fsm.print \"n\" %n : i32\n"
                     "  fsm.return\n}\n";
  EXPECT_EQ(
      linesOf(text, Grid{1, 2, 1}, {Argument::integer(2)}),
      (Lines{"k:5:5: program (0, 0, 0): i = 0x00000000", "k:5:5: program (0, 0, 0): i = 0x00000001",
             "k:7:3: program (0, 0, 0): n = 2", "k:5:5: program (0, 1, 0): i = 0x00000000",
             "k:5:5: program (0, 1, 0): i = 0x00000001", "k:7:3: program (0, 1, 0): n = 2"}));
}

TEST(Debug, PrintsInHelpersWhereTheyStand) {
  const char *text = "func.func @h(%x: f32) {\n"
                     "  fsm.print \"x\" %x : f32\n"
                     "  func.return\n}\n"
                     "fsm.kernel @k(%x: f32) {\n"
                     "  func.call @h(%x) : (f32) -> ()\n"
                     "  fsm.return\n}\n";
  EXPECT_EQ(linesOf(text, Grid(), {Argument::real(0.5)}),
            Lines{"k:2:3: program (0, 0, 0): x = 0.5"});
}

/// Programs below %n hold; the others do not.
static const char *const kAssert = "fsm.kernel @k(%n: i32, %out: !fsm.ptr<i32>) {\n"
                                   "  %x = fsm.program_id x : i32\n"
                                   "  fsm.print \"before\" %x : i32\n"
                                   "  %r = fsm.range 0, 6 : tensor<6xi32>\n"
                                   "  %b = fsm.reshape %r : tensor<6xi32> -> tensor<2x3xi32>\n"
                                   "  %s = arith.subi %n, %x : i32\n"
                                   "  %ss = fsm.splat %s : tensor<2x3xi32>\n"
                                   "  %c = arith.cmpi sle, %b, %ss : tensor<2x3xi32>\n"
                                   "  fsm.assert %c, \"too many\" : tensor<2x3xi1>\n"
                                   "  fsm.store %x, %out : i32, !fsm.ptr<i32>\n"
                                   "  fsm.return\n}\n";

TEST(Debug, AnAssertThatHoldsDoesNothing) {
  std::vector<int32_t> out(1, -1);
  EXPECT_EQ(linesOf(kAssert, Grid(), {Argument::integer(5), bufferOf(out)}),
            Lines{"k:3:3: program (0, 0, 0): before = 0"});
  EXPECT_EQ(out[0], 0);
}

TEST(Debug, AFailedAssertEndsTheLaunch) {
  std::vector<int32_t> out(1, -1);
  std::string failure;
  EXPECT_EQ(
      linesOf(kAssert, Grid{3, 1, 1}, {Argument::integer(5), bufferOf(out)}, &failure),
      (Lines{"k:3:3: program (0, 0, 0): before = 0", "k:3:3: program (1, 0, 0): before = 1"}));
  EXPECT_EQ(failure, "k:9:3: program (1, 0, 0): assertion failed at [1, 2]: too many");
  EXPECT_EQ(out[0], 0);
}
