//===- Engine.h - Compile, load and launch kernels -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ENGINE_ENGINE_H
#define FSM_ENGINE_ENGINE_H

#include "fsm/Artifact/DebugRecords.h"
#include "fsm/Artifact/Launch.h"
#include "fsm/Compiler/Compiler.h"
#include "fsm/Runtime/DeviceModule.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

class Backend;
class Engine;
class KernelCache;
class LoadedKernels;
class PreparedLaunch;
struct Specialisation;

/// A kernel loaded into an engine, which alone runs it. Copies share the compiled
/// code; the engine must outlive them.
class Kernel {
public:
  const KernelSignature &signature() const;

  /// The library's own.
  struct State;

private:
  friend class Engine;
  explicit Kernel(std::shared_ptr<State> state) : state(std::move(state)) {}
  std::shared_ptr<State> state;
};

struct EngineOptions {
  /// The simulator's library; empty: libfsm-simulator.so beside the program or in
  /// the folder lib next to it.
  std::string simulatorLibrary;
  /// A context (CUcontext) of the caller for a GPU, who keeps it as long as the engine; null: the
  /// GPU's primary context, which frameworks share.
  void *context = nullptr;
  /// The folder of a KernelCache (include/fsm/Cache/KernelCache.h) for the code of its kernels; empty
  /// for none.
  std::string cacheFolder;
  /// A second one, whose code is taken and which is never written to.
  std::string sharedCacheFolder;
};

/// A kernel, and arguments like those of launches to come.
struct CompileRequest {
  Kernel kernel;
  std::vector<Argument> arguments;
};

/// What a launch does besides computing.
struct LaunchOptions {
  /// How many lines a launch keeps; it counts those beyond and says how many were lost.
  uint32_t printRecords = 65536;
  /// Receives the lines; by default they go to standard error. On the interpreter as they are
  /// printed, elsewhere when the launch is over, sorted by program (x fastest). It must not call
  /// the engine.
  PrintLine print;
  /// Whether accesses of two programs may race. If not, the interpreter and the simulator look for
  /// races, and one is an error that names both accesses (docs/language.md, "Order").
  bool allowsRaces = false;
  /// Receives, from the simulator alone, what accesses to memory moved and what would have sufficed
  /// (docs/simulator.md, "What accesses move"); nothing where the launch fails.
  PrintLine accesses;
};

/// A device that an engine can be made for, or why it cannot.
struct DeviceEntry {
  /// What Engine::create takes.
  std::string name;
  /// Only of a GPU or the simulator.
  std::optional<cuda::DeviceProperties> properties;
  /// Why it is not to be had; empty if it is.
  std::string reason;
};

/// What a GPU makes of a kernel that was compiled for some arguments.
struct KernelReport {
  cuda::KernelNumbers numbers;
  DeviceLaunch launch;
  /// CTAs that one multiprocessor runs at once, and the part of its warps that
  /// they fill, from 0 to 1.
  int ctasPerMultiprocessor = 0;
  double occupancy = 0;
  /// Programs that the device runs at once.
  int32_t concurrentPrograms = 0;
};

/// Multiprocessors are not equally fast, and shares of the work are seldom whole: programs that
/// wait for others to end even that out (docs/decisions/0038-waves-of-persistent-programs.md).
inline constexpr int32_t kPersistentWaves = 8;

/// One device that compiles and runs kernels. Calls on one engine may come
/// from any threads.
class Engine {
public:
  /// Opens "cuda", "cuda:N", "sim", "cpu" or "interp"; "" opens "cuda" if there
  /// are a driver and a GPU, and else "cpu".
  static Result<Engine> create(std::string_view device = "", const EngineOptions &options = {});

  /// All devices, including those that cannot be opened.
  static std::vector<DeviceEntry> devices(const EngineOptions &options = {});

  Engine(Engine &&);
  Engine &operator=(Engine &&);
  ~Engine();

  /// The name of the device that was opened.
  std::string_view device() const;

  /// What its kernels are compiled for: "cpu", "sm_90a", ...
  std::string target() const;

  /// Null on cpu and interp.
  const cuda::DeviceProperties *deviceProperties() const;

  /// How many programs of any kernel run at the same time on cpu or interp.
  int32_t concurrentPrograms() const;

  /// How many programs of a kernel run at the same time. On a GPU that depends on the code.
  Result<int32_t> concurrentPrograms(const Kernel &kernel, const std::vector<Argument> &arguments);

