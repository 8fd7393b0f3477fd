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
         ".reg .pred %p<9>; .shared .align 16 .b8 cell[256]; .shared .align 8 .b64 bar[2];\n"
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

TEST(Cluster, itsBarrier) {
  const std::string first = "setp.eq.u32 %p2, %rank, 0; ";
  expectReport("deadlock: the barrier of the cluster waits for 4 warps, 2 came, and no thread can "
               "run",
               first + "@%p2 bra M; bar.sync 1, 128; M: " + kMeet, kMeet + kMeet);
  // Who has ended is not waited for: a block, a warp, and a warp that ends when the others wait.
  for (const LaunchOptions &options : schedules(6)) {
    EXPECT_EQ(run(first + "@!%p2 bra END; " + kMeet + "END:", options).str(), "");
    EXPECT_EQ(run("setp.lt.u32 %p3, %tidx, 32; @!%p3 bra END; " + kMeet + kMeet + "END:", options).str(), "");
    EXPECT_EQ(run("setp.lt.u32 %p3, %tidx, 32; @%p3 bra M; mov.u32 %r4, 0; L: add.u32 %r4, %r4, 1; "
                  "setp.lt.u32 %p3, %r4, 50000; @%p3 bra L; bra END; M: " + kMeet + "END:", options).str(),
              "");
  }
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

//===----------------------------------------------------------------------===//
// st.async
//===----------------------------------------------------------------------===//

const std::string kAsyncStore = "st.async.shared::cluster.mbarrier::complete_tx::bytes",
                  kInit = "@%p0 mbarrier.init.shared.b64 [bar], 1; ",
                  kExpect = "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256; ",
                  kFence = "@%p0 fence.mbarrier_init.release.cluster; ",
                  kMeetRelaxed = "barrier.cluster.arrive.relaxed.aligned; " + kWait,
                  kMake = kInit + kExpect + kFence + kMeetRelaxed,
                  kSend = "add.u32 %r2, %rank, 5; " + kAsyncStore + ".b32 [%far], %r2, [%farbar]; ",
                  kReceive = "L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; "
                             "@!%p1 bra L; ";

/// What a store that has not landed is said to do, or one that has landed early.
void expectEither(const std::string &late, const std::string &early, const std::string &wrong,
                  const std::string &right) {
  for (const LaunchOptions &options : schedules(6)) {
    std::string found = run(wrong, options).str();
    const bool isLate = options.landing == LaunchOptions::Landing::Last;
    const bool isEarly = options.landing == LaunchOptions::Landing::First;
    EXPECT_EQ(found.find(late) != found.npos || isEarly, true) << wrong << "\n" << found;
    EXPECT_EQ(found.find(early) != found.npos || isLate, true) << wrong << "\n" << found;
    EXPECT_EQ(run(right, options).str(), "") << right << "\n" << nameOf(options);
  }
}

TEST(ClusterStore, comesWithItsPhase) {
  for (const LaunchOptions &options : schedules(8)) {
    std::vector<uint32_t> words;
    EXPECT_EQ(run(kMake + kSend + kReceive + kShow, options, &words).str(), "");
    for (uint32_t thread = 0; thread < 4 * 64; ++thread)
      EXPECT_EQ(words[4 * thread], 5 + (thread / 64 + 1) % 2);
  }
}

/// Thread 0 stores 16 bytes beginning at `cell`, by the instructions of each form.
TEST(ClusterStore, typesAndVectors) {
  const std::string head = kAsyncStore + ".", there = " [%farbar]; ", values = "{%r3, %r4, %r5, %r6}",
                    generic = "cvt.u64.u32 %d2, %cell; cvta.shared.u64 %d2, %d2; "
                              "mapa.u64 %d2, %d2, %other; mov.u32 %r7, bar; cvt.u64.u32 %d3, %r7; "
                              "cvta.shared.u64 %d3, %d3; mapa.u64 %d3, %d3, %other; ";
  const std::vector<std::string> forms = {
      head + "v4.b32 [%far], " + values + "," + there,
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%far], " + values + "," +
          there,
      head + "v2.u32 [%far], {%r3, %r4}," + there + head + "v2.s32 [%far+8], {%r5, %r6}," + there,
      head + "v2.b64 [%far], {%d4, %d5}," + there,
      head + "u64 [%far], %d4," + there + head + "s64 [%far+8], %d5," + there,
      head + "f64 [%far], %d4," + there + head + "f32 [%far+8], 0fC0490FDB," + there + head +
          "s32 [%far+12], -3," + there,
      generic + "st.async.mbarrier::complete_tx::bytes.v4.b32 [%d2], " + values + ", [%d3]; "};
  const std::vector<uint32_t> expected = {0x3f800001, 0x80000002, 0xc0490fdb, 0xfffffffd};
  const std::string make = "mov.b32 %r3, 0x3f800001; mov.b32 %r4, 0x80000002; "
                           "mov.b32 %r5, 0xc0490fdb; mov.b32 %r6, 0xfffffffd; "
                           "mov.b64 %d4, {%r3, %r4}; mov.b64 %d5, {%r5, %r6}; @!%p0 bra S; ",
                    show = "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [cell]; "
                           "st.global.v4.u32 [%yt], {%r1, %r2, %r3, %r4}; ",
                    few = "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16; ";
  for (const std::string &form : forms)
    for (const LaunchOptions &options : schedules(3)) {
      std::vector<uint32_t> words;
      const std::string body =
          kInit + few + kFence + kMeetRelaxed + make + form + "S: " + kReceive + show;
      EXPECT_EQ(run(body, options, &words).str(), "") << form;
      for (uint32_t thread = 0; thread < 4 * 64; ++thread)
        EXPECT_EQ(std::vector<uint32_t>(&words[4 * thread], &words[4 * thread] + 4), expected)
            << form << " " << thread;
    }
}

