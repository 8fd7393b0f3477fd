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

const Specialisation *Kernel::State::find(Facts facts, bool isPlain) const {
  for (const auto &entry : specialisations)
    if (Facts(entry->facts) == facts && entry->isPlain == isPlain)
      return entry.get();
  return nullptr;
}

static Result<std::unique_ptr<Specialisation>>
loadCode(CompiledKernel compiled, std::vector<ArgumentFact> facts, const Backend &backend) {
  Result<std::unique_ptr<Specialisation>> loaded = backend.load(compiled);
  if (!loaded)
    return loaded.error();
  Specialisation &code = **loaded;
  code.facts = std::move(facts);
  code.scratchBytes = compiled.scratchBytes;
  code.hiddenArguments = std::move(compiled.hiddenArguments);
  code.tensorMaps = std::move(compiled.tensorMaps);
  code.debugOps = std::move(compiled.debugOps);
  code.diagnostics = std::move(compiled.diagnostics);
  return loaded;
}

Result<std::unique_ptr<const Specialisation>> Kernel::State::compile(Facts facts,
                                                                     bool isPlain) const {
  CompileOptions specialised = options;
  specialised.facts.assign(facts.begin(), facts.end());
  specialised.tensorMaps &= !isPlain;
  Result<CompiledKernel> compiled =
      cache ? cache->compile(source, specialised) : Compiler::compile(source, specialised);
  if (!compiled)
    return compiled.error();
  Result<std::unique_ptr<Specialisation>> loaded =
      loadCode(std::move(*compiled), std::move(specialised.facts), *backend);
  if (!loaded)
    return loaded.error();
  (*loaded)->isPlain = isPlain;
  return std::unique_ptr<const Specialisation>(std::move(*loaded));
}

/// Code that several threads want for the first time is compiled once; code for other facts may be
/// compiled meanwhile.
Result<const Specialisation *> Kernel::State::codeFor(Facts facts, bool isPlain) {
  std::pair<Facts, bool> wanted = {facts, isPlain};
  std::unique_lock<std::mutex> lock(mutex);
  isDone.wait(lock, [&] { return !llvm::is_contained(underWay, wanted); });
  if (const Specialisation *found = find(facts, isPlain))
    return found;
  underWay.push_back(wanted);
  lock.unlock();
  Result<std::unique_ptr<const Specialisation>> loaded = compile(facts, isPlain);
  lock.lock();
  underWay.erase(llvm::find(underWay, wanted));
  isDone.notify_all();
  if (!loaded)
    return loaded.error();
  specialisations.push_back(std::move(*loaded));
  return specialisations.back().get();
}

/// Whether the device takes the tensors of these arguments, as the code wants them described.
bool Kernel::State::takesMaps(const Specialisation &code,
                              const std::vector<Argument> &arguments) const {
  if (code.tensorMaps.empty())
    return true;
  Result<ArgumentBits> bits = convertArguments(signature, arguments);
  return bits && cuda::takesTensorMaps(*backend->device(), code.tensorMaps, signature.arguments,
                                       bits->data());
}

Result<const Specialisation *> Kernel::State::codeFor(const std::vector<Argument> &arguments) {
  if (!backend->hasCode())
    return nullptr;
  llvm::SmallVector<ArgumentFact, 16> facts(options.facts.begin(), options.facts.end());
  bool isGpu = backend->isGpu();
  std::vector<Argument> planned;
  if (isGpu)
    planned = BufferPlacement(arguments).planned();
  const std::vector<Argument> &placed = isGpu ? planned : arguments;
  if (facts.empty())
    appendFacts(placed, facts, isGpu);
  Result<const Specialisation *> code = codeFor(facts, /*isPlain=*/false);
  bool isTaken = !code || takesMaps(**code, placed);
  return isTaken ? code : codeFor(facts, /*isPlain=*/true);
}
