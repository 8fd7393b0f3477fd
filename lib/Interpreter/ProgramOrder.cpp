//===- ProgramOrder.cpp - Which programs come before which ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramOrder.h"

using namespace fsm::interpreter;

void ProgramOrder::begin(uint32_t program) {
  current = program;
  currentClock = 0;
  head = 0;
  acquired.clear();
  known.clear();
  visited.clear();
  pending.clear();
}

ProgramOrder::Message ProgramOrder::release() {
  nodes.push_back(Node{current, ++currentClock, head, 0});
  return static_cast<Message>(nodes.size() - 1);
}

ProgramOrder::Message ProgramOrder::join(Message one, Message other) {
  if (one == 0 || other == 0 || one == other)
    return one ? one : other;
  nodes.push_back(Node{kNone, 0, one, other});
  return static_cast<Message>(nodes.size() - 1);
}

void ProgramOrder::acquire(Message message) {
  const Node &node = nodes[message];
  if (message == 0 || node.program == current)
    return;
  // A later release of a program says all that an earlier one does.
  if (node.program != kNone) {
    uint32_t &clocks = acquired[node.program];
    if (node.clocks <= clocks)
      return;
    clocks = node.clocks;
  }
  head = join(message, head);
  pending.push_back(message);
}

bool ProgramOrder::isKnown(uint32_t program, uint32_t clock) {
  auto isFound = [&] {
    auto found = known.find(program);
    return found != known.end() && clock < found->second;
  };
  // The latest messages first: whoever had a lock before is the likeliest.
  while (!isFound() && !pending.empty()) {
    Message message = pending.back();
    pending.pop_back();
    if (message == 0 || !visited.insert(message).second)
      continue;
    const Node &node = nodes[message];
    if (node.program != kNone) {
      uint32_t &clocks = known[node.program];
      if (node.clocks <= clocks)
        continue;
      clocks = node.clocks;
    }
    pending.push_back(node.second);
    pending.push_back(node.first);
  }
  return isFound();
}
