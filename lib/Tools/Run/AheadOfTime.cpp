//===- AheadOfTime.cpp - Kernels for programs without a compiler ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/AheadOfTime.h"

#include "fsm/Cache/KernelCache.h"
#include "fsm/Compiler/CSource.h"
#include "fsm/Target/HostObject.h"
#include "fsm/Tools/Quote.h"

#include <algorithm>

using namespace fsm;

bool fsm::isAheadOfTime(const std::string &stage) {
  return stage == "header" || stage == "c" || stage == "obj";
}

/// The words of --target, each once.
static Result<std::vector<std::string>> targetsOf(const RunOptions &options) {
  std::vector<std::string> targets;
  std::string_view rest = options.target;
  for (;;) {
    std::string word(rest.substr(0, rest.find(',')));
    if (word.empty() || std::find(targets.begin(), targets.end(), word) != targets.end())
      return runError("--target: expected each of the targets of --emit=" + options.emit +
                      " once, as in sm_80,cpu; got " + quoted(options.target));
    targets.push_back(word);
    if (word.size() == rest.size())
      return targets;
    rest.remove_prefix(word.size() + 1);
  }
}

namespace {
/// The compiles of one request.
class Compiles {
public:
  Compiles(const RunRequest &request, std::vector<std::string> &diagnostics)
      : request(request), diagnostics(diagnostics), hasNoFacts(optionsForC(request.compile)) {
    // An empty fact for each says that nothing is known.
    hasNoFacts.facts.assign(request.signature.arguments.size(), {});
  }

  Result<CompiledKernel> host(std::string &symbol) {
    CompileOptions options = hasNoFacts;
    options.target = "cpu";
    symbol = objectSymbol(request.source, options);
    return kept(Compiler::compileObject(request.source, options, symbol));
  }

  /// Adds code for a GPU.
  Result<void> device(const std::string &target, std::vector<ArgumentValue> &values,
                      std::vector<CompiledKernel> &codes) {
    CompileOptions options = hasNoFacts;
    options.target = target;
    if (request.options.specialize && !values.empty()) {
      options.facts = Engine::factsOf(launchArguments(values), target, &request.signature);
      // A launch that is given addresses alone cannot tell whether buffers overlap.
      for (ArgumentFact &fact : options.facts)
        fact.noAlias = false;
      if (options.facts != hasNoFacts.facts)
        if (Result<void> added = add(options, codes); !added)
          return added;
      options.facts = hasNoFacts.facts;
    }
    return add(options, codes);
  }

private:
  Result<void> add(const CompileOptions &options, std::vector<CompiledKernel> &codes) {
    Result<CompiledKernel> code = kept(Compiler::compile(request.source, options));
    if (!code)
      return code.error();
    codes.push_back(std::move(*code));
    return {};
  }

  Result<CompiledKernel> kept(Result<CompiledKernel> code) {
    for (size_t i = 0; code && i < code->diagnostics.size(); ++i)
      if (std::find(diagnostics.begin(), diagnostics.end(), code->diagnostics[i]) ==
          diagnostics.end())
        diagnostics.push_back(code->diagnostics[i]);
    return code;
  }

  const RunRequest &request;
  std::vector<std::string> &diagnostics;
  CompileOptions hasNoFacts;
};
} // namespace

static Result<std::string> emitObject(const RunRequest &request,
                                      std::vector<std::string> &diagnostics) {
  const std::string &target = request.options.target;
  if (!target.empty() && target != "cpu")
    return runError("--target: expected 'cpu' beside --emit=obj, got " + quoted(target));
  std::string symbol;
  Result<CompiledKernel> code = Compiles(request, diagnostics).host(symbol);
  if (!code)
    return code.error();
  return std::move(code->code);
}

Result<std::string> fsm::emitAheadOfTime(const RunRequest &request,
                                         std::vector<ArgumentValue> &values,
                                         std::vector<std::string> &diagnostics) {
  const RunOptions &options = request.options;
  const std::string &batch = options.compile.batchPrograms;
  if (batch != "auto" && batch != "never")
    return runError("--batch-programs: expected auto or never beside --emit=" + options.emit +
                    ", which has no place for a batch, got " + quoted(batch));
  const std::string &loops = options.compile.loopPrograms;
  if (loops != "auto" && loops != "never")
    return runError("--loop-programs: expected auto or never beside --emit=" + options.emit +
                    ", of which all programs are started, got " + quoted(loops));
  if (options.emit == "obj")
    return emitObject(request, diagnostics);
  if (options.target.empty())
    return runError("--emit=" + options.emit +
                    ": expected --target=TARGET[,TARGET...] beside it, such as sm_80,cpu");
  Result<std::vector<std::string>> targets = targetsOf(options);
  if (!targets)
    return targets.error();
  CSource source;
  source.hostInstructions = hostInstructions();
  Compiles compiles(request, diagnostics);
  for (const std::string &target : *targets) {
    if (target != "cpu") {
      if (Result<void> added = compiles.device(target, values, source.codes); !added)
        return added.error();
      continue;
    }
    Result<CompiledKernel> code = compiles.host(source.hostSymbol);
    if (!code)
      return code.error();
    source.codes.push_back(std::move(*code));
  }
  return options.emit == "c" ? cFileText(source) : cHeaderText(source);
}
