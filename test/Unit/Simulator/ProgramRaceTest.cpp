//===- ProgramRaceTest.cpp - Races between the programs of a launch ------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

#include <random>
#include <regex>
#include <set>

using namespace fsm::sim;

namespace {

/// A kernel of two pointers %x and %y; %r1 is the thread, %r2 the program. At %x1 each thread of a
/// program has a word of its own, and %p1 holds in program 0.
std::string kernelOf(const std::string &body) {
  return ".version 8.7\n.target sm_80\n.address_size 64\n.file 1 \"f.mlir\"\n"
         ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
         ".shared .align 16 .b8 slots[512];\n"
         ".reg .pred %p<6>;\n.reg .b32 %r<9>;\n.reg .b64 %x<6>;\n.reg .b64 %y<4>;\n"
         "ld.param.u64 %x0, [p0];\nld.param.u64 %y0, [p1];\nmov.u32 %r1, %tid.x;\n"
         "mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %x2, %r1, 4;\nadd.s64 %x1, %x0, %x2;\n"
         "setp.eq.u32 %p1, %r2, 0;\n" +
         body + "\nret;\n}\n";
}

LaunchReport run(const std::string &body, Extent grid, Extent block = {1},
                 LaunchOptions options = {}) {
  SimulatedKernel kernel(kernelOf(body));
  kernel.buffer(std::vector<uint32_t>(1024, 7));
  kernel.buffer(std::vector<uint32_t>(1024, 7));
  options.programRaces = true;
  return kernel.run("k", grid, block, options);
}

/// Program 0 does one thing, program 1 the other; then the other way round.
void expect(uint64_t races, const std::string &one, const std::string &other) {
  auto either = [&](const std::string &first, const std::string &second) {
    return run("@!%p1 bra OTHER;\n" + first + "bra LAST;\nOTHER:\n" + second + "LAST:", {2});
  };
  EXPECT_EQ(racesIn(either(one, other)), races) << one << other;
  EXPECT_EQ(racesIn(either(other, one)), races) << other << one;
}

std::string store(int value, const std::string &where = "%x0", const std::string &how = "") {
  return "st" + how + ".global.u32 [" + where + "], " + std::to_string(value) + ";\n";
}

const std::string kLoad = "ld.global.u32 %r4, [%x0];\n",
                  kAtomic = "red.relaxed.gpu.global.add.u32 [%x0], 1;\n";

//===----------------------------------------------------------------------===//
// What races
//===----------------------------------------------------------------------===//

TEST(ProgramRace, ofStoresIfTheyDiffer) {
  expect(1, store(1), store(2));
  expect(0, store(1), store(1));
  expect(0, store(1), store(2, "%x0+4"));
  // Whichever comes last leaves what the other has left, but the first stores of both differ.
  expect(1, store(2) + store(1), store(1));
  expect(1, store(1) + store(2), store(1));
  expect(0, store(1) + store(1), store(1));
  auto countDown = [](const std::string &name) {
    return "mov.u32 %r4, 5;\n" + name + ":\nst.global.u32 [%x0], %r4;\nsub.u32 %r4, %r4, 4;\n" +
           "setp.gt.s32 %p2, %r4, 0;\n@%p2 bra " + name + ";\n";
  };
  expect(1, countDown("MORE"), store(5));
}

TEST(ProgramRace, ofAReadWhateverTheValue) {
  expect(1, kLoad, store(7));
  expect(0, kLoad, kLoad);
  expect(1, kLoad + store(7), kLoad);
  expect(0, kLoad, store(7, "%x0+4"));
}

TEST(ProgramRace, ofAtomicsWithPlainAccesses) {
  const std::string ofBlock = "red.relaxed.cta.global.add.u32 [%x0], 1;\n",
                    readsVolatile = "ld.volatile.global.u32 %r4, [%x0];\n";
  expect(0, kAtomic, kAtomic);
  expect(1, kAtomic, kLoad);
  expect(1, kAtomic, store(7));
  expect(0, kAtomic, store(7, "%x0", ".volatile"));
  expect(0, kAtomic, readsVolatile);
  expect(1, store(7), readsVolatile);
  expect(1, ofBlock, ofBlock);
  expect(1, ofBlock, kAtomic);
}

/// A compare-and-swap that finds another value only reads.
TEST(ProgramRace, ofACompareAndSwap) {
  auto swap = [](int found) {
    return "atom.relaxed.gpu.global.cas.b32 %r4, [%x0], " + std::to_string(found) + ", 9;\n";
  };
  expect(0, swap(8), kLoad);
  expect(1, swap(7), kLoad);
  expect(1, swap(8), store(7));
}

/// Programs of several warps, which race with themselves as well: that is not asked for.
TEST(ProgramRace, notOfOneProgram) {
  EXPECT_EQ(run("st.global.u32 [%x0], %r1;\n", {1}, {128}).str(), "");
  EXPECT_EQ(racesIn(run("st.global.u32 [%x0], %r2;\n", {2}, {128})), 1u);
  EXPECT_EQ(racesIn(run("st.global.u32 [%x1], %r2;\n", {2}, {128})), 128u);
  EXPECT_EQ(run("st.global.u32 [%x1], %r1;\n", {2}, {128}).str(), "");
}

TEST(ProgramRace, isNotLookedForUnlessAsked) {
  SimulatedKernel kernel(kernelOf("st.global.u32 [%x0], %r2;\n"));
  kernel.buffer(std::vector<uint32_t>(4));
  kernel.buffer(std::vector<uint32_t>(4));
  EXPECT_EQ(kernel.run("k", {2}, {1}).str(), "");
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

TEST(ProgramRace, isOfBytes) {
  auto narrow = [](int byte, int value) {
    return "st.global.u8 [%x0+" + std::to_string(byte) + "], " + std::to_string(value) + ";\n";
  };
  const int word = 0x04030201;
  const std::string wide = "st.global.v2.u32 [%x0], {" + std::to_string(word) + ", 5};\n",
                    loadByte = "ld.global.u8 %r4, [%x0+5];\n";
  for (int byte : {0, 1, 2, 3}) {
    expect(0, store(word), narrow(byte, byte + 1));
    expect(1, store(word), narrow(byte, byte + 2));
    expect(0, wide, narrow(byte, byte + 1));
    expect(1, wide, narrow(byte, byte + 2));
  }
  expect(0, narrow(0, 1), narrow(1, 2));
  expect(0, wide, store(5, "%x0+4"));
  expect(1, wide, store(6, "%x0+4"));
  expect(0, wide, store(6, "%x0+8"));
  expect(1, wide, loadByte);
  expect(0, store(word), loadByte);
  expect(4, store(word) + narrow(0, 1), kLoad);
}

/// Neighbours of one warp's copy engine, too.
TEST(ProgramRace, ofCopies) {
  const std::string copy = "cp.async.ca.shared.global [slots], [%x0], 16;\n"
                           "cp.async.commit_group;\ncp.async.wait_group 0;\n";
  expect(0, copy, copy);
  expect(1, copy, store(7, "%x0+12"));
  expect(0, copy, store(7, "%x0+16"));
}

//===----------------------------------------------------------------------===//
// What is said
//===----------------------------------------------------------------------===//

TEST(ProgramRace, saysWhoAndWhere) {
  LaunchReport report =
      run(".loc 1 3 1\n@%p1 st.global.u32 [%x1], 3;\n.loc 1 5 1\n@!%p1 st.global.u32 [%x1], 4;\n",
          {3, 2}, {64});
  ASSERT_EQ(report.reports.size(), 1u) << report.str();
  const Report &one = report.reports[0];
  EXPECT_EQ(one.message, "writes byte 0 of argument 0 ('p0', 4096 bytes), which program (0, 0, 0) "
                         "warp 0 lane 0 wrote with another value at PTX line 20 (source line 3) "
                         "with no release and acquire between");
  EXPECT_EQ(one.sourceLine, 5u);
  EXPECT_EQ(one.sourceFile, "f.mlir");
  EXPECT_EQ(one.block.x, 1u);
  EXPECT_EQ(one.block.y, 0u);
  EXPECT_EQ(one.count, 64u);
}

/// Of a store by a whole warp, the lane that stored there.
TEST(ProgramRace, saysWhichLane) {
  LaunchReport report = run("@%p1 bra ALL;\nsetp.eq.u32 %p2, %r1, 7;\n"
                            "@%p2 st.global.u32 [%x0+20], 9;\nbra LAST;\nALL:\n"
                            "st.global.u32 [%x1], 8;\nLAST:",
                            {2}, {32});
  ASSERT_EQ(report.reports.size(), 1u) << report.str();
  EXPECT_EQ(report.reports[0].lane, 7u);
  EXPECT_NE(report.str().find("writes byte 20 of"), std::string::npos) << report.str();
  EXPECT_NE(report.str().find("program (0, 0, 0) warp 0 lane 5 wrote"), std::string::npos)
      << report.str();
}

TEST(ProgramRace, saysWhatWasDone) {
  auto said = [](const std::string &first, const std::string &second) {
    LaunchReport report =
        run("@!%p1 bra OTHER;\n" + first + "bra LAST;\nOTHER:\n" + second + "LAST:", {2});
    std::smatch found;
    const std::string text = report.str();
    EXPECT_EQ(report.reports.size(), 1u) << text;
    const std::regex words(
        "race: (\\w+) byte 0 .*, which program \\(0, 0, 0\\) warp 0 lane 0 (\\w+) at");
    return std::regex_search(text, found, words) ? found[1].str() + ", " + found[2].str() : text;
  };
  EXPECT_EQ(said(kLoad, store(1)), "writes, read");
  EXPECT_EQ(said(store(1), kLoad), "reads, wrote");
  EXPECT_EQ(said(kAtomic, kLoad), "reads, updated");
  EXPECT_EQ(said(store(1), kAtomic), "updates, wrote");
}

/// Warps that are programs: as blocks are.
TEST(ProgramRace, betweenPackedPrograms) {
  LaunchOptions options;
  options.programsPerBlock = 4;
  const std::string own = "st.global.u32 [%x1], %r1;\n", same = "and.b32 %r3, %r1, 31;\n"
                                                                "mul.wide.u32 %x2, %r3, 4;\n"
                                                                "add.s64 %x1, %x0, %x2;\n"
                                                                "st.global.u32 [%x1], %r1;\n";
  EXPECT_EQ(run(own, {1}, {128}, options).str(), "");
  EXPECT_EQ(run(same, {1}, {128}).str(), "");
  LaunchReport report = run(same, {1, 2}, {128}, options);
  EXPECT_EQ(racesIn(report), 32u);
  ASSERT_EQ(report.reports.size(), 1u);
  EXPECT_EQ(report.reports[0].warp, 1u);
  EXPECT_NE(report.str().find("which program (0, 0, 0) lane 0 wrote with another value"),
            std::string::npos)
      << report.str();
}

//===----------------------------------------------------------------------===//
// Against all pairs
//===----------------------------------------------------------------------===//

/// What a program does, one after the other.
struct Step {
  enum Kind : uint32_t { Nothing, Load, Store, StoreByte, Add, Count } kind;
  uint32_t offset, value, unused;
};

/// Each program, a block of one thread or a warp of a block of several, performs its part of a
/// table.
const std::string kTable = R"(
mov.u32 %r8, %ntid.x;
add.u32 %r8, %r8, 31;
shr.u32 %r8, %r8, 5;
shr.u32 %r7, %r1, 5;
mad.lo.u32 %r2, %r2, %r8, %r7;
mul.wide.u32 %y1, %r2, STRIDE;
add.s64 %y1, %y0, %y1;
add.s64 %y2, %y1, STRIDE;
MORE:
ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%y1];
cvt.u64.u32 %x3, %r4;
add.s64 %x3, %x0, %x3;
setp.eq.u32 %p2, %r3, 1;
@%p2 ld.global.u32 %r7, [%x3];
setp.eq.u32 %p2, %r3, 2;
@%p2 st.global.u32 [%x3], %r5;
setp.eq.u32 %p2, %r3, 3;
@%p2 st.global.u8 [%x3], %r5;
setp.eq.u32 %p2, %r3, 4;
@%p2 red.relaxed.gpu.global.add.u32 [%x3], %r5;
add.s64 %y1, %y1, 16;
setp.lt.u64 %p2, %y1, %y2;
@%p2 bra MORE;
)";

