//===- RunLaunch.cpp - Launch, check, compare and time ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunLaunch.h"
#include "fsm/Artifact/LaunchRules.h"
#include "fsm/Tools/Quote.h"
#include "fsm/Tools/Run/FaultWatch.h"
#include "fsm/Tools/Run/ProgressLine.h"
#include "fsm/Tools/Run/RunRequest.h"
#include "fsm/Tools/Run/SignatureText.h"
#include "fsm/Tools/Run/UnwrittenElements.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace fsm;

using Values = std::vector<ArgumentValue>;

std::vector<Argument> fsm::launchArguments(Values &values) {
  std::vector<Argument> arguments;
  for (ArgumentValue &value : values)
    arguments.push_back(value.forLaunch());
  return arguments;
}

void fsm::printDiagnostics(const std::vector<std::string> &diagnostics) {
  std::fflush(stdout);
  for (const std::string &diagnostic : diagnostics)
    std::fprintf(stderr, "%s\n", diagnostic.c_str());
}

static double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

namespace {
/// A kernel on a device.
struct Loaded {
  const RunRequest &request;
  Engine &engine;
  Kernel kernel;
  Grid grid;

  /// Fits a grid that the kernel states to its arguments: what is compiled depends on it.
  Result<void> fitStatedGrid(Values &values) {
    if (!request.options.grid->isStated)
      return {};
    Result<Grid> stated = gridOf(request.signature, launchArguments(values));
    if (!stated)
      return stated.error();
    grid = *stated;
    return {};
  }

  /// Fits a persistent grid to the device; the kernel is compiled for `values`.
  Result<void> fitGrid(Values &values) {
    const GridSpec &spec = *request.options.grid;
    if (!spec.isPersistent)
      return {};
    Result<int32_t> programs =
        engine.persistentPrograms(kernel, launchArguments(values), spec.grid.x);
    if (!programs)
      return programs.error();
    grid.x = *programs;
    return {};
  }

  /// Prints what the kernel says, unless another device has said it.
  Result<void> launch(Values &values, bool isQuiet = false) {
    std::vector<std::string> lines;
    FaultWatch watch(values);
    LaunchOptions how;
    how.printRecords = request.options.printRecords;
    how.allowsRaces = request.options.allowsRaces;
    how.print = [&](const std::string &line) { lines.push_back(line); };
    std::string accesses;
    if (request.options.countsAccesses && !isQuiet)
      how.accesses = [&](const std::string &text) { accesses = text + "\n"; };
    Result<void> launched = Result<void>();
    {
      ProgressLine progress("launching @" + printable(request.signature.name) + " on " +
                            std::string(engine.device()));
      launched = engine.launch(kernel, grid, launchArguments(values), how);
    }
    std::printf("%s", accesses.c_str());
    std::fflush(stdout);
    for (const std::string &line : lines)
      if (!isQuiet)
        std::fprintf(stderr, "%s\n", line.c_str());
    return launched ? watch.check() : launched;
  }
};
} // namespace

/// Launches, and says which elements of outputs were not written.
static Result<void> launchAndWatch(Loaded &loaded, Values &values, bool isQuiet = false) {
  const RunRequest &request = loaded.request;
  UnwrittenElements unwritten(request.options, loaded.engine.device(), values);
  unwritten.fill(values, /*isSecond=*/false);
  Result<void> launched = loaded.launch(values, isQuiet);
  if (!launched || !unwritten.anyKeeps(values))
    return launched;
  Result<Values> second = makeArguments(request.options, request.signature);
  if (!second)
    return second.error();
  unwritten.fill(*second, /*isSecond=*/true);
  if (Result<void> again = loaded.launch(*second, /*isQuiet=*/true); !again)
    return again;
  for (const std::string &sentence : unwritten.take(values, *second))
    if (!isQuiet && !request.timing)
      std::fprintf(stderr, "fsm-run: note: %s\n", sentence.c_str());
  return {};
}

static void report(const RunRequest &request, bool holds, const std::string &subject,
                   const Comparison &comparison) {
  if (holds && request.timing)
    return;
  // A mismatch is an error and goes where errors go.
  std::fflush(stdout);
  std::fprintf(holds ? stdout : stderr, "%s%s: %s\n", holds ? "" : "fsm-run: ", subject.c_str(),
               comparison.text().c_str());
}

static ArrayView viewOf(const ArgumentValue &value) {
  ArrayView view;
  view.type = value.argument.type;
  view.isUnsigned = npyTypeInfo(value.fileType).kind == 'u';
  view.fortranOrder = value.fortranOrder;
  view.shape = value.shape;
  view.data = value.data.data();
  return view;
}

