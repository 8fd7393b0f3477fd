//===- JitLogTest.cpp - The driver's log, located -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitLog.h"

#include "gtest/gtest.h"

using namespace fsm::cuda;

static const char *const kPtx = R"(.version 7.0
.target sm_80
.visible .entry k()
{
  .loc 1 12 7
  mov.u32 %r1, %r2;
  .loc 2 34 5
  frob.u32 %r1;
  ret;
}
.file 1 "softmax.mlir"
.file 2 "other.mlir"
)";

TEST(JitLog, locatesByLineInformation) {
  // As the driver 580 words them.
  EXPECT_EQ(locateJitLog("ptxas application ptx input, line 8; fatal   : Parsing error near 'frob'"
                         ": syntax error\nptxas fatal   : Ptx assembly aborted due to errors\n",
                         kPtx, "k"),
            "other.mlir:34:5: error: the driver's compiler refuses line 8 of the PTX of kernel @k: "
            "Parsing error near 'frob': syntax error\n"
            "ptxas fatal   : Ptx assembly aborted due to errors");
  EXPECT_EQ(locateJitLog("ptxas application ptx input, line 6; error   : Unknown symbol '%r2'",
                         kPtx, "k"),
            "softmax.mlir:12:7: error: the driver's compiler refuses line 6 of the PTX of kernel "
            "@k: Unknown symbol '%r2'");
}

TEST(JitLog, locatesInThePtxOtherwise) {
  EXPECT_EQ(
      locateJitLog("ptxas application ptx input, line 2; error   : No such target\n", kPtx, "k"),
      "@k.ptx:2: error: the driver's compiler refuses the PTX: No such target");
  EXPECT_EQ(locateJitLog("line 1; error : a", "", "k"),
            "@k.ptx:1: error: the driver's compiler refuses the PTX: a");
}

TEST(JitLog, readsTheSimulators) {
  EXPECT_EQ(locateJitLog("8:3: error: unknown instruction 'frob.u32'", kPtx, "k"),
            "other.mlir:34:5: error: the driver's compiler refuses line 8 of the PTX of kernel @k: "
            "unknown instruction 'frob.u32'");
}

TEST(JitLog, keepsTheRest) {
  EXPECT_EQ(locateJitLog("", kPtx, "k"), "");
  EXPECT_EQ(locateJitLog("\n  \n", kPtx, "k"), "");
  EXPECT_EQ(locateJitLog("line ", kPtx, "k"), "line");
}