bool meet(const Step &a, const Step &b, uint32_t byte) {
  auto covers = [&](const Step &step) {
    const uint32_t bytes = step.kind == Step::StoreByte ? 1 : 4;
    return step.kind != Step::Nothing && step.offset <= byte && byte < step.offset + bytes;
  };
  return covers(a) && covers(b);
}

bool race(const Step &a, const Step &b, uint32_t byte) {
  auto isStore = [](const Step &step) {
    return step.kind == Step::Store || step.kind == Step::StoreByte;
  };
  auto byteOf = [&](const Step &step) { return step.value >> 8 * (byte - step.offset) & 255; };
  if (!meet(a, b, byte) || (a.kind == Step::Add && b.kind == Step::Add) ||
      (a.kind == Step::Load && b.kind == Step::Load))
    return false;
  return !isStore(a) || !isStore(b) || byteOf(a) != byteOf(b);
}

std::set<uint32_t> wordsThatRace(const std::vector<std::vector<Step>> &programs, uint32_t bytes) {
  std::set<uint32_t> words;
  for (size_t one = 0; one < programs.size(); ++one)
    for (size_t other = 0; other < one; ++other)
      for (const Step &a : programs[one])
        for (const Step &b : programs[other])
          for (uint32_t byte = 0; byte < bytes; ++byte)
            if (race(a, b, byte))
              words.insert(byte / 4);
  return words;
}

