//===- MatrixTest.cpp - Matrices between shared memory and a warp ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

using namespace fsm::sim;
using Kind = Report::Kind;

namespace {

/// Element c of row r of matrix m.
uint16_t element(unsigned matrix, unsigned row, unsigned column) {
  return static_cast<uint16_t>(100 * matrix + 10 * row + column);
}

/// Four matrices, one behind the other, row by row.
std::vector<uint16_t> matrices() {
  std::vector<uint16_t> elements;
  for (unsigned matrix = 0; matrix < 4; ++matrix)
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned column = 0; column < 8; ++column)
        elements.push_back(element(matrix, row, column));
  return elements;
}

/// A warp with %rd0, the address of 16 bytes of x for each lane, %rd1, that of 16 bytes of y, and
/// %r0, of 16 bytes of shared memory.
std::string warp(const std::string &body) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 x, .param .u64 y) {\n"
         ".shared .align 16 .b8 s[512];\n"
         ".reg .b64 %rd<4>; .reg .b32 %r<16>; .reg .b16 %h<2>; .reg .pred %p<2>;\n"
         "ld.param.u64 %rd0, [x]; ld.param.u64 %rd1, [y];\n"
         "mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 4; cvt.u64.u32 %rd2, %r1;\n"
         "add.u64 %rd0, %rd0, %rd2; add.u64 %rd1, %rd1, %rd2;\n"
         "mov.u32 %r0, s; add.u32 %r0, %r0, %r1;\n" +
         body + "\nret; }";
}

const std::string kFill = "ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd0];\n"
                          "st.shared.v4.u32 [%r0], {%r4, %r5, %r6, %r7};\n";
const std::string kMeet = "bar.warp.sync -1;\n";
const std::string kLoad = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r0];\n";
const std::string kKeep = "st.global.v4.u32 [%rd1], {%r4, %r5, %r6, %r7};\n";

LaunchReport run(const std::string &body, std::vector<uint16_t> *result = nullptr) {
  SimulatedKernel kernel(warp(body));
  kernel.buffer(matrices());
  uint64_t y = kernel.uninitialized(512);
  LaunchReport report = kernel.run("k", {}, {32});
  if (result && report.reports.empty())
    *result = kernel.read<uint16_t>(y, 256);
  return report;
}

Kind kindOf(const std::string &body) {
  LaunchReport report = run(body);
  EXPECT_FALSE(report.reports.empty()) << body;
  return report.reports.empty() ? Kind::Trap : report.reports.front().kind;
}

} // namespace

/// The figures of the PTX manual: lane 4 r + c has elements 2 c and 2 c + 1 of row r.
TEST(Matrix, loadsTwoElementsOfARowIntoEachLane) {
  std::vector<uint16_t> result;
  EXPECT_EQ(run(kFill + kMeet + kLoad + kKeep, &result).str(), "");
  ASSERT_EQ(result.size(), 256u);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned matrix = 0; matrix < 4; ++matrix)
      for (unsigned half : {0, 1})
        EXPECT_EQ(result[8 * lane + 2 * matrix + half],
                  element(matrix, lane / 4, lane % 4 * 2 + half));
}

TEST(Matrix, transposes) {
  std::vector<uint16_t> result;
  std::string load = "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 {%r4, %r5, %r6, %r7}, "
                     "[%r0];\n";
  EXPECT_EQ(run(kFill + kMeet + load + kKeep, &result).str(), "");
  ASSERT_EQ(result.size(), 256u);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned matrix = 0; matrix < 4; ++matrix)
      for (unsigned half : {0, 1})
        EXPECT_EQ(result[8 * lane + 2 * matrix + half],
                  element(matrix, lane % 4 * 2 + half, lane / 4));
}

