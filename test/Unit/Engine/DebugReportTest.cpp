//===- DebugReportTest.cpp - What programs say, in an engine -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugReport.h"

#include "Kernels.h"

#include <cstring>

using namespace fsm;
using namespace fsm::test;

using Lines = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Elements as text
//===----------------------------------------------------------------------===//

TEST(ElementText, Integers) {
  EXPECT_EQ(elementText({ScalarType::I1, false, {}}, 1, false), "1");
  EXPECT_EQ(elementText({ScalarType::I8, false, {}}, 0xff, false), "-1");
  EXPECT_EQ(elementText({ScalarType::I16, false, {}}, 0x8000, false), "-32768");
  EXPECT_EQ(elementText({ScalarType::I64, false, {}}, uint64_t(1) << 63, false),
            "-9223372036854775808");
}

TEST(ElementText, HexadecimalHasTheDigitsOfTheType) {
  EXPECT_EQ(elementText({ScalarType::I1, false, {}}, 1, true), "0x1");
  EXPECT_EQ(elementText({ScalarType::I8, false, {}}, 0xa, true), "0x0a");
  EXPECT_EQ(elementText({ScalarType::I64, false, {}}, 0xab, true), "0x00000000000000ab");
  EXPECT_EQ(elementText({ScalarType::I64, true, {}}, 0xab, false), "0x00000000000000ab");
}

TEST(ElementText, FloatsAreTheShortestDecimals) {
  auto f32 = [](uint32_t bits) { return elementText({ScalarType::F32, false, {}}, bits, false); };
  EXPECT_EQ(f32(0x3dcccccd), "0.1");
  EXPECT_EQ(f32(0x80000000), "-0.0");
  EXPECT_EQ(f32(0x4b800000), "16777216.0");
  EXPECT_EQ(f32(0x5a0e1bca), "1e+16");
  EXPECT_EQ(f32(0x00000001), "1e-45");
  EXPECT_EQ(f32(0xff800000), "-inf");
  EXPECT_EQ(f32(0xffc00000), "nan");
  EXPECT_EQ(elementText({ScalarType::F16, false, {}}, 0x3555, false), "0.33325195");
  EXPECT_EQ(elementText({ScalarType::BF16, false, {}}, 0x3f80, false), "1.0");
  EXPECT_EQ(elementText({ScalarType::F8E4M3FN, false, {}}, 0x7e, false), "448.0");
  EXPECT_EQ(elementText({ScalarType::F8E4M3FN, false, {}}, 0x7f, false), "nan");
  EXPECT_EQ(elementText({ScalarType::F8E5M2, false, {}}, 0x7c, false), "inf");
}

/// A wild store of the kernel's may hit the header.
TEST(HostRecords, AreNoMoreThanThereIsRoomFor) {
  DebugOp op;
  op.text = "x";
  HostRecords records(2);
  DebugHeader header;
  header.head = header.capacity = uint64_t(1) << 62;
  std::memcpy(records.address(), &header, sizeof(header));
  Lines lines;
  LaunchOptions options;
  options.print = [&](const std::string &line) { lines.push_back(line); };
  EXPECT_TRUE(records.report({op}, options));
  EXPECT_EQ(lines, Lines({"program (0, 0, 0): x", "program (0, 0, 0): x",
                          "lost 4611686018427387902 printed lines: the launch keeps 65536"}));
}

TEST(PrintedLine, HoldsNoLineEnds) {
  DebugOp op;
  op.text = "a\nb";
  op.values = {{ScalarType::I32, false, {}}};
  EXPECT_EQ(printedLine(op, DebugRecord()), "program (0, 0, 0): a\\x0ab = 0");
}

// A control character of two bytes, a byte that begins nothing, and one of two bytes that is a
// letter.
TEST(PrintedLine, SteersNoTerminal) {
  DebugOp op;
  op.text = "\xc2\x9b"
            "1m \x9b \xc3\xa9";
  op.values = {{ScalarType::I32, false, {}}};
  EXPECT_EQ(printedLine(op, DebugRecord()), "program (0, 0, 0): \\xc2\\x9b1m \\x9b \xc3\xa9 = 0");
}

//===----------------------------------------------------------------------===//
// The order of records
//===----------------------------------------------------------------------===//

static DebugRecord record(int32_t program, uint32_t op, uint32_t element, uint64_t bits) {
  DebugRecord result;
  result.program = {program, 0, 0};
  result.op = op;
  result.element = element;
  result.bits = bits;
  return result;
}

static std::vector<uint64_t> bitsOf(const std::vector<DebugRecord> &records) {
  std::vector<uint64_t> bits;
  for (const DebugRecord &one : records)
    bits.push_back(one.bits);
  return bits;
}

