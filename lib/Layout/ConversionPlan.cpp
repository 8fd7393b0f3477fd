//===- ConversionPlan.cpp - From one layout to another -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Layout/ConversionPlan.h"
#include "ShufflePlanner.h"

#include <algorithm>
#include <cassert>

using namespace fsm;

std::string_view fsm::conversionKindName(ConversionKind kind) {
  static constexpr std::string_view names[] = {"nothing", "registers", "shuffles", "shared memory"};
  return names[static_cast<size_t>(kind)];
}

bool ShufflePlan::isButterfly() const {
  return readByLane == BitMatrix::identity(readByLane.rowCount()) && readByWarp.rank() == 0;
}

/// True when the threads of one warp, or of one cta, hold all that the same ones
/// need: `held` are the coordinates in which a place may differ.
static bool staysWithin(const LinearLayout &source, const LinearLayout &destination,
                        const std::vector<Dim> &held) {
  Subspace own(source.basesOf(held));
  const BitSpace &to = destination.from();
  for (unsigned i = 0; i < to.bits(); ++i) {
    uint64_t place = uint64_t(1) << i;
    uint64_t start = source.apply(0, to.get(place, Dim::Lane), to.get(place, Dim::Warp),
                                  to.get(place, Dim::Cta));
    if (!own.contains(destination.apply(place) ^ start))
      return false;
  }
  return true;
}

/// Where each register comes from when every thread has what it needs, and all of
/// them in the same register.
static std::optional<std::vector<uint64_t>> planRegisters(const LinearLayout &source,
                                                          const LinearLayout &destination) {
  for (Dim dim : {Dim::Lane, Dim::Warp, Dim::Cta})
    if (source.basesOf(dim) != destination.basesOf(dim))
      return std::nullopt;
  BitMatrix registers = BitMatrix::fromColumns(source.basesOf(Dim::Register), source.to().bits());
  std::vector<uint64_t> steps;
  for (uint64_t base : destination.basesOf(Dim::Register)) {
    std::optional<uint64_t> step = registers.solve(base);
    if (!step)
      return std::nullopt;
    steps.push_back(*step);
  }
  BitMatrix map = BitMatrix::fromColumns(steps, registers.columnCount());
  std::vector<uint64_t> result;
  for (uint64_t r = 0; r < uint64_t(1) << steps.size(); ++r)
    result.push_back(map.apply(r));
  return result;
}

bool fsm::staysInWarps(const LinearLayout &source, const LinearLayout &destination) {
  // A replica of another warp does not write, so it waits for that warp.
  return staysWithin(source, destination, {Dim::Register, Dim::Lane}) &&
         source.freeBits(Dim::Warp) == 0;
}

static std::optional<SharedPlan>
planShared(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes) {
  if (!staysWithin(source, destination, {Dim::Register, Dim::Lane, Dim::Warp}))
    return std::nullopt;
  LinearLayout layout = findSwizzle(source, destination, elementBytes);
  SharedAccess write = analyseSharedAccess(source, layout, elementBytes);
  SharedAccess read = analyseSharedAccess(destination, layout, elementBytes);
  return SharedPlan{std::move(layout), write, read, staysInWarps(source, destination)};
}