/// Whether the two that a report names race where it says.
bool namesARace(const std::vector<std::vector<Step>> &programs, const Report &report,
                size_t program) {
  std::smatch found;
  const std::regex place("byte (\\d+) of argument 0 .*which program \\((\\d+), 0, 0\\)");
  if (!std::regex_search(report.message, found, place))
    return false;
  const auto first = static_cast<uint32_t>(std::stoul(found[1].str()));
  for (const Step &a : programs[program])
    for (const Step &b : programs[std::stoul(found[2].str())])
      for (uint32_t byte = first; byte < first / 4 * 4 + 4; ++byte)
        if (race(a, b, byte))
          return true;
  return false;
}

/// Each word that has a race is reported, no other, and the same with any number of host threads.
TEST(ProgramRace, isWhatAllPairsOfAccessesSay) {
  std::mt19937 dice(2600000);
  auto upTo = [&](uint32_t most) { return static_cast<uint32_t>(dice() % most); };
  constexpr uint32_t kWords = 12, kSteps = 3;
  std::string body = kTable;
  for (size_t at; (at = body.find("STRIDE")) != std::string::npos;)
    body.replace(at, 6, std::to_string(kSteps * sizeof(Step)));
  uint32_t racing = 0, quiet = 0;
  for (int round = 0; round < 400; ++round) {
    const uint32_t kinds = round % 2 ? Step::Count : Step::StoreByte;
    std::vector<std::vector<Step>> programs(2 + upTo(5), std::vector<Step>(kSteps));
    std::vector<Step> table;
    for (std::vector<Step> &steps : programs)
      for (Step &step : steps) {
        step = {static_cast<Step::Kind>(upTo(kinds)), upTo(round % 3 ? kWords : 2) * 4,
                upTo(2) + 256, 0};
        step.offset += step.kind == Step::StoreByte ? upTo(4) : 0;
        table.push_back(step);
      }
    SimulatedKernel kernel(kernelOf(body));
    kernel.buffer(std::vector<uint32_t>(kWords, 7));
    kernel.buffer(table);
    LaunchOptions options;
    options.programRaces = true;
    options.threads = 1;
    LaunchReport report = kernel.run("k", {static_cast<uint32_t>(programs.size())}, {1}, options);
    std::set<uint32_t> expected = wordsThatRace(programs, kWords * 4);
    EXPECT_EQ(report.reports.empty(), expected.empty()) << round << ":\n" << report.str();
    (expected.empty() ? quiet : racing) += 1;
    if (kinds == Step::StoreByte)
      EXPECT_EQ(racesIn(report), expected.size()) << round << ":\n" << report.str();
    for (const Report &one : report.reports)
      EXPECT_TRUE(namesARace(programs, one, one.block.x)) << one.str();
    options.threads = 4;
    // Which of a program's stores is named may differ, where they are of several instructions.
    LaunchReport again = kernel.run("k", {static_cast<uint32_t>(programs.size())}, {1}, options);
    EXPECT_EQ(again.reports.empty(), report.reports.empty());
    if (kinds == Step::StoreByte)
      EXPECT_EQ(again.str(), report.str());
    // Warps of a block come in an order of their own.
    options.programsPerBlock = static_cast<unsigned>(programs.size());
    options.seed = static_cast<uint64_t>(round) + 1;
    LaunchReport packed = kernel.run("k", {1}, {32 * options.programsPerBlock}, options);
    EXPECT_EQ(packed.reports.empty(), expected.empty()) << round << ":\n" << packed.str();
    for (const Report &one : packed.reports)
      EXPECT_TRUE(namesARace(programs, one, one.warp)) << one.str();
    if (kinds == Step::StoreByte)
      EXPECT_EQ(racesIn(packed), expected.size()) << round << ":\n" << packed.str();
  }
  EXPECT_GT(racing, 100u);
  EXPECT_GT(quiet, 40u);
}

