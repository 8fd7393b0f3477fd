//===- Engine.cpp - Compile, load and launch kernels ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Engine/Engine.h"

#include "Backends/Backend.h"
#include "Backends/DeviceCopies.h"
#include "KernelState.h"
#include "LaunchCheck.h"
#include "LoadedKernels.h"

#include "fsm/Cache/KernelCache.h"
#include "fsm/Compiler/Guarded.h"
#include "fsm/Compiler/ParsedSource.h"
#include "fsm/Engine/PreparedLaunch.h"
#include "fsm/Runtime/ThreadPool.h"

using namespace fsm;

const KernelSignature &Kernel::signature() const { return state->signature; }

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Engine::Engine(std::unique_ptr<Backend> made, const EngineOptions &options)
    : backend(std::move(made)) {
  // A kernel that is run as it stands keeps its module, with all that MLIR needs for one.
  loaded = std::make_unique<LoadedKernels>(backend->hasCode() ? 256 : 8);
  if (!options.cacheFolder.empty() || !options.sharedCacheFolder.empty()) {
    KernelCache::Options folders;
    folders.folder = options.cacheFolder;
    folders.sharedFolder = options.sharedCacheFolder;
    cache = std::make_shared<KernelCache>(std::move(folders));
  }
}
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
  if (device == "interp")
    return Engine(makeInterpreterBackend(), options);
  if (device == "cpu")
    return Engine(makeHostBackend(), options);
  auto gpu = makeDeviceBackend(device.empty() ? "cuda" : device, options);
  if (gpu)
    return Engine(std::move(*gpu), options);
  if (!device.empty())
    return gpu.error();
  return Engine(makeHostBackend(), options);
}

std::vector<DeviceEntry> Engine::devices(const EngineOptions &options) {
  std::vector<DeviceEntry> entries{{"interp", std::nullopt, ""}, {"cpu", std::nullopt, ""}};
  appendDeviceEntries(entries, cuda::Driver::loadCuda(), "cuda");
  appendDeviceEntries(entries, cuda::Driver::loadSimulator(options.simulatorLibrary), "sim");
  return entries;
}

std::string_view Engine::device() const { return backend->name(); }

std::string Engine::target() const { return backend->target(); }

const cuda::DeviceProperties *Engine::deviceProperties() const {
  return backend->isGpu() ? &backend->device()->properties() : nullptr;
}

int32_t Engine::concurrentPrograms() const { return backend->concurrentPrograms(); }

Result<int32_t> Engine::concurrentPrograms(const Kernel &kernel,
                                           const std::vector<Argument> &arguments) {
  if (!backend->isGpu())
    return concurrentPrograms();
  Result<KernelReport> report = this->report(kernel, arguments);
  if (!report)
    return report.error();
  return report->concurrentPrograms;
}

Result<int32_t> Engine::persistentPrograms(const Kernel &kernel,
                                           const std::vector<Argument> &arguments, int32_t most) {
  if (!backend->isGpu())
    return std::min<int32_t>(most, kPersistentWaves * concurrentPrograms());
  Result<KernelReport> report = this->report(kernel, arguments);
  if (!report)
    return report.error();
  int32_t atOnce = report->concurrentPrograms;
  if (!report->launch.loadWarps)
    return std::min<int32_t>(most, kPersistentWaves * atOnce);
  return static_cast<int32_t>(balancedPrograms(static_cast<uint64_t>(std::max(0, most)),
                                               static_cast<uint64_t>(atOnce),
                                               report->launch.cluster));
}

Result<KernelReport> Engine::report(const Kernel &kernel, const std::vector<Argument> &arguments,
                                    const Grid *grid) {
  Result<const Specialisation *> code = codeFor(kernel, arguments, grid);
  if (!code)
    return code.error();
  return backend->report(*code);
}

/// What memory, streams and events are of. `what` says for what it is asked.
static Result<void> checkIsGpu(const Backend &backend, std::string_view device,
                               std::string_view what) {
  if (backend.isGpu())
    return {};
  return badInput("error: expected a GPU or the simulator to " + std::string(what) +
                  " on, got the device '" + std::string(device) + "'");
}

Result<cuda::Memory> Engine::allocate(size_t bytes) {
  if (Result<void> checked = checkIsGpu(*backend, device(), "allocate"); !checked)
    return checked.error();
  return cuda::Memory::allocate(*backend->device(), bytes);
}

