//===- AsyncTest.cpp - Asynchronous copies with one thing left out -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"

#include <numeric>

using namespace fsm::sim;
using Kind = Report::Kind;

namespace {

struct Kernel {
  const char *name;
  uint32_t threads;
  /// Words in a row that is reversed, and whether a number of rows is the argument n.
  uint32_t row;
  bool hasRows;
  uint32_t factor;
};

constexpr Kernel kKernels[] = {{"own", 64, 256, false, 1},     {"handed", 64, 64, false, 1},
                               {"ring", 64, 64, true, 1},      {"bulk", 64, 64, false, 2},
                               {"bulkRing", 96, 64, true, 1},  {"tracked", 64, 64, false, 1},
                               {"stateful", 64, 64, false, 1}, {"named", 64, 32, true, 1}};

const Kernel &kernelNamed(const std::string &name) {
  for (const Kernel &kernel : kKernels)
    if (name == kernel.name)
      return kernel;
  ADD_FAILURE() << name;
  return kKernels[0];
}

Outcome runOn(const std::string &text, const Kernel &kernel, uint32_t rows,
              const LaunchOptions &options) {
  SimulatedKernel simulated(text);
  std::vector<uint32_t> x(rows * kernel.row);
  std::iota(x.begin(), x.end(), 1000);
  simulated.buffer(x);
  uint64_t y = simulated.uninitialized(4 * std::max<uint64_t>(x.size(), 1));
  if (kernel.hasRows)
    simulated.scalar(rows);
  LaunchReport report = simulated.run(kernel.name, {}, {kernel.threads}, options);
  return {report, simulated.read<uint8_t>(y, 4 * x.size())};
}

std::vector<uint8_t> bytesOf(const std::vector<uint32_t> &words) {
  const auto *first = reinterpret_cast<const uint8_t *>(words.data());
  return {first, first + 4 * words.size()};
}

std::vector<uint8_t> expected(const Kernel &kernel, uint32_t rows) {
  bool isReversed = std::string(kernel.name) != "own" && std::string(kernel.name) != "named";
  std::vector<uint32_t> y(rows * kernel.row);
  for (uint32_t index = 0; index < y.size(); ++index) {
    uint32_t column = index % kernel.row;
    uint32_t from = isReversed ? index - column + kernel.row - 1 - column : index;
    y[index] = kernel.factor * (1000 + from);
  }
  return bytesOf(y);
}

TEST(Async, rightKernelsAreRightOnAllSchedules) {
  const std::string text = readPtx("async.ptx");
  for (const Kernel &kernel : kKernels)
    for (uint32_t rows : {0u, 1u, 2u, 3u, 7u}) {
      bool takesNone = kernel.row != 32; // 'named' has no test before its loops.
      if (!kernel.hasRows && rows != 1)
        continue;
      if (rows || takesNone)
        expectEqualOnSchedules(16, expected(kernel, rows), [&](const LaunchOptions &options) {
          return runOn(text, kernel, rows, options);
        });
    }
}

/// The text without the lines that a mark names, within one kernel.
std::string without(const std::string &text, const std::string &kernel, const std::string &mark) {
  size_t begin = text.find(".entry " + kernel + "("), end = text.find("\n}", begin);
  std::string body = text.substr(begin, end - begin);
  size_t found = 0;
  const std::string wanted = "// [" + mark + "]";
  for (size_t at; (at = body.find(wanted)) != body.npos; ++found) {
    size_t line = body.rfind('\n', at) + 1;
    body.erase(line, at + wanted.size() - line);
  }
  EXPECT_GT(found, 0u) << kernel << " [" << mark << "]";
  return text.substr(0, begin) + body + text.substr(end);
}

/// What is left out, and what must be reported on every schedule.
struct Omission {
  const char *kernel, *mark;
  std::vector<Kind> kinds;
};

const Omission kOmissions[] = {
    {"own", "commit", {Kind::AsyncCopy}},
    {"own", "wait", {Kind::AsyncCopy}},
    {"handed", "wait", {Kind::AsyncCopy}},
    {"handed", "barrier", {Kind::SharedRace, Kind::AsyncCopy}},
    {"ring", "commit 0", {Kind::AsyncCopy}},
    {"ring", "commit 1", {Kind::AsyncCopy}},
    {"ring", "commit in the loop", {Kind::AsyncCopy}},
    {"ring", "wait", {Kind::AsyncCopy}},
    {"ring", "barrier before reading", {Kind::SharedRace, Kind::AsyncCopy}},
    {"ring", "barrier before writing", {Kind::SharedRace, Kind::AsyncCopy}},
    {"bulk", "init", {Kind::BarrierMisuse}},
    {"bulk", "barrier behind init", {Kind::SharedRace, Kind::BarrierMisuse}},
    {"bulk", "expect_tx", {Kind::AsyncCopy, Kind::SharedRace, Kind::Deadlock}},
    {"bulk", "arrive", {Kind::Deadlock}},
    {"bulk", "copy", {Kind::Deadlock}},
    {"bulk", "wait", {Kind::AsyncCopy, Kind::SharedRace, Kind::UninitializedMemory}},
    {"bulk", "proxy fence", {Kind::ProxyFence}},
    {"bulk", "barrier before the store", {Kind::SharedRace, Kind::UninitializedMemory}},
    {"bulk", "commit", {Kind::AsyncCopy}},
    {"bulk", "wait for the store", {Kind::AsyncCopy}},
    {"bulkRing", "wait for an empty slot", {Kind::SharedRace, Kind::AsyncCopy}},
    {"bulkRing", "proxy fence", {Kind::ProxyFence}},
    {"bulkRing", "arrive of the producer", {Kind::Deadlock}},
    {"bulkRing", "copy", {Kind::Deadlock}},
    {"bulkRing",
     "wait for a full slot",
     {Kind::AsyncCopy, Kind::SharedRace, Kind::UninitializedMemory}},
    {"bulkRing", "arrive of the consumers", {Kind::Deadlock}},
    {"tracked", "arrive", {Kind::Deadlock}},
    {"tracked", "wait", {Kind::AsyncCopy, Kind::SharedRace}},
    {"stateful", "arrive of the copies", {Kind::AsyncCopy}},
    {"stateful", "wait", {Kind::AsyncCopy, Kind::SharedRace}},
    {"stateful", "barrier before inval", {Kind::SharedRace, Kind::BarrierMisuse}},
    {"named", "wait until it is empty", {Kind::SharedRace, Kind::Deadlock}},
    {"named", "say that it is full", {Kind::Deadlock}},
    {"named", "wait until it is full", {Kind::SharedRace, Kind::UninitializedMemory}},
    {"named", "say that it is empty", {Kind::Deadlock}},
};

TEST(Async, whatIsLeftOutIsReportedOnEverySchedule) {
  const std::string text = readPtx("async.ptx");
  for (const Omission &omission : kOmissions) {
    const std::string broken = without(text, omission.kernel, omission.mark);
    const Kernel &kernel = kernelNamed(omission.kernel);
    for (const LaunchOptions &options : schedules(8)) {
      LaunchReport report = runOn(broken, kernel, kernel.hasRows ? 7 : 1, options).report;
      bool isFound = false;
      for (const Report &one : report.reports)
        for (Kind kind : omission.kinds)
          isFound |= one.kind == kind;
      EXPECT_TRUE(isFound) << omission.kernel << " without [" << omission.mark << "], "
                           << nameOf(options) << ":\n"
                           << report.str();
    }
  }
}

TEST(Async, reportsSayWhereAndWhichCopy) {
  std::string text = without(readPtx("async.ptx"), "own", "wait");
  LaunchReport report = runOn(text, kernelNamed("own"), 1, {}).report;
  ASSERT_EQ(report.reports.size(), 2u) << report.str();
  const Report &unwaited = report.reports[0], &read = report.reports[1];
  EXPECT_EQ(unwaited.message, "the kernel ends and the thread has not waited for this copy");
  EXPECT_EQ(unwaited.ptxLine, 24u);
  EXPECT_EQ(unwaited.count, 64u);
  EXPECT_EQ(read.message,
            "reads byte 0 of shared memory while the copy of warp 0 lane 0 at PTX line "
            "24 (source line 10), which nobody has waited for, writes it");
  EXPECT_EQ(read.str().rfind("async.cu:20: asynchronous copy: ", 0), 0u);
  EXPECT_EQ(read.instruction, "ld.shared.v4.u32");
  EXPECT_EQ(read.warp, 0u);
  EXPECT_EQ(read.lane, 0u);
  EXPECT_EQ(read.address, 0u);
  EXPECT_EQ(read.count, 64u);
}

/// Whether on any of some schedules and numbers of rows something is reported.
bool isReported(const std::string &text, const Kernel &kernel, unsigned leaveOut) {
  for (uint32_t rows : {0u, 1u, 2u, 7u})
    for (LaunchOptions options : schedules(4)) {
      options.leaveOut = leaveOut;
      bool isCase = rows == 1 || (kernel.hasRows && (rows || kernel.row != 32));
      if (isCase && !runOn(text, kernel, rows, options).report.reports.empty())
        return true;
    }
  return false;
}

/// All that LaunchOptions::leaveOut knows of.
TEST(Async, everyOmissionIsReported) {
  const std::string text = readPtx("async.ptx");
  fsm::Result<Module> module = Module::parse(text);
  ASSERT_TRUE(module);
  size_t count = 0;
  for (const Kernel &kernel : kKernels) {
    fsm::Result<std::vector<std::string>> omissions = module->omissions(kernel.name);
    ASSERT_TRUE(omissions);
    for (unsigned number = 1; number <= omissions->size(); ++number, ++count)
      EXPECT_TRUE(isReported(text, kernel, number))
          << kernel.name << ": " << (*omissions)[number - 1];
  }
  EXPECT_GT(count, 50u);
}

TEST(Async, omissionsHaveNames) {
  fsm::Result<Module> module = Module::parse(readPtx("async.ptx"));
  ASSERT_TRUE(module);
  fsm::Result<std::vector<std::string>> own = module->omissions("own");
  ASSERT_TRUE(own);
  EXPECT_EQ(*own, (std::vector<std::string>{
                      "PTX line 25 (source line 10) 'cp.async.commit_group'",
                      "PTX line 26 (source line 10) 'cp.async.wait_group'",
                      "PTX line 26 (source line 10) 'cp.async.wait_group', the last group it waits "
                      "for"}));
  EXPECT_EQ(module->omissions("other").error().message, "the module has no kernel 'other'");
  SimulatedKernel kernel(readPtx("async.ptx"));
  uint64_t x = kernel.uninitialized(1024), y = kernel.uninitialized(1024);
  void *arguments[] = {&x, &y};
  LaunchOptions options;
  options.leaveOut = 4;
  fsm::Result<LaunchReport> report =
      kernel.device->launch(*kernel.module, "own", {}, {64}, 0, arguments, options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message, "kernel 'own' has 3 things to leave out, and not 4");
}

//===----------------------------------------------------------------------===//
// What LLVM makes of the NVVM dialect; the sources are in test/Simulator/Inputs
//===----------------------------------------------------------------------===//

/// Runs a kernel of x, y and scalars on 64 threads; y has so many words.
Outcome runNvvm(const std::string &text, const char *kernel, const std::vector<uint32_t> &x,
                size_t words, const std::vector<uint64_t> &scalars, const LaunchOptions &options) {
  SimulatedKernel simulated(text);
  simulated.buffer(x);
  uint64_t y = simulated.uninitialized(4 * words);
  for (uint64_t scalar : scalars)
    simulated.scalar(scalar);
  LaunchReport report = simulated.run(kernel, {}, {64}, options);
  return {report, simulated.read<uint8_t>(y, 4 * words)};
}

/// Rows of 64 vectors of 4 words, mirrored; of the last vector only 12 bytes are taken, and
/// exactly so many are there in the last row.
TEST(AsyncNvvm, groupsOfCopies) {
  for (uint32_t rows : {0u, 1u, 2u, 5u}) {
    std::vector<uint32_t> x(rows ? rows * 256 - 1 : 0), y(rows * 256);
    std::iota(x.begin(), x.end(), 5);
    for (uint32_t index = 0; index < y.size(); ++index) {
      uint32_t column = index % 256, from = index - column + (63 - column / 4) * 4 + column % 4;
      y[index] = from % 256 == 255 ? 0 : x[from];
    }
    expectEqualOnSchedules(8, bytesOf(y), [&](const LaunchOptions &options) {
      return runNvvm(readPtx("nvvm-sm80.ptx"), "groups", x, y.size(), {rows, 12}, options);
    });
  }
}

std::vector<uint32_t> ramp(size_t count) {
  std::vector<uint32_t> values(count);
  std::iota(values.begin(), values.end(), 100);
  return values;
}

TEST(AsyncNvvm, copiesThatAnMbarrierTracks) {
  std::vector<uint32_t> x = ramp(64), y(x.rbegin(), x.rend());
  expectEqualOnSchedules(16, bytesOf(y), [&](const LaunchOptions &options) {
    return runNvvm(readPtx("nvvm-sm80.ptx"), "tracked", x, 64, {}, options);
  });
}

TEST(AsyncNvvm, bulkCopies) {
  std::vector<uint32_t> x = ramp(128), y(64);
  for (uint32_t t = 0; t < 64; ++t)
    y[t] = 100 + t + 164 + t + 1;
  expectEqualOnSchedules(16, bytesOf(y), [&](const LaunchOptions &options) {
    return runNvvm(readPtx("nvvm-sm90.ptx"), "bulk", x, 64, {}, options);
  });
}

/// Without the barrier between the two phases the second may be over before all have
/// seen the first: a wait for the parity of a phase two before the current has no end.
TEST(AsyncNvvm, phasesThatOvertake) {
  std::string text = readPtx("nvvm-sm90.ptx");
  size_t at = text.find("bar.sync", text.find("bar.sync") + 1);
  text.replace(at, text.find(';', at) - at, "");
  bool isFound = false;
  for (const LaunchOptions &options : schedules(32))
    for (const Report &one : runNvvm(text, "bulk", ramp(128), 64, {}, options).report.reports)
      isFound |= one.kind == Kind::Deadlock;
  EXPECT_TRUE(isFound);
}

} // namespace
