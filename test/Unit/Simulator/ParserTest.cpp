//===- ParserTest.cpp - What the parser refuses ------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

using namespace fsm::sim;

namespace {

std::string errorOf(const std::string &text) {
  auto module = Module::parse(text);
  return module ? "" : module.error().message;
}

std::string errorOfBody(const std::string &body) {
  return errorOf(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n"
                 ".reg .b32 %r<3>;\n" +
                 body + "\n}");
}

TEST(Parser, errorsHaveLineAndColumn) {
  EXPECT_EQ(errorOfBody("  frobnicate.s32 %r1, %r2;"),
            "6:3: error: unknown instruction 'frobnicate'");
  EXPECT_EQ(errorOfBody("add.s32 %r1, %r9, 1;"), "6:14: error: unknown register '%r9'");
  EXPECT_EQ(errorOfBody("add.u32.fancy %r1, %r2, 1;"),
            "6:1: error: modifier '.fancy' of 'add' is not supported");
  EXPECT_EQ(errorOfBody("add.s32 %r1, %r2;"), "6:1: error: expected 3 operands of 'add', got 2");
  EXPECT_EQ(errorOfBody("bra nowhere;"), "6:5: error: unknown label 'nowhere'");
  EXPECT_EQ(errorOfBody("mul.s32 %r1, %r2, 3;"),
            "6:1: error: 'mul' needs a part of the product: one of .lo, .hi, .wide");
  EXPECT_EQ(errorOfBody("mov.u32 %r1, #;"), "6:14: error: unexpected character '#'");
  EXPECT_EQ(errorOfBody("A: A: ret;"), "6:4: error: label 'A' is defined twice");
  // Braces have labels of their own, as inline assembly needs.
  EXPECT_EQ(errorOfBody("{ A: bra A; } { bra B; A: bra A; { bra B; } B: } A: ret;"), "");
  EXPECT_EQ(errorOfBody("{ A: } bra A;"), "6:12: error: unknown label 'A'");
  EXPECT_EQ(errorOfBody("mov.b32 %r1, 0f123;"),
            "6:14: error: expected 8 hexadecimal digits after '0f', got '0f123'");
}

TEST(Parser, errorsOfBranchTables) {
  EXPECT_EQ(errorOfBody("A: brx.idx %r1, A;"), "6:17: error: label 'A' has no '.branchtargets'");
  EXPECT_EQ(errorOfBody("T: .branchtargets B; brx.idx %r1, T;"), "6:19: error: unknown label 'B'");
  EXPECT_EQ(errorOfBody("brx.idx 3, T;"),
            "6:1: error: expected a register and the label of '.branchtargets' after 'brx'");
  EXPECT_EQ(errorOfBody("cvt.rn.e4m3x2.f32 %r1, %r1, %r2;"),
            "6:1: error: a conversion to 8-bit floats needs '.satfinite'");
}

TEST(Parser, errorsOfAtomics) {
  EXPECT_EQ(errorOfBody("atom.relaxed.gpu.global.max.f32 %r1, [%r2], %r1;"),
            "6:1: error: the form '.relaxed.gpu.global.max.f32' of 'atom' is not supported");
  EXPECT_EQ(errorOfBody("atom.global.cas.u32 %r1, [%r2], %r1, %r1;"),
            "6:1: error: the form '.global.cas.u32' of 'atom' is not supported");
  EXPECT_EQ(errorOfBody("atom.seq_cst.gpu.global.add.u32 %r1, [%r2], %r1;"),
            "6:1: error: modifier '.seq_cst' of 'atom' is not supported");
  EXPECT_EQ(errorOfBody("red.acq_rel.gpu.global.add.u32 [%r2], %r1;"),
            "6:1: error: 'red' gives nothing that could be acquired: it takes .relaxed or "
            ".release");
}

TEST(Parser, operandsAreOfTheRightKind) {
  EXPECT_EQ(errorOfBody("add.s32 5, %r1, 2;"),
            "6:9: error: operand 0 of 'add' is not of a kind that it takes");
  EXPECT_EQ(errorOfBody("add.s32 %r1, {%r1, %r2}, 2;"),
            "6:14: error: operand 1 of 'add' is not of a kind that it takes");
  EXPECT_EQ(errorOfBody("mov.u32 _, %r1;"),
            "6:9: error: operand 0 of 'mov' is not of a kind that it takes");
  EXPECT_EQ(errorOfBody("ld.global.u32 %r1, [{%r1}];"),
            "6:20: error: operand 1 of 'ld' is not of a kind that it takes");
  EXPECT_EQ(errorOfBody("mov.u32 %r1, " + std::string(20, '!') + "%r2;"),
            "6:30: error: nested deeper than 16 levels");
}

TEST(Parser, errorsOfTheModule) {
  EXPECT_EQ(errorOf("hello"),
            "1:1: error: expected a directive such as '.entry' or '.global', got 'hello'");
  EXPECT_EQ(errorOf(".address_size 32"), "1:15: error: expected an address size of 64 bits");
  EXPECT_EQ(errorOf(".entry k() { ret;"),
            "1:18: error: expected an instruction, got the end of the text");
  EXPECT_EQ(errorOf("/* open"), "1:1: error: expected '*/' to end the comment");
  EXPECT_EQ(errorOf(".file 1 \"a"), "1:9: error: expected '\"' to end the string on its line");
}

/// LLVM escapes quotes and backslashes in the names of files.
TEST(Parser, namesOfFiles) {
  SimulatedKernel kernel(".version 8.4\n.target sm_90, debug\n.address_size 64\n"
                         ".visible .entry k(.param .u64 p) {\n.reg .b64 %d<2>; .reg .b32 %r<2>;\n"
                         "ld.param.b64 %d1, [p];\n.loc 1 7 3\nld.global.b32 %r1, [%d1];\nret;\n}\n"
                         ".file 1 \"/src/\\\"x\\\"\\\\y.mlir\"\n");
  kernel.uninitialized(2);
  LaunchReport report = kernel.run("k", {}, {1});
  ASSERT_EQ(report.reports.size(), 1u);
  EXPECT_EQ(report.reports[0].sourceFile, "/src/\"x\"\\y.mlir");
  EXPECT_EQ(report.reports[0].sourceLine, 7u);
  EXPECT_EQ(errorOf(".file 1 \"a\\"), "1:9: error: expected '\"' to end the string on its line");
}

/// A table's index must be one of its places; the lanes' paths meet again behind it.
TEST(Parser, branchesByTable) {
  const std::string text =
      ".version 8.4\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 p, .param .u32 n) {\n.reg .b64 %d<4>; .reg .b32 %r<6>;\n"
      "ld.param.u64 %d1, [p]; ld.param.u32 %r4, [n]; mov.u32 %r1, %tid.x; rem.u32 %r2, %r1, %r4;\n"
      "T: .branchtargets A, B, C;\n@%p0 brx.idx %r2, T;\n"
      "A: mov.u32 %r3, 10; bra E;\nB: mov.u32 %r3, 20; bra E;\nC: mov.u32 %r3, 30;\n"
      "E: activemask.b32 %r5; popc.b32 %r5, %r5; add.u32 %r3, %r3, %r5;\n"
      "mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r3; ret; }";
  std::string unguarded = text;
  unguarded.erase(unguarded.find("@%p0 "), 5);
  for (uint64_t seed : {0, 1, 2, 3}) {
    SimulatedKernel kernel(unguarded);
    uint64_t out = kernel.uninitialized(128);
    kernel.scalar(3);
    LaunchOptions options;
    options.seed = seed;
    EXPECT_EQ(kernel.run("k", {}, {32}, options).str(), "");
    std::vector<uint32_t> values = kernel.read<uint32_t>(out, 32);
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(values[lane], 10 * (lane % 3 + 1) + 32);
  }
  SimulatedKernel kernel(unguarded);
  kernel.uninitialized(128);
  kernel.scalar(4);
  LaunchReport report = kernel.run("k", {}, {32});
  ASSERT_EQ(report.reports.size(), 1u);
  EXPECT_EQ(report.reports[0].message, "takes branch target 3 of a table of 3");
  EXPECT_EQ(report.reports[0].count, 8u);
}

/// No prefix of a real module and no lost byte brings the parser down.
TEST(Parser, survivesBrokenText) {
  std::string text = readPtx("divergence.ptx");
  for (size_t length = 0; length < text.size(); length += 13)
    (void)errorOf(text.substr(0, length));
  for (size_t place = 0; place < text.size(); place += 17) {
    std::string broken = text;
    broken.erase(place, 1);
    (void)errorOf(broken);
  }
}

} // namespace