//===----------------------------------------------------------------------===//
// Kernels that acquire
//===----------------------------------------------------------------------===//

const std::string kSays = "st.release.gpu.global.u32 [%y0], 1;\n",
                  kHears = "ld.acquire.gpu.global.u32 %r5, [%y0];\n";

/// Program 0 runs first.
uint64_t racesInOrder(const std::string &first, const std::string &second, Extent grid = {2}) {
  return racesIn(
      run("@!%p1 bra OTHER;\n" + first + "bra LAST;\nOTHER:\n" + second + "LAST:", grid));
}

TEST(ProgramRace, notBehindAReleaseThatIsAcquired) {
  EXPECT_EQ(racesInOrder(store(1) + kSays, kHears + kLoad), 0u);
  EXPECT_EQ(racesInOrder(store(1) + kSays, kHears + store(2)), 0u);
  EXPECT_EQ(racesInOrder(kLoad + kSays, kHears + store(2)), 0u);
  EXPECT_EQ(racesInOrder(kSays + store(1), kHears + kLoad), 1u);
  EXPECT_EQ(racesInOrder(store(1) + kSays, kLoad + kHears), 1u);
  EXPECT_EQ(racesInOrder(store(1) + kSays, kHears + store(2), {3}), 0u);
  EXPECT_EQ(racesInOrder(store(1) + kSays, kHears + "st.global.u32 [%x0], %r2;\n", {3}), 1u);
}

