//===- Declarations.cpp - What PTX may declare ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// PTX is input like any other: names are declared once, and sizes and alignments are such
// that no sum of them overflows and none asks the host for much more than the text is long.

#include "Parser.h"

using namespace fsm;
using namespace fsm::sim;

/// More registers than any compiler numbers in one module.
static constexpr uint64_t kMaxRegisters = 1 << 19;

uint64_t Parser::expectPowerOfTwo(uint64_t most) {
  Position position = peek().position;
  uint64_t alignment = expectInteger("an alignment");
  if (!alignment || alignment > most || (alignment & (alignment - 1)))
    fail(position, "expected an alignment that is a power of two up to " + std::to_string(most) +
                       ", got " + std::to_string(alignment));
  return alignment;
}

/// Registers, parameters and variables share their names in each pair of braces.
void Parser::declare(const std::string &name, Position position, Meaning meaning) {
  if (name != "_" && !scopes.back().emplace(name, meaning).second)
    fail(position, "'" + name + "' is declared twice");
}

void Parser::takeRegisters(uint64_t count, Position position) {
  if (count > kMaxRegisters - registers)
    fail(position, "expected at most 524288 registers of a module");
  registers += count;
  scopes.back().reserve(scopes.back().size() + count);
  function->registerNames.reserve(function->registerNames.size() + count);
}

void Parser::declareRegister(const std::string &name, Position position, Type type) {
  declare(name, position, {Operand::Kind::Register, function->registers++});
  function->registerNames.push_back(name);
  function->registerBits.push_back(static_cast<uint8_t>(bitsOf(type)));
}

void Parser::declareLocal(Variable variable) {
  if (variable.space == Space::Global || variable.space == Space::Const)
    fail(variable.position, "variable '" + variable.name + "' of a function must not be global");
  declare(variable.name, variable.position,
          {Operand::Kind::Variable, static_cast<uint32_t>(function->variables.size())});
  function->variables.push_back(std::move(variable));
}

/// A variable is defined once; `.extern` names one that is defined elsewhere, or here.
void Parser::declareGlobal(Variable variable) {
  auto [known, isNew] = globals.emplace(variable.name, program.globals.size());
  if (isNew)
    return program.globals.push_back(std::move(variable));
  Variable &other = program.globals[known->second];
  if (!other.isExtern && !variable.isExtern)
    fail(variable.position, "variable '" + variable.name + "' is defined twice");
  if (other.space != variable.space)
    fail(variable.position, "variable '" + variable.name + "' is declared in two spaces");
  if (other.isExtern && !variable.isExtern)
    other = std::move(variable);
}

/// What initial values refer to may come behind them.
void Parser::checkReferences() const {
  for (const Variable &variable : program.globals)
    for (const auto &[place, name] : variable.references) {
      auto target = globals.find(name);
      if (target == globals.end() || program.globals[target->second].space == Space::Shared)
        fail(variable.position, "the initial value of '" + variable.name + "' refers to '" + name +
                                    "', which has no address");
    }
}

/// A module's variable is named by each function that uses it.
std::optional<Operand> Parser::find(const std::string &name) const {
  Operand operand;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end()) {
      operand.kind = found->second.kind;
      operand.index = found->second.index;
      return operand;
    }
  if (!globals.count(name))
    return std::nullopt;
  operand.kind = Operand::Kind::Variable;
  operand.name = name;
  operand.index = kNowhere;
  return operand;
}
