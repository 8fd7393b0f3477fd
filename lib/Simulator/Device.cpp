//===- Device.cpp - Modules, memory and launches -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program/Omissions.h"
#include "Text/Parser.h"
#include "Threads/Block.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <system_error>
#include <thread>

using namespace fsm;
using namespace fsm::sim;

Result<Module> Module::parse(std::string_view text) {
  Result<Program> program = parseProgram(text);
  if (!program)
    return program.error();
  return Module(std::make_shared<const Program>(std::move(*program)));
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const auto &[name, function] : contents->functions)
    if (function.isEntry)
      names.push_back(name);
  return names;
}

Device::Device() : memory(std::make_unique<Memory>()) {}
Device::~Device() = default;

Result<uint64_t> Device::alloc(uint64_t bytes) { return memory->alloc(bytes); }
Result<void> Device::free(uint64_t address) { return memory->free(address); }

Result<void> Device::copyIn(uint64_t address, const void *data, uint64_t bytes) {
  Result<uint8_t *> place = memory->range(address, bytes, true);
  if (!place)
    return place.error();
  if (bytes)
    std::memcpy(*place, data, bytes);
  return {};
}

Result<void> Device::copyOut(void *data, uint64_t address, uint64_t bytes) const {
  Result<uint8_t *> place = memory->range(address, bytes, false);
  if (!place)
    return place.error();
  if (bytes)
    std::memcpy(data, *place, bytes);
  return {};
}

Result<void> Device::fill(uint64_t address, uint8_t value, uint64_t bytes) {
  Result<uint8_t *> place = memory->range(address, bytes, true);
  if (!place)
    return place.error();
  if (bytes)
    std::memset(*place, value, bytes);
  return {};
}

void Device::forget(uint64_t address, uint64_t bytes) {
  Allocation &allocation = *memory->stretchOf(address);
  allocation.forget(address - allocation.address, bytes);
}

Result<void> Device::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  Result<uint8_t *> source = memory->range(from, bytes, false);
  Result<uint8_t *> target = memory->range(to, bytes, false);
  if (!source || !target)
    return (source ? target : source).error();
  if (!bytes)
    return {};
  std::memmove(*target, *source, bytes);
  memory->copyInitialized(to, from, bytes);
  return {};
}

Result<void> Device::name(uint64_t address, const std::string &name) {
  Allocation *allocation = memory->stretchOf(address);
  if (!allocation || allocation->address != address)
    return badInput("no allocation begins at the address " + std::to_string(address));
  allocation->name = name;
  return {};
}

Result<std::pair<uint64_t, uint64_t>> Device::allocationOf(uint64_t address) const {
  Allocation *allocation = memory->stretchOf(address);
  if (!allocation || !allocation->contains(address, 1))
    return badInput("no allocation holds the address " + std::to_string(address));
  return std::pair(allocation->address, allocation->bytes);
}

Result<std::pair<uint64_t, uint64_t>> Device::variable(const Module &module,
                                                       const std::string &name) {
  Result<std::map<std::string, uint64_t>> globals = memory->globalsOf(module.program());
  if (!globals)
    return globals.error();
  auto found = globals->find(name);
  if (found == globals->end())
    return badInput("the module has no global variable '" + name + "'");
  return std::pair(found->second, memory->stretchOf(found->second)->bytes);
}

void Device::unload(const Module &module) { memory->freeGlobals(module.program()); }

static std::string product(Extent extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) + " x " +
         std::to_string(extent.z);
}

/// Refuses what a GPU would refuse.
static Result<void> checkExtents(const Function &kernel, Extent grid, Extent block,
                                 uint32_t clusterBlocks) {
  if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
    return badInput("expected a grid of 1 x 1 x 1 to 2147483647 x 65535 x 65535 blocks, got " +
                    product(grid));
  if (kernel.clusterBlocks && kernel.clusterBlocks != clusterBlocks)
    return badInput("kernel '" + kernel.name + "' needs clusters of " +
                    std::to_string(kernel.clusterBlocks) + " blocks, got " +
                    std::to_string(clusterBlocks));
  if (clusterBlocks > kMostClusterBlocks || grid.x % clusterBlocks)
    return badInput("kernel '" + kernel.name + "' has clusters of " +
                    std::to_string(clusterBlocks) + " blocks along x, got a grid of " +
                    product(grid) + " blocks");
  uint64_t threads = uint64_t(block.x) * block.y * block.z;
  if (!threads || block.x > 1024 || block.y > 1024 || block.z > 64 || threads > 1024)
    return badInput("expected a block of 1 to 1024 threads, got " + product(block));
  const uint32_t *required = kernel.requiredThreads, *maximal = kernel.maximalThreads;
  if (required[0] && (required[0] != block.x || required[1] != block.y || required[2] != block.z))
    return badInput("kernel '" + kernel.name + "' needs a block of " +
                    product({required[0], required[1], required[2]}) + " threads, got " +
                    product(block));
  if (maximal[0] && threads > uint64_t(maximal[0]) * maximal[1] * maximal[2])
    return badInput("kernel '" + kernel.name + "' allows a block of at most " +
                    product({maximal[0], maximal[1], maximal[2]}) + " threads, got " +
                    product(block));
  return {};
}

