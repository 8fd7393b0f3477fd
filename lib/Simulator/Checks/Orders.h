//===- Orders.h - What acquires learn from releases ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX ISA 9.0, 8.7 to 8.10. A *release pattern* is a strong write that is a release, or comes
// behind a fence of its thread; an *acquire pattern* is a strong read that is an acquire, or comes
// before a fence of its thread. One synchronizes with the other when the read observes the write:
// reads its value, or one that atomic operations have made of it, each of a scope that has its
// neighbour in it; and when the first operation of the one and the last of the other have each
// other in their scopes. What its thread knew before a release pattern is then known behind the
// acquire pattern.
//
// So each place that strong operations have written has a *message*: what its value tells those
// who acquire it. What is told to the threads of one program is kept apart from what is told to
// all, where the kernel has operations of the scope of the block at all. That a barrier hands on
// what one thread has acquired, and brings to a release what others have done, follows from the
// views of SharedRaces.
//
// Left out, so that more is reported than is wrong: the order of fence.sc among themselves.

#ifndef FSM_LIB_SIMULATOR_CHECKS_ORDERS_H
#define FSM_LIB_SIMULATOR_CHECKS_ORDERS_H

#include "SharedRaces.h"

#include <map>

namespace fsm::sim {

class Block;
struct Instruction;
struct Linked;

/// A thread of a launch.
struct ThreadId {
  uint64_t block = ~uint64_t(0);
  unsigned warp = 0, lane = 0;
  bool operator==(const ThreadId &other) const {
    return block == other.block && warp == other.warp && lane == other.lane;
  }
};

/// What those learn that acquire a value.
struct Message {
  BlockViews all;
  /// By program; what is told to its own threads.
  std::map<uint64_t, SharedRaces::Published> own;
  void add(const Message &other);
};

/// What fences do for a thread's strong operations.
struct FencedThread {
  /// What it has read without acquiring it.
  Message read;
  /// What it knew at its last fence of any scope, and at the last of a wider one than the block.
  std::shared_ptr<const SharedRaces::Published> fence, wideFence;
};

class Orders {
public:
  Orders(const Linked &linked, bool isPacked);

  /// A strong operation took place that read or wrote, or both at once.
  void access(Block &block, unsigned warp, unsigned lane, const Instruction &instruction,
              uint64_t address, bool isRead, bool isWrite);
  /// A weak store took place.
  void overwrite(uint64_t address, uint32_t bytes);
  void fence(Block &block, unsigned warp, unsigned lane, const Instruction &instruction);

private:
  struct Place {
    Message message;
    /// The last write.
    ThreadId writer;
    bool isBlockScope = false;
    uint8_t bytes = 0;
    /// The only thread that has said anything in the message, if it was one.
    ThreadId only;
  };
  uint64_t programOf(const ThreadId &thread) const {
    return isPacked ? thread.block * 32 + thread.warp : thread.block;
  }
  bool isObserved(const Place &place, const ThreadId &thread, const Instruction &instruction) const;
  void acquire(Block &block, const ThreadId &thread, const Message &message, bool isBlockScope);
  void write(Block &block, const ThreadId &thread, const Instruction &instruction, uint64_t address,
             bool isContinued);
  Message told(const ThreadId &thread, const SharedRaces::Published &known,
               bool isBlockScope) const;

  const bool isPacked, hasBlockScope;
  static constexpr uint64_t kStretchBytes = 1024;
  /// By the address in kStretchBytes, and by the address.
  std::unordered_map<uint64_t, std::map<uint64_t, Place>> places;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_CHECKS_ORDERS_H