/// The position of the array that --check or --out (`option`) refers to.
static Result<size_t> findArray(const RunRequest &request, const std::string &reference,
                                const char *option) {
  std::string place = "fsm-run: " + std::string(option) + ": ";
  Result<size_t> position = findArgument(request.signature, reference);
  if (!position)
    return badInput(place + position.error().message);
  const KernelArgument &argument = request.signature.arguments[*position];
  if (!argument.isPointer())
    return badInput(place + "expected an array, got " + argumentPlace(argument, *position));
  return position;
}

/// References that were read before the launch, so that a wrong file name does
/// not cost a long run.
struct Reference {
  const CheckSpec *spec;
  size_t position;
  NpyArray array;
};

static Result<std::vector<Reference>> readReferences(const RunRequest &request) {
  std::vector<Reference> references;
  for (const CheckSpec &spec : request.options.checks) {
    Result<size_t> position = findArray(request, spec.argument, "--check");
    if (!position)
      return position.error();
    Result<NpyArray> array = readNpy(spec.path);
    if (!array)
      return array.error();
    // Only to fail early; the view itself is taken when it is needed.
    ScalarType type = request.signature.arguments[*position].type;
    if (Result<ArrayView> view = viewReference(*array, type, spec.path); !view)
      return view.error();
    references.push_back({&spec, *position, std::move(*array)});
  }
  return references;
}

static Result<bool> checkReferences(const RunRequest &request, const Values &outputs,
                                    const std::vector<Reference> &references) {
  ProgressLine progress("checking");
  bool allHold = true;
  for (const Reference &reference : references) {
    const ArgumentValue &output = outputs[reference.position];
    std::string subject = argumentPlace(output.argument, reference.position) + " against " +
                          printable(reference.spec->path);
    Result<ArrayView> expected =
        viewReference(reference.array, output.argument.type, reference.spec->path);
    if (!expected)
      return expected.error();
    Result<Comparison> comparison =
        compareArrays(viewOf(output), *expected, reference.spec->tolerance);
    if (!comparison)
      return badInput(subject + ": " + comparison.error().message);
    bool holds = comparison->mismatches == 0;
    allHold &= holds;
    report(request, holds, subject, *comparison);
  }
  return allHold;
}

/// Runs on another device, on copies of the inputs of its own, over the same
/// grid.
static Result<bool> compareWithDevice(const RunRequest &request, Grid grid, const Values &inputs,
                                      const Values &outputs) {
  const std::string &device = request.options.compare;
  Result<Engine *> engine = request.devices.open(device);
  if (!engine)
    return engine.error();
  CompileOptions compile = request.compile;
  compile.target = CompileOptions().target;
  Result<Kernel> kernel = (*engine)->load(request.source, compile);
  if (!kernel)
    return kernel.error();
  Result<Values> values = cloneAll(inputs);
  if (!values)
    return values.error();
  Loaded other{request, **engine, *kernel, grid};
  if (Result<void> launched = launchAndWatch(other, *values, /*isQuiet=*/true); !launched)
    return launched.error();
  bool allHold = true;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].argument.isPointer())
      continue;
    Result<Comparison> comparison = compareArrays(viewOf(outputs[i]), viewOf((*values)[i]));
    if (!comparison)
      return comparison.error();
    bool holds = comparison->mismatches == 0;
    allHold &= holds;
    report(request, holds, argumentPlace(outputs[i].argument, i) + " against " + device,
           *comparison);
  }
  return allHold;
}

std::string fsm::durationText(double seconds) {
  char text[32];
  if (seconds < 1e-3)
    std::snprintf(text, sizeof(text), "%.2f us", seconds * 1e6);
  else if (seconds < 1)
    std::snprintf(text, sizeof(text), "%.3f ms", seconds * 1e3);
  else
    std::snprintf(text, sizeof(text), "%.3f s", seconds);
  return text;
}

static double bytesMoved(const RunRequest &request, const Values &values) {
  if (request.options.bytes)
    return static_cast<double>(request.options.bytes);
  double bytes = 0;
  for (const ArgumentValue &value : values)
    bytes += static_cast<double>(value.data.size());
  return bytes;
}

static void printTimes(const Loaded &loaded, const Values &values, double compileSeconds,
                       std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  size_t middle = seconds.size() / 2;
  double median =
      seconds.size() % 2 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
  std::printf("compile: %s\n", durationText(compileSeconds).c_str());
  if (loaded.engine.device() == "sim") {
    std::printf("time: one launch took the simulator %s; that says nothing of a GPU\n",
                durationText(median).c_str());
    return;
  }
  double bytes = bytesMoved(loaded.request, values);
  std::printf("time: median %s (%s .. %s), %zu launches, %.3g GB/s\n", durationText(median).c_str(),
              durationText(seconds.front()).c_str(), durationText(seconds.back()).c_str(),
              seconds.size(), median > 0 ? bytes / median / 1e9 : 0.0);
}

