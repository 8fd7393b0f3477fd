//===- ProgramOrder.h - Which programs come before which -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_PROGRAMORDER_H
#define FSM_INTERPRETER_PROGRAMORDER_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <cstdint>
#include <vector>

namespace fsm::interpreter {

/// What orders programs of a launch: a release that an acquire observes. A program counts its
/// releases; what it does before the first has the clock 0. What it has learnt is a graph of
/// *messages*, which is looked into only when two accesses meet.
class ProgramOrder {
public:
  /// What a place in memory tells those that acquire it; 0 is nothing.
  using Message = uint32_t;

  /// From now on this program is the one that runs; it knows of no other.
  void begin(uint32_t program);
  uint32_t program() const { return current; }
  uint32_t clock() const { return currentClock; }

  /// What the program has done and learnt so far. What it does from now on is no part of it.
  Message release();
  void acquire(Message message);
  Message join(Message one, Message other);
  /// Whether only the current program speaks in it.
  bool isOwn(Message message) const { return nodes[message].program == current; }

  /// Whether what a program did at a clock comes before what the current one does now.
  bool isBefore(uint32_t program, uint32_t clock) {
    return program == current || (head != 0 && isKnown(program, clock));
  }

private:
  /// Both that `program` has released `clocks` times, if it is one, and what two others say.
  struct Node {
    uint32_t program, clocks;
    Message first, second;
  };
  static constexpr uint32_t kNone = ~uint32_t(0);
  bool isKnown(uint32_t program, uint32_t clock);

  uint32_t current = 0, currentClock = 0;
  std::vector<Node> nodes{Node{kNone, 0, 0, 0}};
  /// What the current program has acquired.
  Message head = 0;
  /// By program, the clocks that it has acquired at first hand.
  llvm::DenseMap<uint32_t, uint32_t> acquired;
  /// What has been found from the head on, and what has yet to be looked at.
  llvm::DenseMap<uint32_t, uint32_t> known;
  llvm::DenseSet<Message> visited;
  std::vector<Message> pending;
};

} // namespace fsm::interpreter

#endif // FSM_INTERPRETER_PROGRAMORDER_H
