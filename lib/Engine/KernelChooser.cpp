//===- KernelChooser.cpp - Values of parameters by a model ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Engine/KernelChooser.h"

#include "LaunchCheck.h"

#include "fsm/Artifact/LaunchRules.h"
#include "fsm/Runtime/ThreadPool.h"
#include "fsm/Source/SourceText.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>

using namespace fsm;

/// Sizes whose choice is remembered; beyond that all are forgotten.
static constexpr size_t kMostChoices = 4096;

namespace {
/// What the code for a launch follows from besides facts: CompileOptions::spread, cluster and
/// manyPrograms.
struct LaunchClass {
  unsigned spread = 0, cluster = 0;
  bool isMany = false;
  bool isPlain() const { return !spread && !cluster && !isMany; }
  bool operator<(const LaunchClass &other) const {
    return std::tie(spread, cluster, isMany) < std::tie(other.spread, other.cluster, other.isMany);
  }
};

/// What is planned for one combination.
struct Planned {
  std::map<std::string, std::string> parameters;
  Result<KernelCost> cost = Error();
  /// Of launches that have other code for their grids.
  std::map<LaunchClass, Result<KernelCost>> ofGrids = {};
};
} // namespace

struct KernelChooser::State {
  Source source;
  CompileOptions options;
  unsigned multiprocessors = 0;
  GridRule gridRule;

  std::mutex mutex;
  /// By the facts of the arguments.
  std::map<std::string, std::vector<Planned>> planned;
  /// By the facts and the sizes.
  std::map<std::string, Candidate> chosen;

  std::vector<ArgumentFact> factsFor(const std::vector<Argument> &arguments) const;
  Result<std::vector<std::map<std::string, std::string>>> combinations() const;
  Result<std::vector<Planned> *> plan(const std::vector<ArgumentFact> &facts);
  void planGrids(std::vector<Planned> &plans, const std::vector<ArgumentFact> &facts,
                 const std::vector<Argument> &arguments) const;
  Source sourceOf(const Planned &plan) const;
  Result<Grid> gridOf(const Planned &plan, const std::vector<Argument> &arguments) const;
  unsigned multiprocessorsThere() const;
  LaunchClass classOf(const Planned &plan, const Grid &grid,
                      const std::vector<Argument> &arguments) const;
  Candidate rank(const Planned &plan, const std::vector<Argument> &arguments) const;
  Result<std::vector<Candidate>> rankAll(const std::vector<Argument> &arguments);
};

Result<Grid> KernelChooser::statedGrid(const Source &, const KernelCost &cost,
                                       const std::vector<Argument> &arguments) {
  return gridOf(cost.signature, arguments);
}

KernelChooser::KernelChooser(Source source, CompileOptions options, unsigned multiprocessors,
                             GridRule gridRule)
    : state(std::make_unique<State>()) {
  state->source = std::move(source);
  state->options = std::move(options);
  state->multiprocessors = multiprocessors;
  state->gridRule = std::move(gridRule);
}

static CompileOptions optionsFor(const Engine &engine, CompileOptions options) {
  if (options.target == CompileOptions().target)
    options.target = engine.target();
  return options;
}

static unsigned multiprocessorsOf(const Engine &engine) {
  const cuda::DeviceProperties *properties = engine.deviceProperties();
  return properties ? static_cast<unsigned>(std::max(0, properties->multiprocessors)) : 0;
}

KernelChooser::KernelChooser(const Engine &engine, Source source, CompileOptions options,
                             GridRule gridRule)
    : KernelChooser(std::move(source), optionsFor(engine, std::move(options)),
                    multiprocessorsOf(engine), std::move(gridRule)) {}

KernelChooser::KernelChooser(KernelChooser &&) = default;
KernelChooser::~KernelChooser() = default;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

std::vector<ArgumentFact>
KernelChooser::State::factsFor(const std::vector<Argument> &arguments) const {
  return options.facts.empty() ? Engine::factsOf(arguments, options.target) : options.facts;
}

