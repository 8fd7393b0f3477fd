//===- WgmmaCheckTest.cpp - Warp groups: wrong programs, right twins ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"

using namespace fsm::sim;

namespace {

/// A kernel around `body`. `tile` has 4096 bytes, 32 of each thread at [%tilet]; of them `left`
/// describes 64 rows of 32 bytes from 0 on and `right` 8 columns of 32 bytes from 2048 on, with the
/// swizzle of 32 bytes. %f0 to %f7 are 1, %h0 to %h3 are 0, %p1 is true, %p0 that of the thread 0.
std::string kernelOf(const std::string &body) {
  return ".version 8.6\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 x, .param .u64 y) {\n"
         ".reg .b64 %d<9>, %x, %y, %left, %right; .reg .b32 %r<9>, %tidx, %tile, %tilet;\n"
         ".reg .f32 %f<8>; .reg .b32 %h<4>; .reg .pred %p<9>;\n"
         ".shared .align 1024 .b8 tile[4096]; .shared .align 8 .b64 bar;\n"
         "ld.param.u64 %x, [x]; ld.param.u64 %y, [y]; mov.u32 %tidx, %tid.x;\n"
         "mov.u32 %tile, tile; shl.b32 %r1, %tidx, 5; add.u32 %tilet, %tile, %r1;\n"
         "setp.eq.u32 %p0, %tidx, 0; setp.eq.u32 %p1, 1, 1;\n"
         "mov.u64 %left, 0xc000001000000000; mov.u64 %right, 0xc000001000000080;\n"
         "mov.f32 %f0, 0f3f800000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n"
         "mov.f32 %f4, %f0; mov.f32 %f5, %f0; mov.f32 %f6, %f0; mov.f32 %f7, %f0;\n"
         "mov.b32 %h0, 0; mov.b32 %h1, 0; mov.b32 %h2, 0; mov.b32 %h3, 0;\n" +
         body + "\nret; }";
}

LaunchReport run(const std::string &body, uint32_t threads = 128, LaunchOptions options = {}) {
  SimulatedKernel kernel(kernelOf(body));
  kernel.buffer(std::vector<uint32_t>(1024, 7));
  kernel.uninitialized(4096);
  options.maxSteps = 1 << 20;
  return kernel.run("k", {}, {threads}, options);
}

/// `wrong` gets a report with the text on every schedule, `right` none.
void expectReport(const std::string &text, const std::string &wrong, const std::string &right,
                  uint32_t threads = 128) {
  for (const LaunchOptions &options : schedules(4)) {
    std::string found = run(wrong, threads, options).str();
    EXPECT_NE(found.find(text), found.npos) << wrong << "\n" << nameOf(options) << ": " << found;
    if (!right.empty())
      EXPECT_EQ(run(right, 128, options).str(), "") << right << "\n" << nameOf(options);
  }
}

void refuses(const std::string &body, const std::string &part) {
  auto module = Module::parse(kernelOf(body));
  const std::string found = module ? "" : module.error().message;
  EXPECT_NE(found.find(part), found.npos) << body << ": " << found;
}

const std::string kStore = "st.shared.v4.u32 [%tilet], {0, 0, 0, 0}; ",
                  kFill = kStore + "st.shared.v4.u32 [%tilet+16], {0, 0, 0, 0}; ",
                  kProxy = "fence.proxy.async.shared::cta; ", kBarrier = "bar.sync 0; ",
                  kReady = kFill + kProxy + kBarrier, kFence = "wgmma.fence.sync.aligned; ",
                  kName = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 ",
                  kSums = "{%f0, %f1, %f2, %f3}, ", kHeld = "{%h0, %h1, %h2, %h3}, ",
                  kProduct = kName + kSums + "%left, %right, %p1, 1, 1, 0, 0; ",
                  kHeldProduct = kName + kSums + kHeld + "%right, %p1, 1, 1, 0; ",
                  kCommit = "wgmma.commit_group.sync.aligned; ",
                  kWait = "wgmma.wait_group.sync.aligned 0; ", kIssue = kFence + kProduct + kCommit;

TEST(WgmmaCheck, sharedMemoryIsWrittenInFlight) {
  expectReport("asynchronous product: writes byte 0 of shared memory while the product of warp 0 at "
               "PTX line 15, which nobody has waited for, reads it",
               kReady + kIssue + kStore + kWait, kReady + kIssue + kWait + kBarrier + kStore);
  // A read is none.
  expectReport("nobody has waited for, reads it", kReady + kIssue + kStore + kWait,
               kReady + kIssue + "ld.shared.u32 %r2, [%tilet]; " + kWait);
  const std::string copy = "cp.async.ca.shared.global [%tilet], [%x], 16; ",
                    landed = "cp.async.wait_all; ";
  expectReport("nobody has waited for, reads it", kReady + kIssue + copy + kWait + landed,
               kReady + kIssue + kWait + kBarrier + copy + landed);
}

TEST(WgmmaCheck, sharedMemoryIsWrittenByABulkCopyInFlight) {
  const std::string make = "@%p0 mbarrier.init.shared.b64 [bar], 1; "
                           "fence.mbarrier_init.release.cluster; ",
                    load = "@!%p0 bra L; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64; "
                           "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
                           "[tile+2048], [%x], 64, [bar]; "
                           "L: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra L; ";
  expectReport("writes byte 2048 of shared memory while the product of warp ",
               make + kReady + kIssue + load + kWait,
               make + kReady + kIssue + kWait + kBarrier + load);
  // What a bulk copy brings needs no proxy fence.
  expectReport("missing proxy fence", kFill + kBarrier + kIssue + kWait,
               make + kReady + load + kIssue + kWait);
}

/// A wait is for the own warp.
TEST(WgmmaCheck, anotherWarpMayNotHaveWaited) {
  const std::string write = "@%p0 st.shared.u32 [tile+2048], 1; ";
  expectReport("byte 2048 of shared memory", kReady + kIssue + kWait + write,
               kReady + kIssue + kWait + kBarrier + write);
}

/// Without a seed warp 2 comes last, when all others have waited; yet it must know that.
TEST(WgmmaCheck, whatOthersHaveWaitedForMustBeKnown) {
  const std::string last = "setp.eq.u32 %p2, %tidx, 64; ",
                    write = "@%p2 st.shared.u32 [tile+2048], 1; ",
                    copy = "@%p2 cp.async.ca.shared.global [tile+2048], [%x], 16; "
                           "cp.async.wait_all; ",
                    waited = last + kReady + kIssue + kWait;
  const std::string race = " byte 2048 of shared memory, which warp 0 lane 0 read at PTX line 15 "
                           "with no barrier between";
  EXPECT_NE(run(waited + write).str().find("writes" + race), std::string::npos);
  EXPECT_NE(run(waited + copy).str().find("copies to" + race), std::string::npos);
  EXPECT_EQ(run(waited + kBarrier + write + copy).str(), "");
  // One lane of each warp may say so for it, but not for the others.
  auto told = [&](const char *count, const char *who) {
    return "@%p0 mbarrier.init.shared.b64 [bar], " + std::string(count) + "; " + waited + who +
           "@%p3 mbarrier.arrive.shared.b64 _, [bar]; "
           "L: mbarrier.try_wait.parity.shared.b64 %p4, [bar], 0; @!%p4 bra L; " +
           write + copy;
  };
  const char *ofEach = "and.b32 %r2, %tidx, 31; setp.eq.u32 %p3, %r2, 5; ",
             *ofOne = "setp.eq.u32 %p3, %tidx, 5; ";
  EXPECT_EQ(run(told("4", ofEach)).str(), "");
  const std::string found = run(told("1", ofOne)).str();
  EXPECT_NE(found.find("byte 2048 of shared memory, which warp "), found.npos) << found;
}

TEST(WgmmaCheck, registersInFlight) {
  const std::string read = "add.f32 %f4, %f2, %f2; ", write = "mov.f32 %f2, %f4; ";
  expectReport("asynchronous product: reads register '%f2' while the product of warp ",
               kReady + kIssue + read + kWait, kReady + kIssue + kWait + read);
  expectReport("at PTX line 15, which was not waited for, adds to it; kernel", kReady + kIssue + write + kWait,
               kReady + kIssue + kWait + write);
  expectReport("reads register '%f2'",
               kReady + kIssue + kIssue + "wgmma.wait_group.sync.aligned 1; " + read + kWait,
               kReady + kIssue + kIssue + "wgmma.wait_group.sync.aligned 1; " + kWait + read);
  const std::string held = kReady + kFence + kHeldProduct + kCommit;
  expectReport("at PTX line 15, which was not waited for, reads it; kernel",
               held + "mov.b32 %h1, 1; " + kWait, held + "mov.b32 %r2, %h1; " + kWait);
  expectReport("writes register '%f0' while the product of warp ",
               kReady + kFence + kName +
                   "{%f4, %f5, %f6, %f7}, {%f0, %f1, %f2, %f3}, %right, %p1, 1, 1, 0; " + kProduct +
                   kCommit + kWait,
               "");
}

/// Sums of another shape must have been waited for.
TEST(WgmmaCheck, sumsOfAnotherShape) {
  const std::string other = "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 " + kSums +
                            "%left, %right, %p1, 1, 1, 0, 0; ";
  const std::string wide = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 " + kSums +
                           "%left, %right, %p1, 1, 1, 0, 0; ";
  expectReport("writes register '%f0' while the product of warp ",
               kReady + kFence + kProduct + other + kCommit + kWait,
               kReady + kFence + kProduct + wide + kCommit + kWait);
}

TEST(WgmmaCheck, fences) {
  expectReport("asynchronous product: begins a group of products with no wgmma.fence behind what "
               "came before",
               kReady + kProduct + kCommit + kWait, kReady + kIssue + kIssue + kWait);
  expectReport("begins a group of products with no wgmma.fence",
               kReady + kIssue + kProduct + kCommit + kWait, "");
  expectReport("multiplies with register '%f1', which was written behind the last wgmma.fence",
               kReady + kFence + "mov.f32 %f1, %f4; " + kProduct + kCommit + kWait,
               kReady + "mov.f32 %f1, %f4; " + kIssue + kWait);
  expectReport("multiplies with register '%h3', which was written behind the last wgmma.fence",
               kReady + kFence + "mov.b32 %h3, 1; " + kHeldProduct + kCommit + kWait,
               kReady + kFence + "mov.b32 %r2, 1; " + kHeldProduct + kCommit + kWait);
}

TEST(WgmmaCheck, whatItReadsIsReady) {
  expectReport("missing proxy fence: multiplies byte ", kFill + kBarrier + kIssue + kWait,
               kReady + kIssue + kWait);
  // Behind the barrier as well.
  expectReport("with no fence.proxy.async between", kFill + kBarrier + kIssue + kWait,
               kFill + kBarrier + kProxy + kIssue + kWait);
  expectReport("shared memory race: multiplies byte ", kFill + kProxy + kIssue + kWait, "");
  expectReport("multiplies byte 2048 of shared memory, which was never written",
               "setp.lt.u32 %p2, %tidx, 64; @!%p2 bra L; " + kFill + "L: " + kProxy + kBarrier +
                   kIssue + kWait,
               "");
  const std::string copy = "cp.async.ca.shared.global [%tilet], [%x], 16; ",
                    landed = "cp.async.wait_all; ";
  expectReport("which nobody has waited for, writes it",
               kReady + copy + kBarrier + kIssue + kWait + landed,
               kReady + copy + landed + kProxy + kBarrier + kIssue + kWait);
  expectReport("missing proxy fence: multiplies byte ",
               kReady + copy + landed + kBarrier + kIssue + kWait,
               kReady + copy + landed + kProxy + kBarrier + kIssue + kWait);
}

TEST(WgmmaCheck, descriptors) {
  auto with = [](const std::string &descriptor) {
    return kReady + "mov.u64 %left, " + descriptor + "; " + kIssue + kWait;
  };
  expectReport("the descriptor of the left factor begins at byte 32 of shared memory with the base "
               "offset 0, which is not in the first row of a swizzle of 256 bytes",
               with("0xc000001000000002"), with("0xc000001000000010"));
  expectReport("begins at byte 128 of shared memory with the base offset 0",
               with("0xc000001000000008"), with("0xc002001000000008"));
  expectReport("begins at byte 16 of a row of 32 bytes, of which it takes 32",
               with("0xc000001000000001"), "");
  expectReport("of shared memory, which has 4104 bytes",
               with("0xc0000010000000f0"), "");
  expectReport("the descriptor of the left factor has bits outside of its fields: "
               "0xc000001000004000",
               with("0xc000001000004000"), "");
}

TEST(WgmmaCheck, fourWarpsMultiplyTogether) {
  const std::string right = kReady + kIssue + kWait;
  expectReport("four warps multiply together, and the block has no warp 3 to go with warp ", right,
               right, 96);
  expectReport("only 3 of the warps 0 to 3, which multiply together, come to this instruction",
               kReady + "setp.ge.u32 %p2, %tidx, 96; @%p2 bra L; " + kIssue + kWait + "L:",
               kReady + "setp.ge.u32 %p2, %tidx, 128; @%p2 bra L; " + kIssue + kWait + "L:");
  expectReport(" to a product for which warp ",
               kReady + "setp.lt.u32 %p2, %tidx, 96; selp.b64 %left, 0xc000001000000000, "
                        "0xc000001000000010, %p2; " +
                   kIssue + kWait,
               "");
  expectReport("to a product for which warp ",
               kReady + "setp.lt.u32 %p1, %tidx, 96; " + kIssue + kWait, "");
  expectReport("multiplies while warp ",
               kReady + kFence + "setp.lt.u32 %p2, %tidx, 96; @%p2 bra L; " + kProduct +
                   "bra M; L: " + kProduct + "M: " + kCommit + kWait,
               "");
  expectReport("gives the descriptor 0xc000001000000010, and lane 0 of its warp "
               "0xc000001000000000",
               kReady + "and.b32 %r2, %tidx, 31; setp.lt.u32 %p2, %r2, 8; selp.b64 %left, "
                        "0xc000001000000000, 0xc000001000000010, %p2; " +
                   kIssue + kWait,
               "");
  expectReport("divergent barrier: only the lanes 0xff multiply",
               kReady + "and.b32 %r2, %tidx, 31; setp.lt.u32 %p2, %r2, 8; " + kFence + "@%p2 " +
                   kProduct + kCommit + kWait,
               "");
}

TEST(WgmmaCheck, theEnd) {
  const std::string unwaited = "the kernel ends and the warp has not waited for this product";
  expectReport(unwaited, kReady + kIssue, kReady + kIssue + kWait);
  expectReport(unwaited, kReady + kFence + kProduct + kWait, "");
  expectReport(unwaited, kReady + kIssue + "wgmma.wait_group.sync.aligned 1;", "");
}

TEST(WgmmaCheck, isRefusedInOtherForms) {
  const std::string rest = kSums + "%left, %right, %p1, 1, 1, 0, 0;";
  refuses("wgmma.mma_async.aligned.m64n8k16.f32.f16.f16 " + rest, "the form without '.sync'");
  refuses("wgmma.sync.aligned 0;", "what to do: one of .fence, .commit_group, .wait_group, .mma");
  refuses("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16 " + rest, "without three types");
  refuses("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16 " + rest, "'.f32.f16.bf16'");
  refuses("wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 " + rest,
          "the shape '.m64n12k16' of '.f32.f16.f16'");
  refuses("wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 " + kSums + "%left, %right, %p1;",
          "the shape '.m64n40k32'");
  refuses("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " + rest,
          "expected 8 registers, got 4");
  refuses(kName + kSums + "%left, %right, %p1, 1, 1;", "expected 8 operands of 'wgmma', got 6");
  refuses(kName + kSums + "%left, %right, %p1, 2, 1, 0, 0;", "expected 1 or -1");
  refuses(kName + kSums + "%left, %right, %p1, 1, 1, -1, 0;", "expected 0 or 1");
  refuses(kName + kSums + "%left, %right, %r1, 1, 1, 0, 0;", "a predicate, 0 or 1 for the scale-d");
  refuses(kName + kSums + "%left, %r1, %p1, 1, 1, 0, 0;", "a descriptor in a register of 64 bits");
  refuses(kName + "%f0, %left, %right, %p1, 1, 1, 0, 0;", "expected registers in braces");
  refuses(kName + "{%f0, %f1, %f2, %d1}, %left, %right, %p1, 1, 1, 0, 0;",
          "expected a register of 32 bits");
  refuses("wgmma.wait_group.sync.aligned %r1;", "expected the number of groups");
}

} // namespace
