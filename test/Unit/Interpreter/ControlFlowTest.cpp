//===- ControlFlowTest.cpp - Loops, branches and calls of the interpreter ===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

/// A kernel @k(%out, %n: type) with `body`, and what else the module holds.
static std::string kernel(const std::string &body, const std::string &rest = "",
                          const std::string &type = "i32") {
  return "fsm.kernel @k(%out: !fsm.ptr<" + type + ">, %n: " + type + ") {\n" + body +
         "  fsm.return\n}\n" + rest;
}

static int32_t outputOf(const std::string &text, int64_t n) {
  std::vector<int32_t> out = {-99};
  Result<void> done = run(text, Grid(), {bufferOf(out), Argument::integer(n)});
  EXPECT_TRUE(done) << done.error().message;
  return out[0];
}

/// Sums the induction variable from 0 to %n in steps of 3.
static const std::string kSumLoop = kernel("  %zero = arith.constant 0 : i32\n"
                                           "  %step = arith.constant 3 : i32\n"
                                           "  %s = scf.for %i = %zero to %n step %step\n"
                                           "      iter_args(%sum = %zero) -> (i32) : i32 {\n"
                                           "    %next = arith.addi %sum, %i : i32\n"
                                           "    scf.yield %next : i32\n"
                                           "  }\n"
                                           "  fsm.store %s, %out : i32, !fsm.ptr<i32>\n");

TEST(ControlFlow, ForCarriesAScalar) {
  EXPECT_EQ(outputOf(kSumLoop, 10), 0 + 3 + 6 + 9);
  EXPECT_EQ(outputOf(kSumLoop, 9), 0 + 3 + 6);
  EXPECT_EQ(outputOf(kSumLoop, 0), 0);
  EXPECT_EQ(outputOf(kSumLoop, -5), 0);
}

TEST(ControlFlow, ForCarriesABlock) {
  std::string text =
      kernel("  %zero = arith.constant 0 : i32\n"
             "  %one = arith.constant 1 : i32\n"
             "  %o = fsm.range 0, 3 : tensor<3xi32>\n"
             "  %s = scf.for %i = %zero to %n step %one\n"
             "      iter_args(%acc = %o) -> (tensor<3xi32>) : i32 {\n"
             "    %next = arith.addi %acc, %o : tensor<3xi32>\n"
             "    scf.yield %next : tensor<3xi32>\n"
             "  }\n"
             "  fsm.store %s, %out[%o] : tensor<3xi32>, !fsm.ptr<i32>, tensor<3xi32>\n");
  std::vector<int32_t> out(3);
  Result<void> done = run(text, Grid(), {bufferOf(out), Argument::integer(4)});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(out, (std::vector<int32_t>{0, 5, 10}));
}

/// The induction variable would pass the largest i32 after the last trip.
TEST(ControlFlow, ForDoesNotOverflow) {
  std::string text = kernel("  %lower = arith.constant 2147483640 : i32\n"
                            "  %zero = arith.constant 0 : i32\n"
                            "  %one = arith.constant 1 : i32\n"
                            "  %five = arith.constant 5 : i32\n"
                            "  %s = scf.for %i = %lower to %n step %five\n"
                            "      iter_args(%count = %zero) -> (i32) : i32 {\n"
                            "    %next = arith.addi %count, %one : i32\n"
                            "    scf.yield %next : i32\n"
                            "  }\n"
                            "  fsm.store %s, %out : i32, !fsm.ptr<i32>\n");
  EXPECT_EQ(outputOf(text, 2147483647), 2);
}

TEST(ControlFlow, ForOverI64) {
  std::string text = kernel("  %lower = arith.constant -9223372036854775808 : i64\n"
                            "  %step = arith.constant 9223372036854775807 : i64\n"
                            "  %zero = arith.constant 0 : i64\n"
                            "  %s = scf.for %i = %lower to %n step %step\n"
                            "      iter_args(%last = %zero) -> (i64) : i64 {\n"
                            "    scf.yield %i : i64\n"
                            "  }\n"
                            "  fsm.store %s, %out : i64, !fsm.ptr<i64>\n",
                            "", "i64");
  std::vector<int64_t> out(1);
  Result<void> done =
      run(text, Grid(), {bufferOf(out), Argument::integer(std::numeric_limits<int64_t>::max())});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(out[0], 9223372036854775806); // Trips at the lowest, at -1, at 2^63 - 2.
}

