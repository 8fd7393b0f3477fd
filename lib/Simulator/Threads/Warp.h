//===- Warp.h - 32 lanes and their divergence -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A warp is a set of *fragments*: lanes that run in lockstep, and their place.
// A divergent branch splits a fragment in two and notes a *convergence*: the
// instruction where all paths from the branch meet, and the lanes expected
// there. A fragment that reaches it parks until the others have come, then they
// are one again. A fragment also waits at instructions that name other lanes
// (shuffles, votes, bar.warp.sync), and at barriers.
//
// Progress: one fragment runs at a time, for a slice of steps; then all others
// that could run have their turn, those parked at a convergence among them,
// which thereby leave the others behind. A lane that spins on a lock that a
// parked lane holds therefore gets it at last.

#ifndef FSM_LIB_SIMULATOR_THREADS_WARP_H
#define FSM_LIB_SIMULATOR_THREADS_WARP_H

#include "../Text/Ptx.h"

#include "../Checks/Reports.h"

#include <memory>
#include <random>

namespace fsm::sim {

class Block;

inline constexpr unsigned kLanes = 32;
inline constexpr uint32_t kAllLanes = ~uint32_t(0);

/// The 32 values of an operand: `pointer[lane * stride]`.
struct Values {
  const uint64_t *pointer;
  unsigned stride;
  uint64_t operator[](unsigned lane) const { return pointer[lane * stride]; }
};

/// The lanes whose register was never given a value, for each of its bytes.
struct Undefined {
  static constexpr unsigned kBytes = 8;
  uint32_t bytes[kBytes] = {};

  Undefined() = default;
  /// The same lanes in every byte.
  explicit Undefined(uint32_t lanes) { fill(0, kBytes, lanes); }

  uint32_t any() const {
    uint32_t lanes = 0;
    for (uint32_t byte : bytes)
      lanes |= byte;
    return lanes;
  }
  /// The lanes without one of the bytes [first, end).
  uint32_t anyOf(unsigned first, unsigned end) const {
    uint32_t lanes = 0;
    for (unsigned i = first; i < end; ++i)
      lanes |= bytes[i];
    return lanes;
  }
  void fill(unsigned first, unsigned end, uint32_t lanes) {
    for (unsigned i = first; i < end; ++i)
      bytes[i] = lanes;
  }
  Undefined operator|(const Undefined &other) const {
    Undefined both;
    for (unsigned i = 0; i < kBytes; ++i)
      both.bytes[i] = bytes[i] | other.bytes[i];
    return both;
  }
  Undefined operator&(uint32_t lanes) const {
    Undefined some;
    for (unsigned i = 0; i < kBytes; ++i)
      some.bytes[i] = bytes[i] & lanes;
    return some;
  }
};

/// The bytes of f(x) that change with bytes of x that have no value, for an `f` in
/// which each bit of x does the same whatever the others are.
template <typename F>
Undefined spread(const Undefined &from, F f) {
  Undefined result;
  if (!from.any())
    return result;
  const uint64_t nothing = f(uint64_t(0));
  for (unsigned source = 0; source < Undefined::kBytes; ++source) {
    if (!from.bytes[source])
      continue;
    uint64_t changed = f(uint64_t(0xff) << (8 * source)) ^ nothing;
    for (unsigned i = 0; i < Undefined::kBytes; ++i)
      if (changed >> (8 * i) & 0xff)
        result.bytes[i] |= from.bytes[source];
  }
  return result;
}

/// Calls `f(lane)` for each lane of the set.
template <typename F>
inline void forLanes(uint32_t lanes, F f) {
  if (lanes == kAllLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      f(lane);
    return;
  }
  for (; lanes; lanes &= lanes - 1)
    f(static_cast<unsigned>(__builtin_ctz(lanes)));
}

struct Fragment {
  enum class State : uint8_t { Runnable, Parked, AtWarpSync, AtBarrier, Polling };
  State state = State::Runnable;
  uint32_t pc = 0;
  uint32_t lanes = 0;
  /// The lanes it waits for at a warp-wide instruction.
  uint32_t awaited = 0, barrier = 0;
  /// The wait is over: for the reason that all are there, or that some never come.
  bool released = false, forced = false;
  /// Where it last asked for a phase that was not complete, what it asked for, and how
  /// many phases were complete then. `gaveUp`: waiting for it is of no use.
  uint32_t polledAt = ~0u;
  uint64_t polledFor = 0, polledThen = 0;
  bool gaveUp = false;
  std::vector<uint32_t> convergences, returns;
};

/// What products in flight do with a warp's registers, by their numbers.
struct HeldByProducts {
  explicit HeldByProducts(size_t registers)
      : writtenBehind(registers, 0), sums(registers, 0), factors(registers, 0) {}
  /// How many wgmma.fence there were, and how many of them when a register was last written.
  uint32_t fences = 0;
  std::vector<uint32_t> writtenBehind;
  /// The last product in flight that adds to a register, and how many take it as a factor.
  std::vector<uint64_t> sums;
  std::vector<uint32_t> factors;
  /// Products in flight.
  size_t count = 0;
};

struct Convergence {
  uint32_t at = 0, expected = 0;
};

class Warp {
public:
  Warp(Block &block, unsigned index, uint32_t lanes, uint32_t registers);

