//===- ShufflePlanner.cpp - Conversions within warps ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Find T, the place of the source for each place of the destination; prefer
//    the reading lane itself, then few lane bits.
// 2. Find G: on replicas of the destination what replicas demand; elsewhere what
//    makes F the identity, or else what makes F nonsingular.
// 3. Write down the rounds.
//
//===----------------------------------------------------------------------===//

#include "ShufflePlanner.h"

#include <algorithm>

using namespace fsm;

using Vectors = std::vector<uint64_t>;

namespace {

/// T by its blocks: (register, lane, warp and cta) of the destination to
/// (register, lane) of the source.
struct PlaceMap {
  BitMatrix registerFromRegister, registerFromLane, registerFromWarp;
  BitMatrix laneFromRegister, laneFromLane, laneFromWarp;
};

/// The columns [first, first + count) of a matrix, and of its rows those of the
/// register or of the lane.
BitMatrix block(const Vectors &columns, size_t first, size_t count, unsigned shift, unsigned rows) {
  Vectors own;
  for (size_t i = first; i < first + count; ++i)
    own.push_back(columns[i] >> shift & ((uint64_t(1) << rows) - 1));
  return BitMatrix::fromColumns(own, rows);
}

std::optional<PlaceMap> findPlaces(const LinearLayout &source, const LinearLayout &destination) {
  const BitSpace &from = source.from(), &to = destination.from();
  unsigned registerBits = from.bitsOf(Dim::Register), laneBits = from.bitsOf(Dim::Lane);
  BitMatrix reach =
      BitMatrix::fromColumns(source.basesOf({Dim::Register, Dim::Lane}), source.to().bits());
  BitMatrix back = reach.pseudoInverse();
  Vectors columns;
  for (unsigned i = 0; i < to.bits(); ++i) {
    uint64_t place = uint64_t(1) << i, lane = to.get(place, Dim::Lane);
    uint64_t wanted = destination.apply(place) ^
                      source.apply(0, lane, to.get(place, Dim::Warp), to.get(place, Dim::Cta));
    uint64_t step = back.apply(wanted);
    if (reach.apply(step) != wanted)
      return std::nullopt;
    columns.push_back(step ^ lane << registerBits);
  }
  unsigned own = to.bitsOf(Dim::Register), others = own + laneBits;
  size_t rest = columns.size() - others;
  return PlaceMap{block(columns, 0, own, 0, registerBits),
                  block(columns, own, laneBits, 0, registerBits),
                  block(columns, others, rest, 0, registerBits),
                  block(columns, 0, own, registerBits, laneBits),
                  block(columns, own, laneBits, registerBits, laneBits),
                  block(columns, others, rest, registerBits, laneBits)};
}

/// The linear map with these values on these vectors, a basis.
BitMatrix mapFromValues(const Vectors &basis, const Vectors &values, unsigned rows) {
  BitMatrix inverse = *BitMatrix::fromColumns(basis, static_cast<unsigned>(basis.size())).inverse();
  return BitMatrix::fromColumns(values, rows) * inverse;
}

/// Chooses G.
class PlacementSearch {
public:
  explicit PlacementSearch(const PlaceMap &map)
      : map(map), lanes(map.laneFromLane.columnCount()),
        registers(map.laneFromRegister.columnCount()) {
    // (r, v) in the kernel of T: lane v holds in register r what lane 0 holds in
    // register 0. Such lanes must fill the two registers in the same round.
    Vectors columns;
    unsigned low = map.registerFromLane.rowCount();
    for (unsigned i = 0; i < registers; ++i)
      columns.push_back(map.registerFromRegister.column(i) | map.laneFromRegister.column(i) << low);
    for (unsigned i = 0; i < lanes; ++i)
      columns.push_back(map.registerFromLane.column(i) | map.laneFromLane.column(i) << low);
    for (uint64_t pair : BitMatrix::fromColumns(columns, low + lanes).kernelBasis())
      fix(pair >> registers, pair & ((uint64_t(1) << registers) - 1));
  }

  std::optional<BitMatrix> find() const {
    for (bool wantIdentity : {true, false}) {
      std::optional<BitMatrix> found = wantIdentity ? towardsIdentity() : towardsNonsingular();
      if (found && isRight(*found))
        return found;
    }
    return std::nullopt;
  }

private:
  void fix(uint64_t lane, uint64_t placed) {
    if (space.insert(lane)) {
      basis.push_back(lane);
      values.push_back(placed);
    }
  }

  /// M G ^ N = 1 wherever M reaches.
  std::optional<BitMatrix> towardsIdentity() const {
    PlacementSearch search = *this;
    for (unsigned i = 0; i < lanes; ++i) {
      uint64_t lane = uint64_t(1) << i;
      if (search.space.contains(lane))
        continue;
      std::optional<uint64_t> placed =
          map.laneFromRegister.solve(lane ^ map.laneFromLane.column(i));
      if (!placed)
        return std::nullopt;
      search.fix(lane, *placed);
    }
    return mapFromValues(search.basis, search.values, registers);
  }

