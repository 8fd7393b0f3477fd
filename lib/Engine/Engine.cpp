//===- Engine.cpp - Compile, load and launch kernels ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Engine/Engine.h"

#include "HostGrid.h"
#include "LaunchCheck.h"

#include "fsm/Compiler/Guarded.h"
#include "fsm/Compiler/ParsedSource.h"
#include "fsm/HostJit/HostModule.h"
#include "fsm/Interpreter/Interpreter.h"

#include <mutex>
#include <optional>

using namespace fsm;

namespace {
/// The code for launches whose arguments share these facts.
struct Specialisation {
  std::vector<ArgumentFact> facts;
  uint64_t scratchBytes;
  HostModule module;
};
} // namespace

struct Kernel::State {
  Source source;
  CompileOptions options;
  KernelSignature signature;
  std::vector<ArgumentFact> promises;

  /// For the interpreter only: the module as it stands.
  std::unique_ptr<ParsedSource> parsed;
  KernelOp op;

  /// Guards the list; an entry never changes or moves.
  std::mutex mutex;
  std::vector<std::unique_ptr<const Specialisation>> specialisations;

  Result<const Specialisation *> codeFor(const std::vector<Argument> &arguments);
  const Specialisation *find(llvm::ArrayRef<ArgumentFact> facts) const;
};

struct Engine::State {
  enum class Device { CPU, Interpreter };
  explicit State(Device device) : device(device) {
    if (device == Device::CPU)
      host.emplace();
  }

  Device device;
  /// One launch at a time.
  std::mutex mutex;
  std::optional<HostGrid> host;
};

//===----------------------------------------------------------------------===//
// Code for some arguments
//===----------------------------------------------------------------------===//

const Specialisation *Kernel::State::find(llvm::ArrayRef<ArgumentFact> facts) const {
  for (const auto &entry : specialisations)
    if (llvm::ArrayRef<ArgumentFact>(entry->facts) == facts)
      return entry.get();
  return nullptr;
}

/// Compiles while it holds the mutex: a kernel that several threads want for
/// the first time is compiled once.
Result<const Specialisation *> Kernel::State::codeFor(const std::vector<Argument> &arguments) {
  llvm::SmallVector<ArgumentFact, 16> facts(options.facts.begin(), options.facts.end());
  if (facts.empty())
    appendFacts(arguments, facts);
  std::lock_guard<std::mutex> lock(mutex);
  if (const Specialisation *found = find(facts))
    return found;
  CompileOptions specialised = options;
  specialised.facts.assign(facts.begin(), facts.end());
  Result<CompiledKernel> compiled = Compiler::compile(source, specialised);
  if (!compiled)
    return compiled.error();
  Result<HostModule> module = HostModule::load(*compiled);
  if (!module)
    return module.error();
  specialisations.push_back(std::make_unique<Specialisation>(
      Specialisation{std::move(specialised.facts), compiled->scratchBytes, std::move(*module)}));
  return specialisations.back().get();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

const KernelSignature &Kernel::signature() const { return state->signature; }

Engine::Engine(std::unique_ptr<State> state) : state(std::move(state)) {}
Engine::Engine(Engine &&) = default;
Engine &Engine::operator=(Engine &&) = default;
Engine::~Engine() = default;

Result<Engine> Engine::create(std::string_view device) {
  if (device.empty() || device == "cpu")
    return Engine(std::make_unique<State>(State::Device::CPU));
  if (device == "interp")
    return Engine(std::make_unique<State>(State::Device::Interpreter));
  return Error{Error::Kind::NoDevice,
               "error: there is no device '" + std::string(device) + "'; expected cpu or interp"};
}

std::string_view Engine::device() const {
  return state->device == State::Device::CPU ? "cpu" : "interp";
}

int32_t Engine::concurrentPrograms() const {
  return state->host ? static_cast<int32_t>(state->host->workers()) : 1;
}

Result<Kernel> Engine::load(const Source &source, const CompileOptions &options) {
  if (options.target != "cpu")
    return badInput(source.fileName + ": error: expected the target 'cpu' on the device '" +
                    std::string(device()) + "', got '" + options.target + "'");
  auto parsed =
      guarded<std::unique_ptr<ParsedSource>>(source, [&] { return ParsedSource::parse(source); });
  if (!parsed)
    return parsed.error();
  Result<KernelOp> op = (*parsed)->pick(options.kernel);
  if (!op)
    return op.error();
  auto kernel = std::make_shared<Kernel::State>();
  kernel->source = source;
  kernel->options = options;
  kernel->signature = signatureOf(*op);
  kernel->options.kernel = kernel->signature.name;
  kernel->promises = promisesOf(*op);
  size_t count = kernel->signature.arguments.size();
  if (!options.facts.empty() && options.facts.size() != count)
    return badInput(source.fileName + ": error: expected facts of the " + std::to_string(count) +
                    " arguments of kernel '@" + kernel->signature.name + "', got " +
                    std::to_string(options.facts.size()));
  if (state->device == State::Device::Interpreter) {
    kernel->parsed = std::move(*parsed);
    kernel->op = *op;
  }
  return Kernel(std::move(kernel));
}

Result<void> Engine::compile(const Kernel &kernel, const std::vector<Argument> &arguments) {
  Result<ArgumentBits> bits = convertArguments(kernel.state->signature, arguments);
  if (!bits)
    return bits.error();
  if (state->device == State::Device::Interpreter)
    return {};
  if (Result<const Specialisation *> code = kernel.state->codeFor(arguments); !code)
    return code.error();
  return {};
}

Result<void> Engine::launch(const Kernel &kernel, Grid grid,
                            const std::vector<Argument> &arguments) {
  Kernel::State &loaded = *kernel.state;
  if (Result<void> checked = checkGrid(loaded.signature, grid); !checked)
    return checked;
  Result<ArgumentBits> bits = convertArguments(loaded.signature, arguments);
  if (!bits)
    return bits.error();
  if (Result<void> kept = checkPromises(loaded.signature, loaded.promises, *bits); !kept)
    return kept;
  if (state->device == State::Device::Interpreter) {
    std::lock_guard<std::mutex> lock(state->mutex);
    return interpret(loaded.op, grid, arguments);
  }
  Result<const Specialisation *> code = loaded.codeFor(arguments);
  if (!code)
    return code.error();
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return {};
  llvm::SmallVector<const void *, 16> pointers;
  for (const uint64_t &value : *bits)
    pointers.push_back(&value);
  std::lock_guard<std::mutex> lock(state->mutex);
  return state->host->run((*code)->module.entry(), (*code)->scratchBytes, grid, pointers.data());
}

std::vector<ArgumentFact> Engine::factsOf(const std::vector<Argument> &arguments) {
  llvm::SmallVector<ArgumentFact, 16> facts;
  appendFacts(arguments, facts);
  return {facts.begin(), facts.end()};
}
