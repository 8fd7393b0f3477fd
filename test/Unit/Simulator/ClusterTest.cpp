//===- ClusterTest.cpp - Clusters of blocks: wrong programs, right twins -----===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Copies to several blocks of a cluster are in Driver/TensorMapTest.cpp.

#include "Schedules.h"

using namespace fsm::sim;

namespace {

/// A kernel of clusters of two blocks. It has y (16 bytes of each thread of the grid) at %yt, the own
/// rank in %rank, that of the other block in %other, `cell` (4 bytes of each thread, at [%cell] and,
/// of the other block, at [%far]), `bar`, there at [%farbar], and %p0: this is the block's thread 0.
std::string kernelOf(const std::string &body) {
  return ".version 8.6\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 y)\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{\n"
         ".reg .b64 %d<9>, %yt; .reg .b32 %r<9>, %tidx, %rank, %other, %cell, %far, %farbar;\n"
         ".reg .pred %p<9>; .shared .align 16 .b8 cell[256]; .shared .align 8 .b64 bar;\n"
         "ld.param.u64 %yt, [y]; mov.u32 %tidx, %tid.x; mov.u32 %r1, %ctaid.x;\n"
         "mad.lo.u32 %r1, %r1, 64, %tidx; mul.wide.u32 %d1, %r1, 16; add.s64 %yt, %yt, %d1;\n"
         "mov.u32 %rank, %cluster_ctarank; xor.b32 %other, %rank, 1; mov.u32 %cell, cell;\n"
         "shl.b32 %r1, %tidx, 2; add.u32 %cell, %cell, %r1;\n"
         "mapa.shared::cluster.u32 %far, %cell, %other; mov.u32 %r1, bar;\n"
         "mapa.shared::cluster.u32 %farbar, %r1, %other; setp.eq.u32 %p0, %tidx, 0;\n" +
         body + "\nret; }";
}

const std::string kArrive = "barrier.cluster.arrive.release.aligned; ",
                  kWait = "barrier.cluster.wait.acquire.aligned; ", kMeet = kArrive + kWait,
                  kGive = "add.u32 %r2, %rank, 5; st.shared::cluster.u32 [%far], %r2; ",
                  kShow = "ld.shared.u32 %r3, [%cell]; st.global.u32 [%yt], %r3; ";

LaunchReport run(const std::string &body, const LaunchOptions &options,
                 std::vector<uint32_t> *words = nullptr) {
  SimulatedKernel kernel(kernelOf(body));
  uint64_t y = kernel.uninitialized(4 * 64 * 16);
  LaunchReport report = kernel.run("k", {4}, {64}, options);
  if (words)
    *words = kernel.read<uint32_t>(y, 4 * 64 * 4);
  return report;
}

void expectReport(const std::string &text, const std::string &wrong, const std::string &right) {
  for (const LaunchOptions &options : schedules(6)) {
    std::string found = run(wrong, options).str();
    EXPECT_NE(found.find(text), found.npos) << wrong << "\n" << nameOf(options) << ": " << found;
    if (!right.empty())
      EXPECT_EQ(run(right, options).str(), "") << right << "\n" << nameOf(options);
  }
}

TEST(Cluster, whoIsWho) {
  std::vector<uint32_t> words;
  EXPECT_EQ(run("mov.u32 %r1, %clusterid.x; mov.u32 %r2, %nclusterid.x; mov.u32 %r3, "
                "%cluster_nctarank; mov.u32 %r5, %ctaid.x; shl.b32 %r5, %r5, 8; or.b32 %r3, %r3, "
                "%r5; mov.u32 %r6, %warpid; shl.b32 %r6, %r6, 16; or.b32 %r3, %r3, %r6; "
                "st.global.v4.u32 [%yt], {%rank, %r1, %r2, %r3};",
                {}, &words)
                .str(),
            "");
  for (uint32_t block = 0; block < 4; ++block)
    for (uint32_t thread : {0u, 63u}) {
      const uint32_t *found = &words[(block * 64 + thread) * 4];
      EXPECT_EQ(std::vector<uint32_t>(found, found + 4),
                (std::vector<uint32_t>{block % 2, block / 2, 2,
                                       2 | block << 8 | (thread / 32) << 16}));
    }
}

TEST(Cluster, sharedMemoryOfTheOther) {
  for (const LaunchOptions &options : schedules(8)) {
    std::vector<uint32_t> words;
    EXPECT_EQ(run(kGive + kMeet + kShow, options, &words).str(), "");
    for (uint32_t thread = 0; thread < 4 * 64; ++thread)
      EXPECT_EQ(words[4 * thread], 5 + (thread / 64 + 1) % 2);
  }
  const std::string relaxed = "barrier.cluster.arrive.relaxed.aligned; " + kWait;
  expectReport("shared memory race", kGive + relaxed + kShow, kGive + kMeet + kShow);
  expectReport("shared memory race", kGive + kArrive + kShow + kWait, "");
  // A barrier of the block is none of the cluster.
  expectReport("shared memory", kGive + "bar.sync 0; " + kShow + kMeet, "");
  // Ranks of addresses, generic ones as well.
  const std::string ranks = "getctarank.shared::cluster.u32 %r2, %far; setp.ne.u32 %p2, %r2, %other; "
                            "@%p2 trap; getctarank.shared::cluster.u32 %r2, %cell; "
                            "setp.ne.u32 %p2, %r2, %rank; @%p2 trap; ",
                    generic = "cvt.u64.u32 %d2, %cell; cvta.shared.u64 %d2, %d2; "
                              "mapa.u64 %d2, %d2, %other; st.u32 [%d2], 7; ";
  EXPECT_EQ(run(ranks + generic + kMeet + kShow, {}).str(), "");
}

TEST(Cluster, mbarriersOfTheOther) {
  const std::string make = "@%p0 mbarrier.init.shared.b64 [bar], 64; "
                           "fence.mbarrier_init.release.cluster; ",
                    tell = "mbarrier.arrive.shared::cluster.b64 _, [%farbar]; ",
                    wait = "L: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra L; ";
  expectReport("shared memory race", make + kMeet + tell + kGive + wait + kShow + kMeet,
               make + kMeet + kGive + tell + wait + kShow + kMeet);
  expectReport("deadlock: waits for an mbarrier", make + kMeet + "@!%p0 " + tell + wait + kMeet,
               "");
}

/// Each thread of a block stores to the other block, whose mbarrier counts the bytes.
TEST(Cluster, storesThatArrive) {
  const auto make = [](unsigned bytes) {
    return "@!%p0 bra M; mbarrier.init.shared.b64 [bar], 1; "
           "mbarrier.arrive.expect_tx.shared.b64 %d3, [bar], " +
           std::to_string(bytes) + "; fence.mbarrier_init.release.cluster; M: ";
  };
  const std::string met = "barrier.cluster.arrive.relaxed.aligned; " + kWait,
                    give = "add.u32 %r2, %rank, 5; "
                           "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%far], %r2, "
                           "[%farbar]; ",
                    wait = "L: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra L; ";
  for (const LaunchOptions &options : schedules(8)) {
    std::vector<uint32_t> words;
    EXPECT_EQ(run(make(256) + met + give + wait + kShow, options, &words).str(), "");
    for (uint32_t thread = 0; thread < 4 * 64; ++thread)
      EXPECT_EQ(words[4 * thread], 5 + (thread / 64 + 1) % 2);
  }
  const std::string right = make(256) + met + give + wait + kShow;
  // Where it has landed it is a race, where not a copy that nobody has waited for.
  expectReport("of shared memory", make(256) + met + give + kShow + wait, right);
  // A barrier does not wait for what arrives.
  expectReport("reads byte", make(256) + met + give + kMeet + kShow + wait, right);
  expectReport("deadlock: waits for an mbarrier", make(512) + met + give + wait + kShow, right);
  expectReport("barrier misuse", make(128) + met + give + wait + kShow, right);
  expectReport("shared memory race: uses the mbarrier", make(256) + kArrive + give + kWait + wait, "");
  expectReport("shared memory race", make(256) + met + "ld.shared.u32 %r3, [%cell]; " + give + wait, "");
  expectReport("both are of one block",
               make(256) + met +
                   "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%far], %r2, [bar]; ",
               "");
  expectReport("there is no mbarrier", "mov.u32 %r2, 1; " + met + give + kMeet, "");
  expectReport("misaligned", make(256) + met +
                   "add.u32 %far, %far, 2; mov.u32 %r2, 1; "
                   "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%far], %r2, [%farbar]; ",
               "");
  // Vectors, of numbers of eight bytes.
  std::vector<uint32_t> words;
  const std::string vectors =
      "mov.u32 %r1, cell; mapa.shared::cluster.u32 %r1, %r1, %other; cvt.u64.u32 %d1, %rank; "
      "add.u64 %d2, %d1, 9; @%p0 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 "
      "[%r1], {%d1, %d2}, [%farbar]; ";
  EXPECT_EQ(run(make(16) + met + vectors + wait +
                    "@%p0 ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [cell]; "
                    "@%p0 st.global.v4.u32 [%yt], {%r1, %r2, %r3, %r4};",
                {}, &words)
                .str(),
            "");
  EXPECT_EQ(std::vector<uint32_t>(words.begin(), words.begin() + 4),
            (std::vector<uint32_t>{1, 0, 10, 0}));
}

TEST(Cluster, itsBarrier) {
  const std::string first = "setp.eq.u32 %p2, %rank, 0; ";
  expectReport("deadlock: the barrier of the cluster waits for 4 warps, 2 came, and no thread can "
               "run",
               first + "@!%p2 bra END; " + kMeet + "END:", kMeet + kMeet);
  expectReport("barrier misuse: waits for the barrier of the cluster, to which it has not come",
               kWait, "");
  expectReport("barrier misuse: comes to the barrier of the cluster again before it has waited",
               first + "@%p2 bra M; bar.sync 0; M: " + kArrive + "@!%p2 bra N; " + kArrive +
                   "N: " + kWait,
               "");
  expectReport("whose threads have ended",
               first + "@!%p2 bra END; mov.u32 %r4, 0; L: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, "
                       "%r4, 50000; @%p3 bra L; " +
                   kGive + "END:",
               kGive + kMeet);
}

TEST(Cluster, whatIsRefused) {
  std::string text = kernelOf("");
  text.replace(text.find("2, 1, 1"), 7, "2, 2, 1");
  EXPECT_NE(Module::parse(text).error().message.find(
                "clusters but those of 1 to 16 blocks along x are not supported"),
            std::string::npos);
  SimulatedKernel kernel(kernelOf(""));
  uint64_t y = 0;
  void *arguments[] = {&y};
  fsm::Result<LaunchReport> report =
      kernel.device->launch(*kernel.module, "k", {3}, {64}, 0, arguments, {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message,
            "kernel 'k' has clusters of 2 blocks along x, got a grid of 3 x 1 x 1 blocks");
  LaunchOptions options;
  options.clusterBlocks = 4;
  report = kernel.device->launch(*kernel.module, "k", {4}, {64}, 0, arguments, options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "kernel 'k' needs clusters of 2 blocks, got 4");
}

} // namespace
