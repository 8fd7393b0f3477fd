//===- OmissionTest.cpp - What can be left out of a kernel --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

using namespace fsm::sim;
using Kind = Report::Kind;

namespace {

/// A kernel of two pointers %x and %y to words; %r1 is the thread and %p1 says that it is none
/// of the first 40.
std::string kernelOf(const std::string &body) {
  return ".version 7.8\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %x<4>;\n.reg .b64 %y<4>;\n"
         "ld.param.u64 %x1, [p0];\nld.param.u64 %y1, [p1];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %x2, %r1, 4;\nadd.s64 %x1, %x1, %x2;\nadd.s64 %y1, %y1, %x2;\n"
         "setp.ge.u32 %p1, %r1, 40;\n" +
         body + "\nret;\n}\n";
}

std::vector<std::string> omissionsOf(const std::string &body) {
  fsm::Result<Module> module = Module::parse(kernelOf(body));
  EXPECT_TRUE(module) << module.error().message;
  return *module->omissions("k");
}

/// Runs 64 threads on 40 words each, of which the first are known.
LaunchReport runOn40(const std::string &body, const LaunchOptions &options) {
  SimulatedKernel kernel(kernelOf(body));
  kernel.buffer(std::vector<uint32_t>(40, 7));
  kernel.uninitialized(160);
  return kernel.run("k", {}, {64}, options);
}

/// All ways in which compilers lay out a condition of an access.
TEST(Omission, conditionsOfAccesses) {
  const char *skipped = "@%p1 bra END;\nst.global.u32 [%y1], %r1;\nEND:";
  const char *guarded = "@!%p1 st.global.u32 [%y1], %r1;";
  const char *elsewhere = "@!%p1 bra THEN;\nEND: ret;\nTHEN: st.global.u32 [%y1], %r1;\nbra END;";
  const char *before = "bra BEGIN;\nEND: ret;\nBEGIN: @%p1 bra END;\n"
                       "st.global.u32 [%y1], %r1;\nbra.uni END;";
  const char *twoSided = "@!%p1 bra THEN;\nmov.u32 %r2, 0;\nbra END;\n"
                         "THEN: ld.global.u32 %r2, [%x1];\nEND:";
  const char *severalBlocks = "setp.eq.u32 %p2, %r1, 3;\n@%p1 bra END;\nmov.u32 %r2, 1;\n"
                              "@%p2 bra STORE;\nmov.u32 %r2, 2;\n"
                              "STORE: st.global.u32 [%y1], %r2;\nEND:";
  const char *withLoop = "mov.u32 %r2, 0;\n@%p1 bra END;\n"
                         "MORE: st.global.u32 [%y1], %r2;\nadd.u32 %r2, %r2, 1;\n"
                         "setp.lt.u32 %p2, %r2, 3;\n@%p2 bra MORE;\nEND:";
  const char *twoEnds = "@%p1 bra END;\nst.global.u32 [%y1], %r1;\nret;\nEND:";
  for (const char *body :
       {skipped, guarded, elsewhere, before, twoSided, severalBlocks, withLoop, twoEnds}) {
    std::vector<std::string> omissions = omissionsOf(body);
    ASSERT_EQ(omissions.size(), 1u) << body;
    EXPECT_NE(omissions[0].find("', its condition"), std::string::npos) << omissions[0];
    LaunchOptions options;
    EXPECT_EQ(runOn40(body, options).str(), "") << body;
    options.leaveOut = 1;
    LaunchReport report = runOn40(body, options);
    ASSERT_EQ(report.reports.size(), 1u) << body;
    EXPECT_EQ(report.reports[0].kind, Kind::OutOfBounds) << body;
    EXPECT_EQ(report.reports[0].count, std::string(body) == withLoop ? 72u : 24u) << body;
  }
}

TEST(Omission, otherBranchesStay) {
  // How often a loop goes around, and which of two accesses is made.
  EXPECT_EQ(omissionsOf("mov.u32 %r2, 0;\nMORE: setp.ge.u32 %p2, %r2, 3;\n@%p2 bra END;\n"
                        "st.global.u32 [%x1], %r2;\nadd.u32 %r2, %r2, 1;\nbra MORE;\nEND:")
                .size(),
            0u);
  EXPECT_EQ(omissionsOf("@%p1 bra OTHER;\nst.global.u32 [%x1], %r1;\nbra END;\n"
                        "OTHER: st.global.u32 [%y1], %r1;\nEND:")
                .size(),
            0u);
  EXPECT_EQ(omissionsOf("mov.u32 %r2, 0;\n@%p1 bra END;\nmov.u32 %r2, 1;\nEND:").size(), 0u);
}

} // namespace
