//===- AsyncCheckTest.cpp - Asynchronous copies: wrong programs, right twins -===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"

using namespace fsm::sim;

namespace {

/// A kernel around `body`, on so many threads. It has x (4096 bytes with values) in
/// %x, y (4096 bytes without) in %y, both also by 16 bytes a thread in %xt and %yt,
/// `tile` (1024 bytes) in %tile and %tilet, %tid, %p0 (the thread is the first), and `bar`
/// and `bar2` for mbarriers.
LaunchReport run(const std::string &body, uint32_t threads = 64, LaunchOptions options = {}) {
  SimulatedKernel kernel(
      ".version 8.6\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .u64 x, .param .u64 y) {\n"
      ".reg .b64 %d<9>, %x, %y, %xt, %yt, %tile, %tilet; .reg .b32 %r<9>, %tidx;\n"
      ".reg .pred %p<9>; .shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 bar;\n"
      ".shared .align 8 .b64 bar2;\n"
      "ld.param.u64 %x, [x]; ld.param.u64 %y, [y]; mov.u32 %tidx, %tid.x;\n"
      "mul.wide.u32 %d1, %tidx, 16; add.s64 %xt, %x, %d1; add.s64 %yt, %y, %d1;\n"
      "mov.u64 %tile, tile; add.s64 %tilet, %tile, %d1; setp.eq.u32 %p0, %tidx, 0;\n" +
      body + "\nret; }");
  kernel.buffer(std::vector<uint32_t>(1024, 7));
  kernel.uninitialized(4096);
  options.maxSteps = 1 << 20;
  return kernel.run("k", {}, {threads}, options);
}

/// `wrong` gets a report with the text on every schedule, `right` none.
void expectReport(const std::string &text, const std::string &wrong, const std::string &right,
                  uint32_t threads = 64) {
  for (const LaunchOptions &options : schedules(6)) {
    std::string found = run(wrong, threads, options).str();
    EXPECT_NE(found.find(text), found.npos) << wrong << "\n" << nameOf(options) << ": " << found;
    if (!right.empty())
      EXPECT_EQ(run(right, threads, options).str(), "") << right << "\n" << nameOf(options);
  }
}

const std::string kWait = "L: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra L; ";
const std::string kMake = "@%p0 mbarrier.init.shared.b64 [bar], 1; ";
const std::string kInit = kMake + "fence.mbarrier_init.release.cluster; bar.sync 0; ";
const std::string kLoad = "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
                          "[tile], [%x], 64, [bar]; ";
const std::string kExpect = "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64; ";

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

const std::string kCopy = "cp.async.cg.shared.global [%tilet], [%xt], 16; ";

TEST(AsyncCheck, readsAndWritesInFlight) {
  const std::string read = "ld.shared.u32 %r1, [%tilet]; ", write = "st.shared.u32 [%tilet], 1; ",
                    wait = "cp.async.wait_all; ";
  expectReport("reads byte 0 of shared memory while the copy of warp 0 lane 0 at PTX line 11, "
               "which nobody has waited for, writes it",
               kCopy + read + wait, kCopy + wait + read, 1);
  expectReport("writes byte 0 of shared memory while the copy of warp 0 lane 0 at PTX line 11, "
               "which nobody has waited for, writes it",
               kCopy + write + wait, kCopy + wait + write, 1);
  // A second copy to the same place.
  expectReport("nobody has waited for, writes it", kCopy + kCopy + wait,
               kCopy + wait + kCopy + wait);
  // A barrier does not wait, and neither does a wait of another thread.
  expectReport("nobody has waited for, writes it", kCopy + "bar.sync 0; " + read + wait, "");
  expectReport("the kernel ends and the thread has not waited for this copy",
               kCopy + "cp.async.commit_group; cp.async.wait_group 1;",
               kCopy + "cp.async.commit_group; cp.async.wait_group 0;");
}

/// 9.7.9.25.3.3: a wait makes the bytes visible to the thread that waits alone.
TEST(AsyncCheck, aWaitIsForOneThread) {
  const std::string neighbour = "xor.b32 %r2, %tidx, 1; mul.wide.u32 %d2, %r2, 16; "
                                "add.s64 %d2, %tile, %d2; ld.shared.u32 %r1, [%d2]; ";
  for (const char *barrier : {"bar.sync 0; ", "bar.warp.sync -1; ", "barrier.cta.sync 3, 64; "})
    expectReport("shared memory race: reads byte 16 of shared memory, which warp 0 lane 1 wrote at "
                 "PTX line 11 with no barrier between",
                 kCopy + "cp.async.wait_all; " + neighbour,
                 kCopy + "cp.async.wait_all; " + barrier + neighbour);
}

TEST(AsyncCheck, copiesToWhatOthersStillRead) {
  const std::string reader = "mul.wide.u32 %d2, %tidx, 4; add.s64 %d2, %tile, %d2; "
                             "st.shared.u32 [%d2], 1; bar.sync 0; sub.u32 %r2, 63, %tidx; "
                             "mul.wide.u32 %d3, %r2, 4; add.s64 %d3, %tile, %d3; "
                             "ld.shared.u32 %r1, [%d3]; ",
                    copy = "cp.async.ca.shared.global [%d2], [%x], 4; cp.async.wait_all; ";
  expectReport("shared memory race: copies to byte ", reader + copy,
               reader + "bar.sync 0; " + copy);
}

TEST(AsyncCheck, whatIsTakenOfASource) {
  SimulatedKernel kernel(
      ".version 8.6\n.target sm_80\n.address_size 64\n.entry k(.param .u64 x, .param .u64 y) {\n"
      ".reg .b64 %d<4>; .reg .b32 %r<8>; .reg .pred %p; .shared .align 16 .b8 t[16];\n"
      "ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y]; mov.u32 %r1, 6;\n"
      "cp.async.ca.shared.global.L2::64B [t], [%d1], 8, %r1;\n"
      "setp.eq.u32 %p, %r1, 6; cp.async.ca.shared.global [t+8], [%d1+4096], 4, %p;\n"
      "cp.async.ca.shared.global.L2::256B [t+12], [%d1], 4, 0; cp.async.wait_all;\n"
      "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [t];\n"
      "st.global.v4.u32 [%d2], {%r1, %r2, %r3, %r4}; ret; }");
  kernel.buffer<uint32_t>({0x44332211, 0x88776655});
  uint64_t y = kernel.uninitialized(16);
  EXPECT_EQ(kernel.run("k", {}, {1}).str(), "");
  EXPECT_EQ(kernel.read<uint32_t>(y, 4), (std::vector<uint32_t>{0x44332211, 0x6655, 0, 0}));
  expectReport("takes 20 bytes of a source for a copy of 16",
               "cp.async.cg.shared.global [%tilet], [%xt], 16, 20; cp.async.wait_all;",
               "cp.async.cg.shared.global [%tilet], [%xt], 16, 16; cp.async.wait_all;");
}

TEST(AsyncCheck, boundsAndAlignmentOfCopies) {
  const std::string wait = " cp.async.wait_all;";
  expectReport("reads 16 bytes, 16 bytes past the end of argument 0",
               "cp.async.cg.shared.global [%tilet], [%xt+4096], 16;" + wait, kCopy + wait, 1);
  expectReport("writes 16 bytes, 16 bytes past the end of shared memory",
               "cp.async.cg.shared.global [%tilet+1040], [%xt], 16;" + wait, "", 1);
  expectReport("misaligned: reads 16 bytes at an address that is no multiple of 16",
               "cp.async.cg.shared.global [%tilet], [%xt+8], 16;" + wait, "", 1);
  expectReport("misaligned: writes 8 bytes at an address that is no multiple of 8",
               "cp.async.ca.shared.global [%tilet+4], [%xt], 8;" + wait,
               "cp.async.ca.shared.global [%tilet+8], [%xt], 8;" + wait, 1);
  expectReport("of argument 1 ('y', 4096 bytes), which was never written",
               "cp.async.cg.shared.global [%tilet], [%yt], 16;" + wait, "", 1);
}

/// Two groups that take turns leave an arrival each, and no more.
TEST(AsyncCheck, arrivalsThatNobodyWaitsFor) {
  const std::string arrival = "barrier.cta.arrive 3, 256; ",
                    turn = "setp.gt.u32 %p2, %tidx, 99; @%p2 barrier.cta.sync 3, 256; ";
  expectReport("the kernel ends with 128 of 256 threads come to barrier 3 and none that waits for "
               "them",
               turn + arrival + arrival, turn + arrival);
}

TEST(AsyncCheck, aSourceThatChanges) {
  const std::string change = "st.global.u32 [%xt+4], 9; ", wait = "cp.async.wait_all; ";
  // Of what the block itself has written it must know.
  const std::string other = "xor.b32 %r2, %tidx, 1; mul.wide.u32 %d2, %r2, 16; "
                            "add.s64 %d2, %x, %d2; st.global.u32 [%d2], 9; ";
  expectReport(
      "asynchronous copy: copies global memory that warp 0 lane 1 wrote at PTX line 11 with "
      "no barrier between",
      other + kCopy + wait, other + "bar.warp.sync -1; " + kCopy + wait);
  // Also where the bytes stay what they were.
  expectReport("what this copy reads was written by warp 0 lane 0 at PTX line 11 while it was in "
               "flight",
               kCopy + "st.global.u32 [%xt+4], 7; " + wait, kCopy + wait + change);
  expectReport("what this copy reads was written by warp 0 lane 0 at PTX line 11 while it was in "
               "flight",
               kCopy + change + wait, kCopy + wait + change);
}

/// Block 1 changes what block 0 copies once the copy is under way, and block 0 waits for that
/// before it waits for its copy.
TEST(AsyncCheck, aSourceThatAnotherBlockChanges) {
  SimulatedKernel kernel(
      ".version 8.6\n.target sm_80\n.address_size 64\n.entry k(.param .u64 x) {\n"
      ".reg .b64 %d<2>; .reg .b32 %r<3>; .reg .pred %p<2>; .shared .align 4 .b8 t[4];\n"
      "ld.param.u64 %d1, [x]; mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; @%p1 bra W;\n"
      "cp.async.ca.shared.global [t], [%d1+4], 4; st.volatile.global.u32 [%d1+8], 1;\n"
      "L: ld.volatile.global.u32 %r2, [%d1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;\n"
      "cp.async.wait_all; ret;\n"
      "W: ld.volatile.global.u32 %r2, [%d1+8]; setp.eq.u32 %p1, %r2, 0; @%p1 bra W;\n"
      "st.global.u32 [%d1+4], 8; st.volatile.global.u32 [%d1], 1; ret; }");
  kernel.buffer(std::vector<uint32_t>{0, 7, 0});
  LaunchOptions options;
  options.threads = 2;
  std::string found = kernel.run("k", {2}, {1}, options).str();
  EXPECT_NE(found.find("asynchronous copy: byte 0 of what this copy reads was changed while it was "
                       "in flight"),
            found.npos)
      << found;
}

//===----------------------------------------------------------------------===//
// Mbarriers
//===----------------------------------------------------------------------===//

TEST(AsyncCheck, mbarriersAreMadeOnce) {
  const std::string init = "mbarrier.init.shared.b64 [bar], 1; ";
  expectReport("there is no mbarrier at byte 1024 of shared memory: mbarrier.init makes one",
               "mbarrier.arrive.shared.b64 %d2, [bar];",
               init + "mbarrier.arrive.shared.b64 %d2, [bar];", 1);
  expectReport("makes an mbarrier at byte 1024 while the mbarrier at byte 1024 of shared memory is "
               "in use; mbarrier.inval comes first",
               init + init, init + "mbarrier.inval.shared.b64 [bar]; " + init, 1);
  expectReport("a count is at least 1 and at most 1048575", "mbarrier.init.shared.b64 [bar], 0;",
               "mbarrier.init.shared.b64 [bar], 1048575;", 1);
  expectReport("the address of an mbarrier is not in shared memory", "mbarrier.init.b64 [%x], 1;",
               "cvta.shared.u64 %d2, %tile; mbarrier.init.b64 [%d2], 1;", 1);
  expectReport("misaligned", "mbarrier.init.shared.b64 [tile+4], 1;",
               "mbarrier.init.shared.b64 [tile+8], 1;", 1);
}

TEST(AsyncCheck, mbarriersAreForMbarrierInstructions) {
  const std::string init = "mbarrier.init.shared.b64 [bar], 1; ";
  expectReport(
      "writes byte 1024 of shared memory, where the mbarrier at byte 1024 lies, which only "
      "mbarrier instructions may",
      init + "st.shared.u64 [bar], 1;",
      init + "mbarrier.inval.shared.b64 [bar]; st.shared.u64 [bar], 1;", 1);
  expectReport("which only mbarrier instructions may", init + "ld.shared.u32 %r1, [bar+4];", "", 1);
}

/// Warp 0 runs first; warp 1 has no way to know.
TEST(AsyncCheck, othersKnowOfAnMbarrier) {
  const std::string make = "@%p0 mbarrier.init.shared.b64 [bar], 64; ",
                    use = "mbarrier.arrive.shared.b64 _, [bar];";
  std::string found = run(make + "bar.warp.sync -1; " + use).str();
  EXPECT_NE(found.find("shared memory race: uses the mbarrier at byte 1024 of shared memory, which "
                       "warp 0 lane 0 made at PTX line 11 with no barrier between"),
            found.npos)
      << found;
  expectReport("mbarrier", make + use, make + "bar.sync 0; " + use);
}

TEST(AsyncCheck, arrivals) {
  const std::string init = "mbarrier.init.shared.b64 [bar], 2; ";
  expectReport("brings 3 arrivals to phase 0 of the mbarrier at byte 1024 of shared memory: 2 of 2 "
               "arrivals and 0 bytes are missing; an arrival too many",
               init + "mbarrier.arrive.shared.b64 _, [bar], 3;",
               init + "mbarrier.arrive.shared.b64 _, [bar], 2;", 1);
  expectReport("completes a phase although it says '.noComplete'",
               init + "mbarrier.arrive.noComplete.shared.b64 %d2, [bar], 2;",
               init + "mbarrier.arrive.noComplete.shared.b64 %d2, [bar], 1;", 1);
  expectReport("a tx-count lies between -1048575 and 1048575",
               init + "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 1048576;"
                      "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 1048576;",
               init + "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 1048575;"
                      "mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 1048575;",
               1);
  expectReport(
      "adds an arrival to 1048575 that are missing already",
      "mbarrier.init.shared.b64 [bar], 1048575; cp.async.mbarrier.arrive.shared.b64 [bar];", "", 1);
}

TEST(AsyncCheck, statesOfOtherPhases) {
  const std::string init = "mbarrier.init.shared.b64 [bar], 1; ",
                    arrive = "mbarrier.arrive.shared.b64 %d2, [bar]; ",
                    other = "mbarrier.arrive.shared.b64 _, [bar]; ",
                    test = "mbarrier.test_wait.shared.b64 %p1, [bar], %d2;";
  expectReport(
      "waits with a state of phase 0, but the mbarrier at byte 1024 of shared memory is in "
      "phase 2",
      init + arrive + other + test, init + arrive + test, 1);
}

/// pending_count of a state, a drop that later phases keep to, and a relaxed arrival
/// that orders nothing.
TEST(AsyncCheck, countsOfMbarriers) {
  const std::string drop =
      "mbarrier.init.shared.b64 [bar], 3; mbarrier.arrive.shared.b64 _, [bar]; "
      "mbarrier.arrive_drop.shared.b64 %d2, [bar]; mbarrier.pending_count.b64 %r1, %d2; "
      "setp.ne.u32 %p1, %r1, 2; @%p1 trap; mbarrier.arrive.shared.b64 _, [bar]; "
      "mbarrier.arrive.shared.b64 _, [bar], 2; "
      "M: mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1; @!%p1 bra M;";
  EXPECT_EQ(run(drop, 1).str(), "");
  const std::string init = "@%p0 mbarrier.init.shared.b64 [bar], 64; bar.sync 0; "
                           "st.shared.u32 [%tilet], 1; ",
                    read = kWait + "xor.b32 %r2, %tidx, 63; mul.wide.u32 %d2, %r2, 16; "
                                   "add.s64 %d2, %tile, %d2; ld.shared.u32 %r1, [%d2];";
  expectReport("shared memory race",
               init + "mbarrier.arrive.relaxed.cta.shared.b64 _, [bar]; " + read,
               init + "mbarrier.arrive.release.cta.shared.b64 _, [bar]; " + read);
}

TEST(AsyncCheck, whoWaitsForWhat) {
  expectReport("deadlock: waits for an mbarrier, and no thread can run; phase 0 of the mbarrier at "
               "byte 1024 of shared memory: 1 of 1 arrivals and 0 bytes are missing",
               kInit + kWait, kInit + "@%p0 mbarrier.arrive.shared.b64 _, [bar]; " + kWait);
  // One warp at a barrier of the block, the other at an mbarrier: both are named.
  std::string found =
      run(kInit + "setp.lt.u32 %p2, %tidx, 32; @%p2 bra W; bar.sync 0; bra E; W: " + kWait +
          "bar.sync 0; E:")
          .str();
  for (const char *part : {"barrier 0 waits for all threads of the block, 32 came",
                           "waits for an mbarrier, and no thread can run; phase 0"})
    EXPECT_NE(found.find(part), found.npos) << found;
}

/// What a thread learns at an mbarrier it hands on at barriers, and what it learnt there it
/// hands to those that wait for its arrival.
TEST(AsyncCheck, oneThreadForItsWarp) {
  // y[t] of the other warp: lane 0 of each arrives and waits for all.
  const std::string
      store = "@%p0 mbarrier.init.shared.b64 [bar], 2; bar.sync 0; and.b32 %r3, %tidx, 31; "
              "setp.eq.u32 %p2, %r3, 0; st.shared.u32 [%tilet], 1; ",
      sync = "bar.warp.sync -1; ",
      arrive = "@%p2 mbarrier.arrive.shared.b64 _, [bar]; @!%p2 bra N; ", wait = kWait + "N: ",
      read = "xor.b32 %r2, %tidx, 63; mul.wide.u32 %d2, %r2, 16; "
             "add.s64 %d2, %tile, %d2; ld.shared.u32 %r1, [%d2];";
  expectReport("", "trap;", store + sync + arrive + wait + sync + read);
  expectReport("", "trap;", store + sync + arrive + wait + "bar.sync 0; " + read);
  expectReport("shared memory race", store + arrive + wait + sync + read, "");
  expectReport("of shared memory", store + sync + arrive + wait + read, "");
}

/// Three warps read a slot, two of them say so.
TEST(AsyncCheck, oneReaderOfManyIsForgotten) {
  const std::string read = "@%p0 mbarrier.init.shared.b64 [bar], 64; @%p0 st.shared.u32 [tile], 5; "
                           "bar.sync 0; setp.ge.u32 %p3, %tidx, 32; ld.shared.u32 %r1, [tile]; "
                           "setp.ge.u32 %p4, %tidx, 96; @%p3 bra A; bra W; A: @%p4 bra F; "
                           "mbarrier.arrive.shared.b64 _, [bar]; bra E; ",
                    write = "W: bar.warp.sync -1; @!%p0 bra E; " + kWait +
                            "st.shared.u32 [tile], 6; E:";
  expectReport("shared memory race: writes byte 0 of shared memory, which warp 3 lane 0 read",
               read + "F: bra E; " + write, "", 128);
  expectReport("", "trap;", read + "F: bra E; " + write, 96);
}

/// A program that asks once and goes on whatever the answer is must not get away with it.
TEST(AsyncCheck, aWaitThatIsNotRepeated) {
  const std::string issue = kInit + "@!%p0 bra I; " + kExpect + kLoad + "I: ";
  expectReport("of shared memory",
               issue +
                   "mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; ld.shared.u32 %r1, [tile];",
               issue + kWait + "ld.shared.u32 %r1, [tile];");
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

TEST(AsyncCheck, sizesAndPlacesOfBulkCopies) {
  auto load = [](const std::string &to, const std::string &from, const std::string &bytes) {
    return kInit + "@!%p0 bra I; mbarrier.arrive.expect_tx.shared.b64 _, [bar], " + bytes +
           "; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" + to + "], [" +
           from + "], " + bytes + ", [bar]; I: " + kWait;
  };
  expectReport("misaligned: copies 40 bytes; a bulk copy is of 16 bytes at least and of a multiple "
               "of them",
               load("tile", "%x", "40"), load("tile", "%x", "48"));
  expectReport("misaligned: copies 0 bytes; a bulk copy is of 16 bytes at least",
               load("tile", "%x", "0"), load("tile", "%x", "16"));
  expectReport("misaligned: reads 64 bytes at an address that is no multiple of 16",
               load("tile", "%x+4", "64"), load("tile+16", "%x+16", "64"));
  expectReport("misaligned: writes 64 bytes at an address that is no multiple of 16",
               load("tile+8", "%x", "64"), "");
  expectReport("reads 1024 bytes, 16 bytes past the end of argument 0",
               load("tile", "%x+3088", "1024"), load("tile", "%x+3072", "1024"));
  expectReport("reads byte 0 of argument 1 ('y', 4096 bytes), which was never written",
               load("tile", "%y", "64"), "");
}

TEST(AsyncCheck, phasesThatNobodySees) {
  const std::string issue = kInit + "@!%p0 bra I; " + kExpect + kLoad + "I: ";
  expectReport("no thread waits for phase 0 of the mbarrier at byte 1024 of shared memory, which "
               "tracks this copy",
               issue, issue + kWait);
  expectReport(
      "the kernel ends and the bytes that copies bring are not those that were expected: "
      "phase 0 of the mbarrier at byte 1024 of shared memory: 0 of 1 arrivals and 16 bytes "
      "are missing",
      kInit + "@!%p0 bra I; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 80; " + kLoad + "I:",
      "");
  expectReport("ends the mbarrier at byte 1024 of shared memory while copies are under way: ",
               kInit + "@!%p0 bra I; " + kExpect + "mbarrier.inval.shared.b64 [bar]; I:", "");
}

/// In flight, the mbarrier that tracks a copy stays.
TEST(AsyncCheck, mbarriersThatAreGone) {
  LaunchOptions late;
  late.landing = LaunchOptions::Landing::Last;
  std::string found =
      run(kInit + "@!%p0 bra I; " + kLoad + "mbarrier.inval.shared.b64 [bar]; I:", 64, late).str();
  EXPECT_NE(
      found.find("the mbarrier at byte 1024 of shared memory, which tracks this copy, is gone "
                 "when it completes"),
      found.npos)
      << found;
}

/// A store of all threads to the tile, and the bulk copy of it to y by the first.
const std::string kStore = "st.shared.u32 [%tilet], 1; st.shared.u32 [%tilet+4], 1; "
                           "st.shared.u32 [%tilet+8], 1; st.shared.u32 [%tilet+12], 1; ",
                  kFence = "fence.proxy.async.shared::cta; ", kBarrier = "bar.sync 0; ",
                  kOut = "@!%p0 bra O; cp.async.bulk.global.shared::cta.bulk_group [%y], [tile], "
                         "1024; cp.async.bulk.commit_group; ",
                  kRead = "cp.async.bulk.wait_group.read 0; O: ",
                  kDone = "cp.async.bulk.wait_group 0; O: ";

/// PTX ISA 9.7.9.25.2: the fence may stand on either side of the barrier.
TEST(AsyncCheck, proxyFencesBeforeABulkStore) {
  expectReport(
      "missing proxy fence: copies byte 0 of shared memory, which warp 0 lane 0 wrote at PTX "
      "line 11 with no fence.proxy.async between",
      kStore + kBarrier + kOut + kRead, kStore + kFence + kBarrier + kOut + kRead);
  expectReport("missing proxy fence",
               kStore +
                   "membar.cta; fence.acq_rel.cta; fence.sc.gpu; "
                   "fence.proxy.async.global; " +
                   kBarrier + kOut + kRead,
               kStore + kBarrier + "fence.proxy.async; " + kOut + kRead);
  // Of one thread the fence is too early for what it learns at the barrier.
  expectReport("missing proxy fence", kStore + "@%p0 " + kFence + kBarrier + kOut + kRead, "");
  expectReport("shared memory race: copies byte ", kStore + kFence + kOut + kRead, "");
  expectReport("copies byte 16 of shared memory, which was never written",
               "@%p0 bra S; bra T; S: " + kStore + kFence + "T: " + kBarrier + kOut + kRead, "");
}

TEST(AsyncCheck, sourcesOfBulkStores) {
  const std::string stored = kStore + kFence + kBarrier + kOut,
                    change = "@%p0 st.shared.u32 [tile+8], 2; ";
  expectReport(
      "writes byte 8 of shared memory while the copy of warp 0 lane 0 at PTX line 11, which "
      "nobody has waited for, reads it",
      stored + "O: " + change + "@%p0 cp.async.bulk.wait_group.read 0; ", stored + kRead + change);
  // The others learn of it at a barrier.
  const std::string all = "st.shared.u32 [%tilet], 3; ";
  expectReport("shared memory race", stored + kRead + "bar.warp.sync -1; " + all,
               stored + kRead + kBarrier + all);
}

TEST(AsyncCheck, targetsOfBulkStores) {
  const std::string stored = kStore + kFence + kBarrier + kOut,
                    load = "@%p0 ld.global.u32 %r1, [%y]; ",
                    store = "@%p0 st.global.u32 [%y+1020], 3; ";
  expectReport(
      "reads global memory that the copy of warp 0 lane 0 at PTX line 11 writes, and whose "
      "thread has not waited for that",
      stored + kRead + load, stored + kDone + load);
  expectReport("writes global memory that ", stored + kRead + store, stored + kDone + store);
  const std::string again = "@!%p0 bra P; cp.async.bulk.global.shared::cta.bulk_group [%y+16], "
                            "[tile], 32; cp.async.bulk.commit_group; "
                            "cp.async.bulk.wait_group 0; P: ";
  expectReport("writes global memory that ", stored + kRead + again, stored + kDone + again);
}

/// A slot that was written through the generic proxy is filled again through the other.
TEST(AsyncCheck, proxyFencesBeforeABulkLoad) {
  const std::string before = kInit + "st.shared.u32 [%tilet], 1; " + kBarrier,
                    issue = "@!%p0 bra I; " + kExpect + kLoad + "I: " + kWait;
  expectReport(
      "missing proxy fence: copies to byte 0 of shared memory, which warp 0 lane 0 wrote at "
      "PTX line 11 with no fence.proxy.async between",
      before + issue, before + kFence + kBarrier + issue);
  expectReport("shared memory race: copies to byte ",
               kInit + "st.shared.u32 [%tilet], 1; " + kFence + issue, "");
  // An exchange writes, also where what it returns is all that is wanted.
  expectReport("missing proxy fence: copies to byte ",
               before + kFence + kBarrier + "atom.shared.exch.b32 %r1, [%tilet], 1; " + kBarrier +
                   issue,
               "");
}

/// A slot that was only read since a fence needs no other (docs/decisions/0034), but the order.
TEST(AsyncCheck, readsBeforeABulkLoad) {
  const std::string read = "ld.shared.u32 %r1, [%tilet]; ",
                    write = kInit + "st.shared.u32 [%tilet], 1; ",
                    before = write + kFence + kBarrier + read,
                    arrive = "mbarrier.arrive.shared.b64 "
                             "_, [bar2]; ",
                    issue = "@!%p0 bra I; " + kExpect + kLoad + "I: " + kWait;
  expectReport(
      "shared memory race: copies to byte 16 of shared memory, which warp 0 lane 1 read at "
      "PTX line 11 with no barrier between",
      before + issue, before + kBarrier + issue);
  // A read hides no write before it, nor does the read's order fence the write.
  expectReport(
      "missing proxy fence: copies to byte 0 of shared memory, which warp 0 lane 0 wrote at "
      "PTX line 11 with no fence.proxy.async between",
      write + kBarrier + read + kBarrier + issue, "");
  // Through an mbarrier that counts all threads.
  const std::string empty = "@%p0 mbarrier.init.shared.b64 [bar2], 64; ",
                    wait = "E: mbarrier.try_wait.parity.shared.b64 %p2, [bar2], 0; @!%p2 bra E; ";
  expectReport("shared memory race: copies to byte ", empty + before + arrive + issue,
               empty + before + arrive + wait + issue);
}

/// The asynchronous proxy looks for an mbarrier that the generic one has made.
TEST(AsyncCheck, proxyFencesOfMbarriers) {
  const std::string issue = kBarrier + "@!%p0 bra I; " + kExpect + kLoad + "I: " + kWait;
  expectReport(
      "missing proxy fence: is tracked by the mbarrier at byte 1024 of shared memory, which "
      "warp 0 lane 0 made at PTX line 11 with no fence.proxy.async or fence.mbarrier_init "
      "between",
      kMake + issue, kMake + kFence + issue);
  expectReport("missing proxy fence: is tracked by", kMake + "fence.proxy.async.global; " + issue,
               kMake + "fence.mbarrier_init.release.cluster; " + issue);
  // By the thread that issues the copy, once it knows of the mbarrier.
  const std::string other = kMake + "setp.eq.u32 %p0, %tidx, 40; ", fence = "@%p0 " + kFence;
  expectReport("missing proxy fence: is tracked by", other + fence + issue,
               other + kBarrier + fence + issue);
  // fence.mbarrier_init is of mbarriers alone.
  expectReport("missing proxy fence: copies to byte 0 of shared memory",
               kMake + "st.shared.u32 [%tilet], 1; fence.mbarrier_init.release.cluster; " + issue,
               "");
}

/// What the block writes to global memory and a bulk copy reads.
TEST(AsyncCheck, proxyFencesOfGlobalMemory) {
  const std::string before = kInit + "st.global.u32 [%xt], 9; ",
                    issue = "@!%p0 bra I; " + kExpect + kLoad + "I: " + kWait;
  expectReport("missing proxy fence: copies global memory that warp 0 lane 0 wrote at PTX line 11 "
               "with no fence.proxy.async between",
               before + kFence + kBarrier + issue,
               before + "fence.proxy.async.global; " + kBarrier + issue);
  expectReport(
      "asynchronous copy: copies global memory that warp 0 lane 1 wrote at PTX line 11 with "
      "no barrier between",
      before + "fence.proxy.async; " + issue, before + kBarrier + "fence.proxy.async; " + issue);
}

//===----------------------------------------------------------------------===//
// Named barriers
//===----------------------------------------------------------------------===//

TEST(AsyncCheck, namedBarriers) {
  expectReport("barrier misuse: there is no barrier 16: they are numbered from 0 to 15",
               "bar.sync 16;", "bar.sync 15;");
  expectReport("barrier misuse: barrier 1 is to wait for 48 threads; expected a multiple of 32",
               "bar.sync 1, 48;", "bar.sync 1, 64;");
  expectReport("threads here (0: the whole block), for ",
               "setp.lt.u32 %p1, %tidx, 32; @%p1 bra A; bar.sync 1; bra B; A: bar.sync 1, 64; B:",
               "bar.sync 1, 64; bar.sync 1;");
  expectReport(
      "barrier misuse: the kernel ends with 32 of 64 threads come to barrier 2 and none that "
      "waits for them",
      "setp.lt.u32 %p1, %tidx, 32; @%p1 bar.arrive 2, 64;", "bar.arrive 2, 64;");
}

} // namespace