// A loop of two ops; the thread of element 1 is through with it before that of element 0 begins,
// and another program comes in between.
TEST(SortedRecords, FollowTheThreadOfTheFirstElement) {
  EXPECT_EQ(bitsOf(sortedRecords({record(0, 7, 1, 1), record(0, 2, 1, 3), record(0, 7, 1, 5),
                                  record(1, 2, 0, 8), record(0, 2, 1, 7), record(0, 7, 0, 0),
                                  record(0, 2, 0, 2), record(0, 7, 0, 4), record(0, 2, 0, 6)})),
            (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(SortedRecords, PutWhatLostItsPlaceLast) {
  EXPECT_EQ(bitsOf(sortedRecords({record(0, 1, 1, 2), record(0, 1, 1, 3), record(0, 1, 0, 1)})),
            (std::vector<uint64_t>{1, 2, 3}));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Runs on every device.
class Debug : public ::testing::TestWithParam<const char *> {
protected:
  Engine engine = openEngine(GetParam());
  Kernel load(const std::string &text) { return expectValue(engine.load(sourceOf(text))); }
  Lines lines;
  LaunchOptions options(uint32_t records = 65536) {
    LaunchOptions result;
    result.printRecords = records;
    result.print = [this](const std::string &line) {
      size_t behindPlace = line.find("program");
      lines.push_back(behindPlace == std::string::npos ? line : line.substr(behindPlace));
    };
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, Debug, ::testing::Values("cpu", "interp", "sim"));

static const char *const kCountdown = R"(
fsm.kernel @countdown(%n: i32) {
  %x = fsm.program_id x : i32
  %left = arith.subi %n, %x : i32
  %0 = arith.constant 0 : i32
  fsm.print "left" %left : i32
  %c = arith.cmpi ne, %left, %0 : i32
  fsm.assert %c, "nothing left" : i1
  fsm.print "passed" %left : i32
  fsm.return
})";

TEST_P(Debug, GivesTheLinesToTheCaller) {
  expectSuccess(engine.launch(load(kCountdown), Grid{2, 1, 1}, {Argument::integer(9)}, options()));
  EXPECT_EQ(lines, (Lines{"program (0, 0, 0): left = 9", "program (0, 0, 0): passed = 9",
                          "program (1, 0, 0): left = 8", "program (1, 0, 0): passed = 8"}));
}

TEST_P(Debug, EachLaunchBeginsAnew) {
  Kernel kernel = load(kCountdown);
  for (int i = 0; i < 2; ++i) {
    lines.clear();
    expectSuccess(engine.launch(kernel, Grid(), {Argument::integer(9)}, options(1)));
    EXPECT_EQ(lines,
              (Lines{"program (0, 0, 0): left = 9", "lost 1 printed line: the launch keeps 1"}));
  }
}

TEST_P(Debug, AFailedAssertIsAnErrorOfTheKernel) {
  Result<void> done =
      engine.launch(load(kCountdown), Grid{3, 1, 1}, {Argument::integer(2)}, options());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, Error::Kind::Execution);
  EXPECT_NE(done.error().message.find(":8:3: program (2, 0, 0): assertion failed: nothing left"),
            std::string::npos)
      << done.error().message;
  EXPECT_EQ(lines, (Lines{"program (0, 0, 0): left = 2", "program (0, 0, 0): passed = 2",
                          "program (1, 0, 0): left = 1", "program (1, 0, 0): passed = 1",
                          "program (2, 0, 0): left = 0"}));
  lines.clear();
  expectSuccess(engine.launch(load(kCountdown), Grid(), {Argument::integer(2)}, options()));
}

TEST_P(Debug, TimedLaunchesFailToo) {
  EXPECT_TRUE(engine.timeLaunches(load(kCountdown), Grid(), {Argument::integer(1)}, 2));
  EXPECT_FALSE(engine.timeLaunches(load(kCountdown), Grid(), {Argument::integer(0)}, 2));
}

TEST(Contract, ListsWhatAKernelSays) {
  CompileOptions options;
  CompiledKernel kernel = expectValue(Compiler::compile(sourceOf(kCountdown), options));
  ASSERT_EQ(kernel.debugOps.size(), 3u);
  EXPECT_FALSE(kernel.debugOps[0].isAssert);
  EXPECT_TRUE(kernel.debugOps[1].isAssert);
  EXPECT_EQ(kernel.debugOps[1].text, "nothing left");
  EXPECT_TRUE(expectValue(Compiler::compile(sourceOf(kAdd), options)).debugOps.empty());
}
