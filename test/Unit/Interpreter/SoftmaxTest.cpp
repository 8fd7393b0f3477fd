//===- SoftmaxTest.cpp - The namesake kernel in the interpreter ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

using namespace fsm;
using namespace fsm::test;

/// One program takes every `num_programs`-th row of at most 1024 columns.
static const char *kSoftmax =
    "fsm.kernel @softmax(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %rows: i32, %cols: i32) {\n"
    "  %first = fsm.program_id x : i32\n"
    "  %step = fsm.num_programs x : i32\n"
    "  %offs = fsm.range 0, 1024 : tensor<1024xi32>\n"
    "  %n = fsm.splat %cols : tensor<1024xi32>\n"
    "  %mask = arith.cmpi slt, %offs, %n : tensor<1024xi32>\n"
    "  %ninf = arith.constant 0xFF800000 : f32\n"
    "  scf.for %row = %first to %rows step %step : i32 {\n"
    "    %i = arith.muli %row, %cols overflow<nsw> : i32\n"
    "    %src = fsm.offset %in, %i : !fsm.ptr<f32>, i32\n"
    "    %x = fsm.load %src[%offs], %mask, %ninf\n"
    "        : !fsm.ptr<f32>, tensor<1024xi32> -> tensor<1024xf32>\n"
    "    %max = fsm.reduce <max> %x axis 0 : tensor<1024xf32> -> f32\n"
    "    %maxes = fsm.splat %max : tensor<1024xf32>\n"
    "    %shifted = arith.subf %x, %maxes : tensor<1024xf32>\n"
    "    %num = math.exp %shifted : tensor<1024xf32>\n"
    "    %sum = fsm.reduce <sum> %num axis 0 : tensor<1024xf32> -> f32\n"
    "    %den = fsm.splat %sum : tensor<1024xf32>\n"
    "    %y = arith.divf %num, %den : tensor<1024xf32>\n"
    "    %dst = fsm.offset %out, %i : !fsm.ptr<f32>, i32\n"
    "    fsm.store %y, %dst[%offs], %mask\n"
    "        : tensor<1024xf32>, !fsm.ptr<f32>, tensor<1024xi32>\n"
    "  }\n"
    "  fsm.return\n}\n";

static std::vector<float> softmax(std::vector<float> in, int rows, int cols) {
  std::vector<float> out(in.size());
  Result<void> done =
      run(kSoftmax, Grid{7, 1, 1},
          {bufferOf(out), bufferOf(in), Argument::integer(rows), Argument::integer(cols)});
  EXPECT_TRUE(done) << done.error().message;
  return out;
}

TEST(Softmax, RowsOfANumberOfColumnsThatIsNoPowerOfTwo) {
  constexpr int kRows = 1823, kCols = 781;
  std::vector<float> in(kRows * kCols);
  uint32_t state = 1;
  for (float &x : in)
    x = static_cast<float>((state = state * 1664525 + 1013904223) >> 8) * 0x1p-21f - 4;
  std::vector<float> out = softmax(in, kRows, kCols);
  for (int row = 0; row < kRows; row += 91) {
    double sum = 0;
    for (int col = 0; col < kCols; ++col)
      sum += std::exp(static_cast<double>(in[row * kCols + col]));
    for (int col = 0; col < kCols; ++col) {
      double expected = std::exp(static_cast<double>(in[row * kCols + col])) / sum;
      ASSERT_NEAR(out[row * kCols + col], expected, 1e-6 * expected) << row << ", " << col;
    }
  }
}

TEST(Softmax, SpecialRowsAreNaN) {
  std::vector<float> out = softmax({-kInf, -kInf, kInf, 1, kNaN, 1, -kInf, 1}, 4, 2);
  expectSame(out, {kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, 0, 1});
}
