//===- Omissions.cpp - What a test leaves out of a kernel ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Omissions.h"

#include "../Instructions/Lanes.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

void executeNothing(Warp &, const Instruction &, uint32_t) {}

/// A wait that finds what it waits for whatever is there.
void executeTrue(Warp &warp, const Instruction &instruction, uint32_t lanes) {
  uint64_t *p = warp.row(instruction.operands[0]);
  forLanes(lanes, [&](unsigned lane) { p[lane] = 1; });
  warp.define(instruction.operands[0], lanes);
}

bool has(const Instruction &instruction, std::initializer_list<const char *> modifiers) {
  return std::any_of(modifiers.begin(), modifiers.end(), [&](const char *modifier) {
    return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), modifier) !=
           instruction.modifiers.end();
  });
}

bool synchronizes(const Instruction &instruction) {
  const std::string &opcode = instruction.opcode;
  if (opcode == "bar" || opcode == "barrier")
    return !has(instruction, {"red"});
  if (opcode == "cp")
    return has(instruction, {"commit_group", "wait_group", "wait_all", "mbarrier"});
  if (opcode == "mbarrier")
    return !has(instruction, {"inval", "pending_count", "complete_tx"});
  if (opcode == "wgmma")
    return !has(instruction, {"mma_async"});
  if (opcode == "griddepcontrol")
    return has(instruction, {"wait"});
  if (opcode == "membar" || (opcode == "st" && has(instruction, {"async"})))
    return true;
  if (opcode != "fence" || has(instruction, {"global"}))
    return false;
  return instruction.isStrong() || has(instruction, {"mbarrier_init", "tensormap::generic"}) ||
         (has(instruction, {"proxy"}) && has(instruction, {"async"}));
}

bool accesses(const Instruction &instruction) {
  const std::string &opcode = instruction.opcode;
  if (opcode == "ld")
    return instruction.space != Space::Param && instruction.space != Space::Local;
  return opcode == "st" || opcode == "ldmatrix" || opcode == "stmatrix" || opcode == "atom" ||
         opcode == "red" ||
         ((opcode == "cp" || opcode == "mbarrier") && !instruction.operands.empty() &&
          !has(instruction, {"wait_group", "prefetch"}));
}

/// The part of a kernel between a branch and the place where its paths meet again.
class Paths {
public:
  Paths(const std::vector<Instruction> &code, uint32_t branch)
      : code(code), branch(branch), meeting(code[branch].reconvergence) {}

  /// What lies on the paths that begin at a place. A loop leads back to the branch.
  enum class Kind : uint8_t { WithoutAccess, WithAccess, Loop };

  Kind kindOf(uint32_t from) const {
    Kind kind = Kind::WithoutAccess;
    std::vector<bool> seen(code.size(), false);
    std::vector<uint32_t> open{from};
    while (!open.empty()) {
      uint32_t pc = open.back();
      open.pop_back();
      if (pc == meeting || pc >= code.size() || seen[pc])
        continue;
      if (pc == branch)
        return Kind::Loop;
      seen[pc] = true;
      const Instruction &instruction = code[pc];
      if (accesses(instruction))
        kind = Kind::WithAccess;
      addSuccessors(instruction, pc, open);
    }
    return kind;
  }

private:
  static void addSuccessors(const Instruction &instruction, uint32_t pc,
                            std::vector<uint32_t> &successors) {
    const std::string &opcode = instruction.opcode;
    bool leaves = opcode == "bra" || opcode == "brx" || opcode == "ret" || opcode == "exit" ||
                  opcode == "trap";
    if (opcode == "bra")
      successors.push_back(instruction.target);
    successors.insert(successors.end(), instruction.targets.begin(), instruction.targets.end());
    if (!leaves || instruction.isGuarded)
      successors.push_back(pc + 1);
  }

  const std::vector<Instruction> &code;
  uint32_t branch, meeting;
};

/// Whether a branch is what compilers make of the condition of an access: one of its
/// sides makes accesses, the other none. Leaving it out makes them always.
enum class Guard : uint8_t { None, OfTarget, OfNext };

