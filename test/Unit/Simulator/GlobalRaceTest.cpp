//===- GlobalRaceTest.cpp - Races in global memory ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

using namespace fsm::sim;

namespace {

/// A kernel of two pointers %x1 and %y1; %r1 is the thread and %r2 the block. %x3 is where %x1 is
/// for thread 0 of block 0, at %x1 each thread of a block has a word of its own, and at %y1 each
/// thread of the launch one.
std::string kernelOf(const std::string &body) {
  return ".version 8.7\n.target sm_80\n.address_size 64\n.file 1 \"f.mlir\"\n"
         ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
         ".shared .align 4 .b8 slots[256];\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %x<6>;\n.reg .b64 %y<4>;\n"
         "ld.param.u64 %x3, [p0];\nld.param.u64 %y3, [p1];\nmov.u32 %r1, %tid.x;\n"
         "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.u32 %r3, %r2, %r3, %r1;\n"
         "mul.wide.u32 %x2, %r1, 4;\nadd.s64 %x1, %x3, %x2;\n"
         "mul.wide.u32 %y2, %r3, 4;\nadd.s64 %y1, %y3, %y2;\n" +
         body + "\nret;\n}\n";
}

LaunchReport run(const std::string &body, Extent grid, Extent block, LaunchOptions options = {}) {
  SimulatedKernel kernel(kernelOf(body));
  kernel.buffer(std::vector<uint32_t>(1024, 7));
  kernel.buffer(std::vector<uint32_t>(1024, 7));
  options.globalRaces = true;
  return kernel.run("k", grid, block, options);
}

//===----------------------------------------------------------------------===//
// Within a block
//===----------------------------------------------------------------------===//

/// Each thread touches its own of 64 words, and behind the code between the two the word of the
/// thread that comes so many behind it, around the end.
LaunchReport runNeighbours(const std::string &first, const std::string &between,
                           const std::string &second, int apart = 32, bool globalRaces = true,
                           unsigned threads = 64) {
  SimulatedKernel kernel(
      kernelOf("mov.u32 %r3, slots;\nmad.lo.u32 %r3, %r1, 4, %r3;\nadd.u32 %r2, %r1, " +
               std::to_string(apart) +
               ";\nand.b32 %r2, %r2, 63;\nmul.wide.u32 %x2, %r2, 4;\n"
               "add.s64 %x2, %x3, %x2;\n" +
               first + "\n" + between + "\n" + second));
  kernel.buffer(std::vector<uint32_t>(64, 7));
  kernel.uninitialized(256);
  LaunchOptions options;
  options.globalRaces = globalRaces;
  return kernel.run("k", {}, {threads}, options);
}

const std::string kStoreOwn = "st.global.u32 [%x1], %r1;",
                  kStoreOther = "st.global.u32 [%x2], %r1;", kLoadOwn = "ld.global.u32 %r4, [%x1];",
                  kLoadOther = "ld.global.u32 %r4, [%x2];";

TEST(GlobalRace, isReportedOnRequest) {
  for (auto [first, second] :
       {std::pair(kStoreOwn, kLoadOther), {kStoreOwn, kStoreOther}, {kLoadOwn, kStoreOther}}) {
    EXPECT_EQ(runNeighbours(first, "bar.sync 0;", second).str(), "");
    EXPECT_EQ(runNeighbours(first, "", second, 32, false).str(), "");
    EXPECT_EQ(runNeighbours(first, "", second, 0).str(), "");
    EXPECT_GT(racesIn(runNeighbours(first, "", second)), 0u);
  }
  EXPECT_EQ(runNeighbours(kLoadOwn, "", kLoadOther).str(), "");
  EXPECT_EQ(
      runNeighbours("atom.global.add.u32 %r4, [%x1], 1;", "", "atom.global.add.u32 %r4, [%x2], 1;")
          .str(),
      "");
}

/// Each word is stored by one lane and read by the lane before it; lanes 31 and 63 read what the
/// other warp stores.
TEST(GlobalRace, ofLanesNeedsABarrierOfTheirWarpOnly) {
  EXPECT_EQ(racesIn(runNeighbours(kStoreOwn, "", kLoadOther, 1)), 64u);
  EXPECT_EQ(racesIn(runNeighbours(kStoreOwn, "bar.warp.sync -1;", kLoadOther, 1)), 2u);
}

/// The first warp is done when the second one begins. Both ways to meet are one pair of
/// instructions.
TEST(GlobalRace, saysWhoAndWhereOnceForAPair) {
  LaunchReport report = runNeighbours(kStoreOwn, "", kLoadOther);
  ASSERT_EQ(report.reports.size(), 1u) << report.str();
  EXPECT_EQ(report.reports[0].message,
            "writes byte 128 of argument 0 ('p0', 256 bytes), which warp 0 lane 0 read at PTX line "
            "30 with no barrier between");
  EXPECT_EQ(report.reports[0].warp, 1u);
  EXPECT_EQ(report.reports[0].count, 64u);
  EXPECT_EQ(report.reports[0].str().rfind("global memory race: ", 0), 0u);
}

/// A copy has read its source when its thread has waited for it, and who writes there comes behind.
TEST(GlobalRace, ofCopies) {
  const std::string copy = "cp.async.ca.shared.global [%r3], [%x1], 4;\ncp.async.commit_group;\n",
                    wait = "cp.async.wait_group 0;\n";
  EXPECT_EQ(runNeighbours(copy, wait + "bar.sync 0;", kStoreOther, 1).str(), "");
  EXPECT_EQ(runNeighbours(copy, wait, kStoreOwn, 1).str(), "");
  EXPECT_EQ(runNeighbours(copy, wait, kStoreOther, 1, false, 32).str(), "");
  EXPECT_EQ(racesIn(runNeighbours(copy, wait, kStoreOther, 1, true, 32)), 31u);
}

/// Neighbours within a word do not meet; wide accesses meet each of their bytes.
TEST(GlobalRace, isOfBytes) {
  const std::string byte = "cvt.u64.u32 %x4, %r1;\nadd.s64 %x4, %x3, %x4;\n",
                    storeByte = byte + "st.global.u8 [%x4], %r1;\n",
                    wide = "mul.wide.u32 %x5, %r1, 16;\nadd.s64 %x5, %x3, %x5;\n",
                    storeWide = wide + "st.global.v4.u32 [%x5], {%r1, %r1, %r1, %r1};\n",
                    loadByte = byte + "ld.global.u8 %r4, [%x4];\n";
  EXPECT_EQ(run(storeByte, {}, {64}).str(), "");
  EXPECT_EQ(run(storeWide + "bar.sync 0;\n" + storeByte, {}, {64}).str(), "");
  // Lanes 0 and 1 have stored all that is loaded, and only lane 0 loads a byte of its own.
  EXPECT_EQ(racesIn(run(storeWide + loadByte, {}, {32})), 31u);
  EXPECT_EQ(racesIn(run(storeByte + "ld.global.u32 %r4, [%x3];", {}, {2})), 2u);
}

//===----------------------------------------------------------------------===//
// Between programs
//===----------------------------------------------------------------------===//

TEST(GlobalRace, betweenProgramsNeedsNoSharedThreads) {
  const std::string storeOwn = "st.global.u32 [%y1], %r1;", loadOwn = "ld.global.u32 %r4, [%y1];",
                    loadFirst = "ld.global.u32 %r4, [%y3];",
                    storeSame = "st.global.u32 [%x1], %r1;", loadSame = "ld.global.u32 %r4, [%x1];";
  EXPECT_EQ(run(loadOwn + storeOwn + loadOwn, {4}, {32}).str(), "");
  EXPECT_EQ(run(loadFirst + loadSame, {4}, {32}).str(), "");
  EXPECT_EQ(racesIn(run(storeOwn + "bar.sync 0;" + loadFirst, {4}, {32})), 3u * 32u);
  EXPECT_EQ(racesIn(run(loadSame + storeSame, {4}, {32})), 3u * 32u * 2u);
  EXPECT_EQ(racesIn(run(storeSame, {4}, {32})), 3u * 32u);
}

/// The launch before is over.
TEST(GlobalRace, isOfOneLaunch) {
  SimulatedKernel kernel(kernelOf("ld.global.u32 %r4, [%y3];\nst.global.u32 [%y3+4], %r4;"));
  kernel.buffer(std::vector<uint32_t>(4, 7));
  kernel.buffer(std::vector<uint32_t>(4, 7));
  LaunchOptions options;
  options.globalRaces = true;
  EXPECT_EQ(kernel.run("k", {}, {1}, options).str(), "");
  EXPECT_EQ(kernel.run("k", {}, {1}, options).str(), "");
}

TEST(GlobalRace, saysWhichProgramAndLine) {
  LaunchReport report = run(".loc 1 3 1\nst.global.u32 [%y1], %r1;\n"
                            "bar.sync 0;\n.loc 1 5 1\nld.global.u32 %r4, [%y3];",
                            {2}, {32});
  ASSERT_EQ(report.reports.size(), 1u) << report.str();
  EXPECT_EQ(report.reports[0].message,
            "reads byte 0 of argument 1 ('p1', 4096 bytes), which program (0, 0, 0) warp 0 lane 0 "
            "wrote at PTX line 23 (source line 3) with no release and acquire between");
  EXPECT_EQ(report.reports[0].sourceLine, 5u);
  EXPECT_EQ(report.reports[0].sourceFile, "f.mlir");
  EXPECT_EQ(report.reports[0].block.x, 1u);
}

/// Warps that are programs: as blocks are.
TEST(GlobalRace, betweenPackedPrograms) {
  LaunchOptions options;
  options.programsPerBlock = 4;
  const std::string same = "and.b32 %r3, %r1, 31;\nmul.wide.u32 %x2, %r3, 4;\n"
                           "add.s64 %x1, %x3, %x2;\nst.global.u32 [%x1], %r1;\n";
  EXPECT_EQ(run("st.global.u32 [%y1], %r1;", {2}, {128}, options).str(), "");
  EXPECT_EQ(run(same, {1}, {128}).str(), "");
  LaunchReport report = run(same, {2}, {128}, options);
  EXPECT_EQ(racesIn(report), 7u * 32u);
  ASSERT_EQ(report.reports.size(), 1u);
  EXPECT_NE(report.reports[0].message.find("which program (0, 0, 0) lane 0 wrote"),
            std::string::npos)
      << report.str();
  // What orders warps of a block is still there.
  EXPECT_EQ(run("st.global.u32 [%x1], %r1;\nbar.sync 0;\nxor.b32 %r4, %r1, 64;\n"
                "mul.wide.u32 %x2, %r4, 4;\nadd.s64 %x2, %x3, %x2;\nld.global.u32 %r4, [%x2];",
                {1}, {128}, options)
                .str(),
            "");
}

TEST(GlobalRace, ofACopyWithAnotherProgramsStore) {
  const std::string copy = "mov.u32 %r4, slots;\nmad.lo.u32 %r4, %r1, 4, %r4;\n"
                           "cp.async.ca.shared.global [%r4], [%x1], 4;\n"
                           "cp.async.commit_group;\ncp.async.wait_group 0;\n",
                    isFirst = "setp.eq.u32 %p1, %r2, 0;\n", store = "st.global.u32 [%x1], %r1;\n";
  EXPECT_EQ(
      racesIn(run(isFirst + "@%p1 bra END;\n" + copy + "END:\n@!%p1 bra LAST;\n" + store + "LAST:",
                  {2}, {32})),
      32u);
  EXPECT_EQ(
      racesIn(run(isFirst + "@!%p1 bra END;\n" + copy + "END:\n@%p1 bra LAST;\n" + store + "LAST:",
                  {2}, {32})),
      32u);
  EXPECT_EQ(run(copy, {2}, {32}).str(), "");
}

/// Two reads by copy engines of one place, neither of which knows of the other.
TEST(GlobalRace, ofTwoBulkCopiesWithAnotherProgramsStore) {
  const std::string copies = R"(
.shared .align 16 .b8 tiles[128];
.shared .align 8 .b64 bars[2];
mbarrier.init.shared.b64 [bars], 1;
mbarrier.init.shared.b64 [bars+8], 1;
fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared.b64 _, [bars], 64;
mbarrier.arrive.expect_tx.shared.b64 _, [bars+8], 64;
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tiles], [%x3], 64, [bars];
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tiles+64], [%x3], 64, [bars+8];
A: mbarrier.try_wait.parity.shared.b64 %p2, [bars], 0;
@!%p2 bra A;
B: mbarrier.try_wait.parity.shared.b64 %p2, [bars+8], 0;
@!%p2 bra B;
)";
  auto runOrdered = [&](const std::string &guard) {
    return run("setp.eq.u32 %p1, %r2, 0;\n@" + guard +
                   "%p1 bra OTHER;\nsetp.ne.u32 %p3, %r1, 0;\n"
                   "@%p3 bra LAST;\n" +
                   copies + "bra LAST;\nOTHER:\nst.global.u32 [%x1], %r1;\nLAST:",
               {2}, {16});
  };
  // Each program's word or copy that comes second.
  EXPECT_EQ(racesIn(runOrdered("!")), 16u);
  EXPECT_EQ(racesIn(runOrdered("")), 2u);
  EXPECT_EQ(run("setp.ne.u32 %p3, %r1, 0;\n@%p3 bra LAST;\n" + copies + "LAST:", {2}, {16}).str(),
            "");
}

