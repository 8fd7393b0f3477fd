//===- Link.cpp - A kernel with the functions it calls -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Link.h"

#include "../Text/Parser.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

namespace {

constexpr unsigned kMaxCallDepth = 64;

uint64_t alignedTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

class Linker {
public:
  Linker(const Program &program, const std::map<std::string, uint64_t> &globals)
      : program(program), globals(globals) {}

  Result<Linked> run(const Function &kernel, uint32_t dynamicSharedBytes) {
    try {
      add(kernel, 0);
      placeDynamic(dynamicSharedBytes);
      if (linked.localBytes > kMaxLocalBytes)
        fail(kernel.position, "kernel '" + kernel.name + "' and what it calls need " +
                                  std::to_string(linked.localBytes) +
                                  " bytes of local memory; a thread has at most " +
                                  std::to_string(kMaxLocalBytes));
      for (Instruction &instruction : linked.code)
        if (instruction.opcode == "st" &&
            (instruction.space == Space::Global || instruction.space == Space::Generic))
          instruction.storeNumber = ++linked.stores;
      linked.copiesFromGlobal =
          std::any_of(linked.code.begin(), linked.code.end(), [](const Instruction &instruction) {
            return instruction.opcode == "cp" && instruction.operands.size() > 2;
          });
    } catch (const ParseFailure &failure) {
      return failure.error;
    }
    return std::move(linked);
  }

private:
  struct Placed {
    uint32_t entry;
    uint64_t localBase;
    bool isOpen;
  };

  /// Appends a function once and returns where it begins.
  Placed add(const Function &function, unsigned depth) {
    if (depth > kMaxCallDepth)
      fail(function.position, "calls are nested deeper than " + std::to_string(kMaxCallDepth));
    auto [known, isNew] = placed.try_emplace(function.name);
    if (!isNew && known->second.isOpen)
      fail(function.position,
           "function '" + function.name + "' calls itself; that is not supported");
    if (!isNew)
      return known->second;
    uint32_t firstRegister = static_cast<uint32_t>(linked.registerNames.size());
    uint32_t firstPc = static_cast<uint32_t>(linked.code.size());
    uint64_t localBase = alignedTo(linked.localBytes, 16);
    uint64_t sharedBase = alignedTo(linked.sharedBytes, 16);
    linked.localBytes = localBase + function.localBytes;
    linked.sharedBytes = sharedBase + function.sharedBytes;
    Placed here{firstPc, localBase, true};
    known->second = here;
    linked.registerNames.insert(linked.registerNames.end(), function.registerNames.begin(),
                                function.registerNames.end());
    linked.code.insert(linked.code.end(), function.code.begin(), function.code.end());
    for (size_t index = 0; index < function.code.size(); ++index) {
      Instruction instruction = function.code[index];
      instruction.guard += firstRegister;
      for (uint32_t *pc : {&instruction.target, &instruction.reconvergence})
        *pc += *pc == kNowhere ? 0 : firstPc;
      for (uint32_t &pc : instruction.targets)
        pc += firstPc;
      for (Operand &operand : instruction.operands)
        place(operand, function, firstRegister, localBase, sharedBase);
      if (instruction.opcode == "call")
        addCall(instruction, depth);
      linked.code[firstPc + index] = std::move(instruction);
    }
    placed[function.name].isOpen = false;
    return here;
  }

  void addCall(Instruction &instruction, unsigned depth) {
    size_t index =
        instruction.operands.size() > 1 && instruction.operands[0].kind == Operand::Kind::List ? 1
                                                                                               : 0;
    const Operand &name = instruction.operands[index];
    auto callee = program.functions.find(name.name);
    if (callee == program.functions.end() || !callee->second.isDefined)
      fail(instruction.position, "call of '" + name.name + "', which the module does not define");
    Placed at = add(callee->second, depth + 1);
    instruction.target = at.entry;
    describeCopies(instruction, callee->second, index, at.localBase);
  }

