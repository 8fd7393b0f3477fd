//===- Needs.cpp - What a kernel needs of a GPU --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "Link.h"
#include "Omissions.h"
#include "fsm/Simulator/Simulator.h"

#include <algorithm>
#include <functional>

using namespace fsm;
using namespace fsm::sim;

namespace {

/// The registers of a function that are live at one place, and what they weigh.
class LiveSet {
public:
  explicit LiveSet(const Function &function) : function(&function), words(wordsOf(function)) {}
  static size_t wordsOf(const Function &function) { return (function.registers + 63) / 64; }

  void add(uint32_t number) { set(number, true); }
  void remove(uint32_t number) { set(number, false); }
  /// True if it grew.
  bool addAll(const LiveSet &other) {
    bool grows = false;
    for (size_t word = 0; word < words.size(); ++word)
      for (uint64_t more = other.words[word] & ~words[word]; more; more &= more - 1) {
        add(static_cast<uint32_t>(64 * word) + static_cast<uint32_t>(__builtin_ctzll(more)));
        grows = true;
      }
    return grows;
  }
  void clear() { *this = LiveSet(*function); }
  /// In registers of 32 bits; predicates have registers of their own.
  uint64_t size() const { return weight; }

private:
  void set(uint32_t number, bool isLive) {
    uint64_t bit = uint64_t(1) << (number % 64), &word = words[number / 64];
    if (((word & bit) != 0) == isLive)
      return;
    word ^= bit;
    uint64_t width = function->registerBits[number];
    uint64_t change = width <= 1 ? 0 : width <= 32 ? 1 : width / 32;
    weight += isLive ? change : 0 - change;
  }

  const Function *function;
  std::vector<uint64_t> words;
  uint64_t weight = 0;
};

/// Liveness by sweeps from the end to the begin, until nothing changes where
/// branches go to. Text that would take too long, which no compiler writes, is said to
/// need all registers that there are.
class RegisterPressure {
public:
  /// What functions need, by their names.
  using Known = std::map<std::string, uint64_t>;

  RegisterPressure(const Program &program, const Function &function, Known &known)
      : program(program), function(function), known(known) {}

  uint64_t run() {
    for (const Instruction &instruction : function.code)
      forTargets(instruction, [&](uint32_t to) {
        spend();
        if (budget)
          targets.try_emplace(to, LiveSet(function));
      });
    while (budget && sweep())
      most = 0;
    return budget ? most : kAll;
  }

private:
  static constexpr uint64_t kAll = 255;

  /// One set of registers is copied or joined.
  void spend() { budget -= std::min<uint64_t>(budget, 1 + LiveSet::wordsOf(function)); }

  template <typename F>
  static void forTargets(const Instruction &instruction, F f) {
    if (instruction.opcode == "bra")
      f(instruction.target);
    for (uint32_t to : instruction.targets)
      f(to);
  }

  static void forRegisters(const Operand &operand, const std::function<void(uint32_t)> &f) {
    if (operand.kind == Operand::Kind::Register)
      f(operand.index);
    for (const Operand &element : operand.elements)
      forRegisters(element, f);
  }

  bool sweep() {
    bool changed = false;
    LiveSet live(function);
    for (size_t pc = function.code.size(); budget && pc-- > 0;) {
      step(function.code[pc], live);
      if (auto target = targets.find(static_cast<uint32_t>(pc)); target != targets.end()) {
        spend();
        changed |= target->second.addAll(live);
      }
    }
    return changed;
  }

  void step(const Instruction &instruction, LiveSet &live) {
    const std::string &opcode = instruction.opcode;
    bool isJump = opcode == "bra" || opcode == "brx";
    if ((isJump || opcode == "ret" || opcode == "exit" || opcode == "trap") &&
        !instruction.isGuarded) {
      spend();
      live.clear();
    }
    forTargets(instruction, [&](uint32_t to) {
      spend();
      live.addAll(targets.at(to));
    });
    bool writes = hasResult(instruction);
    if (writes) {
      // What is written takes a register even if nothing reads it.
      forRegisters(instruction.operands[0], [&](uint32_t number) { live.add(number); });
      most = std::max(most, live.size());
      if (!instruction.isGuarded)
        forRegisters(instruction.operands[0], [&](uint32_t number) { live.remove(number); });
    }
    // What wgmma writes it may read, too.
    const size_t first = writes && opcode != "wgmma";
    for (size_t index = first; index < instruction.operands.size(); ++index)
      forRegisters(instruction.operands[index], [&](uint32_t number) { live.add(number); });
    if (instruction.isGuarded)
      live.add(instruction.guard);
    most = std::max(most, live.size() + (opcode == "call" ? callee(instruction) : 0));
  }

  /// Linking has shown that no function calls itself.
  uint64_t callee(const Instruction &instruction) {
    for (const Operand &operand : instruction.operands)
      if (auto found = program.functions.find(operand.name);
          operand.kind == Operand::Kind::Name && found != program.functions.end()) {
        auto [entry, isNew] = known.try_emplace(operand.name, 0);
        if (isNew)
          entry->second = RegisterPressure(program, found->second, known).run();
        return entry->second;
      }
    return 0;
  }

  const Program &program;
  const Function &function;
  Known &known;
  std::map<uint32_t, LiveSet> targets;
  uint64_t most = 0, budget = uint64_t(1) << 25;
};

} // namespace

/// Links a kernel whose global variables have no addresses yet.
static Result<Linked> linkNowhere(const Program &program, const std::string &kernel) {
  auto found = program.functions.find(kernel);
  if (found == program.functions.end() || !found->second.isEntry || !found->second.isDefined)
    return badInput("the module has no kernel '" + kernel + "'");
  std::map<std::string, uint64_t> globals;
  for (const Variable &variable : program.globals)
    if (variable.space != Space::Shared)
      globals[variable.name] = 0;
  return link(program, found->second, 0, globals);
}

Result<std::vector<std::string>> Module::omissions(const std::string &kernel) const {
  Result<Linked> linked = linkNowhere(*contents, kernel);
  if (!linked)
    return linked.error();
  std::vector<std::string> sentences;
  for (const Omission &omission : omissionsOf(*linked))
    sentences.push_back(describe(*linked, omission));
  return sentences;
}

Result<KernelNeeds> Module::needs(const std::string &kernel) const {
  Result<Linked> linked = linkNowhere(*contents, kernel);
  if (!linked)
    return linked.error();
  // The compiler spills what does not fit, and keeps to the threads asked for.
  constexpr unsigned least = 16, most = 255, file = kRegistersOfMultiprocessor;
  const Function &function = contents->functions.at(kernel);
  const auto &threads =
      function.requiredThreads[0] ? function.requiredThreads : function.maximalThreads;
  uint64_t block = uint64_t(threads[0]) * threads[1] * threads[2];
  uint64_t bound = block ? std::max<uint64_t>(file / block / 8 * 8, least) : most;
  RegisterPressure::Known known;
  uint64_t live = (RegisterPressure(*contents, function, known).run() + 7) / 8 * 8;
  KernelNeeds needs;
  needs.registers =
      static_cast<unsigned>(std::min({std::max<uint64_t>(live, least), bound, uint64_t(most)}));
  needs.sharedBytes = linked->sharedBytes;
  needs.localBytes = linked->localBytes;
  return needs;
}
