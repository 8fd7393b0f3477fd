//===- KernelState.cpp - A kernel and its code for some arguments ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelState.h"

#include "Backend.h"
#include "DeviceCopies.h"

#include "fsm/Cache/KernelCache.h"

using namespace fsm;

Specialisation::~Specialisation() = default;

ArgumentBits Specialisation::allArguments(ArgumentBits bits, Grid grid, uint64_t records) const {
  HiddenValues values{grid.x, records};
  for (HiddenArgument argument : hiddenArguments)
    bits.push_back(values.bitsOf(argument));
  return bits;
}

const Specialisation *Kernel::State::find(llvm::ArrayRef<ArgumentFact> facts) const {
  for (const auto &entry : specialisations)
    if (llvm::ArrayRef<ArgumentFact>(entry->facts) == facts)
      return entry.get();
  return nullptr;
}

static Result<std::unique_ptr<const Specialisation>>
loadCode(CompiledKernel compiled, std::vector<ArgumentFact> facts, const Backend &backend) {
  Result<std::unique_ptr<Specialisation>> loaded = backend.load(compiled);
  if (!loaded)
    return loaded.error();
  Specialisation &code = **loaded;
  code.facts = std::move(facts);
  code.scratchBytes = compiled.scratchBytes;
  code.hiddenArguments = std::move(compiled.hiddenArguments);
  code.debugOps = std::move(compiled.debugOps);
  code.diagnostics = std::move(compiled.diagnostics);
  return std::unique_ptr<const Specialisation>(std::move(*loaded));
}

Result<std::unique_ptr<const Specialisation>>
Kernel::State::compile(llvm::ArrayRef<ArgumentFact> facts) const {
  CompileOptions specialised = options;
  specialised.facts.assign(facts.begin(), facts.end());
  Result<CompiledKernel> compiled =
      cache ? cache->compile(source, specialised) : Compiler::compile(source, specialised);
  if (!compiled)
    return compiled.error();
  return loadCode(std::move(*compiled), std::move(specialised.facts), *backend);
}

/// Code that several threads want for the first time is compiled once; code for other facts may be
/// compiled meanwhile.
Result<const Specialisation *> Kernel::State::codeFor(const std::vector<Argument> &arguments) {
  if (!backend->hasCode())
    return nullptr;
  llvm::SmallVector<ArgumentFact, 16> facts(options.facts.begin(), options.facts.end());
  bool isGpu = backend->isGpu();
  if (facts.empty())
    appendFacts(isGpu ? BufferPlacement(arguments).planned() : arguments, facts, isGpu);
  llvm::ArrayRef<ArgumentFact> wanted = facts;
  std::unique_lock<std::mutex> lock(mutex);
  isDone.wait(lock, [&] { return !llvm::is_contained(underWay, wanted); });
  if (const Specialisation *found = find(wanted))
    return found;
  underWay.push_back(wanted);
  lock.unlock();
  Result<std::unique_ptr<const Specialisation>> loaded = compile(wanted);
  lock.lock();
  underWay.erase(llvm::find(underWay, wanted));
  isDone.notify_all();
  if (!loaded)
    return loaded.error();
  specialisations.push_back(std::move(*loaded));
  return specialisations.back().get();
}
