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
// made while that for others runs. Every other launch of a thread is a prepared one (PreparedLaunch.h),
// which the lines of a kernel share whatever their arguments are. Exit code 1 if an array differs from what the launch alone
// has left in it: in any bit, or of floats in more than two kernels may differ by that are made of
// one source. What LLVM computes while it compiles, because a launch's facts say it, has not the
// last bit of a function that runs.
//
//===----------------------------------------------------------------------===//

#include "LaunchCheck.h"

#include "fsm/Engine/PreparedLaunch.h"
#include "fsm/Runtime/Memory.h"
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
#include <map>
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

namespace {
/// The arrays of a launch where a prepared one takes them: as they are, or in memory of the device, as far behind
/// a multiple of 64 bytes as they are here.
class PreparedArguments {
public:
  static Result<PreparedArguments> make(Engine &engine, std::vector<ArgumentValue> &values) {
    PreparedArguments made;
    made.arguments = launchArguments(values);
    if (!engine.deviceProperties())
      return made;
    for (Argument &argument : made.arguments) {
      if (argument.kind != Argument::Kind::Buffer)
        continue;
      size_t offset = reinterpret_cast<uintptr_t>(argument.data) % kApart;
      Result<cuda::Memory> memory = engine.allocate(argument.bytes + kApart);
      if (!memory)
        return memory.error();
      if (Result<void> copied = memory->copyIn(argument.data, argument.bytes, offset); !copied)
        return copied.error();
      made.copies.push_back({argument.data, argument.bytes, offset, std::move(*memory)});
      argument = Argument::deviceBuffer(made.copies.back().memory.address() + offset, argument.bytes);
    }
    return made;
  }

  Result<void> takeBack() const {
    for (const Copy &copy : copies)
      if (Result<void> copied = copy.memory.copyOut(copy.host, copy.bytes, copy.offset); !copied)
        return copied;
    return {};
  }

  std::vector<Argument> arguments;

private:
  static constexpr size_t kApart = 64;
  struct Copy {
    void *host;
    size_t bytes, offset;
    cuda::Memory memory;
  };
  std::vector<Copy> copies;
};

/// Prepared launches of one thread.
class Prepared {
public:
  /// Whether lines like these can be launched so: not with arrays that overlap, which would lie apart on a device.
  static bool takes(const Task &task) { return task.line.find("--overlap") == std::string::npos; }

  Result<std::vector<ArgumentValue>> launch(Engine &engine, const Kernel &kernel, const Task &task) {
    Result<std::vector<ArgumentValue>> values = cloneAll(task.inputs);
    if (!values)
      return values;
    Result<PreparedArguments> own = PreparedArguments::make(engine, *values);
    if (!own)
      return own.error();
    auto known = all.find(nameOf(task.line));
    if (known == all.end()) {
      Result<PreparedLaunch> made = engine.prepare(kernel, own->arguments);
      if (!made)
        return made.error();
      known = all.emplace(nameOf(task.line), std::move(*made)).first;
    }
    Result<ArgumentBits> bits = convertArguments(kernel.signature(), own->arguments);
    if (!bits)
      return bits.error();
    if (Result<void> done = known->second.launch(task.options.grid->grid, bits->data()); !done)
      return done.error();
    Result<void> back = own->takeBack();
    return back ? std::move(values) : Result<std::vector<ArgumentValue>>(back.error());
  }

private:
  /// What lines with one kernel have in common.
  static std::string nameOf(const std::string &line) {
    std::string name;
    Result<std::vector<std::string>> words = splitWords(line);
    for (const std::string &word : *words)
      if (!llvm::StringRef(word).starts_with("--arg") && !llvm::StringRef(word).starts_with("--grid") &&
          !llvm::StringRef(word).starts_with("--shift"))
        name += word + " ";
    return name;
  }

  std::map<std::string, PreparedLaunch> all;
};
} // namespace

/// Whether an error says only that a kernel prints or asserts, which no prepared launch does.
static bool isOfTalk(const Error &error) {
  return error.message.find("a prepared launch cannot print") != std::string::npos;
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
    Prepared prepared;
    std::vector<size_t> order(tasks.size());
    std::iota(order.begin(), order.end(), size_t(0));
    for (unsigned round = 0; round < roundsOption; ++round) {
      std::shuffle(order.begin(), order.end(), random);
      for (size_t i : order) {
        bool isPrepared = (i + round + number) % 2 && Prepared::takes(tasks[i]);
        Engine &engine = shared.engine(tasks[i]);
        auto values = isPrepared ? prepared.launch(engine, kernels[i], tasks[i])
                                 : launch(engine, kernels[i], tasks[i]);
        if (!values && isPrepared && isOfTalk(values.error()))
          values = launch(engine, kernels[i], tasks[i]);
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