TEST(ClusterStore, nobodyTouchesItsBytesBefore) {
  const std::string right = kMake + kSend + kReceive + kShow + kMeet,
                    read = "ld.shared::cluster.u32 %r4, [%far]; ",
                    write = "st.shared::cluster.u32 [%far], 3; ";
  expectEither("asynchronous copy: reads byte ", "shared memory race: reads byte ",
               kMake + kSend + kShow + kReceive + kMeet, right);
  expectEither(", which nobody has waited for, writes it", "shared memory race: reads byte ",
               kMake + kSend + read + kReceive + kMeet, right);
  expectEither("asynchronous copy: writes byte ", "shared memory race: writes byte ",
               kMake + kSend + write + kReceive + kMeet, right);
  // The barrier of the cluster is no wait for it, and the wait of one thread is none of others.
  expectEither("asynchronous copy: reads byte ", "shared memory race: reads byte ",
               kMake + kSend + kMeet + kShow + kReceive, right);
  expectEither("asynchronous copy: reads byte ", "shared memory race: reads byte ",
               kMake + kSend + "setp.lt.u32 %p2, %tidx, 32; @!%p2 bra S; " + kReceive + "S: " + kShow +
                   "R: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra R;",
               right);
  // Two to one place.
  const std::string twice = "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 512; ";
  expectEither("asynchronous copy: writes byte ", "shared memory race: writes byte ",
               kInit + twice + kFence + kMeetRelaxed + kSend + kSend + kReceive + kShow, right);
}

TEST(ClusterStore, whatCameBefore) {
  const std::string own = "st.shared.u32 [%cell], 1; ";
  expectReport("shared memory race: writes byte ",
               own + kMake + kSend + kReceive + kShow,
               own + kInit + kExpect + kMeet + kSend + kReceive + kShow);
  expectReport("shared memory race: writes byte ",
               own + kInit + kExpect + kMeet + "ld.shared.u32 %r3, [%cell]; " + kSend + kReceive,
               own + kInit + kExpect + "ld.shared.u32 %r3, [%cell]; " + kMeet + kSend + kReceive);
}