/// The addresses of lanes 16 to 31 are not looked at, here none, and unaligned.
TEST(Matrix, takesTheAddressesOfItsRowsAlone) {
  std::vector<uint16_t> result;
  std::string body = kFill + kMeet +
                     "mov.u32 %r2, %tid.x; setp.gt.u32 %p0, %r2, 15; @%p0 mov.u32 %r0, 100003;\n"
                     "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [%r0];\n" +
                     kKeep;
  EXPECT_EQ(run(body, &result).str(), "");
  ASSERT_EQ(result.size(), 256u);
  EXPECT_EQ(result[8 * 31 + 2], element(1, 7, 6));
  std::string one =
      kFill + kMeet + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r0];\n" + kKeep;
  EXPECT_EQ(run(one, &result).str(), "");
  EXPECT_EQ(result[8 * 5], element(0, 1, 2));
}

/// What stmatrix writes ldmatrix reads again, at the other end of shared memory; transposed twice
/// is not transposed.
TEST(Matrix, storesWhatItLoads) {
  for (const char *form : {"", ".trans"}) {
    std::vector<uint16_t> result;
    std::string store = "xor.b32 %r0, %r0, 0x1f0;\nstmatrix.sync.aligned.m8n8.x4" +
                        std::string(form) + ".shared.b16 [%r0], {%r4, %r5, %r6, %r7};\n";
    std::string load = "ldmatrix.sync.aligned.m8n8.x4" + std::string(form) +
                       ".shared.b16 {%r4, %r5, %r6, %r7}, [%r0];\n";
    std::string read = "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r0];\n";
    EXPECT_EQ(run(kFill + kMeet + load + kMeet + store + kMeet + read + kKeep, &result).str(), "");
    EXPECT_EQ(result, matrices()) << form;
  }
}

TEST(Matrix, isCheckedLikeOtherAccesses) {
  EXPECT_EQ(kindOf(kFill + kLoad), Kind::SharedRace);
  EXPECT_EQ(kindOf(kLoad), Kind::UninitializedMemory);
  EXPECT_EQ(kindOf(kFill + kMeet +
                   "add.u32 %r0, %r0, 8;\n"
                   "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r0];\n"),
            Kind::Misaligned);
  EXPECT_EQ(kindOf(kFill + kMeet + "add.u32 %r0, %r0, 16;\n" + kLoad), Kind::OutOfBounds);
  EXPECT_EQ(kindOf("ldmatrix.sync.aligned.m8n8.x1.b16 {%r4}, [%rd0];\n"), Kind::OutOfBounds);
  EXPECT_EQ(kindOf(kFill + kMeet + "setp.eq.u32 %p0, %r1, 0; @%p0 bra end;\n" + kLoad + "end:\n"),
            Kind::DivergentBarrier);
  EXPECT_EQ(kindOf("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r0], {%r4};\n"),
            Kind::UninitializedRegister);
  // One lane's row is two other lanes' elements, until they meet.
  EXPECT_EQ(kindOf(kFill + kMeet + kLoad +
                   "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r0], {%r4, %r5, %r6, %r7};\n"),
            Kind::SharedRace);
}

TEST(Matrix, isRefusedInOtherForms) {
  auto errorOf = [](const std::string &body) {
    auto module = Module::parse(warp(body));
    return module ? "" : module.error().message;
  };
  auto says = [&](const std::string &body, const std::string &part) {
    EXPECT_NE(errorOf(body).find(part), std::string::npos) << errorOf(body);
  };
  says("ldmatrix.aligned.m8n8.x1.shared.b16 {%r4}, [%r0];", "the form without '.sync'");
  says("ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r4}, [%r0];", "the form without '.m8n8'");
  says("ldmatrix.sync.aligned.m8n8.shared.b16 {%r4}, [%r0];", "one of .x1, .x2, .x4");
  says("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4}, [%r0];", "expected 2 registers, got 1");
  says("ldmatrix.sync.aligned.m8n8.x1.shared.b32 {%r4}, [%r0];", "this type of 'ldmatrix'");
  says("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%rd2}, [%r0];", "a register of 32 bits");
  says("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, %r0;", "expected an address in brackets");
  says("stmatrix.sync.aligned.m8n8.x1.global.b16 [%r0], {%r4};", "modifier '.global'");
}