  /// Operands become two lists of integers, from, to, bytes thrice: what is
  /// copied before the call and after it.
  void describeCopies(Instruction &instruction, const Function &callee, size_t nameIndex,
                      uint64_t localBase) {
    Operand before, after;
    before.kind = after.kind = Operand::Kind::List;
    auto addCopies = [&](Operand &list, const Operand *given, const std::vector<Variable> &formal,
                         size_t firstVariable, bool isIn) {
      // Decoding has compared their numbers and sizes.
      for (size_t k = 0; k < formal.size(); ++k) {
        const Variable &variable = callee.variables[firstVariable + k];
        uint64_t inner = localBase + variable.offset, outer = given->elements[k].bits;
        for (uint64_t value : {isIn ? outer : inner, isIn ? inner : outer, variable.bytes}) {
          Operand number;
          number.kind = Operand::Kind::Integer;
          number.bits = value;
          list.elements.push_back(number);
        }
      }
    };
    std::vector<Operand> &operands = instruction.operands;
    const Operand *arguments = operands.size() > nameIndex + 1 ? &operands[nameIndex + 1] : nullptr;
    addCopies(before, arguments, callee.parameters, 0, true);
    addCopies(after, nameIndex ? &operands[0] : nullptr, callee.results, callee.parameters.size(),
              false);
    instruction.operands = {before, after};
  }

  void place(Operand &operand, const Function &function, uint32_t firstRegister, uint64_t localBase,
             uint64_t sharedBase) {
    for (Operand &element : operand.elements)
      place(element, function, firstRegister, localBase, sharedBase);
    if (operand.kind == Operand::Kind::Register)
      operand.index += firstRegister;
    if (operand.kind != Operand::Kind::Variable)
      return;
    operand.kind = Operand::Kind::Integer;
    uint64_t address;
    if (operand.index == kNowhere) {
      address = placeGlobal(operand);
    } else {
      const Variable &variable = function.variables[operand.index];
      bool isLocal = variable.space == Space::Local;
      bool isShared = variable.space == Space::Shared;
      address = variable.offset + (isLocal ? localBase : isShared ? sharedBase : 0);
    }
    operand.bits = address + static_cast<uint64_t>(operand.offset);
    operand.offset = 0;
  }

  uint64_t placeGlobal(const Operand &operand) {
    if (auto found = globals.find(operand.name); found != globals.end())
      return found->second;
    auto [known, isNew] = shared.try_emplace(operand.name, 0);
    if (!isNew)
      return known->second;
    for (const Variable &variable : program.globals)
      if (variable.name == operand.name) {
        if (variable.isDynamic || variable.bytes == 0) {
          dynamicAlignment = std::max(dynamicAlignment, variable.alignment);
          return known->second = kDynamicBase;
        }
        linked.sharedBytes = alignedTo(linked.sharedBytes, variable.alignment);
        known->second = linked.sharedBytes;
        linked.sharedBytes += variable.bytes;
      }
    return known->second;
  }

  void placeDynamic(uint32_t bytes) {
    uint64_t base = alignedTo(linked.sharedBytes, dynamicAlignment);
    linked.sharedBytes = (bytes ? base : linked.sharedBytes) + bytes;
    auto patch = [&](auto &self, Operand &operand) -> void {
      for (Operand &element : operand.elements)
        self(self, element);
      if (operand.kind == Operand::Kind::Integer && operand.bits >= kDynamicBase &&
          operand.bits < kDynamicBase + (uint64_t(1) << 32))
        operand.bits += base - kDynamicBase;
    };
    for (Instruction &instruction : linked.code)
      for (Operand &operand : instruction.operands)
        patch(patch, operand);
  }

  /// Stands for the dynamic memory's address until all static memory is placed.
  static constexpr uint64_t kDynamicBase = uint64_t(0x5eed) << 48;
  uint64_t dynamicAlignment = 128;

  const Program &program;
  const std::map<std::string, uint64_t> &globals;
  std::map<std::string, Placed> placed;
  std::map<std::string, uint64_t> shared;
  Linked linked;
};

} // namespace

bool Linked::hasAcquire() const {
  return std::any_of(code.begin(), code.end(),
                     [](const Instruction &instruction) { return acquires(instruction.order); });
}

std::string Linked::lineOf(uint32_t pc) const {
  const Instruction &there = code[pc];
  return "PTX line " + std::to_string(there.position.line) +
         (there.sourceLine ? " (source line " + std::to_string(there.sourceLine) + ")" : "");
}

Result<Linked> sim::link(const Program &program, const Function &kernel,
                         uint32_t dynamicSharedBytes,
                         const std::map<std::string, uint64_t> &globals) {
  return Linker(program, globals).run(kernel, dynamicSharedBytes);
}