/// What a block has of shared memory, and what the host gives its registers and local memory.
static Result<void> checkRoom(const Linked &linked, const std::string &kernel, Extent block) {
  constexpr uint64_t kMostShared = 227 * 1024, kMostLocal = 1 << 28, kMostRegisters = 1 << 21;
  auto needs = [&](uint64_t count, const std::string &what, uint64_t most) {
    return badInput("kernel '" + kernel + "' needs " + std::to_string(count) + " " + what +
                    "; a block has at most " + std::to_string(most));
  };
  if (linked.sharedBytes > kMostShared)
    return needs(linked.sharedBytes, "bytes of shared memory", kMostShared);
  const uint64_t threads = uint64_t(block.x) * block.y * block.z;
  if (uint64_t bytes = Block::localStride(linked) * threads; bytes > kMostLocal)
    return needs(bytes, "bytes of local memory for all threads", kMostLocal);
  const uint64_t warps = (threads + kLanes - 1) / kLanes;
  if (uint64_t count = linked.registerNames.size() * warps; count > kMostRegisters)
    return needs(count, "registers for all warps", kMostRegisters);
  return {};
}

/// The block that is the `index`-th of those that run, or the first block of such a cluster.
static uint64_t blockAt(const Launch &launch, uint64_t index) {
  const uint64_t all = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
  if (launch.clusterBlocks > 1)
    return index * launch.clusterBlocks;
  const uint64_t most = launch.options.mostBlocks;
  if (!most || all <= most)
    return index;
  // A grid has fewer than 2^63 blocks, but their number times another may not fit.
  return most == 1 ? 0 : static_cast<uint64_t>(__uint128_t(index) * (all - 1) / (most - 1));
}

/// Runs the blocks from `begin` to before `end`, with one thread per counting at
/// most; each draws the next block.
static void runBatch(Launch &launch, uint64_t begin, uint64_t end,
                     std::vector<Counting> &countings) {
  std::atomic<uint64_t> next{begin};
  auto work = [&](size_t thread) {
    for (uint64_t index; (index = next.fetch_add(1)) < end;)
      Block(launch, blockAt(launch, index), countings[thread]).run();
  };
  std::vector<std::thread> others;
  try {
    for (size_t thread = 1; thread < std::min<uint64_t>(countings.size(), end - begin); ++thread)
      others.emplace_back(work, thread);
  } catch (const std::system_error &) {
    // The host has no more threads; those that there are do the work.
  }
  work(0);
  for (std::thread &other : others)
    other.join();
}

/// The same on one host thread, a few blocks at a time in turns, as the seed has it: what
/// programs do to one another depends on who comes first.
static void runInTurns(Launch &launch, uint64_t begin, uint64_t end, Counting &counting) {
  constexpr size_t kBlocksAtOnce = 4;
  std::mt19937_64 random(launch.options.seed + begin);
  std::vector<std::unique_ptr<Block>> blocks;
  while (begin < end || !blocks.empty()) {
    if (begin < end && blocks.size() < kBlocksAtOnce) {
      blocks.push_back(std::make_unique<Block>(launch, blockAt(launch, begin++), counting));
      continue;
    }
    size_t index = random() % blocks.size();
    if (!blocks[index]->runRound())
      blocks.erase(blocks.begin() + static_cast<long>(index));
  }
}

/// Runs blocks, batch by batch, until one of a batch was at fault; returns how
/// many ran. The batches do not depend on the host, so that the same blocks run
/// everywhere. They grow: few blocks run if all hang, few pauses are made if none is at fault.
static uint64_t runBlocks(Launch &launch, uint64_t blocks, std::vector<Counting> &countings) {
  constexpr uint64_t kMostAtOnce = 4096;
  uint64_t done = 0;
  for (uint64_t batch = 4; done < blocks && !launch.reports.hasFault();
       batch = std::min(2 * batch, kMostAtOnce)) {
    uint64_t end = std::min(done + batch, blocks);
    if (launch.globalRaces && launch.options.seed)
      runInTurns(launch, done, end, countings.front());
    else
      runBatch(launch, done, end, countings);
    done = end;
  }
  return done;
}

/// What is said of an instruction beside its numbers.
static AccessCounters countersOf(const Program &program, const Instruction &instruction) {
  AccessCounters counters;
  counters.instruction = instruction.opcode;
  for (const std::string &modifier : instruction.modifiers)
    counters.instruction += "." + modifier;
  counters.ptxLine = instruction.position.line;
  auto file = program.files.find(instruction.sourceFile);
  if (instruction.sourceLine && file != program.files.end())
    counters.sourceFile = file->second;
  counters.sourceLine = instruction.sourceLine;
  return counters;
}

