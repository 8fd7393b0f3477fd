//===- Reconvergence.cpp - Where divergent paths meet --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Immediate post-dominators over basic blocks, by the iterative method of
// Cooper, Harvey and Kennedy, on the reversed graph with one exit node behind
// all returns.

#include "Decode.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

class PostDominators {
public:
  explicit PostDominators(Function &function) : code(function.code) {}

  void run() {
    findBlocks();
    if (starts.empty())
      return;
    order();
    solve();
    for (size_t block = 0; block < starts.size(); ++block) {
      Instruction &last = code[endOf(block) - 1];
      uint32_t meet = dominator[block];
      bool mayDiverge = (last.opcode == "bra" && last.isGuarded) || last.opcode == "brx";
      if (mayDiverge && meet < starts.size())
        last.reconvergence = starts[meet];
    }
  }

private:
  static bool ends(const Instruction &instruction) {
    return instruction.opcode == "bra" || instruction.opcode == "brx" ||
           instruction.opcode == "ret" || instruction.opcode == "exit" ||
           instruction.opcode == "trap";
  }
  uint32_t endOf(size_t block) const {
    return block + 1 < starts.size() ? starts[block + 1] : static_cast<uint32_t>(code.size());
  }
  uint32_t blockAt(uint32_t pc) const {
    return static_cast<uint32_t>(std::upper_bound(starts.begin(), starts.end(), pc) -
                                 starts.begin() - 1);
  }

  void findBlocks() {
    std::vector<bool> isStart(code.size() + 1, false);
    isStart[0] = true;
    for (size_t pc = 0; pc < code.size(); ++pc) {
      if (code[pc].target < code.size())
        isStart[code[pc].target] = true;
      for (uint32_t target : code[pc].targets)
        isStart[target] = true;
      if (ends(code[pc]))
        isStart[pc + 1] = true;
    }
    for (uint32_t pc = 0; pc < code.size(); ++pc)
      if (isStart[pc])
        starts.push_back(pc);
    exit = static_cast<uint32_t>(starts.size());
    successors.resize(exit + 1);
    predecessors.resize(exit + 1);
    for (uint32_t block = 0; block < exit; ++block)
      connect(block);
  }

  void connect(uint32_t block) {
    const Instruction &last = code[endOf(block) - 1];
    auto add = [&](uint32_t to) {
      successors[block].push_back(to);
      predecessors[to].push_back(block);
    };
    for (uint32_t target : last.targets)
      add(blockAt(target));
    if (last.opcode == "bra")
      add(blockAt(last.target));
    else if (ends(last) && last.targets.empty())
      add(exit);
    if (!ends(last) || last.isGuarded)
      add(block + 1 < exit ? block + 1 : exit);
  }

  /// Numbers the blocks that reach the exit in post-order of the reversed graph.
  void order() {
    number.assign(exit + 1, kNowhere);
    std::vector<bool> seen(exit + 1, false);
    std::vector<std::pair<uint32_t, size_t>> stack{{exit, 0}};
    seen[exit] = true;
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == predecessors[block].size()) {
        number[block] = static_cast<uint32_t>(postOrder.size());
        postOrder.push_back(block);
        stack.pop_back();
        continue;
      }
      uint32_t before = predecessors[block][next++];
      if (!seen[before]) {
        seen[before] = true;
        stack.emplace_back(before, 0);
      }
    }
  }

  uint32_t meet(uint32_t a, uint32_t b) const {
    while (a != b) {
      while (number[a] < number[b])
        a = dominator[a];
      while (number[b] < number[a])
        b = dominator[b];
    }
    return a;
  }

  void solve() {
    dominator.assign(exit + 1, kNowhere);
    dominator[exit] = exit;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t index = postOrder.size() - 1; index-- > 0;) {
        uint32_t block = postOrder[index], found = kNowhere;
        for (uint32_t after : successors[block])
          if (dominator[after] != kNowhere)
            found = found == kNowhere ? after : meet(after, found);
        changed |= dominator[block] != found;
        dominator[block] = found;
      }
    }
  }

  std::vector<Instruction> &code;
  std::vector<uint32_t> starts, number, postOrder, dominator;
  std::vector<std::vector<uint32_t>> successors, predecessors;
  uint32_t exit = 0;
};

} // namespace

void sim::findReconvergence(Function &function) { PostDominators(function).run(); }