  // Execution.
  enum class Status : uint8_t { Slice, Blocked, Done };
  /// Runs until the warp is done, has to wait for other warps, or `steps` are used up.
  Status run(uint64_t steps);
  uint32_t alive() const { return present & ~exited; }
  /// Lets the fragments that wait at the block's barrier go on.
  void passBarrier(uint32_t barrier);
  /// Lets the fragments that wait for an mbarrier look again; `giveUp`: with the answer
  /// that they get now. False if there are none.
  bool stopPolling(bool giveUp);
  /// Reports what each of them waits for.
  void reportPolls();
  /// A report at the place where the warp waits at a barrier.
  void reportAtBarrier(uint32_t barrier, Report::Kind kind, const std::string &message);

  // For instructions.
  Block &block;
  const unsigned index;
  const uint32_t present;
  uint32_t exited = 0;
  /// The lanes that have waited for the launches before this one.
  uint32_t awaited = 0;

  uint64_t *row(uint32_t number) { return &registers[size_t(number) * kLanes]; }
  uint64_t *row(const Operand &operand) { return row(operand.index); }
  /// The lanes' values; `scratch` (0 to 3) is where those are kept that no register holds.
  Values read(const Operand &operand, unsigned scratch);
  Undefined undefinedOf(const Operand &operand) const;
  void define(const Operand &operand, uint32_t lanes, const Undefined &undefined = {});
  /// Reports the lanes, if any, in which the operand has no value in one of its first `bytes`.
  void requireDefined(const Operand &operand, uint32_t lanes, const char *use,
                      unsigned bytes = Undefined::kBytes);
  /// The 64-bit or 32-bit address each lane gives.
  void addresses(const Operand &operand, uint32_t lanes, uint64_t (&result)[kLanes]);

  void branch(const Instruction &instruction, uint32_t taken);
  /// Lanes by the place they go to; the others go on behind the instruction.
  void branchTo(const Instruction &instruction, std::map<uint32_t, uint32_t> places);
  void call(const Instruction &instruction, uint32_t lanes);
  void leaveFunction(uint32_t lanes);
  /// The call that the current fragment will return to, or kNowhere.
  uint32_t callSite() const {
    const std::vector<uint32_t> &returns = fragments[current].returns;
    return returns.empty() ? kNowhere : returns.back() - 1;
  }
  void exit(uint32_t lanes);
  /// True when the lanes that `mask` names are all here. Otherwise the fragment
  /// waits, and the instruction runs again.
  bool gather(uint32_t mask, uint32_t lanes);
  /// True when all lanes of the warp are here for an aligned barrier.
  bool gatherAll();
  /// The current fragment waits for the block's barrier, behind its instruction.
  void waitAtBarrier(uint32_t barrier);
  /// The phase that the current fragment asks the mbarrier at `place` for is not
  /// complete. True when the fragment waits for a change, and the instruction runs
  /// again; false when it is to tell the program.
  bool pollAgain(uint64_t place);
  uint32_t currentLanes() const { return fragments[current].lanes; }
  uint32_t pc() const { return fragments[current].pc; }
  /// An instruction that the warp runs or waits at, also while no fragment is the current
  /// one; the last one where none is left.
  uint32_t place() const;
  uint64_t steps() const { return stepCount; }
  /// How often the warp has come to a store, and 0 for another instruction.
  uint32_t timesOf(const Instruction &instruction) const {
    return instruction.storeNumber ? storeTimes[instruction.storeNumber - 1] : 0;
  }

  std::mt19937_64 random;
  /// Null until the first instruction of wgmma.
  std::unique_ptr<HeldByProducts> held;

private:
  bool pickFragment();
  void runCurrent();
  void yieldToParked();
  bool resolve();
  bool mergeWaiting(size_t first);
  bool releaseParked();
  bool isPolling() const;
  void step(Fragment &fragment);
  bool arrive(size_t index);
  void merge(size_t into, size_t from);
  void forget(uint32_t lanes, const std::vector<uint32_t> &left, size_t first = 0);
  bool wait(uint32_t mask, bool &forced);
  void splitOff(uint32_t lanes, uint32_t pc);
  void meetAt(uint32_t meet);

  std::vector<uint64_t> registers;
  std::vector<Undefined> undefined;
  std::vector<Fragment> fragments;
  std::vector<Convergence> convergences;
  size_t current = 0;
  uint32_t nextPc = 0, lastPc = 0;
  std::vector<uint32_t> storeTimes;
  uint64_t stepCount = 0, sliceEnd = 0;
  bool stay = false;
  uint64_t scratchValues[4][kLanes];
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_THREADS_WARP_H
