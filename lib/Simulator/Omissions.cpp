//===- Omissions.cpp - What a test leaves out of a kernel ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Omissions.h"

#include "Lanes.h"

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
  return opcode == "fence" && has(instruction, {"proxy"}) && has(instruction, {"async"}) &&
         !has(instruction, {"global"});
}

bool accesses(const Instruction &instruction) {
  const std::string &opcode = instruction.opcode;
  if (opcode == "ld")
    return instruction.space != Space::Param && instruction.space != Space::Local;
  return opcode == "st" || opcode == "atom" || opcode == "red" ||
         ((opcode == "cp" || opcode == "mbarrier") && !instruction.operands.empty() &&
          !has(instruction, {"wait_group", "prefetch"}));
}

/// A branch over a few instructions in a row, one of them an access: what compilers
/// make of a condition.
bool guardsAccess(const Linked &linked, uint32_t pc, const std::vector<bool> &isTarget) {
  const Instruction &branch = linked.code[pc];
  if (branch.opcode != "bra" || !branch.isGuarded || branch.target <= pc + 1 ||
      branch.target == kNowhere)
    return false;
  bool any = false;
  for (uint32_t inside = pc + 1; inside < branch.target; ++inside) {
    const std::string &opcode = linked.code[inside].opcode;
    if (isTarget[inside] || opcode == "bra" || opcode == "brx" || opcode == "call" ||
        opcode == "ret" || opcode == "exit")
      return false;
    any |= accesses(linked.code[inside]);
  }
  return any;
}

/// cp.async's number of bytes or predicate, and the bytes of .expect_tx.
bool hasBytes(const Instruction &instruction) {
  if (instruction.opcode == "mbarrier")
    return has(instruction, {"expect_tx"}) && has(instruction, {"arrive", "arrive_drop"});
  return instruction.opcode == "cp" && has(instruction, {"ca", "cg"}) &&
         instruction.operands.size() > 3;
}

} // namespace

std::vector<Omission> sim::omissionsOf(const Linked &linked) {
  using What = Omission::What;
  std::vector<bool> isTarget(linked.code.size() + 1, false);
  for (const Instruction &instruction : linked.code)
    if (instruction.target < linked.code.size())
      isTarget[instruction.target] = true;
  std::vector<Omission> all;
  for (uint32_t pc = 0; pc < linked.code.size(); ++pc) {
    const Instruction &instruction = linked.code[pc];
    if (synchronizes(instruction))
      all.push_back({pc, What::Instruction});
    if (guardsAccess(linked, pc, isTarget) || (instruction.isGuarded && accesses(instruction)))
      all.push_back({pc, What::Condition});
    if (hasBytes(instruction))
      all.push_back({pc, What::Bytes});
    if (instruction.opcode == "cp" && has(instruction, {"wait_group"}))
      all.push_back({pc, What::OneGroup});
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
    if (instruction.opcode == "bra")
      instruction.execute = executeNothing;
    else
      instruction.isGuarded = false;
    return;
  case Omission::What::Bytes:
    // What the decoders of both families take for an operand that is not there.
    (instruction.opcode == "cp" ? instruction.operation : instruction.combine) = 0;
    instruction.operands.pop_back();
    return;
  case Omission::What::OneGroup:
    ++instruction.operands[0].bits;
  }
}

std::string sim::describe(const Linked &linked, const Omission &omission) {
  static constexpr const char *parts[] = {"", ", its condition", ", its bytes",
                                          ", the last group it waits for"};
  const Instruction &instruction = linked.code[omission.pc];
  std::string text = "PTX line " + std::to_string(instruction.position.line);
  if (instruction.sourceLine)
    text += " (source line " + std::to_string(instruction.sourceLine) + ")";
  text += " '" + instruction.opcode;
  for (const std::string &modifier : instruction.modifiers)
    text += "." + modifier;
  return text + "'" + parts[static_cast<size_t>(omission.what)];
}