/// What stores of one value are is the same as without orders.
TEST(ProgramRace, ofStoresBesideAnAcquireIfTheyDiffer) {
  EXPECT_EQ(racesInOrder(store(1), kHears + store(1)), 0u);
  EXPECT_EQ(racesInOrder(store(1), kHears + store(2)), 1u);
  EXPECT_EQ(racesInOrder("st.global.u8 [%x0], 7;\n", kHears + store(7)), 0u);
  EXPECT_EQ(racesInOrder(store(257), kHears + "st.global.u8 [%x0+1], 1;\n"), 0u);
  EXPECT_EQ(racesInOrder("st.global.u8 [%x0+1], 3;\n", kHears + store(3 * 256)), 0u);
  EXPECT_EQ(racesInOrder("st.global.u8 [%x0+1], 3;\n", kHears + store(2 * 256)), 1u);
  // Behind what another program stored before, in an order that both know.
  EXPECT_EQ(racesInOrder(store(5) + kSays, kHears + store(1), {4}), 0u);
  EXPECT_EQ(racesInOrder(store(1), kHears + kAtomic), 1u);
  // What the threads of a program do to one another is not asked for.
  EXPECT_EQ(racesIn(run(kHears + "mul.wide.u32 %x3, %r2, 4;\nadd.s64 %x3, %x0, %x3;\n"
                                 "st.global.u32 [%x3], %r1;\nld.global.u32 %r4, [%x3];\n",
                        {2}, {128})),
            0u);
}

} // namespace