std::optional<ConversionPlan> fsm::planConversion(const LinearLayout &source,
                                                  const LinearLayout &destination,
                                                  unsigned elementBytes, ConversionKind kind) {
  assert(source.to() == destination.to() && source.isCanonical() && destination.isCanonical());
  ConversionPlan plan(source, destination, elementBytes);
  plan.kind = kind;
  switch (kind) {
  case ConversionKind::Nothing:
    return source == destination ? std::optional(plan) : std::nullopt;
  case ConversionKind::Registers:
    if (auto registers = planRegisters(source, destination)) {
      plan.sourceRegisters = std::move(*registers);
      return plan;
    }
    return std::nullopt;
  case ConversionKind::Shuffles:
    if (auto shuffle = planShuffles(source, destination, elementBytes)) {
      plan.shuffle = std::move(*shuffle);
      return plan;
    }
    return std::nullopt;
  case ConversionKind::SharedMemory:
    plan.shared = planShared(source, destination, elementBytes);
    return plan.shared ? std::optional(plan) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<ConversionPlan> fsm::planConversion(const LinearLayout &source,
                                                  const LinearLayout &destination,
                                                  unsigned elementBytes) {
  std::optional<ConversionPlan> best;
  for (ConversionKind kind : {ConversionKind::Nothing, ConversionKind::Registers,
                              ConversionKind::Shuffles, ConversionKind::SharedMemory}) {
    std::optional<ConversionPlan> plan = planConversion(source, destination, elementBytes, kind);
    if (plan && (!best || plan->cost().total() < best->cost().total()))
      best = std::move(plan);
  }
  return best;
}

static unsigned wordsOf(unsigned bytes) { return std::max(1u, bytes / 4); }

/// Whether these are the lowest bits, in order.
static bool areNeighbours(const std::vector<unsigned> &bits) {
  for (size_t i = 0; i < bits.size(); ++i)
    if (bits[i] != i)
      return false;
  return true;
}

static void addShuffles(const ConversionPlan &plan, ConversionCost &cost) {
  const ShufflePlan &shuffle = plan.shuffle;
  unsigned rounds = static_cast<unsigned>(shuffle.rounds.size());
  unsigned moving =
      static_cast<unsigned>(std::count_if(shuffle.rounds.begin(), shuffle.rounds.end(),
                                          [](const ShuffleRound &round) { return round.moves; }));
  unsigned words = wordsOf(plan.elementBytes);
  // One layer of selects, over all registers, for each independent bit of the
  // lane or warp that decides which register is offered or filled.
  unsigned layers =
      shuffle.placedByLane.rank() + shuffle.offeredByLane.rank() + shuffle.offeredByWarp.rank();
  cost.shuffles = moving * words / shuffle.elementsPerShuffle();
  // Words of what are no neighbours are put together and taken apart, and keep more registers as long as they are chosen: a
  // whole tile of f8 on its way to memory takes longer so than through shared memory, which is this sum's 416 to 392.
  unsigned packs = !areNeighbours(shuffle.sourceTogether) + !areNeighbours(shuffle.destinationTogether);
  cost.selects = ((packs ? 2 : 1) * layers + packs) * rounds * words / shuffle.elementsPerShuffle();
}

static void addAccesses(const LinearLayout &threads, const SharedAccess &access,
                        ConversionCost &cost) {
  uint64_t accesses = (threads.liveRegisters().size() + access.vector - 1) / access.vector;
  cost.accesses += static_cast<unsigned>(accesses);
  cost.wavefronts += static_cast<unsigned>(accesses) * access.phases * access.conflicts;
}

ConversionCost ConversionPlan::cost() const {
  ConversionCost cost;
  if (kind == ConversionKind::Shuffles)
    addShuffles(*this, cost);
  if (kind == ConversionKind::SharedMemory) {
    addAccesses(source, shared->write, cost);
    addAccesses(destination, shared->read, cost);
    cost.warpBarriers = shared->withinWarps;
    cost.barriers = !shared->withinWarps;
    cost.sharedBytes = shared->layout.from().size() * elementBytes;
  }
  return cost;
}

ConversionCost fsm::costOfStores(const LinearLayout &threads, const LinearLayout &memory,
                                unsigned elementBytes) {
  ConversionCost cost;
  addAccesses(threads, analyseSharedAccess(threads, memory, elementBytes), cost);
  cost.barriers = 1;
  cost.sharedBytes = memory.from().size() * elementBytes;
  return cost;
}

static std::string formatShuffles(const ShufflePlan &shuffle) {
  std::string lanes;
  unsigned moving = 0;
  for (const ShuffleRound &round : shuffle.rounds)
    if (round.moves) {
      lanes += (moving++ ? ", " : " ") + std::to_string(round.readLane);
    }
  return std::to_string(shuffle.rounds.size()) + " rounds, " + std::to_string(moving) +
         (shuffle.isButterfly() ? " butterflies" : " shuffles") + ", lane masks:" + lanes;
}

static std::string formatShared(const ConversionPlan &plan) {
  const SharedPlan &shared = *plan.shared;
  return std::to_string(plan.cost().sharedBytes) + " bytes, written " + shared.write.format() +
         ", read " + shared.read.format() +
         (shared.withinWarps ? ", within warps" : ", one barrier");
}

std::string ConversionPlan::format() const {
  std::string text(conversionKindName(kind));
  if (kind == ConversionKind::Registers)
    for (size_t i = 0; i < sourceRegisters.size(); ++i)
      text += (i ? ", " : ": ") + std::to_string(sourceRegisters[i]);
  if (kind == ConversionKind::Shuffles)
    text += ": " + formatShuffles(shuffle);
  if (kind == ConversionKind::SharedMemory)
    text += ": " + formatShared(*this);
  return text + "; cost " + std::to_string(cost().total());
}