//===----------------------------------------------------------------------===//
// One store to one place
//===----------------------------------------------------------------------===//

/// "Two equal active offsets in one store: one of the values is stored."
TEST(GlobalRace, isNotWithinOneStore) {
  const std::string store = "st.global.u32 [%x3], %r1;\n";
  EXPECT_EQ(run(store, {}, {96}).str(), "");
  EXPECT_EQ(racesIn(run(store, {2}, {1})), 1u);
  EXPECT_GT(racesIn(run(store + store, {}, {96})), 0u);
  EXPECT_EQ(run(store + "bar.sync 0;\n" + store, {}, {96}).str(), "");
  // What a compiler makes of one store has one line.
  const std::string line = ".loc 1 3 1\n";
  EXPECT_EQ(run(line + store + store, {}, {96}).str(), "");
  EXPECT_GT(racesIn(run(line + store + ".loc 1 4 1\n" + store, {}, {96})), 0u);
  EXPECT_GT(racesIn(run(line + store + ".loc 1 5 1\nld.global.u32 %r4, [%x3];", {}, {96})), 0u);
}

TEST(GlobalRace, isWithinOneStoreOnRequest) {
  LaunchOptions options;
  options.racesOfOneStore = true;
  EXPECT_EQ(racesIn(run("st.global.u32 [%x3], %r1;\n", {}, {96}, options)), 95u);
  EXPECT_EQ(run("st.global.u32 [%x1], %r1;\n", {}, {96}, options).str(), "");
}

