//===- Simulator.h - PTX run and checked on the host -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_SIMULATOR_SIMULATOR_H
#define FSM_SIMULATOR_SIMULATOR_H

#include "fsm/Support/Result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fsm::sim {

struct Program;

/// What one kernel needs. The registers are an estimate: the most that are live
/// at once in the PTX, in 32-bit registers, rounded up to 8.
struct KernelNeeds {
  unsigned registers = 0;
  /// Static shared memory of a block and local memory of a thread, in bytes.
  uint64_t sharedBytes = 0, localBytes = 0;
};

/// A parsed and decoded PTX module. A copy shares what it holds.
class Module {
public:
  /// Errors are of the form `line:column: error: sentence`.
  static Result<Module> parse(std::string_view text);

  /// The names of the kernels, sorted.
  std::vector<std::string> kernels() const;
  /// An error if the module has no such kernel, or it calls what is not there.
  Result<KernelNeeds> needs(const std::string &kernel) const;
  /// What LaunchOptions::leaveOut can leave out of a kernel, one sentence each.
  Result<std::vector<std::string>> omissions(const std::string &kernel) const;
  const std::shared_ptr<const Program> &program() const { return contents; }

private:
  explicit Module(std::shared_ptr<const Program> contents) : contents(std::move(contents)) {}
  std::shared_ptr<const Program> contents;
};

struct Extent {
  uint32_t x = 1, y = 1, z = 1;
};

struct LaunchOptions {
  /// When asynchronous copies move their data and complete: any moment from their
  /// issue to the wait that needs them is legal.
  enum class Landing : uint8_t {
    BySeed, ///< Last for seed 0; another seed chooses one of the others.
    First,  ///< As early as may be.
    Last,   ///< Only when nothing else can happen.
    Random
  };
  Landing landing = Landing::BySeed;
  /// 0 runs divergent paths and warps in program order; any other number
  /// permutes both, reproducibly.
  uint64_t seed = 0;
  /// For tests of tests: 0, or which of Module::omissions, from 1 on, is left out.
  unsigned leaveOut = 0;
  /// Whether races in global memory are reported, too: of a block's threads and of those of
  /// different blocks. Blocks then run on one host thread.
  bool globalRaces = false;
  /// Whether those of different programs are reported, of two plain stores only with different
  /// values; contained in globalRaces. Blocks run on one host thread if the kernel acquires.
  bool programRaces = false;
  /// With globalRaces: also two writes of a program by one store, of which one of the values may
  /// stay.
  bool racesOfOneStore = false;
  /// Greater than 1: each warp of a block is a program of its own, with neighbours along x.
  unsigned programsPerBlock = 1;
  /// Blocks of a cluster, along x; 0: as many as the kernel says, else 1.
  unsigned clusterBlocks = 0;
  /// The launch began before the ones before it have ended: its threads wait for them before they
  /// access global memory.
  bool overlaps = false;
  /// Of a grid with more blocks than this, so many run, spread evenly from the first to the last;
  /// 0 runs all.
  uint64_t mostBlocks = 0;
  /// Warp instructions that one block may execute.
  uint64_t maxSteps = uint64_t(1) << 28;
  /// Once it is true, blocks end as those do that execute too many; null: nobody ends them.
  const std::atomic<bool> *stops = nullptr;
  /// Reports kept; those of one kind at one instruction are one report.
  unsigned maxReports = 64;
  /// Host threads; 0 means as many as there are cores.
  unsigned threads = 0;
  /// What %nsmid says.
  uint32_t multiprocessors = 132;
};

/// What a kernel did wrong.
struct Report {
  enum class Kind : uint8_t {
    OutOfBounds,
    UseAfterFree,
    Misaligned,
    ReadOnly,
    UninitializedMemory,
    UninitializedRegister,
    DivergentBarrier,
    DivergentWarpSync,
    SharedRace,
    Deadlock,
    TooManySteps,
    Trap,
    AsyncCopy,
    BarrierMisuse,
    ProxyFence,
    GlobalRace,
    AsyncProduct,
    EarlyAccess,
  };
  Kind kind = Kind::OutOfBounds;
  /// What was wrong, with the numbers of the first occurrence.
  std::string message;
  std::string kernel;
  /// The instruction as PTX spells it, and its line in the module's text.
  std::string instruction;
  uint32_t ptxLine = 0;
  /// From `.loc`; empty and 0 without line information.
  std::string sourceFile;
  uint32_t sourceLine = 0;
  /// Where it happened first, in the order of the blocks.
  Extent block{0, 0, 0}, thread{0, 0, 0};
  uint32_t warp = 0, lane = 0;
  uint64_t address = 0;
  /// How often it happened.
  uint64_t count = 1;