/// Every combination of the domains of parameters without a value of their own.
Result<std::vector<std::map<std::string, std::string>>> KernelChooser::State::combinations() const {
  Result<ParameterDomains> domains = parameterDomains(source.text, source.fileName);
  if (!domains)
    return domains.error();
  std::vector<std::map<std::string, std::string>> all(1);
  for (const auto &[name, values] : *domains) {
    if (source.parameters.count(name))
      continue;
    if (all.size() * values.size() > kMostCandidates)
      return badInput(source.fileName + ": error: expected at most " +
                      std::to_string(kMostCandidates) +
                      " combinations of the parameters' values to choose from, got more");
    std::vector<std::map<std::string, std::string>> longer;
    for (const std::map<std::string, std::string> &shorter : all)
      for (const std::string &value : values) {
        longer.push_back(shorter);
        longer.back()[name] = value;
      }
    all = std::move(longer);
  }
  if (all.front().empty())
    return badInput(source.fileName + ": error: expected a parameter with values behind 'in' and "
                                      "none given, to choose from");
  return all;
}

static std::string textOf(const std::vector<ArgumentFact> &facts) {
  std::string text;
  for (const ArgumentFact &fact : facts)
    text += factText(fact) + ",";
  return text;
}

Source KernelChooser::State::sourceOf(const Planned &plan) const {
  Source own = source;
  for (const auto &[name, value] : plan.parameters)
    own.parameters[name] = value;
  return own;
}

Result<std::vector<Planned> *>
KernelChooser::State::plan(const std::vector<ArgumentFact> &facts) {
  std::string key = textOf(facts);
  auto known = planned.find(key);
  if (known != planned.end())
    return &known->second;
  Result<std::vector<std::map<std::string, std::string>>> all = combinations();
  if (!all)
    return all.error();
  struct Work {
    const Source &source;
    CompileOptions options;
    std::vector<Planned> plans;
  } work{source, options, {}};
  work.options.facts = facts;
  work.options.remarks = false;
  for (std::map<std::string, std::string> &values : *all)
    work.plans.push_back({std::move(values)});
  ThreadPool().run(
      static_cast<int64_t>(work.plans.size()),
      [](void *context, unsigned, int64_t begin, int64_t end) {
        Work &work = *static_cast<Work *>(context);
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
          Source source = work.source;
          for (const auto &[name, value] : work.plans[i].parameters)
            source.parameters[name] = value;
          work.plans[i].cost = costOf(source, work.options);
        }
      },
      &work);
  return &planned.emplace(std::move(key), std::move(work.plans)).first->second;
}

Result<Grid> KernelChooser::State::gridOf(const Planned &plan,
                                          const std::vector<Argument> &arguments) const {
  return gridRule(sourceOf(plan), *plan.cost, arguments);
}

unsigned KernelChooser::State::multiprocessorsThere() const {
  return multiprocessors ? multiprocessors : ratesOf(*findGpuTarget(options.target)).multiprocessors;
}

/// That of the code that the engine compiles for a launch of a grid, as far as it is not that of
/// the plan.
LaunchClass KernelChooser::State::classOf(const Planned &plan, const Grid &grid,
                                          const std::vector<Argument> &arguments) const {
  unsigned there = multiprocessorsThere();
  const KernelCost &cost = *plan.cost;
  unsigned spread = cost.spreadUse ? cost.spreadUse->spreadFor(grid, there, [&] { return integersOf(arguments); }) : 0;
  bool straddles = spread <= 1 && cost.maybeClusters && cost.program.straddlesSectors;
  unsigned cluster = straddles ? clusterFor(grid, there) : 1;
  return {spread, cluster > 1 ? cluster : 0, cost.maybeLoops && hasManyPrograms(grid, there)};
}

/// Plans what launches have other code for because of their grid, where that is not known yet.
void KernelChooser::State::planGrids(std::vector<Planned> &plans,
                                     const std::vector<ArgumentFact> &facts,
                                     const std::vector<Argument> &arguments) const {
  struct Work {
    const State &state;
    CompileOptions options;
    std::vector<std::pair<Planned *, LaunchClass>> missing;
  } work{*this, options, {}};
  work.options.facts = facts;
  work.options.remarks = false;
  for (Planned &plan : plans) {
    Result<Grid> grid = plan.cost ? gridOf(plan, arguments) : Result<Grid>(plan.cost.error());
    LaunchClass of = grid ? classOf(plan, *grid, arguments) : LaunchClass();
    if (!of.isPlain() && plan.ofGrids.try_emplace(of, Error()).second)
      work.missing.push_back({&plan, of});
  }
  ThreadPool().run(
      static_cast<int64_t>(work.missing.size()),
      [](void *context, unsigned, int64_t begin, int64_t end) {
        Work &work = *static_cast<Work *>(context);
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
          auto [plan, of] = work.missing[i];
          CompileOptions options = work.options;
          if (of.spread)
            options.spread = of.spread;
          if (of.cluster)
            options.cluster = of.cluster;
          options.manyPrograms |= of.isMany;
          plan->ofGrids.at(of) = costOf(work.state.sourceOf(*plan), options);
        }
      },
      &work);
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

