//===- RunChoose.cpp - Values of parameters without timing ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunChoose.h"

#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Artifact/LaunchRules.h"
#include "fsm/Engine/KernelChooser.h"
#include "fsm/Tools/Run/ProgressLine.h"
#include "fsm/Tools/Run/RunLaunch.h"
#include "fsm/Tools/Run/RunRequest.h"
#include "fsm/Tools/Run/RunTune.h"

#include <algorithm>
#include <cstdio>

using namespace fsm;

namespace {
/// A file's kernel, and arguments to choose for.
struct Question {
  KernelChooser chooser;
  std::vector<ArgumentValue> values;
};
} // namespace

/// The grid that --grid asks for with the parameters of a candidate.
static Result<Grid> gridFor(RunOptions options, const Source &source, const KernelCost &cost,
                            const std::vector<Argument> &arguments, int64_t multiprocessors) {
  if (!options.grid || options.grid->isStated)
    return gridOf(cost.signature, arguments);
  if (Result<void> divided = divideGrid(options, source); !divided)
    return divided.error();
  Grid grid = options.grid->grid;
  if (options.grid->isPersistent) {
    int64_t programs = multiprocessors * cost.program.ctasPerMultiprocessor *
                       cost.program.programsPerCta * cost.program.batch;
    bool isOneWave = std::any_of(cost.program.parts.begin(), cost.program.parts.end(),
                                 [](const CostPart &part) { return part.isBeside; });
    grid.x = isOneWave
                 ? static_cast<int32_t>(balancedPrograms(
                       static_cast<uint64_t>(std::max(0, grid.x)),
                       static_cast<uint64_t>(std::max<int64_t>(1, programs)), cost.program.cluster))
                 : static_cast<int32_t>(std::min<int64_t>(
                       grid.x, std::max<int64_t>(1, kPersistentWaves * programs)));
  }
  return grid;
}

/// The GPU whose times are predicted: its target, and how many multiprocessors it has, 0 if there
/// is none.
static Result<unsigned> findGpu(const RunOptions &options, OpenDevices &devices,
                                std::string &target) {
  bool isLaunched = options.grid && !options.listsChoices;
  if (!isLaunched) {
    Result<std::string> found = emitTarget(options, devices);
    if (!found)
      return found.error();
    target = *found;
  }
  unsigned multiprocessors = 0;
  if (isLaunched) {
    Result<Engine *> engine = openDevice(options, devices);
    if (!engine)
      return engine.error();
    target = options.target.empty() ? (*engine)->target() : options.target;
    if (const cuda::DeviceProperties *properties = (*engine)->deviceProperties())
      multiprocessors = static_cast<unsigned>(properties->multiprocessors);
  }
  if (target == "cpu")
    return runError(
        "--choose: expected a GPU, or a GPU's --target beside --choose=list, whose times "
        "are predicted, got 'cpu'");
  return multiprocessors;
}

static Result<Question> ask(const RunOptions &options, OpenDevices &devices) {
  Result<Source> source = readSource(options);
  if (!source)
    return source.error();
  Result<std::vector<KernelSignature>> kernels = Compiler::list(*source);
  if (!kernels)
    return kernels.error();
  Result<KernelSignature> signature = pickKernel(options, *kernels);
  if (!signature)
    return signature.error();
  Result<CompileOptions> compile = compileOptionsFor(options, *signature);
  if (!compile)
    return compile.error();
  Result<unsigned> multiprocessors = findGpu(options, devices, compile->target);
  if (!multiprocessors)
    return multiprocessors.error();
  Result<std::vector<ArgumentValue>> values = makeArguments(options, *signature);
  if (!values)
    return values.error();
  const GpuTarget *target = findGpuTarget(compile->target);
  int64_t count = *multiprocessors ? *multiprocessors
                  : target         ? ratesOf(*target).multiprocessors
                                   : 1;
  auto rule = [options, count](const Source &source, const KernelCost &cost,
                               const std::vector<Argument> &arguments) {
    return gridFor(options, source, cost, arguments, count);
  };
  return Question{KernelChooser(std::move(*source), std::move(*compile), *multiprocessors, rule),
                  std::move(*values)};
}

/// `-D BM=64 -D BN=128`
static std::string wordsOf(const Candidate &candidate) {
  std::string words;
  for (const auto &[name, value] : candidate.parameters)
    words += (words.empty() ? "-D " : " -D ") + name + "=" + value;
  return words;
}

Result<RunOptions> fsm::chooseParameters(const RunOptions &options, OpenDevices &devices) {
  Result<Question> question = ask(options, devices);
  if (!question)
    return question.error();
  Result<Candidate> best = Candidate();
  {
    ProgressLine progress("choosing");
    best = question->chooser.choose(launchArguments(question->values));
  }
  if (!best)
    return best.error();
  std::fprintf(stderr, "fsm-run: chose %s, predicted %s\n", wordsOf(*best).c_str(),
               durationText(best->seconds).c_str());
  RunOptions chosen = options;
  for (const auto &[name, value] : best->parameters)
    chosen.parameters[name] = value;
  return chosen;
}

Result<bool> fsm::listChoices(const RunOptions &options, OpenDevices &devices) {
  Result<Question> question = ask(options, devices);
  if (!question)
    return question.error();
  std::vector<Argument> arguments = launchArguments(question->values);
  Result<Candidate> best = question->chooser.choose(arguments);
  if (!best)
    return best.error();
  Result<std::vector<Candidate>> all = question->chooser.candidates(arguments);
  if (!all)
    return all.error();
  std::stable_sort(all->begin(), all->end(),
                   [](const Candidate &a, const Candidate &b) { return a.seconds > b.seconds; });
  std::vector<std::vector<std::string>> rows(1);
  for (const auto &[name, value] : best->parameters)
    rows[0].push_back(name);
  rows[0].insert(rows[0].end(), {"predicted", "programs", "cluster", "loops"});
  for (const Candidate &candidate : *all) {
    rows.emplace_back();
    for (const auto &[name, value] : candidate.parameters)
      rows.back().push_back(value);
    if (!candidate.fault.empty()) {
      rows.back().push_back(faultOf(badInput(candidate.fault)));
      continue;
    }
    int64_t programs = int64_t(candidate.grid.x) * candidate.grid.y * candidate.grid.z;
    rows.back().insert(rows.back().end(),
                       {durationText(candidate.seconds), std::to_string(programs),
                        std::to_string(candidate.cluster), candidate.loopsPrograms ? "yes" : "no"});
  }
  printColumns(rows);
  std::printf("best: %s, %s\n", wordsOf(*best).c_str(), durationText(best->seconds).c_str());
  return true;
}