  /// G is zero where N alone is nonsingular and sends the kernel of N, modulo
  /// replicas, to where M leads out of the image of N.
  std::optional<BitMatrix> towardsNonsingular() const {
    PlacementSearch search = *this;
    Subspace image;
    Vectors others;
    for (unsigned i = 0; i < lanes; ++i)
      if (search.space.insert(uint64_t(1) << i))
        others.push_back(uint64_t(1) << i);
    Vectors images;
    for (uint64_t lane : others)
      images.push_back(map.laneFromLane.apply(lane));
    search.space = space;
    BitMatrix onOthers = BitMatrix::fromColumns(images, lanes);
    uint64_t pivots = onOthers.pivotColumns();
    for (size_t i = 0; i < others.size(); ++i)
      if (pivots >> i & 1) {
        search.fix(others[i], 0);
        image.insert(images[i]);
      }
    for (uint64_t choice : onOthers.kernelBasis()) {
      uint64_t lane = 0;
      for (size_t i = 0; i < others.size(); ++i)
        lane ^= choice >> i & 1 ? others[i] : 0;
      unsigned next = 0;
      while (next < registers && !image.insert(map.laneFromRegister.column(next)))
        ++next;
      if (next == registers)
        return std::nullopt;
      search.fix(lane, uint64_t(1) << next);
    }
    return mapFromValues(search.basis, search.values, registers);
  }

  /// Lanes that read the same lane want the same register of it.
  bool isRight(const BitMatrix &placement) const {
    BitMatrix read = map.laneFromRegister * placement ^ map.laneFromLane;
    BitMatrix wanted = map.registerFromRegister * placement ^ map.registerFromLane;
    for (uint64_t lane : read.kernelBasis())
      if (wanted.apply(lane))
        return false;
    return true;
  }

  const PlaceMap &map;
  unsigned lanes, registers;
  Subspace space;
  Vectors basis, values;
};

/// The register bits by which elements differ that travel in one 32-bit register: each is one bit
/// on both sides, and depends on no thread. Neighbours come first, which lie in one register
/// already; of numbers of 16 bits there are no others, for to put two together takes as long as to move both.
void findTogether(const PlaceMap &map, unsigned elementBytes, ShufflePlan &plan) {
  for (unsigned bit = 0; bit < map.registerFromRegister.columnCount(); ++bit) {
    uint64_t from = map.registerFromRegister.column(bit);
    if (elementBytes * 2 * plan.elementsPerShuffle() > 4 || from == 0 || (from & (from - 1)) != 0)
      continue;
    auto own = static_cast<unsigned>(__builtin_ctzll(from));
    bool isNeighbour = bit == own && bit == plan.sourceTogether.size();
    if ((isNeighbour || elementBytes == 1) && map.laneFromRegister.column(bit) == 0 && plan.placedByLane.row(bit) == 0 &&
        map.registerFromLane.row(own) == 0 && map.registerFromWarp.row(own) == 0 &&
        map.registerFromRegister.row(own) == uint64_t(1) << bit) {
      plan.sourceTogether.push_back(own);
      plan.destinationTogether.push_back(bit);
    }
  }
}

} // namespace

std::optional<ShufflePlan> fsm::planShuffles(const LinearLayout &source,
                                             const LinearLayout &destination,
                                             unsigned elementBytes) {
  std::optional<PlaceMap> map = findPlaces(source, destination);
  if (!map)
    return std::nullopt;
  std::optional<BitMatrix> placement = PlacementSearch(*map).find();
  if (!placement)
    return std::nullopt;
  ShufflePlan plan;
  plan.placedByLane = *placement;
  plan.readByLane = map->laneFromRegister * *placement ^ map->laneFromLane;
  plan.offeredByLane = (map->registerFromRegister * *placement ^ map->registerFromLane) *
                       plan.readByLane.pseudoInverse();
  plan.readByWarp = map->laneFromWarp;
  plan.offeredByWarp = map->registerFromWarp ^ plan.offeredByLane * map->laneFromWarp;
  findTogether(*map, elementBytes, plan);
  bool isStill = plan.isButterfly();
  std::vector<uint64_t> live = destination.liveRegisters();
  // In some lane the round fills a register that is live: one that differs from its own by what
  // lanes are placed by.
  Subspace byLane(placement->columnVectors());
  std::vector<bool> isSeen(uint64_t(1) << destination.from().bitsOf(Dim::Register));
  for (uint64_t r : live)
    isSeen[byLane.reduce(r)] = true;
  for (uint64_t k = 0; k < isSeen.size(); ++k) {
    if (!isSeen[byLane.reduce(k)])
      continue;
    ShuffleRound round;
    round.placed = k;
    round.readLane = map->laneFromRegister.apply(k);
    round.offered = map->registerFromRegister.apply(k) ^ plan.offeredByLane.apply(round.readLane);
    round.moves = !isStill || round.readLane != 0;
    plan.rounds.push_back(round);
  }
  return plan;
}
