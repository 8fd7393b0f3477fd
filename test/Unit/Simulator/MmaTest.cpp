//===- MmaTest.cpp - Products of matrices by a warp --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the products are, test/Simulator/mma.test compares with exact arithmetic.

#include "SimulatedKernel.h"

using namespace fsm::sim;
using Kind = Report::Kind;

namespace {

/// A warp with 0 in %r0 to %r5, 1 in %f0 to %f3, the number of the lane in %r9 and the address of
/// its 16 bytes of x in %rd0. %u has no value.
std::string warp(const std::string &body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 x) {\n"
         ".reg .b64 %rd<4>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .f64 %d<8>; .reg .b32 %u;\n"
         ".reg .pred %p<2>; .reg .b16 %h<2>;\n"
         "ld.param.u64 %rd0, [x]; mov.u32 %r9, %tid.x; mul.wide.u32 %rd1, %r9, 16;\n"
         "add.u64 %rd0, %rd0, %rd1;\n"
         "mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;\n"
         "mov.b32 %r4, 0; mov.b32 %r5, 0;\n"
         "mov.f32 %f0, 0f3f800000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n" +
         body + "\nret; }";
}

const std::string kProduct =
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7}, "
    "{%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};\n";

std::string product(const std::string &left, const std::string &right, const std::string &sums) {
  return "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7}, {" + left +
         "}, {" + right + "}, {" + sums + "};\n";
}

LaunchReport run(const std::string &body) {
  SimulatedKernel kernel(warp(body));
  kernel.uninitialized(512);
  return kernel.run("k", {}, {32});
}

std::string errorOf(const std::string &body) {
  auto module = Module::parse(warp(body));
  return module ? "" : module.error().message;
}

void says(const std::string &body, const std::string &part) {
  EXPECT_NE(errorOf(body).find(part), std::string::npos) << errorOf(body);
}

/// How many lanes store a register without a value.
uint64_t lanesWithout(const std::string &body, const std::string &value) {
  LaunchReport report = run(body + "st.global.f32 [%rd0], " + value + ";\n");
  uint64_t count = 0;
  for (const Report &one : report.reports) {
    EXPECT_EQ(one.kind, Kind::UninitializedRegister) << one.str();
    count += one.count;
  }
  return count;
}

} // namespace

TEST(Mma, addsToItsSums) {
  SimulatedKernel kernel(warp(kProduct + "st.global.v4.f32 [%rd0], {%f4, %f5, %f6, %f7};\n"));
  uint64_t x = kernel.uninitialized(512);
  EXPECT_EQ(kernel.run("k", {}, {32}).str(), "");
  EXPECT_EQ(kernel.read<float>(x, 128), std::vector<float>(128, 1));
}

/// A word of the left factor is of a row, one of the right factor of a column, each of the lane's
/// group; %f4 and %f5 are of the group's first row, %f6 and %f7 of the one 8 below.
TEST(Mma, makesNothingOfWhatHasNoValue) {
  const std::string zeros = "%r0, %r1, %r2, %r3", ones = "%f0, %f1, %f2, %f3";
  EXPECT_EQ(lanesWithout(product("%u, %r1, %r2, %r3", "%r4, %r5", ones), "%f4"), 32u);
  EXPECT_EQ(lanesWithout(product("%u, %r1, %r2, %r3", "%r4, %r5", ones), "%f6"), 0u);
  EXPECT_EQ(lanesWithout(product("%r0, %u, %r2, %r3", "%r4, %r5", ones), "%f7"), 32u);
  EXPECT_EQ(lanesWithout(product(zeros, "%r4, %u", ones), "%f6"), 32u);
  std::string inLane5 = "setp.ne.u32 %p0, %r9, 5; @%p0 mov.b32 %u, 0;\n";
  // Lane 5 is of group 1: row 1, of which four lanes have two elements each.
  EXPECT_EQ(lanesWithout(inLane5 + product("%u, %r1, %r2, %r3", "%r4, %r5", ones), "%f4"), 4u);
  // Column 1 is that of the second sums of the first members.
  EXPECT_EQ(lanesWithout(inLane5 + product(zeros, "%u, %r5", ones), "%f5"), 8u);
  EXPECT_EQ(lanesWithout(inLane5 + product(zeros, "%u, %r5", ones), "%f4"), 0u);
  EXPECT_EQ(lanesWithout("setp.ne.u32 %p0, %r9, 5; @%p0 mov.f32 %f5, %f0;\n" +
                             product(zeros, "%r4, %r5", "%f5, %f1, %f2, %f3"),
                         "%f4"),
            1u);
}

