//===- Block.h - The warps of one block and what they share -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_THREADS_BLOCK_H
#define FSM_LIB_SIMULATOR_THREADS_BLOCK_H

#include "../Checks/GlobalRaces.h"
#include "../Checks/ProgramRaces.h"
#include "../Checks/Reports.h"
#include "../Memory/Memory.h"
#include "../Program/Link.h"
#include "Warp.h"

#include <deque>
#include <memory>
#include <optional>

namespace fsm::sim {

class AsyncCopies;
class AsyncProducts;
struct Origin;

/// One launch, as all its blocks see it.
struct Launch {
  const Program &program;
  const Function &kernel;
  const Linked &linked;
  Memory &memory;
  const LaunchOptions &options;
  Extent grid, extent;
  uint32_t dynamicSharedBytes = 0;
  /// Blocks of a cluster, along x.
  uint32_t clusterBlocks = 1;
  std::vector<uint8_t> parameters;
  Reports &reports;
  /// Null where nobody looks for them.
  GlobalRaces *globalRaces = nullptr;
  /// Of those between programs alone, in a kernel that acquires nothing; or null.
  ProgramRaces *programRaces = nullptr;

  /// Of a block, by its number.
  Extent placeOf(uint64_t block) const {
    return {static_cast<uint32_t>(block % grid.x), static_cast<uint32_t>(block / grid.x % grid.y),
            static_cast<uint32_t>(block / grid.x / grid.y)};
  }
  /// Of a thread of a block.
  Extent threadOf(uint32_t thread) const {
    return {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y};
  }
};

/// A report of an instruction, but for what it did wrong.
Report reportOf(const Launch &launch, uint64_t block, uint32_t pc, uint32_t warp, uint32_t lane);

/// "0x" and the digits.
std::string hexadecimal(uint64_t value);

/// The blocks of a cluster run as one: their warps are numbered on, their shared memory lies one
/// behind the other, and what they know of each other is what barriers of the cluster, mbarriers and
/// copies tell them. Without clusters that is one block.
class Block {
public:
  /// `linearId` is the number of the first of its blocks.
  Block(Launch &launch, uint64_t linearId, Counting &counting);
  ~Block();
  /// Runs all warps to their end.
  void run() {
    while (runRound())
      ;
  }
  /// Gives each warp a turn; false when the block has ended.
  bool runRound();

  uint64_t seed() const { return launch.options.seed + linearId * 0x9e3779b97f4a7c15u; }
  bool isShuffled() const { return launch.options.seed != 0; }
  bool isAborted() const { return aborted; }
  void abort() { aborted = true; }
  /// Because of what a warp has executed, or of somebody who waits no longer.
  void end(const Warp &warp, const std::string &reason);
  const Instruction &instruction(uint32_t pc) const { return launch.linked.code[pc]; }
  const std::string &registerName(uint32_t number) const {
    return launch.linked.registerNames[number];
  }
  unsigned threads() const { return launch.extent.x * launch.extent.y * launch.extent.z; }
  /// Where a thread's local memory begins in that of all: aligned, whatever its extent.
  uint64_t localBase(const Warp &warp, unsigned lane) const {
    return (warp.index * kLanes + lane) * localStride(launch.linked);
  }
  static uint64_t localStride(const Linked &linked) { return (linked.localBytes + 15) / 16 * 16; }
  /// With those that the last warp lacks.
  size_t paddedThreads() const { return warps.size() * kLanes; }
  Warp &warp(size_t index) { return warps[index]; }
  Extent threadOf(const Warp &warp, unsigned lane) const {
    return launch.threadOf(indexInBlock(warp.index) * kLanes + lane);
  }
  unsigned warpsPerBlock() const { return (threads() + kLanes - 1) / kLanes; }
  /// Of a warp, the number of its block in the cluster, and its number there.
  unsigned rankOf(unsigned warp) const { return warp / warpsPerBlock(); }
  unsigned indexInBlock(unsigned warp) const { return warp % warpsPerBlock(); }
  Extent idOf(const Warp &warp) const { return launch.placeOf(linearId + rankOf(warp.index)); }
  /// Where a block's shared memory begins in that of the cluster.
  uint64_t sharedBase(unsigned rank) const { return rank * sharedStride; }
  /// Where the byte at an address is, as a warp names it, and `bytes` behind it; nothing if they are
  /// in no block's memory. From bit 24 on an address of mapa has a block's rank and 1.
  std::optional<uint64_t> findShared(const Warp &warp, uint64_t address, uint64_t bytes) const;
  /// What mapa makes of an address of shared memory, or of one that it has made.
  static uint64_t addressIn(uint64_t rank, uint64_t address) {
    return (rank + 1) << kRankBit | (address & ((1 << kRankBit) - 1));
  }
  static uint64_t rankIn(uint64_t address, uint64_t own) {
    const uint64_t named = (address & 0xffffffff) >> kRankBit;
    return named ? named - 1 : own;
  }
  /// All threads of the block have ended.
  bool hasExited(unsigned rank) const;
  /// Who did it, among all programs; the blocks of a cluster are one, known by the first of them.
  ProgramRaces::Touch touchOf(uint32_t pc, uint32_t warp, uint32_t lane) const {
    const unsigned packed = launch.options.programsPerBlock;
    return {static_cast<uint32_t>(linearId * packed + (packed > 1 ? warp : 0)), pc,
            indexInBlock(warp) * kLanes + lane};
  }