  /// With how many programs to launch a persistent kernel, whose programs share `most` pieces of
  /// work evenly however many they are: kPersistentWaves times those that run at the same time.
  /// Where warps of their own load, for the next piece while one is stored, as few as make no more
  /// rounds than those that run at the same time
  /// (docs/decisions/0165-persistent-products-in-one-wave.md).
  Result<int32_t> persistentPrograms(const Kernel &kernel, const std::vector<Argument> &arguments,
                                     int32_t most = INT32_MAX);

  /// Registers, shared memory and occupancy of a kernel on a GPU. Code for a launch of few programs may
  /// be other code: here and below it is that of the grid, or without one that of many programs.
  Result<KernelReport> report(const Kernel &kernel, const std::vector<Argument> &arguments,
                              const Grid *grid = nullptr);

  /// Memory of the GPU; Argument::deviceBuffer takes its address. Launches on it
  /// copy nothing.
  Result<cuda::Memory> allocate(size_t bytes);

  /// A stream of the GPU, for prepared launches.
  Result<cuda::Stream> makeStream();

  /// An event of the GPU, a moment in its streams.
  Result<cuda::Event> makeEvent();

  /// Parses and checks a source and picks one kernel of it. Code is generated
  /// by `compile`, or by the first launch. The engine remembers the kernels that it loaded last: one
  /// of the same source and options is given again, with the code that it has.
  Result<Kernel> load(const Source &source, const CompileOptions &options = {});

  /// Generates code specialised for these arguments, unless it is there.
  Result<void> compile(const Kernel &kernel, const std::vector<Argument> &arguments,
                       const Grid *grid = nullptr);

  /// The same for many kernels, on all cores of the machine; the code is that which one after the
  /// other would give. All are compiled even if some fail: the error is that of the first which did.
  Result<void> compileAll(const std::vector<CompileRequest> &requests);

  /// The warnings and remarks of the compile for these arguments, as in
  /// CompiledKernel::diagnostics, whether it was done before or is done now. The interpreter
  /// compiles nothing and has none.
  Result<std::vector<std::string>> diagnostics(const Kernel &kernel,
                                               const std::vector<Argument> &arguments,
                                               const Grid *grid = nullptr);

  /// Runs the kernel over the grid and returns when it is done. The count and
  /// kinds of the arguments are checked against the signature. Host buffers are
  /// copied to a GPU and back; those that overlap also overlap there. Pointers in a
  /// buffer of pointers must be addresses of the device.
  ///
  /// An `fsm.assert` that does not hold is an error of the kind Execution,
  /// `file:line:column: program (x, y, z): assertion failed at [i, j]: message`; of several
  /// programs in which one fails, it names the one that was first.
  Result<void> launch(const Kernel &kernel, Grid grid, const std::vector<Argument> &arguments,
                      const LaunchOptions &options = {});

  /// Prepares launches on memory of the device, of arguments like these: the kinds and sizes stay,
  /// the values may change. Generates code for them. A kernel that prints or asserts is refused:
  /// nobody would hear of it.
  Result<PreparedLaunch> prepare(const Kernel &kernel, const std::vector<Argument> &arguments);

  /// The seconds of each of `runs` launches, after one that is not timed. On a GPU
  /// the buffers stay there, caches are cold, and what is timed is the kernel
  /// alone; on the simulator it is one launch, by the host's clock. Nothing is
  /// copied back, and what is printed is dropped.
  Result<std::vector<double>> timeLaunches(const Kernel &kernel, Grid grid,
                                           const std::vector<Argument> &arguments, unsigned runs);

  /// What is known of these arguments: pointers that are multiples of 16, 32 or 64
  /// bytes, buffers that overlap no other one or exceed the machine's private
  /// caches, integers that are 1 or multiples of 4 or 16. For a GPU
  /// target, the facts hold for the device copies that a launch makes, and bound integers at which loops of the kernel over a row
  /// end, where it is given.
  static std::vector<ArgumentFact> factsOf(const std::vector<Argument> &arguments, std::string_view target = "cpu",
                                           const KernelSignature *kernel = nullptr);

private:
  Engine(std::unique_ptr<Backend> backend, const EngineOptions &options);
  Result<void> check(const Kernel &kernel, const std::vector<Argument> &arguments) const;
  Result<const Specialisation *> codeFor(const Kernel &kernel,
                                         const std::vector<Argument> &arguments,
                                         const Grid *grid) const;
  std::unique_ptr<Backend> backend;
  /// Null for none.
  std::shared_ptr<KernelCache> cache;
  std::unique_ptr<LoadedKernels> loaded;
};

} // namespace fsm

#endif // FSM_ENGINE_ENGINE_H
