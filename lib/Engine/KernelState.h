//===- KernelState.h - A kernel and its code for some arguments -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_ENGINE_KERNELSTATE_H
#define FSM_LIB_ENGINE_KERNELSTATE_H

#include "LaunchCheck.h"

#include "fsm/Compiler/ParsedSource.h"
#include "fsm/Engine/Engine.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace fsm {

class Backend;

/// What a launch's grid asks of the code for it.
struct GridClass {
  /// CompileOptions::spread and CompileOptions::cluster.
  unsigned spread = 0, cluster = 0;
  /// CompileOptions::manyPrograms.
  bool isMany = false;
  /// How many programs load for one another if rows straddle sectors of the L2 cache; nothing that code is compiled for.
  unsigned ofStraddling = 1;
  bool operator==(const GridClass &other) const {
    return spread == other.spread && cluster == other.cluster && isMany == other.isMany &&
           ofStraddling == other.ofStraddling;
  }
};

/// The code for launches whose arguments share these facts. A back end adds what it calls.
struct Specialisation {
  virtual ~Specialisation();

  std::vector<ArgumentFact> facts;
  uint64_t scratchBytes = 0;
  std::vector<HiddenArgument> hiddenArguments;
  std::vector<TensorMapPlan> tensorMaps;
  /// What it was compiled for besides these facts.
  struct Kind {
    /// Without tensor maps, for launches that others of these facts have some for.
    bool isPlain = false;
    GridClass grid;
    bool operator==(const Kind &other) const {
      return isPlain == other.isPlain && grid == other.grid;
    }
  } kind;
  std::vector<DebugOp> debugOps;
  std::vector<std::string> diagnostics;

  /// Adds the hidden arguments to those of the user.
  ArgumentBits allArguments(ArgumentBits bits, HiddenValues values) const;
};

struct Kernel::State {
  /// That of the engine that loaded it; what a kernel holds is made for it.
  Backend *backend = nullptr;
  /// Of the same engine; null for none.
  std::shared_ptr<KernelCache> cache;
  Source source;
  CompileOptions options;
  KernelSignature signature;
  std::vector<ArgumentFact> promises;

  /// Only where the text is run as it stands: the module.
  std::unique_ptr<ParsedSource> parsed;
  KernelOp op;

  /// What a launch of few programs may have other code for.
  std::optional<SpreadUse> spreadUse;
  /// Of how many programs its author, or whoever loaded it, wants clusters.
  unsigned wantedCluster = 1;
  /// Whether nobody says, and products' factors are there to be loaded.
  bool maybeClusters = false;
  /// Whether programs of launches that have many may go on to others.
  bool maybeLoops = false;

  /// The arguments of a launch that are integers, and 0 for others.
  using Integers = llvm::function_ref<std::vector<int64_t>()>;
  /// That of a launch; without a grid, of one of many programs, all in whole clusters.
  GridClass classOf(const Grid *grid, Integers integers) const;
  /// Code for the arguments, as it is or compiled now; null where there is none to compile.
  Result<const Specialisation *> codeFor(const std::vector<Argument> &arguments, GridClass grid);

private:
  /// Guards the lists; an entry never changes or moves.
  std::mutex mutex;
  std::vector<std::unique_ptr<const Specialisation>> specialisations;
  /// What other threads are compiling for, and their news.
  std::vector<std::pair<llvm::ArrayRef<ArgumentFact>, Specialisation::Kind>> underWay;
  std::condition_variable isDone;

  using Facts = llvm::ArrayRef<ArgumentFact>;
  using Kind = Specialisation::Kind;
  Result<const Specialisation *> codeFor(Facts facts, Kind kind);
  bool takesMaps(const Specialisation &code, const std::vector<Argument> &arguments) const;
  bool straddlesSectors(const Specialisation &code, const std::vector<Argument> &arguments) const;
  Result<std::unique_ptr<const Specialisation>> compile(Facts facts, Kind kind) const;
  const Specialisation *find(Facts facts, Kind kind) const;
};

} // namespace fsm

#endif // FSM_LIB_ENGINE_KERNELSTATE_H
