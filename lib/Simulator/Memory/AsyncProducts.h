//===- AsyncProducts.h - Products of warp groups in flight ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0, 9.7.16 "Asynchronous Warpgroup Level Matrix Instructions". A product takes place at
// some moment between its issue and the wait for its group. Until then nobody may write what it
// reads of shared memory, touch the registers that it adds to, or write those that are its left
// factor. It is of the asynchronous proxy: what other instructions wrote to shared memory must be
// ordered before it, with a fence.proxy.async between.
//
// Four warps multiply together: each issues the instruction, has 16 of its 64 rows and waits for
// itself. What one of them has waited for is over for that warp, and for those who hear of it from
// one of its lanes; of the other three it says nothing.

#ifndef FSM_LIB_SIMULATOR_MEMORY_ASYNCPRODUCTS_H
#define FSM_LIB_SIMULATOR_MEMORY_ASYNCPRODUCTS_H

#include "../Threads/Warp.h"
#include "Mbarriers.h"

#include <deque>
#include <random>

namespace fsm::sim {

/// A warp's part of one instruction.
struct AsyncProduct {
  const Instruction *instruction = nullptr;
  Origin origin;
  uint64_t serial = 0;
  /// Descriptors; that of a left factor in registers is 0.
  uint64_t left = 0, right = 0;
  /// Whether the old sums count.
  bool addsToSums = false;
  /// A descriptor was reported: there is nothing to multiply.
  bool isRefused = false;
  bool hasLanded = false;
  /// What it reads of shared memory, as numbers of pieces of SharedRaces::kPieceBytes.
  std::vector<uint32_t> pieces;
  /// The span of the swizzle by which it reads each of them.
  std::vector<uint8_t> spans;
};

class AsyncProducts {
public:
  static constexpr unsigned kGroupWarps = 4;

  explicit AsyncProducts(Block &block);

  // What instructions do; each for a whole warp.
  void issue(Warp &warp, AsyncProduct product);
  void fence(Warp &warp);
  void commit(Warp &warp);
  /// Until at most `left` of the warp's groups are in flight.
  void wait(Warp &warp, uint64_t left);

  /// Reports a write to bytes that products read; false if it did.
  bool checkWrite(Warp &warp, unsigned lane, uint64_t address, uint64_t offset, uint32_t bytes);
  /// Reports what an instruction does to registers of products in flight.
  void checkRegisters(Warp &warp, const Instruction &instruction, uint32_t lanes);
  /// All threads have ended: reports what nobody waited for.
  void finish();

private:
  struct OfWarp {
    std::vector<AsyncProduct> open;
    std::deque<std::vector<AsyncProduct>> groups;
    /// Instructions issued.
    uint64_t issued = 0;
    /// A fence stands behind the last group.
    bool isFenced = false;
  };
  /// One instruction of a group of warps.
  struct Together {
    Origin first;
    uint64_t left = 0, right = 0;
    bool addsToSums = false;
    unsigned warps = 0; ///< A bit each.
  };
  struct OfGroup {
    std::deque<Together> instructions; ///< Those that not all warps have come to.
    uint64_t complete = 0;             ///< How many they all have come to.
  };

  /// The number of a warp's group, and of its first warp.
  size_t groupOf(unsigned warp) const;
  unsigned firstOf(unsigned warp) const;
  HeldByProducts &heldBy(Warp &warp);
  void checkTogether(Warp &warp, const AsyncProduct &product);
  void checkFence(Warp &warp, const AsyncProduct &product);
  void checkPieces(Warp &warp, const AsyncProduct &product);
  void hold(Warp &warp, const AsyncProduct &product);
  void land(Warp &warp, AsyncProduct &product);
  void landAll(Warp &warp);
  void end(Warp &warp, AsyncProduct &product);
  const AsyncProduct *findReader(uint64_t piece) const;
  const AsyncProduct *findHolder(unsigned warp, uint32_t number, uint64_t serial) const;
  std::string describe(const AsyncProduct &product) const;

  Block &block;
  std::mt19937_64 random;
  std::vector<OfWarp> warps;
  std::vector<OfGroup> groups;
  /// How many products in flight read a piece.
  std::vector<uint16_t> readers;
  uint64_t serial = 0;
};

/// Multiplies, and gives the sums to the warp's registers.
void multiplyNow(Warp &warp, const AsyncProduct &product);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_MEMORY_ASYNCPRODUCTS_H
