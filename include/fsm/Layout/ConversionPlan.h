//===- ConversionPlan.h - From one layout to another -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LAYOUT_CONVERSIONPLAN_H
#define FSM_LAYOUT_CONVERSIONPLAN_H

#include "fsm/Layout/SharedSwizzle.h"

#include <optional>
#include <string>
#include <vector>

namespace fsm {

/// The ways from one layout to another, the cheapest first.
enum class ConversionKind { Nothing, Registers, Shuffles, SharedMemory };

std::string_view conversionKindName(ConversionKind kind);

/// What a conversion costs one warp. `total()` is in cycles of the pipe that
/// shuffles and shared memory have in common, 128 bytes each; the weights are
/// estimates, in one place to be measured.
struct ConversionCost {
  /// Choices between two registers by a bit of the lane or warp.
  unsigned selects = 0;
  /// 32-bit shuffles.
  unsigned shuffles = 0;
  /// Wavefronts of shared memory, written and read.
  unsigned wavefronts = 0;
  /// Instructions that read or write shared memory.
  unsigned accesses = 0;
  /// Barriers of the warp, or of the whole cta: one or the other.
  unsigned warpBarriers = 0;
  unsigned barriers = 0;
  /// Shared memory used by the cta, in bytes.
  uint64_t sharedBytes = 0;

  /// In quarters of a cycle.
  unsigned total() const {
    return selects + 4 * shuffles + 4 * wavefronts + accesses + 40 * warpBarriers + 120 * barriers;
  }
};

/// One round of a conversion by shuffles: what each lane offers, where it reads,
/// and where it puts what it got. Each is a constant of the round xor a linear map
/// of the plan.
struct ShuffleRound {
  /// The destination register, up to ShufflePlan::placedByLane.
  uint64_t placed = 0;
  /// The lane read from, up to ShufflePlan::readByLane and readByWarp.
  uint64_t readLane = 0;
  /// The register offered, up to ShufflePlan::offeredByLane and offeredByWarp.
  uint64_t offered = 0;
  /// False when every lane reads from itself: no shuffle.
  bool moves = false;
};

/// A conversion within each warp. Let T take a place (r, l) of the destination to
/// the place (r', l') of the source that has its element, both linear:
///
///   r' = R r ^ Q l        l' = M r ^ N l
///
/// In one round a lane offers one register and reads one lane. Were round k to
/// fill destination register k in every lane, lane l would read from M k ^ N l;
/// but when N is singular several lanes read one lane and want different registers
/// of it. So round k fills register k ^ G l in lane l, with a G that makes
/// F = M G ^ N nonsingular (on lanes that are not replicas of each other):
///
///   lane l reads from lane   F l ^ M k
///   lane s offers register   R k ^ (R G ^ Q) F^-1 (s ^ M k)
///
/// Example: two lanes with two registers each exchange rows for columns, r' = l
/// and l' = r. N = 0, M = 1, and G = 1 gives F = 1: round 0 fills register l of
/// lane l from its own register l, without a shuffle; round 1 fills register 1 ^ l
/// from lane l ^ 1, which offers its register l: one butterfly for two registers.
///
/// G is chosen to make F = 1 where that is possible: then a round is a butterfly
/// (`shfl.bfly` with the mask M k), and no shuffle at all where M k = 0.
struct ShufflePlan {
  /// Rounds that would fill only registers outside the true extents are left out.
  std::vector<ShuffleRound> rounds;
  BitMatrix placedByLane = BitMatrix(0, 0);
  BitMatrix readByLane = BitMatrix(0, 0);
  BitMatrix offeredByLane = BitMatrix(0, 0);
  /// Of the packed (warp, cta).
  BitMatrix readByWarp = BitMatrix(0, 0);
  BitMatrix offeredByWarp = BitMatrix(0, 0);
  /// Elements that share a 32-bit register and travel together: those whose registers differ in bits that no thread
  /// changes. The i-th of these bits of the source is the i-th one of the destination.
  std::vector<unsigned> sourceTogether, destinationTogether;
  unsigned elementsPerShuffle() const { return 1u << sourceTogether.size(); }

  /// Each round is a butterfly with the mask ShuffleRound::readLane.
  bool isButterfly() const;
};

/// A conversion through shared memory: every thread writes what it has, unless a
/// lower place of its cta (LinearLayout::freeBits) has it, too; then, after a barrier,
/// it reads what it needs.
struct SharedPlan {
  /// Offset -> block; one cta's elements.
  LinearLayout layout;
  SharedAccess write, read;
  /// No element leaves its warp, and each warp writes what it reads: a barrier of the warp
  /// is enough.
  bool withinWarps = false;
};

/// How to take a block from one layout to another.
class ConversionPlan {
public:
  ConversionPlan(LinearLayout source, LinearLayout destination, unsigned elementBytes)
      : source(std::move(source)), destination(std::move(destination)), elementBytes(elementBytes) {
  }

  ConversionKind kind = ConversionKind::Nothing;
  LinearLayout source, destination;
  unsigned elementBytes;
  /// For Registers: where destination register i comes from, in the same thread. Only
  /// the destination's live registers need it.
  std::vector<uint64_t> sourceRegisters;
  /// For Shuffles.
  ShufflePlan shuffle;
  /// For SharedMemory.
  std::optional<SharedPlan> shared;

  ConversionCost cost() const;
  /// "shuffles: 2 rounds, 1 butterflies, lane masks: 1; cost 8", and so on.
  std::string format() const;
};

/// What it costs a warp to store what it has of a block in `memory` (offset -> block), behind which all warps meet.
ConversionCost costOfStores(const LinearLayout &threads, const LinearLayout &memory,
                            unsigned elementBytes);

/// Whether each warp itself writes all that it reads, when every thread writes to shared memory
/// what it has and no lower place has, too.
bool staysInWarps(const LinearLayout &source, const LinearLayout &destination);

/// Finds the cheapest plan. Both layouts are canonical layouts of the same block
/// over equally many lanes, warps and ctas. Nothing when an element would have to
/// come from another cta.
std::optional<ConversionPlan>
planConversion(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes);

/// The plan of the given kind, whatever it costs, or nothing when there is none.
std::optional<ConversionPlan> planConversion(const LinearLayout &source,
                                             const LinearLayout &destination, unsigned elementBytes,
                                             ConversionKind kind);

} // namespace fsm

#endif // FSM_LAYOUT_CONVERSIONPLAN_H
