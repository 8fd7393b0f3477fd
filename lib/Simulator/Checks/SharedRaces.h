//===- SharedRaces.h - Who touched shared memory, and in what order --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every lane is a thread. A warp's *clock* ticks at each of its
// synchronisations; an access is the pair (thread, clock of its warp). It
// happens before a later access of another thread when that thread has since
// learned of a greater clock: lanes of one warp learn of each other at
// bar.warp.sync, warps at the block's barriers (and then all their lanes do).
// Shuffles and votes order nothing. Mbarriers order single threads; what these
// learn of each other beyond what their warps do is in ThreadViews.
//
// What the asynchronous proxy accesses (bulk copies; PTX ISA 9.0, 9.7.9.25.2 "Async
// Proxy") must in addition be separated from writes of the generic proxy by a
// fence.proxy.async anywhere on the path between: a thread that fences makes all it
// knows *fenced*, and this spreads as the knowledge itself does. Reads need none: they
// are over before their thread arrives anywhere (docs/decisions/0034). Bulk copies that an
// mbarrier tracks are made by an engine of that mbarrier, a thread behind all others
// whose clock is the mbarrier's phase.
//
// For each byte the last write and the last reads of two warps are kept, so a
// race with an older read can be missed; what is reported is a race. Where mbarriers
// order some warps and not others, all reads are kept that no other makes superfluous.

#ifndef FSM_LIB_SIMULATOR_CHECKS_SHAREDRACES_H
#define FSM_LIB_SIMULATOR_CHECKS_SHAREDRACES_H

#include "BlockViews.h"

#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fsm::sim {

class SharedRaces {
public:
  SharedRaces(uint64_t bytes, unsigned warps);

  struct Access {
    uint16_t warp = 0;
    bool isStrong = false; ///< Atomic or volatile: no race among such.
    bool isBulk = false;   ///< By the asynchronous proxy.
    uint32_t lanes = 0;    ///< 0: there was none.
    uint32_t clock = 0;
    uint32_t pc = 0;
  };

  struct Race {
    Access other;
    unsigned otherLane;
    bool otherWrites;
    /// It happened before, but no proxy fence separates the two.
    bool isUnfenced = false;
  };

  /// What a proxy fence covers: fence.proxy.async covers shared memory, global memory or both, and
  /// with shared memory the initialisation of mbarriers, too; fence.mbarrier_init only that. OfMakers
  /// is that fence once more: as a release of what its thread has made, for barriers of clusters.
  enum Fenced : uint8_t { OfShared, OfGlobal, OfMbarriers, OfMakers };
  static constexpr Fenced kFenced[] = {OfShared, OfGlobal, OfMbarriers, OfMakers};

  /// What a thread hands to those that wait for it.
  struct Published {
    View ordered, fenced[std::size(kFenced)];
    BlockViews others;
  };

  friend void join(Published &into, const Published &from) {
    join(into.ordered, from.ordered);
    for (Fenced memory : kFenced)
      join(into.fenced[memory], from.fenced[memory]);
    join(into.others, from.others);
  }

  /// Notes an access of one byte; the race it is part of, if any.
  std::optional<Race> access(uint64_t byte, unsigned warp, unsigned lane, bool isWrite,
                             bool isStrong, uint32_t pc);
  /// The race that a copy issued now would be part of; notes nothing. A bulk copy
  /// needs proxy fences behind writes as well.
  std::optional<Race> checkCopy(uint64_t byte, unsigned warp, unsigned lane, bool isWrite,
                                bool isBulk) const;
  /// Notes what a copy did, in the place of what was there before it.
  void note(uint64_t byte, const Access &access, bool isWrite);
  /// An access by the thread at this time.
  Access now(unsigned warp, unsigned lane, uint32_t pc) const;
  /// An access by an mbarrier's engine in one of its phases.
  Access byEngine(size_t engine, uint64_t phase, uint32_t pc) const;
  bool isOrdered(const Access &access, unsigned warp, unsigned lane) const {
    return unordered(access, warp, lane) < 0;
  }
  /// The same of what made an mbarrier, which fence.mbarrier_init releases.
  bool isMakingOrdered(const Access &making, unsigned warp, unsigned lane) const {
    return isOrdered(making, warp, lane) || unfenced(making, warp, lane, OfMakers) < 0;
  }
  /// A lane of `access` that is not ordered before this lane, or -1.
  int unordered(const Access &access, unsigned warp, unsigned lane) const;
  /// What the thread knows of another block's threads, or null.
  const View *viewOfOther(uint64_t block, unsigned warp, unsigned lane) const {
    const BlockViews *known = others.of(size_t(warp) * 32 + lane);
    return known ? known->of(block) : nullptr;
  }
  size_t engineThread(size_t engine) const { return size_t(warps) * 32 + engine; }
  bool isEngine(const Access &access) const { return access.warp >= warps; }

