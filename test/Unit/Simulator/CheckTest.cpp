//===- CheckTest.cpp - Wrong kernels and their right twins -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

using namespace fsm::sim;
using Kind = Report::Kind;

namespace {

/// Runs a kernel of checks.ptx on one block with a buffer of so many bytes.
LaunchReport check(const std::string &name, uint32_t threads, uint64_t bytes, uint64_t seed = 0) {
  auto kernel = SimulatedKernel::file("checks.ptx");
  kernel.uninitialized(bytes);
  LaunchOptions options;
  options.seed = seed;
  return kernel.run(name, {}, {threads}, options);
}

bool has(const LaunchReport &report, Kind kind) {
  for (const Report &one : report.reports)
    if (one.kind == kind)
      return true;
  return false;
}

TEST(Check, outOfBounds) {
  for (bool isWrong : {false, true}) {
    auto kernel = SimulatedKernel::file("checks.ptx");
    uint64_t x = kernel.uninitialized(400);
    kernel.scalar(100);
    LaunchReport report = kernel.run(isWrong ? "boundsWrong" : "boundsRight", {4}, {32});
    if (!isWrong) {
      EXPECT_EQ(report.str(), "");
      continue;
    }
    ASSERT_EQ(report.reports.size(), 1u);
    const Report &found = report.reports[0];
    EXPECT_EQ(found.kind, Kind::OutOfBounds);
    EXPECT_EQ(found.message, "writes 4 bytes, 4 bytes past the end of argument 0 "
                             "('boundsWrong_param_0', 400 bytes)");
    EXPECT_EQ(found.sourceFile, "checks.cu");
    EXPECT_EQ(found.sourceLine, 5u);
    EXPECT_EQ(found.block.x, 3u);
    EXPECT_EQ(found.lane, 4u);
    EXPECT_EQ(found.address, x + 400);
  }
}

TEST(Check, inFrontOfAnArray) {
  SimulatedKernel kernel(".version 8.0\n.target sm_80\n.address_size 64\n"
                         ".visible .entry k(.param .u64 p0)\n{\n"
                         ".reg .b64 %x<2>;\n.reg .b32 %r<2>;\nld.param.u64 %x1, [p0];\n"
                         "ld.global.u32 %r1, [%x1-8];\nret;\n}\n");
  kernel.uninitialized(64);
  LaunchReport report = kernel.run("k", {1}, {1});
  ASSERT_EQ(report.reports.size(), 1u);
  EXPECT_EQ(report.reports[0].message,
            "reads 4 bytes, 8 bytes before the begin of argument 0 ('p0', 64 bytes)");
}

/// Blocks run in batches of 4, 8, 16, ...; the one with the first fault is the last.
TEST(Check, aFaultEndsTheLaunch) {
  for (unsigned threads : {1, 3})
    for (auto [length, blocks] : {std::pair(0u, 4u), {96u, 4u}, {128u, 12u}, {32u * 12, 28u}}) {
      auto kernel = SimulatedKernel::file("checks.ptx");
      kernel.uninitialized(4 * length);
      kernel.scalar(length);
      LaunchOptions options;
      options.threads = threads;
      LaunchReport report = kernel.run("boundsWrong", {1u << 30}, {32}, options);
      EXPECT_EQ(report.blocks, blocks) << length;
      ASSERT_EQ(report.reports.size(), 1u);
      EXPECT_EQ(report.reports[0].block.x, length / 32);
      EXPECT_EQ(report.reports[0].count, 1u);
    }
}

/// A GPU that runs a race or reads what nothing wrote goes on, and so do we.
TEST(Check, otherReportsDoNotEndTheLaunch) {
  auto kernel = SimulatedKernel::file("checks.ptx");
  kernel.uninitialized(256);
  LaunchReport report = kernel.run("sharedUnsetWrong", {100}, {64});
  EXPECT_TRUE(has(report, Kind::UninitializedMemory));
  EXPECT_EQ(report.blocks, 100u);
}

TEST(Check, useAfterFree) {
  auto kernel = SimulatedKernel::file("checks.ptx");
  uint64_t x = kernel.uninitialized(400);
  kernel.scalar(100);
  EXPECT_TRUE(kernel.device->free(x));
  EXPECT_TRUE(has(kernel.run("boundsRight", {4}, {32}), Kind::UseAfterFree));
}

TEST(Check, hugeBuffersCostNothing) {
  auto kernel = SimulatedKernel::file("checks.ptx");
  uint64_t x = kernel.uninitialized(uint64_t(1) << 35);
  kernel.arguments[0] = x + (uint64_t(1) << 34);
  kernel.scalar(100);
  EXPECT_EQ(kernel.run("boundsRight", {4}, {32}).str(), "");
  EXPECT_EQ(kernel.read<float>(x + (uint64_t(1) << 34), 1)[0], 1);
}

TEST(Check, misaligned) {
  for (bool isWrong : {false, true}) {
    auto kernel = SimulatedKernel::file("checks.ptx");
    kernel.buffer(std::vector<char>(32 * 17));
    kernel.uninitialized(32 * 16);
    LaunchReport report = kernel.run(isWrong ? "alignWrong" : "alignRight", {}, {32});
    EXPECT_EQ(has(report, Kind::Misaligned), isWrong);
    EXPECT_EQ(report.reports.size(), size_t(isWrong)) << report.str();
  }
}

TEST(Check, uninitializedMemory) {
  EXPECT_TRUE(has(check("sharedUnsetWrong", 64, 256), Kind::UninitializedMemory));
  EXPECT_EQ(check("sharedUnsetRight", 64, 256).str(), "");
  auto kernel = SimulatedKernel::file("vector-add.ptx");
  kernel.buffer(std::vector<float>(32));
  kernel.uninitialized(128);
  kernel.uninitialized(128);
  kernel.scalar(32);
  LaunchReport report = kernel.run("vectorAdd", {}, {32});
  ASSERT_EQ(report.reports.size(), 1u);
  EXPECT_EQ(report.reports[0].message,
            "reads byte 0 of argument 1 ('vectorAdd_param_1', 128 bytes), which was never written");
}

TEST(Check, uninitializedRegister) {
  auto run = [](const std::string &body) {
    SimulatedKernel kernel(".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u64 y) { .reg .b64 %d<3>; .reg .b32 %r<5>;"
                           " .reg .b16 %h<5>; .reg .pred %p<2>; ld.param.u64 %d1, [y];\n" +
                           body + "\nret; }");
    kernel.uninitialized(4);
    return has(kernel.run("k", {}, {1}), Kind::UninitializedRegister);
  };
  EXPECT_TRUE(run("st.global.u32 [%d1], %r1;"));
  EXPECT_TRUE(run("add.s32 %r2, %r1, 1; st.global.u32 [%d1], %r2;"));
  EXPECT_TRUE(run("setp.eq.s32 %p1, %r1, 0; @%p1 bra L; L:"));
  EXPECT_TRUE(run("add.s64 %d1, %d1, %d2; st.global.u32 [%d1], 1;"));
  EXPECT_FALSE(run("add.s32 %r2, %r1, 1;"));
  // Halves are told apart.
  const std::string pack = "mov.u16 %h1, 7; mov.b32 %r1, {%h1, %h2}; "
                           "add.rn.f16x2 %r2, %r1, %r1; mov.b32 {%h3, %h4}, %r2; ";
  EXPECT_FALSE(run(pack + "st.global.u16 [%d1], %h3;"));
  EXPECT_TRUE(run(pack + "st.global.u16 [%d1], %h4;"));
}

/// r1 has its low 16 bits only; what each instruction makes of them is by the PTX manual.
TEST(Check, bytesWithoutAValue) {
  auto run = [](const std::string &body, const std::string &store) {
    SimulatedKernel kernel(".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u64 y) { .reg .b64 %d<4>; .reg .b32 %r<8>;"
                           " .reg .b16 %h<5>; ld.param.u64 %d1, [y]; mov.u16 %h1, 7;"
                           " mov.b32 %r1, {%h1, %h2}; mov.b32 %r2, 5; " +
                           body + " " + store + " ret; }");
    kernel.uninitialized(8);
    return has(kernel.run("k", {}, {1}), Kind::UninitializedRegister);
  };
  const std::string word = "st.global.u32 [%d1], %r3;";
  EXPECT_TRUE(run("mov.b32 %r3, %r1;", word));
  for (const char *right :
       {"prmt.b32 %r3, %r1, %r2, 0x5410;", "prmt.b32 %r3, %r1, %r2, 0x9910;",
        "and.b32 %r3, %r1, 0xffff;", "and.b32 %r3, %r1, 0x0101;", "or.b32 %r3, %r1, 0xffff0000;",
        "shl.b32 %r3, %r1, 16;", "bfe.u32 %r3, %r1, 4, 12;", "bfe.s32 %r3, %r1, 0, 16;",
        "bfi.b32 %r3, %r2, %r1, 16, 16;", "bfi.b32 %r3, %r1, %r2, 8, 16;", "cvt.u32.u16 %r3, %h1;",
        "cvt.s32.s8 %r3, %r1;", "shf.l.wrap.b32 %r3, %r1, %r2, 0;"})
    EXPECT_FALSE(run(right, word)) << right;
  for (const char *wrong :
       {"prmt.b32 %r3, %r1, %r2, 0x5420;", "prmt.b32 %r3, %r1, %r2, 0xa410;",
        "prmt.b32 %r3, %r2, %r1, 0x7410;", "and.b32 %r3, %r1, 0x10000;",
        "or.b32 %r3, %r1, 0xfeff0000;", "xor.b32 %r3, %r1, 0xffff0000;", "and.b32 %r3, %r1, %r2;",
        "shl.b32 %r3, %r1, 15;", "shr.u32 %r3, %r1, 8;", "bfe.u32 %r3, %r1, 4, 13;",
        "bfi.b32 %r3, %r1, %r2, 8, 17;", "bfi.b32 %r3, %r2, %r1, 17, 15;", "cvt.u32.u16 %r3, %h2;",
        "add.u32 %r3, %r1, 0;", "bfe.u32 %r3, %r2, %r4, 8;"})
    EXPECT_TRUE(run(wrong, word)) << wrong;
  // A store takes the low bytes of its register.
  EXPECT_FALSE(run("", "st.global.b16 [%d1], %r1;"));
  EXPECT_FALSE(run("", "st.global.v2.b8 [%d1], {%r1, %r2};"));
  EXPECT_TRUE(run("shr.u32 %r3, %r1, 8;", "st.global.b16 [%d1], %r3;"));
  EXPECT_TRUE(run("shr.u32 %r3, %r1, 16;", "st.global.b8 [%d1], %r3;"));
}

TEST(Check, sharedRaces) {
  for (uint64_t seed : {0, 1, 2}) {
    LaunchReport report = check("raceWrong", 64, 256, seed);
    EXPECT_TRUE(has(report, Kind::SharedRace));
    EXPECT_TRUE(has(check("raceWarpWrong", 32, 128, seed), Kind::SharedRace));
    EXPECT_EQ(check("raceWarpRight", 32, 128, seed).str(), "");
    EXPECT_TRUE(has(check("raceReuseWrong", 64, 256, seed), Kind::SharedRace));
    EXPECT_EQ(check("raceReuseRight", 64, 256, seed).str(), "");
  }
}

/// Each of softmax's three barriers orders something.
TEST(Check, softmaxWithoutOneBarrierIsARace) {
  const std::string text = readPtx("softmax.ptx"), barrier = "bar.sync";
  size_t count = 0;
  for (size_t at = text.find(barrier); at != text.npos; at = text.find(barrier, at + 1), ++count) {
    std::string broken = text;
    broken.replace(at, text.find(';', at) - at, "");
    SimulatedKernel kernel(broken);
    kernel.buffer(std::vector<float>(256, 1));
    kernel.uninitialized(1024);
    kernel.scalar(256);
    EXPECT_TRUE(has(kernel.run("softmax", {}, {128}), Kind::SharedRace)) << "barrier " << count;
  }
  EXPECT_EQ(count, 3u);
}

TEST(Check, divergentBarriers) {
  LaunchReport report = check("barrierWrong", 64, 256);
  EXPECT_TRUE(has(report, Kind::DivergentBarrier)) << report.str();
  EXPECT_EQ(check("barrierRight", 64, 256).str(), "");
}

/// The halves of a warp come to one barrier at two places: bar.warp.sync allows it.
TEST(Check, barriersAtTwoPlaces) {
  for (std::string barrier : {"bar.sync 0;", "bar.warp.sync 0xffffffff;"}) {
    SimulatedKernel kernel(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {"
                           " .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x;"
                           " setp.lt.u32 %p, %r, 16; @%p bra A; " +
                           barrier + " bra B; A: " + barrier + " B: ret; }");
    LaunchReport report = kernel.run("k", {}, {32});
    EXPECT_EQ(has(report, Kind::DivergentBarrier), barrier == "bar.sync 0;");
    EXPECT_EQ(report.str() == "", barrier != "bar.sync 0;") << report.str();
  }
}

TEST(Check, deadlocks) {
  EXPECT_TRUE(has(check("deadlockWrong", 64, 256), Kind::Deadlock));
  EXPECT_EQ(check("deadlockRight", 64, 256).str(), "");
}

TEST(Check, shufflesThatNameAbsentLanes) {
  EXPECT_TRUE(has(check("shuffleWrong", 32, 128), Kind::DivergentWarpSync));
  auto kernel = SimulatedKernel::file("checks.ptx");
  uint64_t y = kernel.uninitialized(128);
  EXPECT_EQ(kernel.run("shuffleRight", {}, {32}).str(), "");
  std::vector<int> result = kernel.read<int>(y, 32);
  EXPECT_EQ(result[0], 3);
  EXPECT_EQ(result[31], 22);
}

TEST(Check, tooManySteps) {
  auto kernel = SimulatedKernel::file("checks.ptx");
  kernel.buffer<int>({0});
  LaunchOptions options;
  options.maxSteps = 100000;
  EXPECT_TRUE(has(kernel.run("endlessWrong", {}, {32}, options), Kind::TooManySteps));
  auto twin = SimulatedKernel::file("checks.ptx");
  twin.buffer<int>({1});
  EXPECT_EQ(twin.run("endlessWrong", {}, {32}, options).str(), "");
}

TEST(Check, ofManyBlocksSomeRun) {
  // Which of 100 blocks note their number.
  auto ran = [](uint64_t most) {
    SimulatedKernel kernel(".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".entry k(.param .u64 p) { .reg .b32 %r<5>; .reg .b64 %d<3>;"
                           " ld.param.u64 %d1, [p]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y;"
                           " mad.lo.u32 %r3, %r2, 20, %r1; mul.wide.u32 %d2, %r3, 4;"
                           " add.s64 %d1, %d1, %d2; add.u32 %r4, %r3, 1; st.global.u32 [%d1], %r4;"
                           " ret; }");
    uint64_t y = kernel.buffer(std::vector<uint32_t>(100));
    LaunchOptions options;
    options.mostBlocks = most;
    EXPECT_EQ(kernel.run("k", {20, 5}, {1}, options).str(), "");
    std::vector<uint32_t> numbers;
    for (uint32_t number : kernel.read<uint32_t>(y, 100))
      if (number)
        numbers.push_back(number - 1);
    return numbers;
  };
  EXPECT_EQ(ran(10), (std::vector<uint32_t>{0, 11, 22, 33, 44, 55, 66, 77, 88, 99}));
  EXPECT_EQ(ran(4), (std::vector<uint32_t>{0, 33, 66, 99}));
  EXPECT_EQ(ran(1), std::vector<uint32_t>{0});
  EXPECT_EQ(ran(0).size(), 100u);
  EXPECT_EQ(ran(100).size(), 100u);
}

TEST(Check, traps) {
  for (int value : {6, 7}) {
    auto kernel = SimulatedKernel::file("checks.ptx");
    kernel.buffer<int>({1, 2, value, 4});
    EXPECT_EQ(has(kernel.run("trapWrong", {}, {4}), Kind::Trap), value == 7);
  }
}

TEST(Check, constantsAreNotWritten) {
  for (const char *space : {"const", "global"}) {
    SimulatedKernel kernel(".version 8.0\n.target sm_80\n.address_size 64\n." + std::string(space) +
                           " .u32 table[2] = {1, 2};\n" +
                           ".entry k() { .reg .b64 %d<2>; mov.u64 %d1, table;"
                           " st.u32 [%d1+4], 7; ret; }");
    EXPECT_EQ(has(kernel.run("k", {}, {1}), Kind::ReadOnly), std::string(space) == "const");
  }
}

TEST(Check, launchesAreRefused) {
  auto kernel = SimulatedKernel::file("checks.ptx");
  uint64_t y = kernel.uninitialized(4);
  void *arguments[] = {&y};
  auto message = [&](const char *name, Extent grid, Extent block, uint32_t shared) {
    auto report = kernel.device->launch(*kernel.module, name, grid, block, shared, arguments);
    return report ? std::string() : report.error().message;
  };
  EXPECT_EQ(message("nothing", {}, {}, 0), "the module has no kernel 'nothing'");
  EXPECT_EQ(message("trapWrong", {}, {1025}, 0),
            "expected a block of 1 to 1024 threads, got 1025 x 1 x 1");
  EXPECT_EQ(message("trapWrong", {0}, {1}, 0), "expected a grid of 1 x 1 x 1 to 2147483647 x 65535 "
                                               "x 65535 blocks, got 0 x 1 x 1");
  EXPECT_EQ(message("trapWrong", {}, {1}, 300000),
            "kernel 'trapWrong' needs 300000 bytes of shared memory; a block has at most 232448");
}

/// Twelve warps, of which the last four give back what the others get.
TEST(Check, registersAreHandedOnByGroups) {
  auto run = [](const std::string &given, const std::string &back, unsigned warpsThatDo) {
    SimulatedKernel kernel(".version 8.0\n.target sm_90a\n.address_size 64\n"
                           ".visible .entry k() { .reg .b32 %r<2>; .reg .pred %p<3>; mov.u32 %r1, %tid.x; "
                           "setp.ge.u32 %p1, %r1, 256; @%p1 bra L; setmaxnreg.inc.sync.aligned.u32 " +
                           given + "; bra E; L: setp.ge.u32 %p2, %r1, " + std::to_string(256 + 32 * warpsThatDo) +
                           "; @%p2 bra E; setmaxnreg.dec.sync.aligned.u32 " + back + "; E: ret; }");
    return kernel.run("k", {}, {384}).str();
  };
  EXPECT_EQ(run("232", "40", 4), "");
  EXPECT_NE(run("240", "40", 4).find("asks for registers up to 66560 of the block, of which there are 65536"),
            std::string::npos);
  EXPECT_NE(run("232", "40", 3).find("the kernel ends and warp 11 of the same group of four has not executed this"),
            std::string::npos);
}

} // namespace
