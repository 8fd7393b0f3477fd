//===- RunMain.cpp - The program fsm-run --------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunMain.h"

#include "fsm/Tools/Quote.h"
#include "fsm/Tools/Run/AheadOfTime.h"
#include "fsm/Tools/Run/ProgressLine.h"
#include "fsm/Tools/Run/RunBatch.h"
#include "fsm/Tools/Run/RunChoose.h"
#include "fsm/Tools/Run/RunDevice.h"
#include "fsm/Tools/Run/RunLaunch.h"
#include "fsm/Tools/Run/RunRequest.h"
#include "fsm/Tools/Run/RunTune.h"
#include "fsm/Tools/Run/SignatureText.h"
#include "fsm/Tools/Run/TimeLimit.h"
#include "fsm/Tools/Version.h"
#include "fsm/Tools/WholeFile.h"

#include <cstdio>

#include <unistd.h>

using namespace fsm;

static int exitStatus(Error::Kind kind) {
  switch (kind) {
  case Error::Kind::Execution:
    return 1;
  case Error::Kind::BadInput:
  case Error::Kind::Internal:
    return 2;
  case Error::Kind::NoDevice:
    return 3;
  }
  return 2;
}

static int fail(const Error &error) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return exitStatus(error.kind);
}

static void note(const std::string &message) {
  std::fprintf(stderr, "fsm-run: %s\n", message.c_str());
}

static void printKernels(const std::vector<KernelSignature> &kernels) {
  for (const KernelSignature &kernel : kernels)
    std::printf("%s%s\n", signatureText(kernel).c_str(), gridText(kernel).c_str());
}

static Result<void> emit(const RunRequest &request, std::vector<ArgumentValue> &values,
                         const std::string &target) {
  const std::string &stage = request.options.emit;
  if ((stage == "cubin" || stage == "obj") && request.options.output == "-" &&
      isatty(STDOUT_FILENO))
    return runError("--emit=" + stage + ": expected -o FILE beside it: " +
                    (stage == "obj" ? "an object" : "a cubin") + " is no text");
  CompileOptions compile = request.compile;
  compile.target = target;
  if (request.options.specialize && !values.empty())
    compile.facts = Engine::factsOf(launchArguments(values), compile.target, &request.signature);
  Result<std::string> text = Result<std::string>(std::string());
  std::vector<std::string> diagnostics;
  {
    ProgressLine progress("compiling @" + printable(request.signature.name));
    text = isAheadOfTime(stage) ? emitAheadOfTime(request, values, diagnostics)
                                : Compiler::emit(request.source, compile, stage, &diagnostics);
  }
  if (!text)
    return text.error();
  // A launch compiles for the same target and arguments, and says it then.
  if (!request.options.grid)
    printDiagnostics(diagnostics);
  std::fflush(stdout);
  return writeWholeFile(request.options.output, {*text});
}

/// With `timing`, the launches of a trial of --tune.
static Result<bool> run(RunOptions options, OpenDevices &devices, Timing *timing = nullptr) {
  Result<Source> source = readSource(options);
  if (!source)
    return source.error();
  if (Result<void> divided = divideGrid(options, *source); !divided)
    return divided.error();
  Result<std::vector<KernelSignature>> kernels = Compiler::list(*source);
  if (!kernels)
    return kernels.error();
  if (options.list) {
    printKernels(*kernels);
    return true;
  }
  Result<KernelSignature> signature = pickKernel(options, *kernels);
  if (!signature)
    return signature.error();
  Result<CompileOptions> compile = compileOptionsFor(options, *signature);
  if (!compile)
    return compile.error();
  RunRequest request{options, *source, *signature, std::move(*compile), devices, timing};

  if (!options.grid) { // --emit alone
    std::vector<ArgumentValue> values;
    if (!options.arguments.empty()) {
      Result<std::vector<ArgumentValue>> made = makeArguments(options, *signature);
      if (!made)
        return made.error();
      values = std::move(*made);
    }
    Result<std::string> target = emitTarget(options, devices);
    if (!target)
      return target.error();
    if (Result<void> emitted = emit(request, values, *target); !emitted)
      return emitted.error();
    return true;
  }
  Result<Engine *> engine = openDevice(options, devices);
  if (!engine)
    return engine.error();
  Result<std::vector<ArgumentValue>> values = makeArguments(options, *signature);
  if (!values)
    return values.error();
  if (!options.emit.empty())
    if (Result<void> emitted =
            emit(request, *values, options.target.empty() ? (*engine)->target() : options.target);
        !emitted)
      return emitted.error();
  return runLaunch(request, **engine, std::move(*values));
}

/// Times every combination of what --tune names.
static Result<bool> tune(RunOptions options, OpenDevices &devices) {
  if (Result<void> added = addDomains(options); !added)
    return added.error();
  Result<Engine *> engine = openDevice(options, devices);
  if (!engine)
    return engine.error();
  options.device = std::string((*engine)->device());
  return runTune(options, [&](const RunOptions &trial, Timing &timing) {
    return run(trial, devices, &timing);
  });
}

/// Runs with the values that a model likes best, or lists what it says of all of them.
static Result<bool> choose(const RunOptions &options, OpenDevices &devices) {
  if (options.listsChoices)
    return listChoices(options, devices);
  Result<RunOptions> chosen = chooseParameters(options, devices);
  return chosen ? run(std::move(*chosen), devices) : Result<bool>(chosen.error());
}

static LineStatus perform(const RunOptions &options, OpenDevices &devices) {
  if (options.help) {
    std::printf("%s", runHelpText().c_str());
    return {};
  }
  if (options.version) {
    std::printf("%s\n", versionText("fsm-run").c_str());
    return {};
  }
  if (options.listDevices) {
    std::printf("%s", deviceListText(Engine::devices()).c_str());
    return {};
  }
  TimeLimit limit(options.timeout);
  bool isChosen = options.chooses && !options.list;
  Result<bool> holds = options.isTuned() ? tune(options, devices)
                       : isChosen        ? choose(options, devices)
                                         : run(options, devices);
  if (holds)
    return {*holds ? 0 : 1};
  // After an error such as an illegal address nothing brings a GPU back to the process, and the
  // next line of a batch shall find one that works.
  bool isSpent = holds.error().kind != Error::Kind::BadInput && devices.hasGPU();
  return {fail(holds.error()), isSpent};
}

/// One line of the batch in the file `batch`.
static LineStatus performLine(const std::vector<std::string_view> &words, const std::string &batch,
                              OpenDevices &devices) {
  Result<RunOptions> options = parseRunOptions(words);
  if (!options)
    return {fail(options.error())};
  if (!options->batch.empty())
    return {
        fail(runError("--batch: expected a single run in a line of a batch, got another batch"))};
  if (options->file == "-" && batch == "-")
    return {fail(runError("expected a file, got '-': standard input holds the batch"))};
  return perform(*options, devices);
}

int fsm::runMain(int argc, char **argv) {
  std::vector<std::string_view> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  Result<RunOptions> options = parseRunOptions(words);
  if (!options)
    return fail(options.error());
  OpenDevices devices;
  int status = 0;
  if (options->batch.empty() || options->help || options->version || options->listDevices) {
    status = perform(*options, devices).status;
  } else {
    Result<int> highest = runBatch(options->batch, [&](const std::vector<std::string_view> &line) {
      return performLine(line, options->batch, devices);
    });
    if (!highest)
      return fail(highest.error());
    status = *highest;
  }
  // What a batch has printed is flushed already, well or not.
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    note("cannot write to standard output");
    return 2;
  }
  return status;
}
