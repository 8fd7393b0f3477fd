//===- LaunchTest.cpp - Arguments given to the interpreter ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

#include <cmath>

using namespace fsm;
using namespace fsm::test;

/// A kernel that stores its scalar argument.
static std::string storeScalar(const std::string &type) {
  return "fsm.kernel @k(%out: !fsm.ptr<" + type + ">, %x: " + type +
         ") {\n  fsm.store %x, %out : " + type + ", !fsm.ptr<" + type + ">\n  fsm.return\n}\n";
}

/// What a kernel sees of a scalar argument.
template <typename T>
static T seenAs(Argument argument) {
  std::vector<T> out(1);
  Result<void> done =
      run(storeScalar(typeName(static_cast<T *>(nullptr))), Grid(), {bufferOf(out), argument});
  EXPECT_TRUE(done) << done.error().message;
  return out[0];
}

static std::string refusal(const std::string &text, const std::vector<Argument> &arguments) {
  return errorOf(run(text, Grid(), arguments), Error::Kind::BadInput);
}

TEST(Launch, IntegersAreConvertedToTheArgumentsType) {
  EXPECT_EQ(seenAs<int32_t>(Argument::integer(-5)), -5);
  EXPECT_EQ(seenAs<int32_t>(Argument::integer(4294967295)), -1);
  EXPECT_EQ(seenAs<int8_t>(Argument::integer(200)), -56);
  EXPECT_EQ(seenAs<int64_t>(Argument::integer(int64_t(1) << 60)), int64_t(1) << 60);
  EXPECT_EQ(seenAs<I1>(Argument::integer(1)).bits, 1);
  EXPECT_EQ(seenAs<int32_t>(Argument::real(7)), 7);
}

TEST(Launch, NumbersAreRoundedOnceToTheArgumentsType) {
  EXPECT_EQ(seenAs<float>(Argument::real(0.1)), 0.1f);
  EXPECT_EQ(seenAs<double>(Argument::real(0.1)), 0.1);
  EXPECT_EQ(seenAs<F16>(Argument::real(1 + 0x1p-11 + 0x1p-40)).bits, 0x3C01);
  EXPECT_EQ(seenAs<float>(Argument::integer(16777217)), 16777216.0f);
}

TEST(Launch, NumbersOfEightBitsSaturate) {
  auto seen = [](const std::string &type, double number) {
    uint8_t out = 0;
    EXPECT_TRUE(run(storeScalar(type), Grid(), {Argument::buffer(&out, 1), Argument::real(number)}));
    return static_cast<int>(out);
  };
  EXPECT_EQ(seen("f8E4M3FN", 1000), 0x7e);
  EXPECT_EQ(seen("f8E4M3FN", -465), 0xfe);
  EXPECT_EQ(seen("f8E4M3FN", INFINITY), 0x7f);
  EXPECT_EQ(seen("f8E5M2", 1e9), 0x7b);
  EXPECT_EQ(seen("f8E5M2", -INFINITY), 0xfc);
}

TEST(Launch, NumbersThatDoNotFit) {
  uint16_t out = 0;
  EXPECT_EQ(refusal(storeScalar("f16"), {Argument::buffer(&out, 2), Argument::real(1e9)}),
            "k:1:1: argument 1 '%x' of kernel '@k' is f16, got the number 1000000000.000000");
  EXPECT_EQ(refusal(storeScalar("i1"), {Argument::buffer(&out, 1), Argument::integer(-1)}),
            "k:1:1: argument 1 '%x' of kernel '@k' is i1, got the integer -1");
}

TEST(Launch, IntegersThatDoNotFit) {
  std::vector<int32_t> out(1);
  EXPECT_EQ(refusal(storeScalar("i32"), {bufferOf(out), Argument::integer(4294967296)}),
            "k:1:1: argument 1 '%x' of kernel '@k' is i32, got the integer 4294967296");
  EXPECT_EQ(refusal(storeScalar("i32"), {bufferOf(out), Argument::real(0.5)}),
            "k:1:1: argument 1 '%x' of kernel '@k' is i32, got the number 0.500000");
}

TEST(Launch, WrongKindOfArgument) {
  std::vector<int32_t> out(1);
  EXPECT_EQ(refusal(storeScalar("i32"), {bufferOf(out), bufferOf(out)}),
            "k:1:1: argument 1 '%x' of kernel '@k' is i32, got a buffer");
  EXPECT_EQ(refusal(storeScalar("i32"), {Argument::integer(3), Argument::integer(3)}),
            "k:1:1: argument 0 '%out' of kernel '@k' is !fsm.ptr<i32>, got the integer 3");
}

TEST(Launch, WrongNumberOfArguments) {
  std::vector<int32_t> out(1);
  EXPECT_EQ(refusal(storeScalar("i32"), {bufferOf(out)}),
            "k:1:1: kernel '@k' takes 2 arguments (%out: !fsm.ptr<i32>, %x: i32), got 1");
}

