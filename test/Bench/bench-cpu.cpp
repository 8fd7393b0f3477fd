//===- bench-cpu.cpp - Softmax on the CPU against memcpy and C ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four things move the same bytes on the same number of threads, in turn, in one
// process: the persistent softmax through the engine; the loop of softmax.c; and
// memcpy, once row by row (thread t of n takes rows t, t + n, ... as the
// persistent programs do) and once with one large piece per thread. The output
// the engine wrote in the last timed run is compared with float64.
//
//===----------------------------------------------------------------------===//

#include "fsm/Engine/Engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <new>
#include <random>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern "C" void cSoftmax(float *out, const float *in, size_t first, size_t step, size_t rows,
                         size_t cols);

using fsm::Argument;
/// Memory at the start of a cache line, as tensor libraries hand it out; the same for all
/// contestants.
template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  T *allocate(size_t count) {
    return static_cast<T *>(::operator new(count * sizeof(T), std::align_val_t(64)));
  }
  void deallocate(T *data, size_t) { ::operator delete(data, std::align_val_t(64)); }
  bool operator==(const CacheLineAllocator &) const { return true; }
  bool operator!=(const CacheLineAllocator &) const { return false; }
};
using Floats = std::vector<float, CacheLineAllocator<float>>;

static constexpr int kCompiles = 20;

static void quit(const std::string &message) {
  std::fprintf(stderr, "bench-cpu: %s\n", message.c_str());
  std::exit(1);
}

template <typename T>
static T need(fsm::Result<T> result) {
  if (!result)
    quit(result.error().message);
  return std::move(*result);
}

static void need(fsm::Result<void> result) {
  if (!result)
    quit(result.error().message);
}

//===----------------------------------------------------------------------===//
// Threads and time
//===----------------------------------------------------------------------===//

namespace {
/// Threads that wait for work, so that the opponents start as warm as the
/// engine does. The caller is one of them.
class Team {
public:
  explicit Team(size_t size) {
    for (size_t index = 1; index < size; ++index)
      threads.emplace_back([this, index] { serve(index); });
  }
  ~Team() {
    start(nullptr);
    for (std::thread &thread : threads)
      thread.join();
  }

  size_t size() const { return threads.size() + 1; }

  /// Calls work(0), ... work(size - 1) at the same time.
  void run(const std::function<void(size_t)> &work) {
    start(&work);
    work(0);
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return busy == 0; });
  }

private:
  void start(const std::function<void(size_t)> *work) {
    std::lock_guard<std::mutex> lock(mutex);
    current = work;
    busy = threads.size();
    ++round;
    changed.notify_all();
  }

  void serve(size_t index) {
    for (size_t seen = 0;;) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return round != seen; });
      seen = round;
      const std::function<void(size_t)> *work = current;
      lock.unlock();
      if (!work)
        return;
      (*work)(index);
      lock.lock();
      if (--busy == 0)
        changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  const std::function<void(size_t)> *current = nullptr;
  size_t busy = 0;
  size_t round = 0;
  std::vector<std::thread> threads;
};

/// The quartiles of a set of times, in seconds.
struct Times {
  double low, median, high;

  /// Half the distance of the quartiles, in per cent of the median.
  double spread() const { return 50 * (high - low) / median; }
};
} // namespace