/// That a block may know of another's mbarrier.
TEST(ClusterStore, theMbarrierIsKnown) {
  const std::string known = kSend + kReceive + kShow, right = kMake + known;
  expectReport("made at PTX line 16 with no barrier between",
               kInit + kExpect + kMeetRelaxed + known, right);
  // The fence is of who made it, and of what it has made before.
  expectReport("made at PTX line 16 with no barrier between",
               kInit + kExpect + "bar.sync 0; @!%p0 fence.mbarrier_init.release.cluster; " +
                   kMeetRelaxed + known,
               kInit + kExpect + "fence.mbarrier_init.release.cluster; " + kMeetRelaxed + known);
  expectReport("made at PTX line 16 with no barrier between",
               kFence + kInit + kExpect + kMeetRelaxed + known, right);
  // A fence for the asynchronous proxy releases nothing.
  expectReport("made at PTX line 16 with no barrier between",
               kInit + kExpect + "fence.proxy.async; " + kMeetRelaxed + known,
               kInit + kExpect + "fence.proxy.async; " + kMeet + known);
  expectReport("mbarrier at byte ", kInit + kExpect + kFence + known + kMeet, right);
  expectReport("there is no mbarrier at byte ", kMeet + kSend, "");
}

TEST(ClusterStore, itsAddresses) {
  const auto sends = [&](const std::string &type, const std::string &to, const std::string &bar) {
    return kMake + kAsyncStore + "." + type + " [" + to + "], " +
           (type == "b32" ? "%rank" : "{%rank, %rank}") + ", [" + bar + "]; ";
  };
  expectReport("misaligned: writes 4 bytes at an address that is no multiple of 4",
               sends("b32", "%far+2", "%farbar"), "");
  expectReport("misaligned: writes 8 bytes at an address that is no multiple of 8",
               sends("v2.b32", "%far", "%farbar"), "");
  expectReport("misaligned: updates 8 bytes at an address that is no multiple of 8",
               sends("b32", "%far", "%farbar+4"), "");
  expectReport("out of bounds: writes 4 bytes", sends("b32", "%far+512", "%farbar"), "");
  expectReport("out of bounds: updates 8 bytes", sends("b32", "%far", "%farbar+512"), "");
  expectReport("there is no mbarrier at byte ", sends("b32", "%far", "%farbar+8"), "");
  expectReport(", tracked by an mbarrier of the block of rank ",
               "mov.u32 %r5, bar; " + sends("b32", "%far", "%r5"), "");
  const std::string form = "st.async.mbarrier::complete_tx::bytes.b32 ";
  const std::string generic = "mov.u32 %r5, bar; cvt.u64.u32 %d3, %r5; cvta.shared.u64 %d3, %d3; "
                              "mapa.u64 %d3, %d3, %other; ";
  expectReport("asynchronous copy: what st.async writes is not in shared memory",
               kMake + generic + form + "[%yt], %rank, [%d3];", "");
  expectReport("asynchronous copy: the address of an mbarrier is not in shared memory",
               kMake + "cvt.u64.u32 %d2, %cell; cvta.shared.u64 %d2, %d2; " + form +
                   "[%d2], %rank, [%yt];",
               "");
  expectReport("uninitialized register: register '%r8' has no value",
               kMake + kAsyncStore + ".b32 [%far], %r8, [%farbar]; " + kReceive, "");
}

TEST(ClusterStore, bytesThatAreExpected) {
  const auto expecting = [&](const std::string &bytes) {
    return kInit + "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], " + bytes + "; " + kFence +
           kMeetRelaxed + kSend + kReceive;
  };
  expectReport("arrivals and 4 bytes are missing; it expects 260 bytes, got 256", expecting("260"),
               expecting("256"));
  expectReport("the kernel ends and the bytes that copies bring are not those that were expected: "
               "phase 1 of the mbarrier at byte ",
               expecting("252"), "");
  // One that is left out is missed.
  expectReport("deadlock: waits for an mbarrier",
               kMake + "add.u32 %r2, %rank, 5; @!%p0 " + kAsyncStore +
                   ".b32 [%far], %r2, [%farbar]; " + kReceive,
               kMake + kSend + kReceive);
}

