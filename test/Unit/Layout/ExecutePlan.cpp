//===- ExecutePlan.cpp - Runs a conversion plan on numbers ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutePlan.h"

using namespace fsm;

using Contents = std::vector<uint64_t>;

static Contents executeRegisters(const ConversionPlan &plan, const Contents &registers) {
  const BitSpace &from = plan.source.from(), &to = plan.destination.from();
  Contents result(to.size());
  for (uint64_t place = 0; place < to.size(); ++place) {
    uint64_t thread = place >> to.bitsOf(Dim::Register);
    uint64_t own = plan.sourceRegisters[to.get(place, Dim::Register)];
    result[place] = registers[thread << from.bitsOf(Dim::Register) | own];
  }
  return result;
}

static Contents executeShuffles(const ConversionPlan &plan, const Contents &registers) {
  const BitSpace &from = plan.source.from(), &to = plan.destination.from();
  const ShufflePlan &shuffle = plan.shuffle;
  unsigned laneBits = to.bitsOf(Dim::Lane), ownBits = from.bitsOf(Dim::Register);
  uint64_t lanes = uint64_t(1) << laneBits;
  Contents result(to.size()), offered(lanes);
  for (uint64_t warp = 0; warp < to.size() >> (to.bitsOf(Dim::Register) + laneBits); ++warp)
    for (const ShuffleRound &round : shuffle.rounds) {
      for (uint64_t lane = 0; lane < lanes; ++lane) {
        uint64_t own =
            round.offered ^ shuffle.offeredByLane.apply(lane) ^ shuffle.offeredByWarp.apply(warp);
        offered[lane] = registers[(warp << laneBits | lane) << ownBits | own];
      }
      for (uint64_t lane = 0; lane < lanes; ++lane) {
        uint64_t read =
            round.readLane ^ shuffle.readByLane.apply(lane) ^ shuffle.readByWarp.apply(warp);
        uint64_t placed = round.placed ^ shuffle.placedByLane.apply(lane);
        result[(warp << laneBits | lane) << to.bitsOf(Dim::Register) | placed] =
            offered[round.moves ? read : lane];
      }
    }
  return result;
}

/// Where the shared memory of its cta has what a place holds; one cta behind the other.
static uint64_t addressOf(const LinearLayout &threads, uint64_t place, const LinearLayout &source,
                          const LinearLayout &toOffset) {
  uint64_t cta = threads.from().get(place, Dim::Cta);
  uint64_t offset = toOffset.apply(threads.apply(place) ^ source.apply(0, 0, 0, cta));
  return cta << toOffset.to().bits() | offset;
}

static Contents executeShared(const ConversionPlan &plan, const Contents &registers) {
  const LinearLayout &source = plan.source, &destination = plan.destination;
  LinearLayout toOffset = plan.shared->layout.pseudoInverse();
  unsigned offsetBits = plan.shared->layout.from().bits();
  Contents memory((uint64_t(1) << source.from().bitsOf(Dim::Cta)) << offsetBits), result;
  // Replicas within the cta do not write.
  uint64_t replicas = source.freeBits() & ~source.from().maskOf(Dim::Cta);
  for (uint64_t place = 0; place < source.from().size(); ++place)
    if (!(place & replicas))
      memory[addressOf(source, place, source, toOffset)] = registers[place];
  for (uint64_t place = 0; place < destination.from().size(); ++place)
    result.push_back(memory[addressOf(destination, place, source, toOffset)]);
  return result;
}

Contents fsm::executePlan(const ConversionPlan &plan, const Contents &registers) {
  switch (plan.kind) {
  case ConversionKind::Nothing:
    return registers;
  case ConversionKind::Registers:
    return executeRegisters(plan, registers);
  case ConversionKind::Shuffles:
    return executeShuffles(plan, registers);
  case ConversionKind::SharedMemory:
    return executeShared(plan, registers);
  }
  return {};
}