static LaunchNumbers launchNumbersOf(const std::vector<Argument> &arguments) {
  LaunchNumbers numbers;
  numbers.arguments = integersOf(arguments);
  for (const Argument &argument : arguments)
    if (argument.kind == Argument::Kind::Buffer && argument.bytes != Argument::kUnknownSize)
      numbers.bytes += static_cast<double>(argument.bytes);
  return numbers;
}

Candidate KernelChooser::State::rank(const Planned &plan,
                                     const std::vector<Argument> &arguments) const {
  Candidate candidate;
  candidate.parameters = plan.parameters;
  candidate.seconds = INFINITY;
  if (!plan.cost) {
    candidate.fault = plan.cost.error().message;
    return candidate;
  }
  Result<Grid> grid = gridOf(plan, arguments);
  if (!grid) {
    candidate.fault = grid.error().message;
    return candidate;
  }
  candidate.grid = *grid;
  LaunchNumbers numbers = launchNumbersOf(arguments);
  numbers.grid = *grid;
  numbers.multiprocessors = multiprocessors;
  const GpuTarget *target = findGpuTarget(options.target);
  auto own = plan.ofGrids.find(classOf(plan, *grid, arguments));
  const Result<KernelCost> &cost = own == plan.ofGrids.end() ? plan.cost : own->second;
  if (!cost) {
    candidate.fault = cost.error().message;
    return candidate;
  }
  candidate.seconds = predictSeconds(cost->program, ratesOf(*target), numbers);
  candidate.cluster = cost->program.cluster;
  candidate.loopsPrograms = cost->program.loopPrograms.has_value();
  if (std::isinf(candidate.seconds))
    candidate.fault = source.fileName +
                      ": error: needs more registers or shared memory than a multiprocessor has";
  return candidate;
}

Result<std::vector<Candidate>>
KernelChooser::State::rankAll(const std::vector<Argument> &arguments) {
  std::vector<ArgumentFact> facts = factsFor(arguments);
  Result<std::vector<Planned> *> plans = plan(facts);
  if (!plans)
    return plans.error();
  for (const Planned &plan : **plans)
    if (plan.cost) {
      if (Result<ArgumentBits> fits = convertArguments(plan.cost->signature, arguments); !fits)
        return fits.error();
      break;
    }
  planGrids(**plans, facts, arguments);
  std::vector<Candidate> ranked;
  for (const Planned &plan : **plans)
    ranked.push_back(rank(plan, arguments));
  return ranked;
}

Result<std::vector<Candidate>> KernelChooser::candidates(const std::vector<Argument> &arguments) {
  std::lock_guard<std::mutex> lock(state->mutex);
  return state->rankAll(arguments);
}

/// What a choice follows from.
static std::string choiceKey(const std::vector<ArgumentFact> &facts,
                             const std::vector<Argument> &arguments) {
  LaunchNumbers numbers = launchNumbersOf(arguments);
  std::string key = textOf(facts) + ";" + std::to_string(numbers.bytes);
  for (int64_t number : numbers.arguments)
    key += "," + std::to_string(number);
  return key;
}

Result<Candidate> KernelChooser::choose(const std::vector<Argument> &arguments) {
  std::lock_guard<std::mutex> lock(state->mutex);
  std::string key = choiceKey(state->factsFor(arguments), arguments);
  auto known = state->chosen.find(key);
  if (known != state->chosen.end())
    return known->second;
  Result<std::vector<Candidate>> ranked = state->rankAll(arguments);
  if (!ranked)
    return ranked.error();
  auto best = std::min_element(
      ranked->begin(), ranked->end(),
      [](const Candidate &one, const Candidate &other) { return one.seconds < other.seconds; });
  if (!best->fault.empty())
    return badInput(best->fault);
  if (state->chosen.size() >= kMostChoices)
    state->chosen.clear();
  return state->chosen.emplace(std::move(key), *best).first->second;
}

Source KernelChooser::sourceOf(const Candidate &candidate) const {
  Source source = state->source;
  for (const auto &[name, value] : candidate.parameters)
    source.parameters[name] = value;
  return source;
}