  /// The accesses of these lanes until now and what they know; later ones are not part of it.
  void release(unsigned warp, uint32_t lanes, Published &published);
  /// A relaxed arrival: of these lanes it tells only which mbarriers they made before a
  /// fence.mbarrier_init.
  void releaseMade(unsigned warp, uint32_t lanes, Published &published) const {
    fenced[OfMakers].addTo(published.fenced[OfMakers], size_t(warp) * 32, lanes);
  }
  void acquire(unsigned warp, uint32_t lanes, const Published &published);
  /// A fence of these lanes, of what is in the set of bits.
  void fenceProxies(unsigned warp, uint32_t lanes, unsigned memories);
  /// The race of a copy with one access to any memory.
  std::optional<Race> checkCopy(const Access &other, bool otherWrites, unsigned warp, unsigned lane,
                                Fenced memory, bool isBulk) const;

  /// What a product of a warp group reads, piece by piece.
  static constexpr uint64_t kPieceBytes = 16;
  /// A race that a product would be part of if all these lanes issued it now, and the byte. It is
  /// of the asynchronous proxy.
  std::optional<std::pair<uint64_t, Race>> checkProduct(uint64_t piece, unsigned warp,
                                                        uint32_t lanes) const;
  /// A product that read the piece and is not known to be over.
  std::optional<Race> unorderedProduct(uint64_t piece, unsigned warp, unsigned lane) const;
  /// The last write of the byte was one of the asynchronous proxy.
  bool isOfBulk(uint64_t byte) const { return bytes[byte].write.isBulk; }
  /// The warp has waited for a product that reads the piece: each of its lanes knows that.
  void noteProduct(uint64_t piece, unsigned warp, uint32_t pc);

  void keepAllReads() { keepsAll = true; }
  bool keepsAllReads() const { return keepsAll; }

  void syncLanes(unsigned warp, uint32_t lanes);
  /// `publishing` warps make their past known to the `learning` ones.
  void syncWarps(const std::vector<unsigned> &publishing, const std::vector<unsigned> &learning);

private:
  struct Byte {
    Access write, reads[2];
  };
  /// A lane of `access` that no proxy fence separates from this lane, or -1.
  int unfenced(const Access &access, unsigned warp, unsigned lane, Fenced memory) const;
  /// All that any of these lanes knows, each itself until now included.
  View viewOf(unsigned warp, uint32_t lanes) const;
  uint32_t &lanesKnow(unsigned warp, unsigned lane, unsigned other) {
    return laneKnowledge[(size_t(warp) * 32 + lane) * 32 + other];
  }
  void noteRead(uint64_t index, const Access &access);
  /// The first of the byte's reads for which `f` gives something.
  template <typename F>
  std::optional<Race> firstOfReads(uint64_t index, F f) const;

  unsigned warps;
  std::vector<Byte> bytes;
  /// Reads for which a byte has no room, in no order.
  bool keepsAll = false;
  std::unordered_map<uint64_t, std::vector<Access>> moreReads;
  /// The last product of each warp that read a piece: [piece * warps + warp]; empty without any.
  std::vector<Access> products;
  std::vector<uint32_t> clocks;
  /// What warp a knows of warp b: all before this clock. [a * warps + b]
  std::vector<uint32_t> warpKnowledge;
  std::vector<uint32_t> laneKnowledge;
  /// What threads know beyond their warps, and of what they know there was a fence.
  ThreadViews ordered, fenced[std::size(kFenced)];
  /// What they know of other blocks (GlobalRaces); it spreads as all knowledge does.
  PerThread<BlockViews> others;
  bool hasViews() const;
  void meet(const std::vector<size_t> &publishing, const std::vector<size_t> &learning);
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_CHECKS_SHAREDRACES_H
