//===- Engine.cpp - Compile, load and launch kernels ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Engine/Engine.h"

#include "DebugReport.h"
#include "DeviceCopies.h"
#include "DeviceGrid.h"
#include "HostGrid.h"
#include "LaunchCheck.h"

#include "fsm/Compiler/Guarded.h"
#include "fsm/Compiler/ParsedSource.h"
#include "fsm/HostJit/HostModule.h"
#include "fsm/Interpreter/Interpreter.h"

#include <chrono>
#include <mutex>
#include <optional>

using namespace fsm;

namespace {
/// The code for launches whose arguments share these facts: for the host or for
/// a GPU.
struct Specialisation {
  std::vector<ArgumentFact> facts;
  uint64_t scratchBytes = 0;
  std::vector<HiddenArgument> hiddenArguments;
  std::vector<DebugOp> debugOps;
  std::vector<std::string> diagnostics;
  std::optional<HostModule> host;
  std::optional<cuda::DeviceModule> device;
};

/// What a launch is given.
struct LaunchRequest {
  Grid grid;
  const std::vector<Argument> &arguments;
  const LaunchOptions &options;
};
} // namespace

struct Kernel::State {
  /// The state of the engine that loaded it, to be compared alone.
  const void *engine = nullptr;
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

  /// Compiles for the GPU if there is one, else for the host.
  Result<const Specialisation *> codeFor(const std::vector<Argument> &arguments,
                                         const DeviceGrid *gpu);
  const Specialisation *find(llvm::ArrayRef<ArgumentFact> facts) const;
};

struct Engine::State {
  /// One launch at a time.
  std::mutex mutex;
  /// One of them, or none: then the engine interprets.
  std::optional<HostGrid> host;
  std::unique_ptr<DeviceGrid> gpu;

