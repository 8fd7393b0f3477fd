//===- KernelChooser.h - Values of parameters by a model --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ENGINE_KERNELCHOOSER_H
#define FSM_ENGINE_KERNELCHOOSER_H

#include "fsm/Compiler/KernelCost.h"
#include "fsm/Engine/Engine.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fsm {

/// A value for each parameter that has a domain and that nobody has given one.
struct Candidate {
  std::map<std::string, std::string> parameters;
  Grid grid;
  /// Of the code that an engine has for that grid: programs that load for one another, and whether
  /// some go on to others.
  unsigned cluster = 1;
  bool loopsPrograms = false;
  /// What the model predicts of a launch; infinite where there is none.
  double seconds = 0;
  /// Why there is none; empty where there is.
  std::string fault;
};

/// More combinations of values are a mistake, for each is planned.
inline constexpr size_t kMostCandidates = 1024;

/// Ranks the ways to compile a kernel for a GPU without one: by a model (fsm/Machine/LaunchTime.h)
/// of what the plan of each combination of its parameters' domains does. Combinations are planned
/// once, on all cores, for arguments of which the same is known; what they take is computed for
/// each new sizes, and remembered. Calls may come from any threads.
class KernelChooser {
public:
  /// The grid of a launch of a candidate; of what the kernel states, by default.
  using GridRule = std::function<Result<Grid>(const Source &source, const KernelCost &cost,
                                              const std::vector<Argument> &arguments)>;
  static Result<Grid> statedGrid(const Source &source, const KernelCost &cost,
                                 const std::vector<Argument> &arguments);

  /// For `options.target`, and a GPU of so many multiprocessors; 0 for those of the GPU that the
  /// target is best known for.
  KernelChooser(Source source, CompileOptions options, unsigned multiprocessors = 0,
                GridRule gridRule = statedGrid);
  /// For the GPU of an engine.
  KernelChooser(const Engine &engine, Source source, CompileOptions options = {},
                GridRule gridRule = statedGrid);
  KernelChooser(KernelChooser &&);
  ~KernelChooser();

  /// All candidates, in the order of the file's values.
  Result<std::vector<Candidate>> candidates(const std::vector<Argument> &arguments);

  /// The one of the least time; of several that come to the same, the first. An error if there is
  /// no domain to choose from, or if all are refused.
  Result<Candidate> choose(const std::vector<Argument> &arguments);

  /// The source with the values of a candidate, which an engine loads.
  Source sourceOf(const Candidate &candidate) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace fsm

#endif // FSM_ENGINE_KERNELCHOOSER_H