TEST(Mma, multipliesWhatCopiesAndLdmatrixBring) {
  // f16 of the whole numbers 0 to 7.
  const uint16_t halves[] = {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700};
  auto at = [](unsigned row, unsigned column) { return (5 * row + 3 * column + row * column) % 8; };
  std::vector<uint16_t> left, right;
  std::vector<float> expected;
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned k = 0; k < 16; ++k)
      left.push_back(halves[at(row, k)]);
  for (unsigned k = 0; k < 16; ++k)
    for (unsigned column = 0; column < 8; ++column)
      right.push_back(halves[at(k + 1, column)]);
  for (unsigned row = 0; row < 16; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      unsigned sum = 0;
      for (unsigned k = 0; k < 16; ++k)
        sum += at(row, k) * at(k + 1, column);
      expected.push_back(static_cast<float>(sum));
    }
  LaunchOptions options;
  auto runs = [&](std::vector<float> *result) {
    SimulatedKernel kernel = SimulatedKernel::file("products.ptx");
    uint64_t c = kernel.uninitialized(512);
    kernel.buffer(left);
    kernel.buffer(right);
    LaunchReport report = kernel.run("product", {}, {32}, options);
    *result = kernel.read<float>(c, 128);
    return report;
  };
  std::vector<float> result;
  EXPECT_EQ(runs(&result).str(), "");
  EXPECT_EQ(result, expected);
  // The condition of the second copy, the commit, the wait and its one group, the barrier.
  SimulatedKernel kernel = SimulatedKernel::file("products.ptx");
  size_t count = kernel.module->omissions("product")->size();
  EXPECT_EQ(count, 5u);
  for (options.leaveOut = 1; options.leaveOut <= count; ++options.leaveOut)
    EXPECT_FALSE(runs(&result).reports.empty()) << options.leaveOut;
}

TEST(Mma, hasOtherForms) {
  SimulatedKernel kernel = SimulatedKernel::file("products.ptx");
  uint64_t y = kernel.uninitialized(128);
  EXPECT_EQ(kernel.run("forms", {}, {32}).str(), "");
  EXPECT_EQ(kernel.read<float>(y, 32), std::vector<float>(32, 1 + 7 + 1 + 0));
}

TEST(Mma, needsAllLanes) {
  LaunchReport report = run("setp.eq.u32 %p0, %r9, 0; @%p0 bra end;\n" + kProduct + "end:\n");
  ASSERT_FALSE(report.reports.empty());
  EXPECT_EQ(report.reports.front().kind, Kind::DivergentBarrier);
  report = run("setp.eq.u32 %p0, %r9, 0; @%p0 bra end;\n"
               "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\nend:\n");
  ASSERT_FALSE(report.reports.empty());
  EXPECT_EQ(report.reports.front().kind, Kind::DivergentBarrier);
}

TEST(Mma, isRefusedInOtherForms) {
  EXPECT_EQ(errorOf(kProduct), "");
  const std::string left = " {%f4, %f5, %f6, %f7}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, ",
                    all = left + "{%f0, %f1, %f2, %f3};";
  says("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32" + all, "the form without '.col'");
  says("mma.aligned.m16n8k16.row.col.f32.f16.f16.f32" + all, "the form without '.sync'");
  says("mma.sync.aligned.m16n8k256.row.col.f32.f16.f16.f32" + all, "a shape: one of .m8n8k4,");
  says("mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32" + all,
       "the shape '.m16n8k32' of these types");
  says("mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32" + all, "'.f32.f16.bf16.f32'");
  // Two sums share a register.
  says("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16" + all, "expected 2 registers, got 4");
  says("mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16" + all, "'.f16.bf16.bf16.f16'");
  says("mma.sync.aligned.m16n8k16.row.col" + all, ".m16n8k16.row.col'");
  says("mma.sync.aligned.row.col.m16n8k16" + all, "of 'mma' is not supported");
  says("mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32" + all,
       "modifier '.satfinite'");
  says("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32" + all, "expected 2 registers, got 4");
  says("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + left + "{%f0, %f1, %f2};",
       "expected 4 registers, got 3");
  says("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + left + "{%f0, %f1, %f2, %h0};",
       "expected a register of 32 bits");
  says("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + left + "{%f0, %f1, %f2, 0};",
       "expected a register of 32 bits");
  says("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f4, %f5, %f6, %f7}, [%rd0], "
       "{%r4, %r5}, {%f0, %f1, %f2, %f3};",
       "expected 4 registers, got 1");
  says("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%r0}, {%d2}, {%d3, %d4};",
       "expected a register of 64 bits");
  says("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" + left + "%f0, %f1;",
       "expected 4 operands of 'mma', got 5");
  says("movmatrix.sync.aligned.m8n8.b16 %r1, %r0;", "the form without '.trans'");
  says("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %h0;", "expected a register of 32 bits");
  says("movmatrix.sync.aligned.m8n8.trans.b16 {%r1}, %r0;", "not of a kind that it takes");
}