TEST(ClusterStore, aBlockThatHasEnded) {
  const std::string right = kMake + kSend + kReceive;
  expectReport("no thread waits for phase 0 of the mbarrier at byte ", kMake + kSend + kMeet, right);
  expectEither("out of bounds: what this writes comes to shared memory of the block of rank ",
               "no thread waits for phase 0", kMake + kSend + kMeet, right);
  const std::string late = "mov.u32 %r4, 0; L: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 50000; "
                           "@%p3 bra L; ";
  expectReport("out of bounds: writes shared memory of the block of rank 1, whose threads have ended",
               kMake + "setp.eq.u32 %p2, %rank, 1; @%p2 bra END; " + late + kSend + "END:", "");
}

TEST(ClusterStore, whatIsRefused) {
  const auto errorOf = [](const std::string &instruction) {
    auto module = Module::parse(kernelOf(instruction));
    return module ? std::string() : module.error().message;
  };
  for (const char *type : {"b16", "u8", "f16x2", "bf16x2", "b128"})
    EXPECT_NE(errorOf(kAsyncStore + "." + type + " [%far], %r2, [%farbar];")
                  .find("'st' needs a type of 4 or 8 bytes"),
              std::string::npos)
        << type << ": " << errorOf(kAsyncStore + "." + type + " [%far], %r2, [%farbar];");
  EXPECT_NE(errorOf(kAsyncStore + ".v4.b64 [%far], {%d1, %d1, %d1, %d1}, [%farbar];")
                .find("more than 16 bytes of 'st' is not supported"),
            std::string::npos);
  for (const char *form :
       {"st.async.shared::cluster.b32 [%far], %r2, [%farbar];",
        "st.async.global.mbarrier::complete_tx::bytes.b32 [%yt], %r2, [%farbar];",
        "st.async.shared::cta.mbarrier::complete_tx::bytes.b32 [%far], %r2, [%farbar];",
        "st.async.relaxed.shared::cluster.mbarrier::complete_tx::bytes.b32 [%far], %r2, [%farbar];"})
    EXPECT_NE(errorOf(form).find("is not supported"), std::string::npos) << form;
  EXPECT_NE(errorOf(kAsyncStore + ".b32 [%far], %r2;").find("expected 3 operands"),
            std::string::npos);
  EXPECT_NE(errorOf(kAsyncStore + ".b32 [%far], %r2, %farbar;").find("expected"),
            std::string::npos);
  EXPECT_NE(errorOf(kAsyncStore + ".v2.b32 [%far], {%r2}, [%farbar];")
                .find("expected 2 registers, got 1"),
            std::string::npos);
}

LaunchReport sumUp(const LaunchOptions &options, std::vector<uint32_t> *words = nullptr) {
  SimulatedKernel kernel(readPtx("cluster.ptx"));
  std::vector<uint32_t> x(128);
  for (uint32_t index = 0; index < x.size(); ++index)
    x[index] = index * index;
  kernel.buffer(x);
  uint64_t y = kernel.uninitialized(4 * x.size());
  LaunchReport report = kernel.run("sum", {2}, {64}, options);
  if (words)
    *words = kernel.read<uint32_t>(y, x.size());
  return report;
}

TEST(ClusterStore, sumOfBothBlocks) {
  for (const LaunchOptions &options : schedules(12)) {
    std::vector<uint32_t> words;
    EXPECT_EQ(sumUp(options, &words).str(), "") << nameOf(options);
    EXPECT_EQ(words, std::vector<uint32_t>(128, 127 * 128 * 255 / 6));
  }
}

TEST(ClusterStore, nothingCanBeLeftOut) {
  auto module = Module::parse(readPtx("cluster.ptx"));
  ASSERT_TRUE(module);
  const std::vector<std::string> omissions = *module->omissions("sum");
  unsigned stores = 0;
  for (unsigned number = 1; number <= omissions.size(); ++number)
    for (LaunchOptions options : schedules(6)) {
      options.leaveOut = number;
      const std::string found = sumUp(options).str(), &what = omissions[number - 1];
      EXPECT_NE(found, "") << what << ", " << nameOf(options);
      if (what.find("'st.async") == what.npos)
        continue;
      ++stores;
      EXPECT_NE(found.find("deadlock: waits for an mbarrier"), found.npos) << found;
    }
  EXPECT_EQ(omissions.size(), 10u);
  EXPECT_EQ(stores, 6u);
}

} // namespace
