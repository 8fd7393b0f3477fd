//===- KernelState.cpp - A kernel and its code for some arguments ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelState.h"

#include "Backends/Backend.h"
#include "Backends/DeviceCopies.h"

#include "fsm/Cache/KernelCache.h"
#include "fsm/Machine/GpuTarget.h"

using namespace fsm;

Specialisation::~Specialisation() = default;

ArgumentBits Specialisation::allArguments(ArgumentBits bits, HiddenValues values) const {
  for (HiddenArgument argument : hiddenArguments)
    bits.push_back(values.bitsOf(argument));
  return bits;
}

const Specialisation *Kernel::State::find(Facts facts, Kind kind) const {
  for (const auto &entry : specialisations)
    if (Facts(entry->facts) == facts && entry->kind == kind)
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

Result<std::unique_ptr<const Specialisation>> Kernel::State::compile(Facts facts, Kind kind) const {
  CompileOptions specialised = options;
  specialised.facts.assign(facts.begin(), facts.end());
  specialised.tensorMaps &= !kind.isPlain;
  specialised.spread = kind.grid.spread;
  specialised.cluster = kind.grid.cluster;
  specialised.manyPrograms |= kind.grid.isMany;
  Result<CompiledKernel> compiled =
      cache ? cache->compile(source, specialised) : Compiler::compile(source, specialised);
  if (!compiled)
    return compiled.error();
  Result<std::unique_ptr<Specialisation>> loaded =
      loadCode(std::move(*compiled), std::move(specialised.facts), *backend);
  if (!loaded)
    return loaded.error();
  (*loaded)->kind = kind;
  return std::unique_ptr<const Specialisation>(std::move(*loaded));
}

/// Code that several threads want for the first time is compiled once; code for other facts may be
/// compiled meanwhile.
Result<const Specialisation *> Kernel::State::codeFor(Facts facts, Kind kind) {
  std::pair<Facts, Kind> wanted = {facts, kind};
  std::unique_lock<std::mutex> lock(mutex);
  isDone.wait(lock, [&] { return !llvm::is_contained(underWay, wanted); });
  if (const Specialisation *found = find(facts, kind))
    return found;
  underWay.push_back(wanted);
  lock.unlock();
  Result<std::unique_ptr<const Specialisation>> loaded = compile(facts, kind);
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

/// Whether programs had better load for one another: where lines of factors straddle sectors of the L2 cache, that is what bounds products,
/// and each program of a pair asks for two thirds (docs/decisions/0112-pairs-where-rows-straddle-sectors.md).
bool Kernel::State::straddlesSectors(const Specialisation &code, const std::vector<Argument> &arguments) const {
  Result<ArgumentBits> bits = convertArguments(signature, arguments);
  return bits && cuda::straddleSectors(code.tensorMaps, signature.arguments, bits->data());
}

/// Programs that are left over have no cluster, and so none has. Those of a cluster have one CTA each.
GridClass Kernel::State::classOf(const Grid *grid, Integers integers) const {
  GridClass of{options.spread, options.cluster};
  if (!grid)
    return of;
  bool isWhole = static_cast<uint32_t>(grid->x) % wantedCluster == 0;
  if (wantedCluster > 1 && !isWhole)
    of.cluster = 1;
  if (!backend->isGpu())
    return of;
  auto multiprocessors =
      static_cast<unsigned>(std::max(0, backend->device()->properties().multiprocessors));
  if (spreadUse && (wantedCluster == 1 || !isWhole))
    of.spread = spreadUse->spreadFor(*grid, multiprocessors, integers);
  if (maybeClusters && of.spread <= 1)
    of.ofStraddling = clusterFor(*grid, multiprocessors);
  of.isMany = maybeLoops && hasManyPrograms(*grid, multiprocessors);
  return of;
}

Result<const Specialisation *> Kernel::State::codeFor(const std::vector<Argument> &arguments,
                                                      GridClass grid) {
  if (!backend->hasCode())
    return nullptr;
  llvm::SmallVector<ArgumentFact, 16> facts(options.facts.begin(), options.facts.end());
  bool isGpu = backend->isGpu();
  std::vector<Argument> planned;
  if (isGpu)
    planned = BufferPlacement(arguments).planned();
  const std::vector<Argument> &placed = isGpu ? planned : arguments;
  if (facts.empty())
    appendFacts(placed, facts, isGpu, &signature);
  unsigned ofStraddling = std::exchange(grid.ofStraddling, 1);
  Result<const Specialisation *> code = codeFor(facts, Kind{/*isPlain=*/false, grid});
  bool isTaken = !code || takesMaps(**code, placed);
  if (!isTaken)
    return codeFor(facts, Kind{/*isPlain=*/true, grid});
  if (!code || ofStraddling == 1 || !straddlesSectors(**code, placed))
    return code;
  grid.cluster = ofStraddling;
  return codeFor(facts, Kind{/*isPlain=*/false, grid});
}