static Counters publish(const Counting &counting, const Program &program, const Linked &linked) {
  Counters counters;
  counters.warpInstructions = counting.warpInstructions;
  counters.threadInstructions = counting.threadInstructions;
  for (size_t pc = 0; pc < counting.accesses.size(); ++pc) {
    const Counting::Access &access = counting.accesses[pc];
    for (const Counting::Sum *sum : {&access.global, &access.shared}) {
      if (!sum->executions)
        continue;
      AccessCounters &row = counters.accesses.emplace_back(countersOf(program, linked.code[pc]));
      row.isShared = sum == &access.shared;
      row.bytesPerLane = access.bytes;
      row.executions = sum->executions;
      row.moved = sum->traffic.moved;
      row.least = sum->traffic.least;
    }
  }
  return counters;
}

/// Whether races are looked for that are of programs alone. Nobody waits for 2^32 of them.
static bool looksAtPrograms(const Linked &linked, const LaunchOptions &options, uint64_t blocks) {
  return options.programRaces && !options.globalRaces &&
         linked.code.size() < ProgramRaces::kMostInstructions && blocks < uint64_t(1) << 27 &&
         blocks * options.programsPerBlock > 1;
}

Result<LaunchReport> Device::launch(const Module &module, const std::string &name, Extent grid,
                                    Extent block, uint32_t dynamicSharedBytes, void **parameters,
                                    const LaunchOptions &options) {
  const Program &program = *module.program();
  auto found = program.functions.find(name);
  if (found == program.functions.end() || !found->second.isEntry || !found->second.isDefined)
    return badInput("the module has no kernel '" + name + "'");
  const Function &kernel = found->second;
  const uint32_t clusterBlocks =
      options.clusterBlocks ? options.clusterBlocks : std::max(kernel.clusterBlocks, 1u);
  if (Result<void> checked = checkExtents(kernel, grid, block, clusterBlocks); !checked)
    return checked.error();
  Result<std::map<std::string, uint64_t>> globals = memory->globalsOf(module.program());
  if (!globals)
    return globals.error();
  Result<Linked> linked = link(program, kernel, dynamicSharedBytes, *globals);
  if (!linked)
    return linked.error();
  if (options.leaveOut) {
    std::vector<Omission> all = omissionsOf(*linked);
    if (options.leaveOut > all.size())
      return badInput("kernel '" + name + "' has " + std::to_string(all.size()) +
                      " things to leave out, and not " + std::to_string(options.leaveOut));
    leaveOut(*linked, all[options.leaveOut - 1]);
  }
  if (Result<void> checked = checkRoom(*linked, name, block); !checked)
    return checked.error();
  Reports reports(options.maxReports);
  Launch state{program,
               kernel,
               *linked,
               *memory,
               options,
               grid,
               block,
               dynamicSharedBytes,
               clusterBlocks,
               std::vector<uint8_t>(kernel.parameterBytes),
               reports};
  for (size_t index = 0; index < kernel.parameters.size(); ++index)
    if (const Variable &parameter = kernel.parameters[index]; parameter.bytes)
      std::memcpy(&state.parameters[parameter.offset], parameters[index], parameter.bytes);
  const uint64_t inGrid = uint64_t(grid.x) * grid.y * grid.z;
  // Of clusters those at the front run; they are counted here as blocks are.
  const uint64_t inAll = inGrid / clusterBlocks;
  const uint64_t blocks = options.mostBlocks ? std::min(inAll, options.mostBlocks) : inAll;
  unsigned threads = options.threads ? options.threads : std::thread::hardware_concurrency();
  threads = static_cast<unsigned>(std::clamp<uint64_t>(threads, 1, blocks));
  std::optional<ProgramRaces> programRaces;
  std::optional<GlobalRaces> races;
  const bool looks = looksAtPrograms(*linked, options, inGrid);
  if (looks && !linked->hasAcquire())
    state.programRaces = &programRaces.emplace();
  if (options.globalRaces || (looks && linked->hasAcquire())) {
    state.globalRaces =
        &races.emplace(*linked, options.programsPerBlock > 1, options.racesOfOneStore);
    threads = 1;
  }
  std::vector<Counting> countings(threads, Counting(linked->code.size()));
  uint64_t done = runBlocks(state, blocks, countings) * clusterBlocks;
  if (state.programRaces)
    reportProgramRaces(state, *state.programRaces);
  for (unsigned thread = 1; thread < threads; ++thread)
    countings[0].add(countings[thread]);
  return LaunchReport{reports.take(), publish(countings[0], program, *linked), done};
}