TEST(ControlFlow, UnsignedForComparesUnsigned) {
  std::string text = kernel("  %lower = arith.constant 2147483646 : i32\n"
                            "  %zero = arith.constant 0 : i32\n"
                            "  %one = arith.constant 1 : i32\n"
                            "  %s = scf.for unsigned %i = %lower to %n step %one\n"
                            "      iter_args(%count = %zero) -> (i32) : i32 {\n"
                            "    %next = arith.addi %count, %one : i32\n"
                            "    scf.yield %next : i32\n"
                            "  }\n"
                            "  fsm.store %s, %out : i32, !fsm.ptr<i32>\n");
  EXPECT_EQ(outputOf(text, -2147483647), 3);
}

TEST(ControlFlow, AStepMustBePositive) {
  std::string text = kernel("  %zero = arith.constant 0 : i32\n"
                            "  %ten = arith.constant 10 : i32\n"
                            "  scf.for %i = %zero to %ten step %n : i32 {\n"
                            "  }\n");
  std::vector<int32_t> out(1);
  EXPECT_EQ(errorOf(run(text, Grid(), {bufferOf(out), Argument::integer(0)})),
            "k:4:3: program (0, 0, 0) reaches a loop whose step is 0; a step must be positive");
  EXPECT_EQ(errorOf(run(text, Grid(), {bufferOf(out), Argument::integer(-1)})),
            "k:4:3: program (0, 0, 0) reaches a loop whose step is -1; a step must be positive");
}

TEST(ControlFlow, IfGivesTheValueOfItsBranch) {
  std::string text = kernel("  %five = arith.constant 5 : i32\n"
                            "  %c = arith.cmpi slt, %n, %five : i32\n"
                            "  %r = scf.if %c -> (i32) {\n"
                            "    scf.yield %n : i32\n"
                            "  } else {\n"
                            "    scf.yield %five : i32\n"
                            "  }\n"
                            "  fsm.store %r, %out : i32, !fsm.ptr<i32>\n");
  EXPECT_EQ(outputOf(text, 3), 3);
  EXPECT_EQ(outputOf(text, 30), 5);
}

TEST(ControlFlow, IfWithoutElse) {
  std::string text = kernel("  %five = arith.constant 5 : i32\n"
                            "  %c = arith.cmpi slt, %n, %five : i32\n"
                            "  scf.if %c {\n"
                            "    fsm.store %n, %out : i32, !fsm.ptr<i32>\n"
                            "  }\n");
  EXPECT_EQ(outputOf(text, 3), 3);
  EXPECT_EQ(outputOf(text, 30), -99);
}

/// The length of the Collatz sequence of %n: 6, 3, 10, 5, 16, 8, 4, 2, 1.
TEST(ControlFlow, WhileRunsUntilItsConditionFails) {
  std::string text =
      kernel("  %zero = arith.constant 0 : i32\n"
             "  %one = arith.constant 1 : i32\n"
             "  %two = arith.constant 2 : i32\n"
             "  %three = arith.constant 3 : i32\n"
             "  %r:2 = scf.while (%x = %n, %steps = %zero) : (i32, i32) -> (i32, i32) {\n"
             "    %more = arith.cmpi ne, %x, %one : i32\n"
             "    scf.condition(%more) %steps, %x : i32, i32\n"
             "  } do {\n"
             "  ^bb0(%steps: i32, %x: i32):\n"
             "    %bit = arith.andi %x, %one : i32\n"
             "    %odd = arith.trunci %bit : i32 to i1\n"
             "    %half = arith.divui %x, %two : i32\n"
             "    %triple = arith.muli %x, %three : i32\n"
             "    %up = arith.addi %triple, %one : i32\n"
             "    %next = arith.select %odd, %up, %half : i32\n"
             "    %count = arith.addi %steps, %one : i32\n"
             "    scf.yield %next, %count : i32, i32\n"
             "  }\n"
             "  fsm.store %r#0, %out : i32, !fsm.ptr<i32>\n");
  EXPECT_EQ(outputOf(text, 6), 8);
  EXPECT_EQ(outputOf(text, 1), 0);
}

