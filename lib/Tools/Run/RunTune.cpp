//===- RunTune.cpp - The fastest of many ways -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunTune.h"
#include "fsm/Tools/Run/RunLaunch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

using namespace fsm;

/// More are a mistake, or a job for somebody who sleeps meanwhile.
static constexpr size_t kMaxTrials = 4096;

namespace {
/// One combination, and what came of it.
struct Trial {
  std::vector<std::string> values;
  /// The median; infinite where it does not run.
  double seconds = INFINITY;
  double bytes = 0;
  std::string fault;
};
} // namespace

static std::vector<Trial> trialsOf(const std::vector<TuneSpec> &specs) {
  std::vector<Trial> trials(1);
  for (const TuneSpec &spec : specs) {
    std::vector<Trial> longer;
    for (const Trial &trial : trials)
      for (const std::string &value : spec.values) {
        longer.push_back(trial);
        longer.back().values.push_back(value);
      }
    trials = std::move(longer);
  }
  return trials;
}

/// Whether a spec tries the values of that option of a compilation.
static bool isOption(const TuneSpec &spec, std::string_view option) {
  return !spec.isParameter && spec.name == option;
}

static RunOptions optionsOf(const RunOptions &options, const Trial &trial) {
  RunOptions chosen = options;
  if (!chosen.timedRuns)
    chosen.timedRuns = 20;
  for (size_t i = 0; i < options.tunes.size(); ++i) {
    const TuneSpec &spec = options.tunes[i];
    const std::string &value = trial.values[i];
    if (isOption(spec, "num_warps"))
      chosen.compile.numWarps = static_cast<unsigned>(std::stoul(value));
    else if (isOption(spec, "num_stages"))
      chosen.compile.numStages = static_cast<unsigned>(std::stoul(value));
    else
      chosen.parameters[spec.name] = value;
  }
  return chosen;
}

/// How the command line says it: `-D BM=32 --num-warps=4`.
static std::string wordsOf(const RunOptions &options, const Trial &trial) {
  std::string words;
  for (size_t i = 0; i < options.tunes.size(); ++i) {
    const TuneSpec &spec = options.tunes[i];
    const std::string &value = trial.values[i];
    words += (i ? " " : "") + (isOption(spec, "num_warps")    ? "--num-warps=" + value
                               : isOption(spec, "num_stages") ? "--num-stages=" + value
                                                              : "-D " + spec.name + "=" + value);
  }
  return words;
}

/// `[####      ] 4/10, best 12.30 us with -D BM=32`, where somebody sees it.
static void showBar(const RunOptions &options, size_t done, size_t all, const Trial *best) {
  if (!isatty(STDERR_FILENO))
    return;
  constexpr size_t width = 30;
  std::string bar(width * done / all, '#');
  bar.resize(width, ' ');
  std::fprintf(stderr, "\r\033[K[%s] %zu/%zu", bar.c_str(), done, all);
  if (best && std::isfinite(best->seconds))
    std::fprintf(stderr, ", best %s with %s", durationText(best->seconds).c_str(),
                 wordsOf(options, *best).c_str());
  if (done == all)
    std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

static double medianOf(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  size_t middle = seconds.size() / 2;
  return seconds.size() % 2 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
}

std::string fsm::faultOf(const Error &error) {
  std::string line = error.message.substr(0, error.message.find('\n'));
  size_t sentence = line.find("error: ");
  return sentence == std::string::npos ? line : line.substr(sentence + 7);
}

/// What came of each trial.
static void printTable(const RunOptions &options, const std::vector<Trial> &trials) {
  std::vector<std::vector<std::string>> rows(1);
  for (const TuneSpec &spec : options.tunes)
    rows[0].push_back(spec.name);
  rows[0].insert(rows[0].end(), {"time", "GB/s"});
  for (const Trial &trial : trials) {
    rows.push_back(trial.values);
    if (!trial.fault.empty()) {
      rows.back().push_back(trial.fault);
      continue;
    }
    char rate[32];
    std::snprintf(rate, sizeof(rate), "%.3g", trial.bytes / trial.seconds / 1e9);
    rows.back().insert(rows.back().end(), {durationText(trial.seconds), rate});
  }
  printColumns(rows);
}

void fsm::printColumns(const std::vector<std::vector<std::string>> &rows) {
  // What fails needs no more room than the words of its row.
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i + 1 < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size())
        line.append(widths[i] - row[i].size() + 2, ' ');
    }
    std::printf("%s\n", line.c_str());
  }
}

Result<bool> fsm::runTune(const RunOptions &options, const TimeTrial &time) {
  size_t count = 1;
  for (const TuneSpec &spec : options.tunes)
    if ((count *= spec.values.size()) > kMaxTrials)
      return runError("--tune: expected at most " + std::to_string(kMaxTrials) +
                      " combinations, got more");
  std::vector<Trial> trials = trialsOf(options.tunes);
  bool allHold = true;
  const Trial *best = nullptr;
  Error last;
  for (size_t i = 0; i < trials.size(); ++i) {
    Trial &trial = trials[i];
    showBar(options, i, trials.size(), best);
    Timing timing;
    Result<bool> holds = time(optionsOf(options, trial), timing);
    if (!holds && holds.error().kind == Error::Kind::NoDevice)
      return holds.error();
    if (!holds) {
      last = holds.error();
      trial.fault = faultOf(last);
      continue;
    }
    allHold &= *holds;
    if (!*holds) {
      trial.fault = "a comparison failed";
      continue;
    }
    trial.seconds = medianOf(std::move(timing.seconds));
    trial.bytes = timing.bytes;
    if (!best || trial.seconds < best->seconds)
      best = &trial;
  }
  showBar(options, trials.size(), trials.size(), best);
  const bool anyRuns = best != nullptr;
  std::stable_sort(trials.begin(), trials.end(),
                   [](const Trial &a, const Trial &b) { return a.seconds > b.seconds; });
  printTable(options, trials);
  if (!anyRuns)
    return allHold ? Result<bool>(last) : Result<bool>(false);
  // Of several that took as long, the one that stands last.
  std::printf("best: %s, %s\n", wordsOf(options, trials.back()).c_str(),
              durationText(trials.back().seconds).c_str());
  return allHold;
}