  /// When copies land; never BySeed.
  LaunchOptions::Landing landing() const;

  void count(uint32_t lanes);
  void report(Warp &warp, Report::Kind kind, unsigned lane, uint64_t address,
              const std::string &message);
  /// The same at another place than where a warp is. With `otherPc`, of what else took part, each
  /// pair of instructions has a report.
  void reportAt(const Origin &origin, Report::Kind kind, uint64_t address,
                const std::string &message, uint32_t otherPc = kNowhere);
  /// "PTX line 20 (source line 5)"
  std::string lineOf(uint32_t pc) const { return launch.linked.lineOf(pc); }
  /// "which warp 1 lane 0 wrote at PTX line 20 with no barrier between"
  std::string describeRace(const SharedRaces::Race &race) const;
  /// The same with the program, where it is another.
  std::string describeRace(const GlobalRaces::Race &race) const;

  /// What only kernels with asynchronous copies or mbarriers have: null until needed.
  AsyncCopies *asyncIfAny() { return asynchronous.get(); }
  AsyncCopies &async();
  /// What only kernels with wgmma have.
  AsyncProducts *productsIfAny() { return asynchronousProducts.get(); }
  AsyncProducts &products();
  /// What only threads with strong operations or fences in global memory have.
  FencedThread &fencedThread(unsigned warp, unsigned lane);
  const FencedThread *fencedThreadIfAny(unsigned warp, unsigned lane) const {
    size_t thread = size_t(warp) * kLanes + lane;
    return thread < fencedThreads.size() ? &fencedThreads[thread] : nullptr;
  }

  /// A phase is complete: those that wait for any look again.
  void wakePollers();

  /// The warp's lanes come to a barrier; those that `wait` stay until `threads`
  /// (0: all of the block) are there.
  void arriveAtBarrier(Warp &warp, uint32_t barrier, uint32_t threads, bool wait);

  /// setmaxnreg: the warp's threads have so many registers from here on.
  void setRegisters(Warp &warp, uint32_t count);

  /// barrier.cluster: the warp arrives, or waits for all that have to.
  void arriveAtCluster(Warp &warp, bool isRelaxed);
  void waitForCluster(Warp &warp);
  /// A warp has ended: its cluster waits for it no more.
  void leaveCluster() { completeCluster(); }

  /// The warp's lanes bring a value each to a barrier that gives all of them
  /// the result in `target` when it is complete.
  void bringToBarrier(Warp &warp, uint32_t barrier, const Operand &target, uint32_t lanes,
                      uint32_t values, BarrierReduction::Op operation);

  Launch &launch;
  const uint64_t linearId;
  std::vector<uint8_t> shared, sharedInitialized;
  /// Of all threads, one after the other.
  std::vector<uint8_t> local, localInitialized;
  SharedRaces races;
  Counting &counting;

private:
  static constexpr unsigned kBarriers = 16, kRankBit = 24;
  struct Barrier {
    uint32_t arrived = 0, expected = 0;
    /// The last instruction that came to it.
    uint32_t pc = 0, warp = 0, lane = 0;
    std::vector<unsigned> publishing, learning;
    // bar.red: how many lanes brought true and false, and where the result goes.
    uint32_t trues = 0, falses = 0;
    struct Target {
      unsigned warp;
      uint32_t lanes;
      const Operand *operand;
      BarrierReduction::Op operation;
    };
    std::vector<Target> targets;
  };
  void giveResults(const Barrier &barrier);
  void complete(uint32_t barrier);
  bool completeWithoutExited();
  unsigned slotOf(const Warp &warp, uint32_t barrier) const {
    return rankOf(warp.index) * kBarriers + barrier % kBarriers;
  }
  void passCluster(Warp &warp);
  void completeCluster();
  void checkCounts(Warp &warp, uint32_t index, uint32_t expected, const Barrier &barrier);
  bool resolve();
  void checkRegisterGroups();
  bool letPollersGiveUp();
  void reportDeadlock();
  void finish();

  const uint64_t sharedStride;
  std::deque<Warp> warps;
  /// In which they have their turns.
  std::vector<unsigned> order;
  std::mt19937_64 random;
  uint64_t steps = 0;
  /// Sixteen of each block.
  std::vector<Barrier> barriers;
  /// Of the cluster: who has come in this phase, who waits, and what those told who had come before.
  struct {
    std::vector<unsigned> arrived, waiting;
    std::vector<uint64_t> phases; ///< By warp: how many it has come to.
    uint64_t complete = 0;
    SharedRaces::Published current, told;
  } ofCluster;
  /// Of each warp that has executed setmaxnreg: how many registers its threads have, how often it did,
  /// and where.
  struct RegisterCount {
    uint32_t count = 0, times = 0, pc = 0;
  };
  std::vector<RegisterCount> registerCounts;
  std::unique_ptr<AsyncCopies> asynchronous;
  std::unique_ptr<AsyncProducts> asynchronousProducts;
  std::vector<FencedThread> fencedThreads;
  /// Times that waits for mbarriers were given up in vain, one after the other.
  unsigned vainRounds = 0;
  uint64_t completionsBefore = 0;
  bool aborted = false;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_THREADS_BLOCK_H