TEST(Launch, ArgumentsOfABuiltKernelMayHaveNoNames) {
  std::vector<int32_t> out(1);
  EXPECT_EQ(errorOf(runWithoutNames(storeScalar("i32"), Grid(), {}), Error::Kind::BadInput),
            "kernel '@k' takes 2 arguments (!fsm.ptr<i32>, i32), got 0");
  EXPECT_EQ(errorOf(runWithoutNames(storeScalar("i32"), Grid(),
                                    {Argument::buffer(out.data(), 0), Argument::integer(1)})),
            "program (0, 0, 0) stores to bytes 0 to 3 of argument 0, 4 bytes past its end (0 "
            "bytes)");
}

TEST(Launch, BrokenPromises) {
  std::string text =
      "fsm.kernel @k(%p: !fsm.ptr<i8> {fsm.align = 16 : i32}, %d: i32 {fsm.divisible = "
      "4 : i32, fsm.at_least = 4 : i32, fsm.at_most = 8 : i32}, %e: i32 {fsm.equal_to = 1 : i32}) {\n"
      "  fsm.return\n}\n";
  alignas(16) char bytes[32] = {};
  auto launch = [&](size_t shift, int64_t d, int64_t e) {
    return run(text, Grid(),
               {Argument::buffer(bytes + shift, 8), Argument::integer(d), Argument::integer(e)});
  };
  EXPECT_EQ(errorOf(launch(0, 0, 1), Error::Kind::BadInput),
            "k:1:1: argument 1 '%d' of kernel '@k' promises 'fsm.at_least = 4', but is 0");
  EXPECT_EQ(errorOf(launch(0, 12, 1), Error::Kind::BadInput),
            "k:1:1: argument 1 '%d' of kernel '@k' promises 'fsm.at_most = 8', but is 12");
  EXPECT_TRUE(launch(0, 8, 1));
  EXPECT_EQ(
      errorOf(launch(8, 8, 1), Error::Kind::BadInput),
      "k:1:1: argument 0 '%p' of kernel '@k' promises 'fsm.align = 16', but the buffer is not "
      "aligned to 16 bytes");
  EXPECT_EQ(errorOf(launch(0, 6, 1), Error::Kind::BadInput),
            "k:1:1: argument 1 '%d' of kernel '@k' promises 'fsm.divisible = 4', but is 6");
  EXPECT_EQ(errorOf(launch(0, 8, 2), Error::Kind::BadInput),
            "k:1:1: argument 2 '%e' of kernel '@k' promises 'fsm.equal_to = 1', but is 2");
}

TEST(Launch, NegativeGrid) {
  EXPECT_EQ(errorOf(run("fsm.kernel @k() {\n  fsm.return\n}\n", Grid{1, -2, 1}, {}),
                    Error::Kind::BadInput),
            "the grid (1, -2, 1) has a negative extent");
}

TEST(Launch, DeepNestingIsAnError) {
  std::string text = "fsm.kernel @k(%c: i1) {\n", ends;
  for (int depth = 0; depth < 1100; ++depth) {
    text += "scf.if %c {\n";
    ends += "}\n";
  }
  EXPECT_EQ(errorOf(run(text + ends + "fsm.return\n}\n", Grid(), {Argument::integer(1)})),
            "k:1001:1: program (0, 0, 0) nests more than 1000 regions and calls");
}

/// An op gives an element, and one for each of the blocks that it takes and gives: the range 1 + 4,
/// the sum 1 + 3 * 4, the return 1.
TEST(Launch, EndsWhereItsElementsAreSpent) {
  std::string text = "fsm.kernel @k() {\n"
                     "  %a = fsm.range 0, 4 : tensor<4xi32>\n"
                     "  %b = arith.addi %a, %a : tensor<4xi32>\n"
                     "  fsm.return\n}\n";
  EXPECT_TRUE(run(text, Grid{1, 1, 1}, {}, {}, 19));
  EXPECT_EQ(errorOf(run(text, Grid{1, 1, 1}, {}, {}, 17)),
            "k:3:8: program (0, 0, 0) does not end within 17 elements");
  EXPECT_EQ(errorOf(run(text, Grid{1, 1, 1}, {}, {}, 18)),
            "k:4:3: program (0, 0, 0) does not end within 18 elements");
  // All programs together.
  EXPECT_EQ(errorOf(run(text, Grid{2, 1, 1}, {}, {}, 19)),
            "k:2:8: program (1, 0, 0) does not end within 19 elements");
}

/// Three constants, then the end of the body twice; the loop itself 1.
TEST(Launch, TripsAroundNothingAreCounted) {
  std::string text = "fsm.kernel @k() {\n"
                     "  %zero = arith.constant 0 : i32\n"
                     "  %one = arith.constant 1 : i32\n"
                     "  %most = arith.constant 2147483647 : i32\n"
                     "  scf.for %i = %zero to %most step %one : i32 {\n"
                     "  }\n"
                     "  fsm.return\n}\n";
  EXPECT_EQ(errorOf(run(text, Grid{1, 1, 1}, {}, {}, 6)),
            "k:5:3: program (0, 0, 0) does not end within 6 elements");
}