/// What there is to say of a GPU and what it makes of the kernel.
static Result<void> printReport(Loaded &loaded, Values &values) {
  const cuda::DeviceProperties *properties = loaded.engine.deviceProperties();
  if (!properties)
    return {};
  Result<KernelReport> report = loaded.engine.report(loaded.kernel, launchArguments(values), &loaded.grid);
  if (!report)
    return report.error();
  std::printf("device: %s\n", deviceText(std::string(loaded.engine.device()), properties).c_str());
  std::printf("kernel: %s\n", kernelReportText(*report).c_str());
  return {};
}

/// Launches again and again on `values`, whose content does not matter any
/// more, once to warm up and then with the clock running.
static Result<void> timeLaunches(Loaded &loaded, Values &values, double compileSeconds) {
  Result<std::vector<double>> seconds = std::vector<double>();
  {
    ProgressLine progress("timing @" + printable(loaded.request.signature.name));
    FaultWatch watch(values);
    seconds = loaded.engine.timeLaunches(loaded.kernel, loaded.grid, launchArguments(values),
                                         *loaded.request.options.timedRuns);
  }
  if (!seconds)
    return seconds.error();
  if (Timing *timing = loaded.request.timing) {
    *timing = {std::move(*seconds), bytesMoved(loaded.request, values)};
    return {};
  }
  if (Result<void> printed = printReport(loaded, values); !printed)
    return printed;
  printTimes(loaded, values, compileSeconds, std::move(*seconds));
  return {};
}

static Result<void> writeOutputs(const RunRequest &request, const std::vector<size_t> &positions,
                                 const Values &outputs) {
  for (size_t i = 0; i < positions.size(); ++i) {
    Result<void> written = outputs[positions[i]].write(request.options.outs[i].path);
    if (!written)
      return written;
  }
  return {};
}

/// The seconds it took; prints what the compiler had to say.
static Result<double> compileKernel(Loaded &loaded, Values &values) {
  Result<std::vector<std::string>> said = std::vector<std::string>();
  double seconds = 0;
  {
    ProgressLine progress("compiling @" + printable(loaded.request.signature.name));
    auto begin = std::chrono::steady_clock::now();
    said = loaded.engine.diagnostics(loaded.kernel, launchArguments(values), &loaded.grid);
    seconds = secondsSince(begin);
  }
  if (!said)
    return said.error();
  if (!loaded.request.timing)
    printDiagnostics(*said);
  return seconds;
}

Result<bool> fsm::runLaunch(const RunRequest &request, Engine &engine, Values values) {
  const RunOptions &options = request.options;
  std::vector<size_t> outPositions;
  for (const OutSpec &out : options.outs) {
    Result<size_t> position = findArray(request, out.argument, "--out");
    if (!position)
      return position.error();
    outPositions.push_back(*position);
  }
  Result<std::vector<Reference>> references = readReferences(request);
  if (!references)
    return references.error();
  Result<Kernel> kernel = engine.load(request.source, request.compile);
  if (!kernel)
    return kernel.error();

  Loaded loaded{request, engine, *kernel, options.grid->grid};
  // The first launch gives the answer; whatever runs the kernel again begins
  // with the same inputs.
  Values inputs;
  if (!options.compare.empty() || options.timedRuns) {
    Result<Values> copies = cloneAll(values);
    if (!copies)
      return copies.error();
    inputs = std::move(*copies);
  }
  if (Result<void> stated = loaded.fitStatedGrid(values); !stated)
    return stated.error();
  Result<double> compileSeconds = compileKernel(loaded, values);
  if (!compileSeconds)
    return compileSeconds.error();
  if (Result<void> fitted = loaded.fitGrid(values); !fitted)
    return fitted.error();
  if (Result<void> launched = launchAndWatch(loaded, values); !launched)
    return launched.error();

  Result<bool> holds = checkReferences(request, values, *references);
  if (holds && !options.compare.empty()) {
    Result<bool> compared = compareWithDevice(request, loaded.grid, inputs, values);
    if (!compared)
      return compared;
    holds = *holds && *compared;
  }
  if (!holds)
    return holds;
  if (options.timedRuns) {
    if (Result<void> timed = timeLaunches(loaded, inputs, *compileSeconds); !timed)
      return timed.error();
  }
  if (!*holds) {
    if (!outPositions.empty())
      std::fprintf(stderr, "fsm-run: --out: nothing was written because a comparison failed\n");
    return false;
  }
  if (Result<void> written = writeOutputs(request, outPositions, values); !written)
    return written.error();
  return true;
}