TEST(ControlFlow, CallsPassAndReturnValues) {
  std::string text =
      kernel("  %r:2 = func.call @swap(%n, %out) : (i32, !fsm.ptr<i32>) -> (!fsm.ptr<i32>, i32)\n"
             "  fsm.store %r#1, %r#0 : i32, !fsm.ptr<i32>\n",
             "func.func @swap(%x: i32, %p: !fsm.ptr<i32>) -> (!fsm.ptr<i32>, i32) {\n"
             "  return %p, %x : !fsm.ptr<i32>, i32\n}\n");
  EXPECT_EQ(outputOf(text, 17), 17);
}

/// n! needs the caller's %x after the inner call.
TEST(ControlFlow, RecursionHasValuesOfItsOwn) {
  std::string text = kernel("  %r = func.call @factorial(%n) : (i32) -> i32\n"
                            "  fsm.store %r, %out : i32, !fsm.ptr<i32>\n",
                            "func.func @factorial(%x: i32) -> i32 {\n"
                            "  %one = arith.constant 1 : i32\n"
                            "  %more = arith.cmpi sgt, %x, %one : i32\n"
                            "  %r = scf.if %more -> (i32) {\n"
                            "    %less = arith.subi %x, %one : i32\n"
                            "    %inner = func.call @factorial(%less) : (i32) -> i32\n"
                            "    %product = arith.muli %inner, %x : i32\n"
                            "    scf.yield %product : i32\n"
                            "  } else {\n"
                            "    scf.yield %one : i32\n"
                            "  }\n"
                            "  return %r : i32\n}\n");
  EXPECT_EQ(outputOf(text, 6), 720);
}

TEST(ControlFlow, EndlessRecursionIsAnError) {
  std::string text = kernel("  func.call @f() : () -> ()\n", "func.func @f() {\n"
                                                             "  func.call @f() : () -> ()\n"
                                                             "  return\n}\n");
  std::vector<int32_t> out(1);
  EXPECT_EQ(errorOf(run(text, Grid(), {bufferOf(out), Argument::integer(0)})),
            "k:6:3: program (0, 0, 0) calls more than 100 helpers inside one another; helpers must "
            "not be recursive without end");
}

TEST(ControlFlow, CallOfADeclaration) {
  std::string text = kernel("  func.call @f() : () -> ()\n", "func.func private @f()\n");
  std::vector<int32_t> out(1);
  EXPECT_EQ(errorOf(run(text, Grid(), {bufferOf(out), Argument::integer(0)})),
            "k:2:3: program (0, 0, 0) calls 'f', which is no 'func.func' of this module with one "
            "block");
}

TEST(ControlFlow, HelpersObeyTheLanguage) {
  std::string text = kernel("  func.call @f() : () -> ()\n", "func.func @f() {\n"
                                                             "  %x = arith.constant 1 : index\n"
                                                             "  return\n}\n");
  std::vector<int32_t> out(1);
  EXPECT_EQ(
      errorOf(run(text, Grid(), {bufferOf(out), Argument::integer(0)}), Error::Kind::BadInput),
      "k:6:8: result 0 of 'arith.constant' has type 'index': 'index' is not a type of the "
      "block language; use i32 or i64");
}

TEST(ControlFlow, ErrorsInHelpersAreLocatedThere) {
  std::string text =
      kernel("  func.call @f(%n) : (i32) -> ()\n", "func.func @f(%x: i32) {\n"
                                                   "  %c = arith.trunci %x : i32 to i1\n"
                                                   "  fsm.assume %c\n"
                                                   "  return\n}\n");
  std::vector<int32_t> out(1);
  EXPECT_EQ(errorOf(run(text, Grid(), {bufferOf(out), Argument::integer(0)})),
            "k:7:3: program (0, 0, 0) breaks an assumption: the condition is false");
}
