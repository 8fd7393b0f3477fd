//===- launch-threads.cpp - Launches from many threads, against one -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// fsm-launch-threads LINES [--threads=N] [--rounds=N]
//
// LINES holds command lines of fsm-run with --grid, as `tools/dev/fuzz --lines=FOLDER` writes
// them: the same kernels with several sets of arguments. Each is launched alone first. Then all
// threads share an engine for each device that has run nothing yet, and kernels that are loaded
// once, and launch the lines in orders of their own, so that code for one set of arguments is
// made while that for others runs. Exit code 1 if an array differs from what the launch alone
// has left in it: in any bit, or of floats in more than two kernels may differ by that are made of
// one source. What LLVM computes while it compiles, because a launch's facts say it, has not the
// last bit of a function that runs.
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/Compare.h"
#include "fsm/Tools/Run/RunBatch.h"
#include "fsm/Tools/Run/RunDevice.h"
#include "fsm/Tools/Run/RunLaunch.h"
#include "fsm/Tools/Run/RunRequest.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstring>
#include <fstream>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

using namespace fsm;
namespace cl = llvm::cl;

static cl::opt<std::string> linesOption(cl::Positional, cl::Required, cl::desc("LINES"));
static cl::opt<unsigned> threadsOption("threads", cl::init(4), cl::desc("how many threads"));
static cl::opt<unsigned> roundsOption("rounds", cl::init(2), cl::desc("how often each line"));

namespace {
/// A line, with what is to be launched and what comes of it.
struct Task {
  std::string line;
  RunOptions options;
  Source source;
  CompileOptions compile;
  std::vector<ArgumentValue> inputs;
  std::vector<ArgumentValue> expected;
};

/// One engine of each device, which tasks share, and with it one kernel of each way to compile a source.
class Shared {
public:
  /// Loads what the task needs; not for several threads.
  Result<Kernel> load(const Task &task) {
    Result<Engine *> engine = devices.open(task.options.device);
    if (!engine)
      return engine.error();
    return (*engine)->load(task.source, task.compile);
  }

  Engine &engine(const Task &task) { return **devices.open(task.options.device); }

private:
  OpenDevices devices;
};
} // namespace

static Result<std::vector<ArgumentValue>> launch(Engine &engine, const Kernel &kernel,
                                                 const Task &task) {
  Result<std::vector<ArgumentValue>> values = cloneAll(task.inputs);
  if (!values)
    return values;
  LaunchOptions quiet;
  quiet.print = [](const std::string &) {};
  Result<void> launched =
      engine.launch(kernel, task.options.grid->grid, launchArguments(*values), quiet);
  if (!launched)
    return launched.error();
  return values;
}

/// The task of a line.
static Result<Task> taskOf(const std::string &line) {
  Result<std::vector<std::string>> words = splitWords(line);
  if (!words)
    return words.error();
  Result<RunOptions> options = parseRunOptions({words->begin(), words->end()});
  if (!options)
    return options.error();
  Result<Source> source = readSource(*options);
  if (!source)
    return source.error();
  Result<std::vector<KernelSignature>> kernels = Compiler::list(*source);
  if (!kernels)
    return kernels.error();
  if (kernels->size() != 1 || !options->grid)
    return badInput("expected lines with one kernel and a grid, got '" + line + "'");
  Result<CompileOptions> compile = compileOptionsFor(*options, kernels->front());
  if (!compile)
    return compile.error();
  Result<std::vector<ArgumentValue>> inputs = makeArguments(*options, kernels->front());
  if (!inputs)
    return inputs.error();
  return Task{line, *options, std::move(*source), std::move(*compile), std::move(*inputs), {}};
}

static ArrayView viewOf(const ArgumentValue &value) {
  ArrayView view;
  view.type = value.argument.type;
  view.fortranOrder = value.fortranOrder;
  view.shape = value.shape;
  view.data = value.data.data();
  return view;
}

/// Whether two launches have left the same in an array.
static bool isSame(const ArgumentValue &actual, const ArgumentValue &expected) {
  if (std::memcmp(actual.data.data(), expected.data.data(), expected.data.size()) == 0)
    return true;
  if (!scalarTypeInfo(actual.argument.type).isFloat)
    return false;
  Result<Comparison> comparison = compareArrays(viewOf(actual), viewOf(expected));
  return comparison && comparison->mismatches == 0;
}

/// The first array in which two launches left something else, or a negative number.
static int firstDifference(const Task &task, const std::vector<ArgumentValue> &values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!isSame(values[i], task.expected[i]))
      return static_cast<int>(i);
  return -1;
}

/// How many launches of all threads failed or left something else.
static unsigned launchTogether(const std::vector<Task> &tasks) {
  Shared shared;
  std::vector<Kernel> kernels;
  for (const Task &task : tasks)
    kernels.push_back(*shared.load(task));
  std::atomic<unsigned> bad = 0;
  std::mutex output;
  auto work = [&](unsigned number) {
    std::mt19937 random(number);
    std::vector<size_t> order(tasks.size());
    std::iota(order.begin(), order.end(), size_t(0));
    for (unsigned round = 0; round < roundsOption; ++round) {
      std::shuffle(order.begin(), order.end(), random);
      for (size_t i : order) {
        auto values = launch(shared.engine(tasks[i]), kernels[i], tasks[i]);
        int place = values ? firstDifference(tasks[i], *values) : 0;
        if (values && place < 0)
          continue;
        ++bad;
        std::lock_guard<std::mutex> lock(output);
        llvm::outs() << "thread " << number << ": " << tasks[i].line << ": "
                     << (values ? "argument " + std::to_string(place) +
                                      " differs from what a launch alone leaves"
                                : values.error().message)
                     << "\n";
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < threadsOption; ++number)
    threads.emplace_back(work, number);
  for (std::thread &thread : threads)
    thread.join();
  return bad;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "launches from many threads, against one\n");
  std::vector<Task> tasks;
  // Kernels that have no room on a GPU.
  unsigned refused = 0;
  std::ifstream file(linesOption);
  for (std::string line; std::getline(file, line);) {
    Result<Task> task = taskOf(line);
    if (!task) {
      llvm::errs() << task.error().message << "\n";
      return 2;
    }
    // An engine and a kernel of its own.
    Shared alone;
    Result<Kernel> kernel = alone.load(*task);
    if (!kernel) {
      llvm::errs() << kernel.error().message << "\n";
      return 2;
    }
    auto values = launch(alone.engine(*task), *kernel, *task);
    if (!values && values.error().kind != Error::Kind::BadInput) {
      llvm::errs() << values.error().message << "\n";
      return 2;
    }
    if (!values) {
      ++refused;
      continue;
    }
    task->expected = std::move(*values);
    tasks.push_back(std::move(*task));
  }
  unsigned bad = tasks.empty() ? 1 : launchTogether(tasks);
  llvm::outs() << tasks.size() << " launches alone, " << refused << " refused; "
               << tasks.size() * threadsOption * roundsOption << " from " << threadsOption
               << " threads, " << bad << " bad\n";
  return bad ? 1 : 0;
}
