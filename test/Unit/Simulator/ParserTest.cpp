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