  /// All of the above in one line.
  std::string str() const;
};

/// The name of a kind, such as "out of bounds".
std::string_view nameOf(Report::Kind kind);

/// What one instruction that accesses memory did in all executions.
struct AccessCounters {
  /// As PTX spells it, without its operands, and its line in the module's text.
  std::string instruction;
  uint32_t ptxLine = 0;
  /// From `.loc`; empty and 0 without line information.
  std::string sourceFile;
  uint32_t sourceLine = 0;
  bool isShared = false;
  /// Bytes each lane accesses at once.
  uint32_t bytesPerLane = 0;
  /// Executions by a warp.
  uint64_t executions = 0;
  /// Sectors, 32 bytes of global memory, or wavefronts, passes over the 32 banks of shared memory:
  /// those that there were, and those that the bytes need at least.
  uint64_t moved = 0, least = 0;
};

struct Counters {
  /// Instructions executed, counted per warp and per thread.
  uint64_t warpInstructions = 0, threadInstructions = 0;
  /// In the order of the text; generic accesses count by where they went.
  std::vector<AccessCounters> accesses;

  uint64_t globalExecutions() const;
  uint64_t globalSectors() const;
  /// Wavefronts beyond those that the bytes need.
  uint64_t bankConflicts() const;

  /// What all accesses moved and what would do, one sentence each for global and shared memory;
  /// then each kind of access of each source line. No newline at the end.
  std::string str() const;
};

struct LaunchReport {
  std::vector<Report> reports;
  Counters counters;
  /// The blocks that ran: from the first on, all of them unless one was at fault.
  uint64_t blocks = 0;

  /// The reports, one a line.
  std::string str() const;
};

class Memory;

/// A simulated GPU: its memory, and launches one at a time. Addresses are those
/// of a sparse 64-bit space in which every allocation stands alone.
class Device {
public:
  Device();
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// Memory of exactly so many bytes, uninitialised and aligned to 512. Pages
  /// that are never touched cost nothing.
  Result<uint64_t> alloc(uint64_t bytes);
  Result<void> free(uint64_t address);
  Result<void> copyIn(uint64_t address, const void *data, uint64_t bytes);
  Result<void> copyOut(void *data, uint64_t address, uint64_t bytes) const;
  /// Fills with a byte; the memory counts as initialised.
  Result<void> fill(uint64_t address, uint8_t value, uint64_t bytes);
  /// From now on the bytes, which are within an allocation, count as not written.
  void forget(uint64_t address, uint64_t bytes);
  /// Copies within the device; bytes without a value stay without one.
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes);

  /// What reports are to call the allocation that begins at the address, such
  /// as "argument %in". An empty name takes the name away.
  Result<void> name(uint64_t address, const std::string &name);
  /// Where the allocation that holds the address begins, and its bytes.
  Result<std::pair<uint64_t, uint64_t>> allocationOf(uint64_t address) const;
  /// Where a module's global variable lies, and its bytes.
  Result<std::pair<uint64_t, uint64_t>> variable(const Module &module, const std::string &name);
  /// Frees the module's global variables.
  void unload(const Module &module);

  /// Runs a kernel. `parameters` points to one pointer per kernel parameter,
  /// each to its value, as cuLaunchKernel takes them. An error means the launch
  /// was refused; what the kernel does wrong is in the reports. Reports of what
  /// ends a launch on a GPU too, such as an access out of bounds, end it at a
  /// block soon after; which one follows from the first such block alone.
  Result<LaunchReport> launch(const Module &module, const std::string &kernel, Extent grid,
                              Extent block, uint32_t dynamicSharedBytes, void **parameters,
                              const LaunchOptions &options = {});

private:
  std::unique_ptr<Memory> memory;
};

} // namespace fsm::sim

#endif // FSM_SIMULATOR_SIMULATOR_H