Result<cuda::Stream> Engine::makeStream() {
  if (Result<void> checked = checkIsGpu(*backend, device(), "make a stream"); !checked)
    return checked.error();
  return cuda::Stream::create(*backend->device());
}

Result<cuda::Event> Engine::makeEvent() {
  if (Result<void> checked = checkIsGpu(*backend, device(), "make an event"); !checked)
    return checked.error();
  return cuda::Event::create(*backend->device());
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The target that the options name, or that of the device.
static Result<std::string> namedTarget(const Backend &backend, const Source &source,
                                     const CompileOptions &options) {
  bool isNamed = options.target != CompileOptions().target;
  std::string target = isNamed || !backend.isGpu() ? options.target : backend.target();
  if (Result<void> checked = backend.checkTarget(target); !checked)
    return badInput(source.fileName + ": " + checked.error().message);
  return target;
}

Result<Kernel> Engine::load(const Source &source, const CompileOptions &options) {
  if (std::optional<Kernel> known = loaded->find(source, options))
    return std::move(*known);
  if (Result<void> checked = Compiler::check(source, options); !checked)
    return checked.error();
  Result<std::string> target = namedTarget(*backend, source, options);
  if (!target)
    return target.error();
  auto parsed =
      guarded<std::unique_ptr<ParsedSource>>(source, [&] { return ParsedSource::parse(source); });
  if (!parsed)
    return parsed.error();
  Result<KernelOp> op = (*parsed)->pick(options.kernel);
  if (!op)
    return op.error();
  auto kernel = std::make_shared<Kernel::State>();
  kernel->backend = backend.get();
  kernel->cache = cache;
  kernel->source = source;
  kernel->options = options;
  kernel->options.target = std::move(*target);
  kernel->signature = signatureOf(*op);
  kernel->options.kernel = kernel->signature.name;
  // Programs that share threads cannot be told apart, and what they do to each other is to be found.
  bool isSimulator = backend->isGpu() && backend->device()->driver().isSimulator();
  if (isSimulator && options.batchPrograms == CompileOptions().batchPrograms)
    kernel->options.batchPrograms = "never";
  kernel->promises = promisesOf(*op);
  if (backend->isGpu() && !options.spread && !options.numCtas)
    kernel->spreadUse = spreadUseOf(*op, kernel->options.target);
  if (backend->isGpu()) {
    kernel->wantedCluster = options.cluster ? options.cluster : programsOfCluster(*op);
    kernel->maybeClusters = !options.cluster && !options.numCtas && mayHaveClusters(*op, kernel->options.target);
    kernel->maybeLoops = !isSimulator && mayLoopPrograms(*op, kernel->options);
  }
  size_t count = kernel->signature.arguments.size();
  if (!options.facts.empty() && options.facts.size() != count)
    return badInput(source.fileName + ": error: expected facts of the " + std::to_string(count) +
                    " arguments of kernel '@" + kernel->signature.name + "', got " +
                    std::to_string(options.facts.size()));
  if (!backend->hasCode()) {
    kernel->parsed = std::move(*parsed);
    kernel->op = *op;
  }
  return loaded->keep(source, options, Kernel(std::move(kernel)));
}

/// What a kernel holds is made for the device of its engine.
static Result<void> checkOwner(const Kernel::State &kernel, const Backend *backend) {
  if (kernel.backend == backend)
    return {};
  return badInput("error: expected a kernel that this engine loaded, got '@" +
                  kernel.signature.name + "' of another engine");
}

/// What is wrong with arguments whatever their addresses are.
Result<void> Engine::check(const Kernel &kernel, const std::vector<Argument> &arguments) const {
  const Kernel::State &loaded = *kernel.state;
  if (Result<void> owned = checkOwner(loaded, backend.get()); !owned)
    return owned;
  Result<ArgumentBits> bits = convertArguments(loaded.signature, arguments);
  if (!bits)
    return bits.error();
  return checkPlaces(loaded.signature, arguments, device());
}

Result<const Specialisation *> Engine::codeFor(const Kernel &kernel,
                                               const std::vector<Argument> &arguments,
                                               const Grid *grid) const {
  if (Result<void> checked = check(kernel, arguments); !checked)
    return checked.error();
  return kernel.state->codeFor(arguments, kernel.state->classOf(grid, [&] { return integersOf(arguments); }));
}

Result<void> Engine::compile(const Kernel &kernel, const std::vector<Argument> &arguments,
                             const Grid *grid) {
  Result<const Specialisation *> code = codeFor(kernel, arguments, grid);
  return code ? Result<void>() : code.error();
}

Result<void> Engine::compileAll(const std::vector<CompileRequest> &requests) {
  struct Work {
    Engine &engine;
    const std::vector<CompileRequest> &requests;
    std::vector<Result<void>> done;
  } work{*this, requests, std::vector<Result<void>>(requests.size())};
  ThreadPool().run(
      static_cast<int64_t>(requests.size()),
      [](void *context, unsigned, int64_t begin, int64_t end) {
        Work &work = *static_cast<Work *>(context);
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
          work.done[i] = work.engine.compile(work.requests[i].kernel, work.requests[i].arguments);
      },
      &work);
  for (const Result<void> &done : work.done)
    if (!done)
      return done;
  return {};
}

Result<std::vector<std::string>> Engine::diagnostics(const Kernel &kernel,
                                                     const std::vector<Argument> &arguments,
                                                     const Grid *grid) {
  Result<const Specialisation *> code = codeFor(kernel, arguments, grid);
  if (!code)
    return code.error();
  return *code ? (*code)->diagnostics : std::vector<std::string>();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Result<void> Engine::launch(const Kernel &kernel, Grid grid, const std::vector<Argument> &arguments,
                            const LaunchOptions &options) {
  Kernel::State &loaded = *kernel.state;
  if (Result<void> owned = checkOwner(loaded, backend.get()); !owned)
    return owned;
  if (Result<void> checked = checkGrid(loaded.signature, grid, backend->isGpu()); !checked)
    return checked;
  Result<ArgumentBits> bits = convertArguments(loaded.signature, arguments);
  if (!bits)
    return bits.error();
  if (Result<void> checked = checkPlaces(loaded.signature, arguments, device()); !checked)
    return checked;
  if (Result<void> there = checkThere(loaded.signature, arguments); !there)
    return there;
  // The addresses on a GPU are not known yet.
  if (!backend->isGpu())
    if (Result<void> kept = checkPromises(loaded.signature, loaded.promises, *bits); !kept)
      return kept;
  Result<const Specialisation *> code =
      loaded.codeFor(arguments, loaded.classOf(&grid, [&] { return integersOf(arguments); }));
  Result<void> launched =
      code ? backend->launch(loaded, *code, {grid, arguments, options}) : code.error();
  return launched ? launched : withParameters(launched.error(), loaded.source);
}

Result<PreparedLaunch> Engine::prepare(const Kernel &kernel,
                                       const std::vector<Argument> &arguments) {
  if (Result<void> checked = check(kernel, arguments); !checked)
    return checked.error();
  return PreparedLaunch::make(kernel.state, arguments);
}

Result<std::vector<double>> Engine::timeLaunches(const Kernel &kernel, Grid grid,
                                                 const std::vector<Argument> &arguments,
                                                 unsigned runs) {
  Kernel::State &loaded = *kernel.state;
  if (Result<void> owned = checkOwner(loaded, backend.get()); !owned)
    return owned.error();
  if (Result<void> checked = checkGrid(loaded.signature, grid, backend->isGpu()); !checked)
    return checked.error();
  Result<const Specialisation *> code = codeFor(kernel, arguments, &grid);
  if (!code)
    return code.error();
  if (!backend->isGpu()) {
    Result<ArgumentBits> bits = convertArguments(loaded.signature, arguments);
    if (Result<void> kept = checkPromises(loaded.signature, loaded.promises, *bits); !kept)
      return kept.error();
  }
  Result<std::vector<double>> seconds = backend->time(loaded, *code, grid, arguments, runs);
  return seconds ? seconds : withParameters(seconds.error(), loaded.source);
}

std::vector<ArgumentFact> Engine::factsOf(const std::vector<Argument> &arguments, std::string_view target,
                                          const KernelSignature *kernel) {
  bool isGpu = target != "cpu";
  llvm::SmallVector<ArgumentFact, 16> facts;
  appendFacts(isGpu ? BufferPlacement(arguments).planned() : arguments, facts, isGpu, kernel);
  return {facts.begin(), facts.end()};
}