template <typename Callable>
static double secondsOf(const Callable &work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static Times quartiles(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  size_t last = seconds.size() - 1;
  return {seconds[last / 4], seconds[last / 2], seconds[last - last / 4]};
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
enum Contestant { Engine, Rows, Bulk, C, NumContestants };

struct Options {
  std::string example = "examples/05-softmax-persistent.mlir";
  std::string fsmOpt;
  std::string json;
  size_t repeats = 15;
  size_t bytes = size_t(64) << 20;
  std::vector<size_t> columns = {256, 512, 781, 1024, 2048, 4096, 8192, 16384};
};

struct Measurement {
  size_t rows, cols;
  Times times[NumContestants];
  /// The contestant's time over the engine's: the median over the rounds, each
  /// of which ran all of them under much the same conditions.
  double ratio[NumContestants];
  /// The largest error of the engine and of C, relative to the answer.
  double error[2];

  /// Read once and written once.
  double rate(Contestant who) const { return 8e-9 * rows * cols / times[who].median; }
};
} // namespace

static double largestError(const Floats &in, const Floats &out, size_t cols) {
  double worst = 0;
  std::vector<double> powers(cols);
  for (size_t start = 0; start < in.size(); start += cols) {
    const float *x = &in[start];
    double max = *std::max_element(x, x + cols), sum = 0;
    for (size_t i = 0; i < cols; ++i)
      sum += powers[i] = std::exp(x[i] - max);
    for (size_t i = 0; i < cols; ++i) {
      double error = std::fabs(out[start + i] * sum / powers[i] - 1);
      // The negation keeps NaN.
      worst = !(error <= worst) ? error : worst;
    }
  }
  return worst;
}

static fsm::Source sourceFor(const std::string &text, const Options &options, size_t block) {
  return {text, options.example, {{"BLOCK", std::to_string(block)}}};
}

static std::vector<Argument> argumentsOf(Floats &out, Floats &in, size_t rows, size_t cols) {
  auto buffer = [](Floats &v) { return Argument::buffer(v.data(), v.size() * sizeof(float)); };
  Argument stride = Argument::integer(cols);
  return {buffer(out), buffer(in), stride, stride, Argument::integer(rows), stride};
}

static Floats randomNormal(size_t count) {
  Floats values(count);
  std::mt19937 random(781);
  std::normal_distribution<float> normal;
  for (float &value : values)
    value = normal(random);
  return values;
}

static Measurement measure(fsm::Engine &engine, Team &team, const std::string &text,
                           const Options &options, size_t cols) {
  Measurement result;
  result.cols = cols;
  size_t rows = result.rows = (options.bytes + 4 * cols - 1) / (4 * cols);
  Floats in = randomNormal(rows * cols), out(in.size()), copy(in.size()), cOut(in.size());

  fsm::Kernel kernel = need(engine.load(sourceFor(text, options, cols)));
  std::vector<Argument> arguments = argumentsOf(out, in, rows, cols);
  fsm::Grid grid;
  grid.x = std::min<size_t>(team.size(), rows);

  size_t threads = team.size();
  std::function<void()> work[NumContestants];
  work[Engine] = [&] { need(engine.launch(kernel, grid, arguments)); };
  work[Rows] = [&] {
    team.run([&](size_t thread) {
      for (size_t row = thread; row < rows; row += threads)
        std::memcpy(&copy[row * cols], &in[row * cols], 4 * cols);
    });
  };
  work[Bulk] = [&] {
    team.run([&](size_t thread) {
      size_t first = in.size() * thread / threads, last = in.size() * (thread + 1) / threads;
      std::memcpy(&copy[first], &in[first], 4 * (last - first));
    });
  };
  work[C] = [&] {
    team.run([&](size_t t) { cSoftmax(cOut.data(), in.data(), t, threads, rows, cols); });
  };

  std::vector<double> seconds[NumContestants];
  for (size_t repeat = 0; repeat <= options.repeats; ++repeat)
    for (int who = 0; who < NumContestants; ++who) {
      double time = secondsOf(work[who]);
      // The first round compiles and touches pages.
      if (repeat != 0)
        seconds[who].push_back(time);
    }
  for (int who = 0; who < NumContestants; ++who) {
    std::vector<double> ratios(options.repeats);
    std::transform(seconds[who].begin(), seconds[who].end(), seconds[Engine].begin(),
                   ratios.begin(), std::divides<double>());
    result.ratio[who] = quartiles(ratios).median;
    result.times[who] = quartiles(seconds[who]);
  }
  result.error[0] = largestError(in, out, cols);
  result.error[1] = largestError(in, cOut, cols);
  return result;
}

//===----------------------------------------------------------------------===//
// Compile and start
//===----------------------------------------------------------------------===//

/// From text to host code ready to be called. The number of stages does not
/// change the code, but makes each source a new one, so nothing is fetched.
static Times compileTime(fsm::Engine &engine, const std::string &text, const Options &options) {
  Floats in(1024), out(1024);
  std::vector<double> seconds;
  for (int repeat = 0; repeat <= kCompiles; ++repeat) {
    fsm::Source source = sourceFor(text, options, 1024);
    source.parameters["STAGES"] = std::to_string(100 + repeat);
    double time = secondsOf([&] {
      fsm::Kernel kernel = need(engine.load(source));
      need(engine.compile(kernel, argumentsOf(out, in, 1, 1024)));
    });
    if (repeat != 0)
      seconds.push_back(time);
  }
  return quartiles(seconds);
}

static Times startTime(const std::string &program) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = program, flag = "--version";
  char *arguments[] = {name.data(), flag.data(), nullptr};
  std::vector<double> seconds;
  for (int repeat = 0; repeat <= kCompiles; ++repeat) {
    double time = secondsOf([&] {
      pid_t child;
      int status = 0;
      if (posix_spawn(&child, name.c_str(), &actions, nullptr, arguments, environ) != 0 ||
          waitpid(child, &status, 0) != child || status != 0)
        quit("cannot run " + program + " --version");
    });
    if (repeat != 0)
      seconds.push_back(time);
  }
  posix_spawn_file_actions_destroy(&actions);
  return quartiles(seconds);
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

static void printHeader(size_t threads, const Options &options) {
  std::printf(
      "softmax f32, %zu threads, at least %zu MB a buffer, medians of %zu interleaved runs\n",
      threads, options.bytes >> 20, options.repeats);
  std::printf(
      "GB/s count one read and one write; +- is half the distance of the quartiles; ratios are "
      "medians over the rounds\n\n");
  std::printf("%6s %8s | %15s %15s %15s %15s | %8s %8s %7s | %9s %9s\n", "N", "rows", "fsm",
              "copy by rows", "copy in bulk", "C", "/by rows", "/in bulk", "/C", "fsm error",
              "C error");
}

static void print(const Measurement &m) {
  std::printf("%6zu %8zu |", m.cols, m.rows);
  for (Contestant who : {Engine, Rows, Bulk, C})
    std::printf(" %7.2f +-%4.1f%%", m.rate(who), m.times[who].spread());
  std::printf(" | %8.3f %8.3f %7.2f | %9.1e %9.1e\n", m.ratio[Rows], m.ratio[Bulk], m.ratio[C],
              m.error[0], m.error[1]);
  std::fflush(stdout);
}

static void printTimes(std::FILE *file, const char *name, const Times &times) {
  std::fprintf(file, "\"%s\": [%.9g, %.9g, %.9g]", name, times.low, times.median, times.high);
}

static void writeJson(const std::string &path, size_t threads,
                      const std::vector<Measurement> &measurements, const Times &compile,
                      const Times *start) {
  std::FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    quit("cannot write " + path);
  std::fprintf(file, "{\"threads\": %zu, \"unit\": \"seconds: quartile, median, quartile\",\n",
               threads);
  printTimes(file, "compile", compile);
  if (start) {
    std::fprintf(file, ", ");
    printTimes(file, "fsm_opt_start", *start);
  }
  std::fprintf(file, ",\n\"softmax\": [");
  const char *names[] = {"fsm", "copy_by_rows", "copy_in_bulk", "c"};
  for (const Measurement &m : measurements) {
    std::fprintf(file, "%s\n  {\"rows\": %zu, \"cols\": %zu, \"fsm_error\": %.3g",
                 &m == measurements.data() ? "" : ",", m.rows, m.cols, m.error[0]);
    for (int who = 0; who < NumContestants; ++who) {
      std::fprintf(file, ", ");
      printTimes(file, names[who], m.times[who]);
      if (who != Engine)
        std::fprintf(file, ", \"%s_over_fsm\": %.4f", names[who], m.ratio[who]);
    }
    std::fprintf(file, "}");
  }
  std::fprintf(file, "\n]}\n");
  std::fclose(file);
}

static Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (name == "--example")
      options.example = value;
    else if (name == "--fsm-opt")
      options.fsmOpt = value;
    else if (name == "--json")
      options.json = value;
    else if (name == "--repeats" && std::atoi(value.c_str()) > 0)
      options.repeats = std::atoi(value.c_str());
    else if (name == "--columns" && std::atoi(value.c_str()) > 0)
      options.columns = {size_t(std::atoi(value.c_str()))};
    else
      quit("expected --example=FILE, --fsm-opt=PROGRAM, --json=FILE, --repeats=N or --columns=N, "
           "got " +
           argument);
  }
  return options;
}

int main(int argc, char **argv) {
  Options options = parse(argc, argv);
  std::ifstream file(options.example);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  fsm::Engine engine = need(fsm::Engine::create("cpu"));
  Team team(engine.concurrentPrograms());

  printHeader(team.size(), options);
  std::vector<Measurement> measurements;
  for (size_t cols : options.columns) {
    measurements.push_back(measure(engine, team, text, options, cols));
    print(measurements.back());
  }
  Times compile = compileTime(engine, text, options);
  std::printf("\nwarm compile, text to callable code: %.2f ms +-%.1f%% (median of %d)\n",
              compile.median * 1e3, compile.spread(), kCompiles);
  Times start = {};
  if (!options.fsmOpt.empty()) {
    start = startTime(options.fsmOpt);
    std::printf("fsm-opt --version: %.2f ms +-%.1f%% (median of %d)\n", start.median * 1e3,
                start.spread(), kCompiles);
  }
  if (!options.json.empty())
    writeJson(options.json, team.size(), measurements, compile,
              options.fsmOpt.empty() ? nullptr : &start);
  for (const Measurement &m : measurements)
    if (!(m.error[0] <= 2e-6))
      quit("the engine's softmax of " + std::to_string(m.cols) + " columns is wrong");
  return 0;
}
