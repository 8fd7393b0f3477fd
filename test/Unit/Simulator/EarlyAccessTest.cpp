//===- EarlyAccessTest.cpp - Launches that overlap: wrong programs, right twins -===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"

using namespace fsm::sim;

namespace {

/// A kernel of 64 threads with y (16 bytes of each) at %yt, `cell` (16 bytes of each, at %cell) and
/// %tidx.
std::string kernelOf(const std::string &body) {
  return ".version 8.6\n.target sm_90a\n.address_size 64\n.const .align 4 .b32 table[2] = {3, "
         "4};\n.global .align 4 .b32 other[2] = {3, 4};\n.global .align 4 .b32 sum;\n"
         ".visible .entry k(.param .u64 y)\n{\n"
         ".reg .b64 %d<9>, %yt; .reg .b32 %r<9>, %tidx, %cell; .reg .pred %p<9>; .shared .align 16 "
         ".b8 cell[1024];\n"
         ".local .align 4 .b8 own[8];\n"
         "ld.param.u64 %yt, [y]; mov.u32 %tidx, %tid.x; mul.wide.u32 %d1, %tidx, 16; add.s64 %yt, "
         "%yt, %d1;\n"
         "mov.u32 %cell, cell; shl.b32 %r1, %tidx, 4; add.u32 %cell, %cell, %r1;\n" +
         body + "\nret; }";
}

std::string reportOf(const std::string &body, LaunchOptions options, bool overlaps) {
  options.overlaps = overlaps;
  SimulatedKernel kernel(kernelOf(body));
  kernel.buffer(std::vector<uint32_t>(4 * 64, 7));
  return kernel.run("k", {1}, {64}, options).str();
}

const std::string kWait = "griddepcontrol.wait; ";

/// Of each way to global memory: it is reported in front of the wait and without any, and not
/// behind it; nor where nothing overlaps.
TEST(EarlyAccess, eachWay) {
  for (const char *way :
       {"ld.global.u32 %r2, [%yt];", "ld.global.nc.v4.u32 {%r2, %r3, %r4, %r5}, [%yt];",
        "st.global.u32 [%yt], %tidx;", "st.u32 [%yt], %tidx;", "red.global.add.u32 [%yt], 1;",
        "atom.global.add.u32 %r2, [%yt], 1;",
        "cp.async.ca.shared.global [%cell], [%yt], 16; cp.async.wait_all;"})
    for (const LaunchOptions &options : schedules(3)) {
      EXPECT_NE(reportOf(way + kWait, options, true).find("early access: "), std::string::npos)
          << way;
      EXPECT_NE(reportOf(way, options, true).find("early access: "), std::string::npos) << way;
      EXPECT_EQ(reportOf(kWait + way, options, true), "") << way;
      EXPECT_EQ(reportOf(way, options, false), "") << way;
    }
}

/// What no other launch accesses needs no wait.
TEST(EarlyAccess, ownMemory) {
  const std::string own =
      "st.shared.u32 [%cell], %tidx; st.local.u32 [own], %tidx; ld.const.u32 %r2, [table]; "
      "ld.global.u32 %r3, [other]; ";
  EXPECT_EQ(reportOf(own + kWait + "st.global.u32 [%yt], %r2;", {}, true), "");
  for (const char *shared : {"ld.global.u32 %r3, [sum]; ", "red.global.add.u32 [other], 1; "})
    EXPECT_NE(reportOf(shared + kWait, {}, true).find("early access: "), std::string::npos)
        << shared;
}

/// Each thread waits for itself: others of its warp, or of the block, do not do it for them.
TEST(EarlyAccess, eachThread) {
  const std::string half = "setp.lt.u32 %p1, %tidx, 16; @%p1 griddepcontrol.wait; ";
  std::string found = reportOf(half + "st.global.u32 [%yt], %tidx;", {}, true);
  EXPECT_NE(found.find("early access: writes 4 bytes of argument 0 ('y', 1024 bytes) in front of "
                       "griddepcontrol.wait, while launches before "
                       "this one may run"),
            found.npos)
      << found;
  EXPECT_NE(found.find("lane 16"), found.npos) << found;
  EXPECT_NE(found.find("48 times"), found.npos) << found;
  EXPECT_EQ(reportOf(half + "@%p1 st.global.u32 [%yt], %tidx;", {}, true), "");
}

/// The wait is one of what can be left out.
TEST(EarlyAccess, leftOut) {
  SimulatedKernel kernel(kernelOf(kWait + "st.global.u32 [%yt], %tidx;"));
  kernel.buffer(std::vector<uint32_t>(4 * 64, 7));
  fsm::Result<std::vector<std::string>> all = kernel.module->omissions("k");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 1u);
  EXPECT_NE(all->front().find("griddepcontrol.wait"), std::string::npos) << all->front();
  LaunchOptions options;
  options.overlaps = true;
  options.leaveOut = 1;
  EXPECT_NE(kernel.run("k", {1}, {64}, options).str().find("early access: "), std::string::npos);
}

} // namespace