Guard guardOfAccess(const Linked &linked, uint32_t pc) {
  const Instruction &branch = linked.code[pc];
  if (branch.opcode != "bra" || !branch.isGuarded)
    return Guard::None;
  Paths paths(linked.code, pc);
  Paths::Kind target = paths.kindOf(branch.target), next = paths.kindOf(pc + 1);
  if (target == Paths::Kind::Loop || next == Paths::Kind::Loop)
    return Guard::None;
  bool ofTarget = target == Paths::Kind::WithAccess, ofNext = next == Paths::Kind::WithAccess;
  if (ofTarget == ofNext)
    return Guard::None;
  return ofTarget ? Guard::OfTarget : Guard::OfNext;
}

/// cp.async's number of bytes or predicate, and the bytes of .expect_tx.
bool hasBytes(const Instruction &instruction) {
  if (const auto *copy = instruction.ifIs<AsyncCopy>())
    return copy->last != AsyncCopy::Last::None;
  const auto *arrival = instruction.ifIs<MbarrierOp>();
  return arrival && arrival->extra == MbarrierOp::Extra::ExpectsBytes;
}

} // namespace

std::vector<Omission> sim::omissionsOf(const Linked &linked) {
  using What = Omission::What;
  std::vector<Omission> all;
  for (uint32_t pc = 0; pc < linked.code.size(); ++pc) {
    const Instruction &instruction = linked.code[pc];
    if (synchronizes(instruction))
      all.push_back({pc, What::Instruction});
    if (guardOfAccess(linked, pc) != Guard::None ||
        (instruction.isGuarded && accesses(instruction)))
      all.push_back({pc, What::Condition});
    if (hasBytes(instruction))
      all.push_back({pc, What::Bytes});
    if ((instruction.opcode == "cp" || instruction.opcode == "wgmma") &&
        has(instruction, {"wait_group"}))
      all.push_back({pc, What::OneGroup});
    if (instruction.isStrong() && accesses(instruction)) {
      if (acquires(instruction.order))
        all.push_back({pc, What::Acquire});
      if (releases(instruction.order))
        all.push_back({pc, What::Release});
    }
  }
  return all;
}

void sim::leaveOut(Linked &linked, const Omission &omission) {
  Instruction &instruction = linked.code[omission.pc];
  bool isWait = has(instruction, {"test_wait", "try_wait"});
  switch (omission.what) {
  case Omission::What::Instruction:
    instruction.execute = isWait ? executeTrue : executeNothing;
    return;
  case Omission::What::Condition:
    if (guardOfAccess(linked, omission.pc) == Guard::OfNext)
      instruction.execute = executeNothing;
    else
      instruction.isGuarded = false;
    return;
  case Omission::What::Bytes:
    if (auto *copy = std::get_if<AsyncCopy>(&instruction.decoded))
      copy->last = AsyncCopy::Last::None;
    else
      std::get<MbarrierOp>(instruction.decoded).extra = MbarrierOp::Extra::Plain;
    instruction.operands.pop_back();
    return;
  case Omission::What::OneGroup:
    ++instruction.operands[0].bits;
    return;
  case Omission::What::Acquire:
    instruction.order = releases(instruction.order) ? Order::Release : Order::Relaxed;
    return;
  case Omission::What::Release:
    instruction.order = acquires(instruction.order) ? Order::Acquire : Order::Relaxed;
  }
}

std::string sim::describe(const Linked &linked, const Omission &omission) {
  static constexpr const char *parts[] = {"",
                                          ", its condition",
                                          ", its bytes",
                                          ", the last group it waits for",
                                          ", that it acquires",
                                          ", that it releases"};
  const Instruction &instruction = linked.code[omission.pc];
  std::string text = "PTX line " + std::to_string(instruction.position.line);
  if (instruction.sourceLine)
    text += " (source line " + std::to_string(instruction.sourceLine) + ")";
  text += " '" + instruction.opcode;
  for (const std::string &modifier : instruction.modifiers)
    text += "." + modifier;
  return text + "'" + parts[static_cast<size_t>(omission.what)];
}
