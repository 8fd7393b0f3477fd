//===- OrderTest.cpp - Releases, acquires, fences and scopes --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

using namespace fsm::sim;
using Kind = Report::Kind;

namespace {

/// Runs a kernel with words at %x1 (data) and %y1 (flags), all 0. %r1 is the thread, %r2 the
/// block, %r3 the thread's number in the launch.
LaunchReport run(const std::string &body, Extent grid, Extent block, LaunchOptions options = {}) {
  SimulatedKernel kernel(
      ".version 8.7\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
      ".shared .align 8 .b8 slots[64];\n"
      ".reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %x<4>;\n.reg .b64 %y<4>;\n"
      "ld.param.u64 %x1, [p0];\nld.param.u64 %y1, [p1];\nmov.u32 %r1, %tid.x;\n"
      "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
      "mad.lo.u32 %r3, %r2, %r3, %r1;\n" +
      body + "\nret;\n}\n");
  kernel.buffer(std::vector<uint32_t>(1024, 0));
  kernel.buffer(std::vector<uint32_t>(64, 0));
  options.globalRaces = true;
  options.maxSteps = 1 << 20;
  return kernel.run("k", grid, block, options);
}

/// The races; nothing else may be reported.
size_t pairsIn(const LaunchReport &report) {
  for (const Report &one : report.reports)
    EXPECT_EQ(one.kind, Kind::GlobalRace) << one.str();
  return report.reports.size();
}

/// Who sends and who receives: the first threads of two blocks, or of two warps of one.
enum class Between : uint8_t { Blocks, Warps, PackedWarps };

/// Thread 0 stores a word and raises a flag; the other waits for the flag and loads the word.
LaunchReport pass(const std::string &raise, const std::string &look, const std::string &then,
                  Between between = Between::Blocks) {
  const bool areBlocks = between == Between::Blocks;
  LaunchOptions options;
  options.programsPerBlock = between == Between::PackedWarps ? 2 : 1;
  return run("and.b32 %r4, %r1, 31;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra END;\n"
             "setp.ne.u32 %p2, %r3, 0;\n@%p2 bra WAIT;\n"
             "st.global.u32 [%x1], 42;\n" +
                 raise + "\nbra END;\nWAIT:\n" + look +
                 "\nsetp.eq.u32 %p3, %r5, 0;\n@%p3 bra WAIT;\n" + then +
                 "\nld.global.u32 %r6, [%x1];\nst.global.u32 [%x1+64], %r6;\nEND:",
             {areBlocks ? 2u : 1u}, {areBlocks ? 32u : 64u}, options);
}

struct Passing {
  const char *raise, *look, *then;
};

const Passing kRight[] = {
    {"st.release.gpu.global.u32 [%y1], 1;", "ld.acquire.gpu.global.u32 %r5, [%y1];", ""},
    {"st.release.sys.global.u32 [%y1], 1;", "ld.acquire.gpu.global.u32 %r5, [%y1];", ""},
    {"fence.acq_rel.gpu;\nst.relaxed.gpu.global.u32 [%y1], 1;",
     "ld.relaxed.gpu.global.u32 %r5, [%y1];", "fence.acq_rel.gpu;"},
    {"fence.sc.sys;\nst.relaxed.sys.global.u32 [%y1], 1;", "ld.acquire.sys.global.u32 %r5, [%y1];",
     ""},
    {"membar.gl;\nst.volatile.global.u32 [%y1], 1;", "ld.volatile.global.u32 %r5, [%y1];",
     "membar.gl;"},
    {"atom.release.gpu.global.exch.b32 %r7, [%y1], 1;",
     "atom.acquire.gpu.global.or.b32 %r5, [%y1], 0;", ""},
    {"red.release.gpu.global.add.u32 [%y1], 1;", "atom.global.cas.b32 %r5, [%y1], 0, 0;",
     "fence.acq_rel.gpu;"},
    {"atom.acq_rel.gpu.global.cas.b32 %r7, [%y1], 0, 1;", "ld.acquire.gpu.global.u32 %r5, [%y1];",
     ""},
    // A release, and behind it a strong write of its thread to the same place.
    {"st.release.gpu.global.u32 [%y1], 1;\nst.relaxed.gpu.global.u32 [%y1], 2;",
     "ld.acquire.gpu.global.u32 %r5, [%y1];", ""},
};

TEST(Order, messagesThatArrive) {
  for (const Passing &how : kRight)
    for (Between between : {Between::Blocks, Between::Warps, Between::PackedWarps})
      EXPECT_EQ(pass(how.raise, how.look, how.then, between).str(), "") << how.raise << how.look;
}

TEST(Order, messagesThatDoNot) {
  const Passing wrong[] = {
      {"st.relaxed.gpu.global.u32 [%y1], 1;", "ld.acquire.gpu.global.u32 %r5, [%y1];", ""},
      {"st.release.gpu.global.u32 [%y1], 1;", "ld.relaxed.gpu.global.u32 %r5, [%y1];", ""},
      {"st.volatile.global.u32 [%y1], 1;", "ld.volatile.global.u32 %r5, [%y1];", ""},
      {"st.release.gpu.global.u32 [%y1], 1;",
       "fence.acq_rel.gpu;\nld.relaxed.gpu.global.u32 %r5, [%y1];", ""},
      {"st.relaxed.gpu.global.u32 [%y1], 1;\nfence.acq_rel.gpu;",
       "ld.relaxed.gpu.global.u32 %r5, [%y1];", "fence.acq_rel.gpu;"},
      {"red.global.add.u32 [%y1], 1;", "atom.acq_rel.gpu.global.or.b32 %r5, [%y1], 0;", ""},
      {"atom.acquire.gpu.global.exch.b32 %r7, [%y1], 1;",
       "atom.release.gpu.global.or.b32 %r5, [%y1], 0;", ""},
      {"st.release.gpu.global.u32 [%y1+4], 1;\nst.relaxed.gpu.global.u32 [%y1], 1;",
       "ld.acquire.gpu.global.u32 %r5, [%y1];", ""},
      // Of two fences each has the wrong scope on one side.
      {"fence.acq_rel.cta;\nst.relaxed.gpu.global.u32 [%y1], 1;",
       "ld.acquire.gpu.global.u32 %r5, [%y1];", ""},
      {"st.release.gpu.global.u32 [%y1], 1;", "ld.relaxed.gpu.global.u32 %r5, [%y1];",
       "membar.cta;"}};
  for (const Passing &how : wrong)
    EXPECT_EQ(pairsIn(pass(how.raise, how.look, how.then)), 1u) << how.raise << how.look;
  // Within a block only the scopes suffice.
  for (const Passing &how : wrong)
    EXPECT_EQ(pairsIn(pass(how.raise, how.look, how.then, Between::Warps)),
              std::string(how.raise).find(".cta") == std::string::npos &&
                  std::string(how.then).find(".cta") == std::string::npos)
        << how.raise << how.look;
}

/// The scope of the block is enough within it; between programs the flag races as well.
TEST(Order, scopesThatAreTooNarrow) {
  const Passing narrow[] = {
      {"st.release.cta.global.u32 [%y1], 1;", "ld.acquire.gpu.global.u32 %r5, [%y1];", ""},
      {"st.release.gpu.global.u32 [%y1], 1;", "ld.acquire.cta.global.u32 %r5, [%y1];", ""},
      {"st.release.cta.global.u32 [%y1], 1;", "ld.acquire.cta.global.u32 %r5, [%y1];", ""}};
  for (const Passing &how : narrow) {
    EXPECT_EQ(pairsIn(pass(how.raise, how.look, how.then)), 2u) << how.raise << how.look;
    EXPECT_EQ(pairsIn(pass(how.raise, how.look, how.then, Between::PackedWarps)), 2u);
    EXPECT_EQ(pass(how.raise, how.look, how.then, Between::Warps).str(), "");
  }
  LaunchReport report = pass(narrow[0].raise, narrow[0].look, "");
  EXPECT_NE(report.str().find(
                "wrote at PTX line 23 with a scope of one that does not have the other in it"),
            std::string::npos)
      << report.str();
}

/// A flag that is no flag for the machine: weak on one side, and of other bytes.
TEST(Order, accessesThatAreNotMorallyStrong) {
  EXPECT_EQ(pairsIn(pass("st.global.u32 [%y1], 1;", "ld.acquire.gpu.global.u32 %r5, [%y1];", "")),
            2u);
  EXPECT_EQ(pairsIn(pass("st.release.gpu.global.u32 [%y1], 1;", "ld.global.u32 %r5, [%y1];", "")),
            2u);
  LaunchReport report = pass("st.release.gpu.global.u32 [%y1], 1;",
                             "ld.acquire.gpu.global.u64 %x2, [%y1];\ncvt.u32.u64 %r5, %x2;", "");
  EXPECT_EQ(pairsIn(report), 2u);
  EXPECT_NE(report.str().find("as another number of bytes"), std::string::npos) << report.str();
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// Block 0 stores and releases 1; block 1 makes 2 of it; block 2 waits for 2.
size_t relay(const std::string &middle) {
  return pairsIn(
      run("setp.ne.u32 %p1, %r2, 0;\n@%p1 bra LATER;\nst.global.u32 [%x1], 42;\n"
          "st.release.gpu.global.u32 [%y1], 1;\nbra END;\nLATER:\n"
          "setp.ne.u32 %p1, %r2, 1;\n@%p1 bra LAST;\n" +
              middle +
              "\nbra END;\nLAST:\nld.acquire.gpu.global.u32 %r5, [%y1];\n"
              "setp.ne.u32 %p3, %r5, 2;\n@%p3 bra LAST;\nld.global.u32 %r6, [%x1];\nEND:",
          {3}, {1}));
}

TEST(Order, isCarriedByAtomicOperations) {
  EXPECT_EQ(relay("red.global.add.u32 [%y1], 1;"), 0u);
  EXPECT_EQ(relay("atom.release.gpu.global.cas.b32 %r5, [%y1], 1, 2;"), 0u);
  EXPECT_EQ(relay("st.relaxed.gpu.global.u32 [%y1], 2;"), 1u);
  EXPECT_EQ(relay("st.release.gpu.global.u32 [%y1], 2;"), 1u);
  // What the middle one has acquired it hands on.
  EXPECT_EQ(relay("ld.acquire.gpu.global.u32 %r5, [%y1];\nst.release.gpu.global.u32 [%y1], 2;"),
            0u);
  EXPECT_EQ(relay("ld.acquire.gpu.global.u32 %r5, [%y1];\nst.relaxed.gpu.global.u32 [%y1], 2;"),
            1u);
  // Not across a scope that has neither of the others in it: the data, and twice the flag.
  EXPECT_EQ(relay("red.relaxed.cta.global.add.u32 [%y1], 1;"), 3u);
}

/// An operation that finds another value than it compares with writes nothing.
TEST(Order, aComparisonThatFailsOnlyReads) {
  EXPECT_EQ(relay("st.global.u32 [%x1+4], 1;\natom.release.gpu.global.cas.b32 %r5, [%y1], 7, 2;\n"
                  "red.global.add.u32 [%y1], 1;"),
            0u);
  EXPECT_EQ(pairsIn(run("setp.ne.u32 %p1, %r2, 0;\n@%p1 bra LATER;\nld.global.u32 %r5, [%y1];\n"
                        "bra END;\nLATER:\natom.global.cas.b32 %r5, [%y1], 7, 2;\nEND:",
                        {2}, {1})),
            0u);
  EXPECT_EQ(pairsIn(run("setp.ne.u32 %p1, %r2, 0;\n@%p1 bra LATER;\nld.global.u32 %r5, [%y1];\n"
                        "bra END;\nLATER:\natom.global.cas.b32 %r5, [%y1], 0, 2;\nEND:",
                        {2}, {1})),
            1u);
}

/// Every reader counts: of four blocks one does not say that it is done.
TEST(Order, noReaderIsForgotten) {
  auto run5 = [](const std::string &silent) {
    return pairsIn(run("setp.eq.u32 %p1, %r2, 4;\n@%p1 bra LAST;\nld.global.u32 %r6, [%x1];\n"
                       "setp.eq.u32 %p2, %r2, " +
                           silent +
                           ";\n@%p2 bra END;\n"
                           "red.release.gpu.global.add.u32 [%y1], 1;\nbra END;\nLAST:\n"
                           "ld.acquire.gpu.global.u32 %r5, [%y1];\nsetp.lt.u32 %p3, %r5, 3;\n"
                           "@%p3 bra LAST;\nst.global.u32 [%x1], 1;\nEND:",
                       {5}, {1}));
  };
  for (const char *silent : {"0", "1", "2", "3"})
    EXPECT_EQ(run5(silent), 1u) << silent;
  EXPECT_EQ(run5("7"), 0u);
}

//===----------------------------------------------------------------------===//
// Whole blocks
//===----------------------------------------------------------------------===//

/// All threads of 4 blocks store; the block that counts last loads what all have stored.
LaunchReport lastBlock(const std::string &count, const std::string &before = "bar.sync 0;") {
  return run("mul.wide.u32 %x2, %r3, 4;\nadd.s64 %x2, %x1, %x2;\nst.global.u32 [%x2], %r3;\n" +
                 before + "\nmov.u32 %r8, slots;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra JOIN;\n" +
                 count +
                 "\nst.shared.u32 [%r8], %r5;\nJOIN:\nbar.sync 0;\nld.shared.u32 %r5, [%r8];\n"
                 "setp.ne.u32 %p2, %r5, 3;\n@%p2 bra END;\n"
                 "mul.wide.u32 %x3, %r1, 4;\nadd.s64 %x3, %x1, %x3;\nld.global.u32 %r6, [%x3];\n"
                 "ld.global.u32 %r6, [%x3+256];\nld.global.u32 %r6, [%x3+512];\n"
                 "ld.global.u32 %r6, [%x3+768];\nEND:",
             {4}, {64});
}

TEST(Order, theLastBlockSeesAllOthers) {
  const std::string add = ".global.add.u32 %r5, [%y1], 1;", fence = "\nfence.acq_rel.gpu;\n";
  EXPECT_EQ(lastBlock("atom.acq_rel.gpu" + add).str(), "");
  EXPECT_EQ(lastBlock(fence + "atom" + add + fence).str(), "");
  EXPECT_GT(pairsIn(lastBlock("atom" + add)), 0u);
  EXPECT_GT(pairsIn(lastBlock("atom.release.gpu" + add)), 0u);
  EXPECT_GT(pairsIn(lastBlock("atom.acquire.gpu" + add)), 0u);
  EXPECT_GT(pairsIn(lastBlock("atom.acq_rel.cta" + add)), 0u);
  EXPECT_GT(pairsIn(lastBlock(fence + "atom" + add)), 0u);
  EXPECT_GT(pairsIn(lastBlock("atom" + add + fence)), 0u);
  // Without the barrier the count speaks for one thread only, and so does a fence before it.
  EXPECT_GT(pairsIn(lastBlock("atom.acq_rel.gpu" + add, "")), 0u);
  EXPECT_GT(pairsIn(lastBlock("atom.acquire.gpu" + add, fence + "bar.sync 0;")), 0u);
}

/// Threads take turns at adding to a word.
LaunchReport locked(const std::string &take, const std::string &leave, Extent grid, Extent block,
                    uint64_t seed = 0) {
  LaunchOptions options;
  options.seed = seed;
  return run("and.b32 %r4, %r1, 31;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra END;\nTAKE:\n" + take +
                 "\nsetp.ne.u32 %p2, %r5, 0;\n@%p2 bra TAKE;\nld.global.u32 %r6, [%x1];\n"
                 "add.u32 %r6, %r6, 1;\nst.global.u32 [%x1], %r6;\n" +
                 leave + "\nEND:",
             grid, block, options);
}

TEST(Order, aLockKeepsApart) {
  const std::string acquire = "atom.acquire.gpu.global.cas.b32 %r5, [%y1], 0, 1;",
                    relaxed = "atom.relaxed.gpu.global.cas.b32 %r5, [%y1], 0, 1;",
                    release = "atom.release.gpu.global.exch.b32 %r7, [%y1], 0;",
                    open = "st.relaxed.gpu.global.u32 [%y1], 0;",
                    inBlock = "atom.acquire.cta.global.cas.b32 %r5, [%y1], 0, 1;",
                    openInBlock = "st.release.cta.global.u32 [%y1], 0;";
  for (uint64_t seed : {0, 1, 2, 3}) {
    for (auto [grid, block] : {std::pair(4u, 32u), {2u, 64u}, {1u, 128u}}) {
      EXPECT_EQ(locked(acquire, release, {grid}, {block}, seed).str(), "");
      EXPECT_GT(pairsIn(locked(relaxed, release, {grid}, {block}, seed)), 0u);
      EXPECT_GT(pairsIn(locked(acquire, open, {grid}, {block}, seed)), 0u);
      EXPECT_GT(pairsIn(locked(acquire, "st.global.u32 [%y1], 0;", {grid}, {block}, seed)), 0u);
      EXPECT_EQ(pairsIn(locked(inBlock, openInBlock, {grid}, {block}, seed)) == 0, grid == 1);
    }
  }
}

} // namespace