  Result<void> checkOwner(const Kernel::State &kernel) const;
  Result<void> check(const Kernel::State &kernel, const std::vector<Argument> &arguments) const;
  Result<void> launchOnHost(Kernel::State &kernel, const LaunchRequest &request,
                            const ArgumentBits &bits);
  Result<void> launchOnGpu(Kernel::State &kernel, const LaunchRequest &request);
  Result<void> launchOnInterpreter(Kernel::State &kernel, const LaunchRequest &request);
  Result<void> runOnGpu(const Specialisation &code, const LaunchRequest &request,
                        ArgumentBits bits) const;
  Result<std::vector<double>> timeOnGpu(Kernel::State &kernel, Grid grid,
                                        const std::vector<Argument> &arguments, unsigned runs);
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

static Result<std::unique_ptr<const Specialisation>>
loadCode(const CompiledKernel &compiled, std::vector<ArgumentFact> facts, const DeviceGrid *gpu) {
  auto loaded = std::make_unique<Specialisation>();
  loaded->facts = std::move(facts);
  loaded->scratchBytes = compiled.scratchBytes;
  loaded->hiddenArguments = compiled.hiddenArguments;
  loaded->debugOps = compiled.debugOps;
  loaded->diagnostics = compiled.diagnostics;
  if (gpu) {
    Result<cuda::DeviceModule> module = cuda::DeviceModule::load(gpu->device(), compiled);
    if (!module)
      return module.error();
    loaded->device.emplace(std::move(*module));
  } else {
    Result<HostModule> module = HostModule::load(compiled);
    if (!module)
      return module.error();
    loaded->host.emplace(std::move(*module));
  }
  return std::unique_ptr<const Specialisation>(std::move(loaded));
}

/// Compiles while it holds the mutex: a kernel that several threads want for
/// the first time is compiled once.
Result<const Specialisation *> Kernel::State::codeFor(const std::vector<Argument> &arguments,
                                                      const DeviceGrid *gpu) {
  llvm::SmallVector<ArgumentFact, 16> facts(options.facts.begin(), options.facts.end());
  if (facts.empty())
    appendFacts(gpu ? BufferPlacement(arguments).planned() : arguments, facts, /*forDevice=*/gpu);
  std::lock_guard<std::mutex> lock(mutex);
  if (const Specialisation *found = find(facts))
    return found;
  CompileOptions specialised = options;
  specialised.facts.assign(facts.begin(), facts.end());
  Result<CompiledKernel> compiled = Compiler::compile(source, specialised);
  if (!compiled)
    return compiled.error();
  auto loaded = loadCode(*compiled, std::move(specialised.facts), gpu);
  if (!loaded)
    return loaded.error();
  specialisations.push_back(std::move(*loaded));
  return specialisations.back().get();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// What a kernel holds is made for the device of its engine.
Result<void> Engine::State::checkOwner(const Kernel::State &kernel) const {
  if (kernel.engine == this)
    return {};
  return badInput("error: expected a kernel that this engine loaded, got '@" +
                  kernel.signature.name + "' of another engine");
}

/// Adds the hidden arguments to those of the user.
static ArgumentBits allArguments(const Specialisation &code, ArgumentBits bits, Grid grid,
                                 uint64_t records = 0) {
  HiddenValues values{grid.x, records};
  for (HiddenArgument argument : code.hiddenArguments)
    bits.push_back(values.bitsOf(argument));
  return bits;
}

/// Launches that are timed say nothing.
static LaunchOptions quietLaunch() {
  LaunchOptions options;
  options.print = [](const std::string &) {};
  options.allowsRaces = true;
  return options;
}

/// What is wrong with arguments whatever their addresses are.
Result<void> Engine::State::check(const Kernel::State &kernel,
                                  const std::vector<Argument> &arguments) const {
  if (Result<void> owned = checkOwner(kernel); !owned)
    return owned;
  Result<ArgumentBits> bits = convertArguments(kernel.signature, arguments);
  if (!bits)
    return bits.error();
  if (gpu)
    return {};
  return checkPlaces(kernel.signature, arguments, host ? "cpu" : "interp");
}

static bool isEmpty(Grid grid) { return grid.x == 0 || grid.y == 0 || grid.z == 0; }

Result<void> Engine::State::launchOnHost(Kernel::State &kernel, const LaunchRequest &request,
                                         const ArgumentBits &bits) {
  Result<const Specialisation *> code = kernel.codeFor(request.arguments, nullptr);
  if (!code)
    return code.error();
  if (isEmpty(request.grid))
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  auto run = [&](uint64_t records = 0) {
    ArgumentBits all = allArguments(**code, bits, request.grid, records);
    llvm::SmallVector<const void *, 16> pointers;
    for (const uint64_t &value : all)
      pointers.push_back(&value);
    return host->run((*code)->host->entry(), (*code)->scratchBytes, request.grid, pointers.data());
  };
  if ((*code)->debugOps.empty())
    return run();
  HostRecords records(request.options.printRecords);
  if (!records.isValid())
    return Error{Error::Kind::Execution, "error: out of memory for " +
                                             std::to_string(request.options.printRecords) +
                                             " printed lines"};
  if (Result<void> done = run(reinterpret_cast<uint64_t>(records.address())); !done)
    return done;
  return records.report((*code)->debugOps, request.options);
}

Result<void> Engine::State::launchOnInterpreter(Kernel::State &kernel,
                                                const LaunchRequest &request) {
  std::lock_guard<std::mutex> lock(mutex);
  LimitedPrint print(request.options);
  InterpretOptions options;
  options.print = [&](const std::string &line) { print.line(line); };
  options.allowsRaces = request.options.allowsRaces;
  Result<void> done = interpret(kernel.op, request.grid, request.arguments, options);
  print.finish();
  return done;
}

/// A launch's arguments as they are on the GPU, checked.
static Result<ArgumentBits> bitsOnGpu(const KernelSignature &signature,
                                      const std::vector<ArgumentFact> &promises,
                                      const DeviceCopies &copies) {
  Result<ArgumentBits> bits = convertArguments(signature, copies.onDevice());
  if (!bits)
    return bits;
  if (Result<void> kept = checkPromises(signature, promises, *bits); !kept)
    return kept.error();
  return bits;
}

/// Runs a kernel, with a buffer for its records if it writes any.
Result<void> Engine::State::runOnGpu(const Specialisation &code, const LaunchRequest &request,
                                     ArgumentBits bits) const {
  if (code.debugOps.empty())
    return gpu->run(*code.device, request.grid, allArguments(code, std::move(bits), request.grid),
                    request.options.allowsRaces);
  Result<DeviceRecords> records =
      DeviceRecords::allocate(gpu->device(), request.options.printRecords);
  if (!records)
    return records.error();
  Result<void> done =
      gpu->run(*code.device, request.grid,
               allArguments(code, std::move(bits), request.grid, records->address()),
               request.options.allowsRaces);
  return records->report(done, code.debugOps, request.options);
}

Result<void> Engine::State::launchOnGpu(Kernel::State &kernel, const LaunchRequest &request) {
  Result<const Specialisation *> code = kernel.codeFor(request.arguments, gpu.get());
  if (!code)
    return code.error();
  std::lock_guard<std::mutex> lock(mutex);
  Result<DeviceCopies> copies =
      DeviceCopies::upload(gpu->device(), kernel.signature, request.arguments);
  if (!copies)
    return copies.error();
  Result<ArgumentBits> bits = bitsOnGpu(kernel.signature, kernel.promises, *copies);
  if (!bits)
    return bits.error();
  if (isEmpty(request.grid))
    return {};
  if (Result<void> done = runOnGpu(**code, request, std::move(*bits)); !done)
    return done;
  return copies->download();
}

Result<std::vector<double>> Engine::State::timeOnGpu(Kernel::State &kernel, Grid grid,
                                                     const std::vector<Argument> &arguments,
                                                     unsigned runs) {
  Result<const Specialisation *> code = kernel.codeFor(arguments, gpu.get());
  if (!code)
    return code.error();
  std::lock_guard<std::mutex> lock(mutex);
  Result<DeviceCopies> copies = DeviceCopies::upload(gpu->device(), kernel.signature, arguments);
  if (!copies)
    return copies.error();
  Result<ArgumentBits> bits = bitsOnGpu(kernel.signature, kernel.promises, *copies);
  if (!bits)
    return bits.error();
  if (isEmpty(grid))
    return std::vector<double>{0.0};
  if ((*code)->debugOps.empty())
    return gpu->time(*(*code)->device, grid, allArguments(**code, std::move(*bits), grid), runs);
  LaunchOptions quiet = quietLaunch();
  Result<DeviceRecords> records = DeviceRecords::allocate(gpu->device(), quiet.printRecords);
  if (!records)
    return records.error();
  Result<std::vector<double>> seconds =
      gpu->time(*(*code)->device, grid,
                allArguments(**code, std::move(*bits), grid, records->address()), runs);
  Result<void> done = seconds ? Result<void>() : Result<void>(seconds.error());
  if (Result<void> reported = records->report(done, (*code)->debugOps, quiet); !reported)
    return reported.error();
  return seconds;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

const KernelSignature &Kernel::signature() const { return state->signature; }

Engine::Engine(std::unique_ptr<State> state) : state(std::move(state)) {}
Engine::Engine(Engine &&) = default;
Engine &Engine::operator=(Engine &&) = default;
Engine::~Engine() = default;

static void appendDeviceEntries(std::vector<DeviceEntry> &entries,
                                const Result<std::shared_ptr<const cuda::Driver>> &driver,
                                const std::string &name) {
  if (!driver) {
    entries.push_back({name, std::nullopt, driver.error().message});
    return;
  }
  Result<int> count = (*driver)->deviceCount();
  if (!count || *count == 0)
    entries.push_back({name, std::nullopt,
                       count ? "error: the driver '" + (*driver)->path() + "' has no device"
                             : count.error().message});
  for (int i = 0; count && i < *count; ++i) {
    DeviceEntry entry{name == "sim" ? name : name + ":" + std::to_string(i), std::nullopt, ""};
    Result<cuda::DeviceProperties> properties = cuda::Device::describe(**driver, i);
    if (properties)
      entry.properties = std::move(*properties);
    else
      entry.reason = properties.error().message;
    entries.push_back(std::move(entry));
  }
}

Result<Engine> Engine::create(std::string_view device, const EngineOptions &options) {
  auto state = std::make_unique<State>();
  if (device == "interp")
    return Engine(std::move(state));
  if (device != "cpu") {
    auto gpu = DeviceGrid::open(device.empty() ? "cuda" : device, options.simulatorLibrary);
    if (!gpu && !device.empty())
      return gpu.error();
    if (gpu) {
      state->gpu = std::move(*gpu);
      return Engine(std::move(state));
    }
  }
  state->host.emplace();
  return Engine(std::move(state));
}

std::vector<DeviceEntry> Engine::devices(const EngineOptions &options) {
  std::vector<DeviceEntry> entries{{"interp", std::nullopt, ""}, {"cpu", std::nullopt, ""}};
  appendDeviceEntries(entries, cuda::Driver::loadCuda(), "cuda");
  appendDeviceEntries(entries, cuda::Driver::loadSimulator(options.simulatorLibrary), "sim");
  return entries;
}

std::string_view Engine::device() const {
  if (state->gpu)
    return state->gpu->name();
  return state->host ? "cpu" : "interp";
}

std::string Engine::target() const { return state->gpu ? state->gpu->target() : "cpu"; }

const cuda::DeviceProperties *Engine::deviceProperties() const {
  return state->gpu ? &state->gpu->device().properties() : nullptr;
}

int32_t Engine::concurrentPrograms() const {
  return state->host ? static_cast<int32_t>(state->host->workers()) : 1;
}

Result<int32_t> Engine::concurrentPrograms(const Kernel &kernel,
                                           const std::vector<Argument> &arguments) {
  if (!state->gpu)
    return concurrentPrograms();
  Result<KernelReport> report = this->report(kernel, arguments);
  if (!report)
    return report.error();
  return report->concurrentPrograms;
}

Result<int32_t> Engine::persistentPrograms(const Kernel &kernel,
                                           const std::vector<Argument> &arguments) {
  Result<int32_t> concurrent = concurrentPrograms(kernel, arguments);
  if (!concurrent)
    return concurrent.error();
  return kPersistentWaves * *concurrent;
}

Result<KernelReport> Engine::report(const Kernel &kernel, const std::vector<Argument> &arguments) {
  if (Result<void> compiled = compile(kernel, arguments); !compiled)
    return compiled.error();
  if (!state->gpu)
    return badInput("error: expected a GPU or the simulator to report on, got the device '" +
                    std::string(device()) + "'");
  Result<const Specialisation *> code = kernel.state->codeFor(arguments, state->gpu.get());
  if (!code)
    return code.error();
  return state->gpu->report(*(*code)->device);
}

Result<cuda::Memory> Engine::allocate(size_t bytes) {
  if (!state->gpu)
    return badInput("error: expected a GPU or the simulator to allocate on, got the device '" +
                    std::string(device()) + "'");
  return cuda::Memory::allocate(state->gpu->device(), bytes);
}

Result<Kernel> Engine::load(const Source &source, const CompileOptions &options) {
  std::string target = options.target;
  if (state->gpu) {
    if (target == CompileOptions().target)
      target = state->gpu->target();
    if (Result<void> checked = state->gpu->checkTarget(target); !checked)
      return badInput(source.fileName + ": " + checked.error().message);
  } else if (target != "cpu") {
    return badInput(source.fileName + ": error: expected the target 'cpu' on the device '" +
                    std::string(device()) + "', got '" + target + "'");
  }
  auto parsed =
      guarded<std::unique_ptr<ParsedSource>>(source, [&] { return ParsedSource::parse(source); });
  if (!parsed)
    return parsed.error();
  Result<KernelOp> op = (*parsed)->pick(options.kernel);
  if (!op)
    return op.error();
  auto kernel = std::make_shared<Kernel::State>();
  kernel->engine = state.get();
  kernel->source = source;
  kernel->options = options;
  kernel->options.target = std::move(target);
  kernel->signature = signatureOf(*op);
  kernel->options.kernel = kernel->signature.name;
  kernel->promises = promisesOf(*op);
  size_t count = kernel->signature.arguments.size();
  if (!options.facts.empty() && options.facts.size() != count)
    return badInput(source.fileName + ": error: expected facts of the " + std::to_string(count) +
                    " arguments of kernel '@" + kernel->signature.name + "', got " +
                    std::to_string(options.facts.size()));
  if (!state->host && !state->gpu) {
    kernel->parsed = std::move(*parsed);
    kernel->op = *op;
  }
  return Kernel(std::move(kernel));
}

Result<void> Engine::compile(const Kernel &kernel, const std::vector<Argument> &arguments) {
  auto said = diagnostics(kernel, arguments);
  if (!said)
    return said.error();
  return {};
}

Result<std::vector<std::string>> Engine::diagnostics(const Kernel &kernel,
                                                     const std::vector<Argument> &arguments) {
  if (Result<void> checked = state->check(*kernel.state, arguments); !checked)
    return checked.error();
  if (!state->host && !state->gpu)
    return std::vector<std::string>();
  auto code = kernel.state->codeFor(arguments, state->gpu.get());
  if (!code)
    return code.error();
  return (*code)->diagnostics;
}

Result<void> Engine::launch(const Kernel &kernel, Grid grid, const std::vector<Argument> &arguments,
                            const LaunchOptions &options) {
  LaunchRequest request{grid, arguments, options};
  Kernel::State &loaded = *kernel.state;
  bool isGpu = state->gpu != nullptr;
  if (Result<void> owned = state->checkOwner(loaded); !owned)
    return owned;
  if (Result<void> checked = checkGrid(loaded.signature, grid, isGpu); !checked)
    return checked;
  Result<ArgumentBits> bits = convertArguments(loaded.signature, arguments);
  if (!bits)
    return bits.error();
  if (!isGpu) {
    if (Result<void> checked = checkPlaces(loaded.signature, arguments, device()); !checked)
      return checked;
    if (Result<void> kept = checkPromises(loaded.signature, loaded.promises, *bits); !kept)
      return kept;
  }
  Result<void> launched = isGpu         ? state->launchOnGpu(loaded, request)
                          : state->host ? state->launchOnHost(loaded, request, *bits)
                                        : state->launchOnInterpreter(loaded, request);
  return launched ? launched : withParameters(launched.error(), loaded.source);
}

Result<std::vector<double>> Engine::timeLaunches(const Kernel &kernel, Grid grid,
                                                 const std::vector<Argument> &arguments,
                                                 unsigned runs) {
  if (state->gpu) {
    if (Result<void> checked = checkGrid(kernel.signature(), grid, /*forDevice=*/true); !checked)
      return checked.error();
    if (Result<void> checked = state->check(*kernel.state, arguments); !checked)
      return checked.error();
    return state->timeOnGpu(*kernel.state, grid, arguments, runs);
  }
  std::vector<double> seconds;
  for (unsigned run = 0; run <= runs; ++run) {
    auto begin = std::chrono::steady_clock::now();
    if (Result<void> launched = launch(kernel, grid, arguments, quietLaunch()); !launched)
      return launched.error();
    auto end = std::chrono::steady_clock::now();
    if (run > 0)
      seconds.push_back(std::chrono::duration<double>(end - begin).count());
  }
  return seconds;
}

std::vector<ArgumentFact> Engine::factsOf(const std::vector<Argument> &arguments,
                                          std::string_view target) {
  bool isGpu = target != "cpu";
  llvm::SmallVector<ArgumentFact, 16> facts;
  appendFacts(isGpu ? BufferPlacement(arguments).planned() : arguments, facts, isGpu);
  return {facts.begin(), facts.end()};
}