/// Stores do not reach the cache that such loads go through, whatever orders the two.
TEST(GlobalRace, isWithANonCoherentLoad) {
  const std::string load = "ld.global.nc.u32 %r4, [%x1];\n", store = "st.global.u32 [%x1], %r1;\n";
  EXPECT_EQ(run(load, {2}, {32}).str(), "");
  EXPECT_EQ(racesIn(run(load + "bar.sync 0;\n" + store, {}, {32})), 32u);
  LaunchReport report = run(store + "bar.sync 0;\n" + load, {}, {32});
  EXPECT_EQ(racesIn(report), 32u);
  EXPECT_NE(report.str().find("wrote at PTX line 22, of which the read is non-coherent"),
            std::string::npos)
      << report.str();
}

/// The next round of a loop is another store, also where a warp has nothing to store in one of
/// them.
TEST(GlobalRace, isBetweenRoundsOfALoop) {
  auto loop = [](const std::string &end, const std::string &guard) {
    return "mov.u32 %r4, 0;\nMORE:\nsetp.ge.u32 %p2, %r1, 32;\nsetp.eq.and.u32 %p2, %r4, 0, "
           "%p2;\n" +
           guard + "st.global.u32 [%x3], %r4;\n" + end +
           "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 3;\n@%p1 bra MORE;\n";
  };
  EXPECT_EQ(run(loop("bar.sync 0;\n", ""), {}, {64}).str(), "");
  EXPECT_EQ(run(loop("bar.sync 0;\n", "@!%p2 "), {}, {64}).str(), "");
  EXPECT_GT(racesIn(run(loop("", ""), {}, {64})), 0u);
}

} // namespace
