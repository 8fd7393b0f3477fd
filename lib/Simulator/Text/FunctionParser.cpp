//===- FunctionParser.cpp - The functions of PTX -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Threads/SpecialRegisters.h"
#include "Parser.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

/// Brackets in brackets; PTX has two levels.
static constexpr unsigned kMaxNesting = 16;
/// Braces in braces: each is looked through for each name.
static constexpr unsigned kMaxBraces = 64;
/// Shared memory is checked at the launch, which knows how much a block has.
static constexpr uint64_t kMaxSharedBytes = 1 << 24;

static uint64_t alignedTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// `.entry name (parameters) attributes { body }`; a function has `(results)`
/// before its name.
void Parser::parseFunction(bool isEntry) {
  Position position = peek().position;
  std::vector<Variable> results;
  while (takeIfDotted("noreturn"))
    ;
  if (!isEntry && peek().is('('))
    results = parseParameters();
  std::string name = expectName("a function's name");
  std::vector<Variable> parameters;
  if (peek().is('('))
    parameters = parseParameters();
  Function &here = program.functions[name];
  if (here.isDefined)
    fail(position, "function '" + name + "' is defined twice");
  here = Function();
  here.name = name;
  here.isEntry = isEntry;
  here.position = position;
  here.parameters = parameters;
  here.results = results;
  function = &here;
  scopes.assign(1, {});
  for (const std::vector<Variable> *list : {&parameters, &results})
    for (const Variable &variable : *list)
      declareLocal(variable);
  parseAttributes();
  if (!takeIf(';')) {
    here.isDefined = true;
    parseBody();
  }
  function = nullptr;
}

/// `(.param [.align N] .type [.ptr [.space] [.align N]] name[extent], ...)`
std::vector<Variable> Parser::parseParameters() {
  std::vector<Variable> parameters;
  expect('(');
  while (!peek().is(')')) {
    if (!takeIfDotted("param"))
      unexpected("'.param'");
    Variable variable;
    variable.space = Space::Param;
    uint64_t alignment = 0;
    bool isPointee = false;
    while (peek().kind == Token::Kind::Dotted) {
      Token token = take();
      if (token.text == "align") {
        // What is promised of an address takes no room, and ptxas bounds it by its word alone.
        if (isPointee)
          expectPowerOfTwo(uint64_t{1} << 31);
        else
          alignment = expectAlignment();
      } else if (Type type = typeNamed(std::string(token.text)); type != Type::None) {
        variable.bytes = bytesOf(type);
      } else if (token.text == "ptr") {
        isPointee = true;
      }
    }
    if (!variable.bytes)
      unexpected("a type of whole bytes before the parameter's name");
    variable.position = peek().position;
    variable.name = expectName("a parameter's name");
    variable.alignment = alignment ? alignment : variable.bytes;
    if (takeIf('[')) {
      if (!peek().is(']'))
        variable.bytes *= std::min(expectInteger("an extent"), kMaxParameterBytes + 1);
      if (variable.bytes > kMaxParameterBytes)
        fail(peek().position, "expected parameters of at most 32764 bytes");
      expect(']');
    }
    parameters.push_back(std::move(variable));
    if (!takeIf(','))
      break;
  }
  expect(')');
  return parameters;
}

void Parser::parseThreads(uint32_t (&threads)[3]) {
  constexpr uint64_t most = 1024;
  for (uint32_t &extent : threads)
    extent = 1;
  unsigned dimension = 0;
  do {
    Position position = peek().position;
    uint64_t extent = expectInteger("a number of threads");
    if (!extent || extent > most)
      fail(position, "expected 1 to 1024 threads, got " + std::to_string(extent));
    threads[dimension++] = static_cast<uint32_t>(extent);
  } while (dimension < 3 && takeIf(','));
}

/// PTX ISA 9.0, 11.5: of clusters, those along x are simulated, of 16 blocks at most.
void Parser::parseCluster(Position position) {
  uint32_t extents[3];
  parseThreads(extents);
  if (extents[1] != 1 || extents[2] != 1 || extents[0] > kMostClusterBlocks)
    fail(position, "clusters but those of 1 to 16 blocks along x are not supported");
  function->clusterBlocks = extents[0];
}

void Parser::parseAttributes() {
  while (peek().kind == Token::Kind::Dotted) {
    Token token = take();
    if (token.text == "reqntid") {
      parseThreads(function->requiredThreads);
    } else if (token.text == "maxntid") {
      parseThreads(function->maximalThreads);
    } else if (token.text == "reqnctapercluster") {
      parseCluster(token.position);
    } else if (token.text == "pragma") {
      skipTo(';');
    } else {
      // .minnctapersm, .maxnreg, .noreturn and their like: nothing that a
      // simulated launch depends on.
      while (peek().kind == Token::Kind::Integer || peek().is(','))
        take();
    }
  }
}

std::string Parser::nameIn(uint32_t block, const std::string &name) {
  return name + "{" + std::to_string(block);
}

std::string Parser::labelSeenIn(uint32_t block, const std::string &name) const {
  for (;; block = blocksAround[block]) {
    std::string full = nameIn(block, name);
    if (labels.count(full))
      return full;
    if (!block)
      return "";
  }
}

/// `name:`, and its `.branchtargets` if it is the label of a table.
void Parser::declareLabel() {
  Token label = take();
  take();
  std::string name = nameIn(block, std::string(label.text));
  if (!labels.emplace(name, function->code.size()).second)
    fail(label.position, "label '" + std::string(label.text) + "' is defined twice");
  if (takeIfDotted("branchtargets"))
    parseBranchTargets(name);
}

void Parser::parseBody() {
  labels.clear();
  tables.clear();
  blocksAround.assign(1, 0);
  blockOf.clear();
  block = 0;
  expect('{');
  while (!scopes.empty()) {
    blockOf.resize(function->code.size(), block);
    if (takeIf('}')) {
      scopes.pop_back();
      block = blocksAround[block];
    } else if (takeIf('{')) {
      if (scopes.size() == kMaxBraces)
        fail(tokens[next - 1].position,
             "braces are nested deeper than " + std::to_string(kMaxBraces) + " levels");
      scopes.emplace_back();
      blocksAround.push_back(block);
      block = static_cast<uint32_t>(blocksAround.size() - 1);
    } else if (takeIf(';')) {
      continue;
    } else if (peek().kind == Token::Kind::Name && peek(1).is(':')) {
      declareLabel();
    } else if (peek().kind != Token::Kind::Dotted || !parseDirective()) {
      parseStatement();
    }
  }
  // A body may end in a label.
  Instruction end;
  end.opcode = "ret";
  end.position = tokens[next - 1].position;
  function->code.push_back(end);
  blockOf.resize(function->code.size(), 0);
  resolveLabels();
  placeVariables();
}

bool Parser::parseDirective() {
  if (peek().isDotted("reg")) {
    take();
    parseRegisters();
  } else if (peek().isDotted("loc")) {
    parseLocation();
  } else if (peek().isDotted("pragma")) {
    skipTo(';');
  } else if (spaceOfDirective()) {
    parseVariable(/*isExtern=*/false);
  } else {
    unexpected("an instruction or a directive of a body");
  }
  return true;
}

bool Parser::spaceOfDirective() const {
  for (const char *name : {"shared", "local", "param", "global", "const"})
    if (peek().isDotted(name))
      return true;
  return false;
}

/// `.reg .type %r<5>;` or `.reg .type a, b;`
void Parser::parseRegisters() {
  Token written = take();
  Type type = typeNamed(std::string(written.text));
  if (written.kind != Token::Kind::Dotted || type == Type::None)
    fail(written.position,
         "registers of type '." + std::string(written.text) + "' are not supported");
  do {
    Position position = peek().position;
    std::string name = expectName("a register's name");
    if (!takeIf('<')) {
      takeRegisters(1, position);
      declareRegister(name, position, type);
      continue;
    }
    uint64_t count = expectInteger("a number of registers");
    takeRegisters(count, position);
    expect('>');
    for (uint64_t number = 0; number < count; ++number)
      declareRegister(name + std::to_string(number), position, type);
  } while (takeIf(','));
  expect(';');
}

/// `[@[!]p] opcode.modifiers operands;`
void Parser::parseStatement() {
  Instruction instruction;
  instruction.position = peek().position;
  instruction.sourceFile = sourceFile;
  instruction.sourceLine = sourceLine;
  if (takeIf('@')) {
    instruction.isGuarded = true;
    instruction.guardNegated = takeIf('!');
    Operand guard = parsePrimary();
    if (guard.kind != Operand::Kind::Register)
      fail(guard.position, "expected a predicate after '@'");
    instruction.guard = guard.index;
  }
  if (peek().kind != Token::Kind::Name)
    unexpected("an instruction");
  instruction.position = peek().position;
  instruction.opcode = std::string(take().text);
  while (peek().kind == Token::Kind::Dotted)
    instruction.modifiers.emplace_back(take().text);
  while (!peek().is(';')) {
    instruction.operands.push_back(parseOperand());
    if (!takeIf(','))
      break;
  }
  expect(';');
  function->code.push_back(std::move(instruction));
}

/// `label: .branchtargets label, label, ...;`
void Parser::parseBranchTargets(const std::string &label) {
  std::vector<Token> &table = tables[label];
  do {
    if (peek().kind != Token::Kind::Name)
      unexpected("a label");
    table.push_back(take());
  } while (takeIf(','));
  expect(';');
}

uint32_t Parser::labelAt(const std::string &name, Position position, uint32_t block) const {
  auto found = labels.find(labelSeenIn(block, name));
  if (found == labels.end())
    fail(position, "unknown label '" + name + "'");
  return found->second;
}

/// `brx.idx index, table;`
void Parser::resolveTable(Instruction &instruction, uint32_t block) {
  const std::vector<Operand> &operands = instruction.operands;
  if (operands.size() != 2 || operands[0].kind != Operand::Kind::Register ||
      operands[1].kind != Operand::Kind::Name)
    fail(instruction.position, "expected a register and the label of '.branchtargets' after 'brx'");
  auto table = tables.find(labelSeenIn(block, operands[1].name));
  if (table == tables.end())
    fail(operands[1].position, "label '" + operands[1].name + "' has no '.branchtargets'");
  for (const Token &label : table->second)
    instruction.targets.push_back(labelAt(std::string(label.text), label.position, block));
}

void Parser::resolveLabels() {
  for (size_t pc = 0; pc < function->code.size(); ++pc) {
    Instruction &instruction = function->code[pc];
    if (instruction.opcode == "brx")
      resolveTable(instruction, blockOf[pc]);
    if (instruction.opcode != "bra")
      continue;
    if (instruction.operands.size() != 1 || instruction.operands[0].kind != Operand::Kind::Name)
      fail(instruction.position, "expected a label after 'bra'");
    const Operand &label = instruction.operands[0];
    instruction.target = labelAt(label.name, label.position, blockOf[pc]);
  }
}

/// Gives every variable of the function its offset in its space.
void Parser::placeVariables() {
  size_t parameters = function->parameters.size();
  for (size_t index = 0; index < function->variables.size(); ++index) {
    Variable &variable = function->variables[index];
    bool isEntryParameter = function->isEntry && index < parameters;
    uint64_t *bytes = variable.space == Space::Shared ? &function->sharedBytes
                      : isEntryParameter              ? &function->parameterBytes
                                                      : &function->localBytes;
    uint64_t most = variable.space == Space::Shared ? kMaxSharedBytes
                    : isEntryParameter              ? kMaxParameterBytes
                                                    : kMaxLocalBytes;
    if (variable.space == Space::Param && !isEntryParameter)
      variable.space = Space::Local; // A parameter of a call.
    *bytes = alignedTo(*bytes, variable.alignment);
    variable.offset = *bytes;
    *bytes += variable.bytes;
    if (*bytes > most)
      fail(variable.position, "expected at most " + std::to_string(most) +
                                  " bytes of parameters, of local or of shared memory up to '" +
                                  variable.name + "', got " + std::to_string(*bytes));
    if (isEntryParameter)
      function->parameters[index].offset = variable.offset;
  }
}

Operand Parser::parseOperand() {
  Operand first = parsePrimary();
  if (!peek().is('|'))
    return first;
  take();
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.position = first.position;
  pair.elements = {first, parsePrimary()};
  return pair;
}

Operand Parser::parsePrimary() {
  Position position = peek().position;
  if (++nesting > kMaxNesting)
    fail(position, "nested deeper than " + std::to_string(kMaxNesting) + " levels");
  Operand operand;
  if (takeIf('!')) {
    operand = parsePrimary();
    operand.negated = true;
  } else if (takeIf('[')) {
    operand = parseAddress();
  } else if (takeIf('{')) {
    operand = parseList('}', Operand::Kind::Vector);
  } else if (takeIf('(')) {
    operand = parseList(')', Operand::Kind::List);
  } else if (takeIf('-')) {
    operand = parseNumber(true);
  } else if (peek().kind == Token::Kind::Name) {
    operand = parseName();
  } else {
    operand = parseNumber(false);
  }
  operand.position = position;
  --nesting;
  return operand;
}

Operand Parser::parseList(char last, Operand::Kind kind) {
  Operand list;
  list.kind = kind;
  while (!peek().is(last)) {
    list.elements.push_back(parsePrimary());
    if (!takeIf(','))
      break;
  }
  expect(last);
  return list;
}

/// `[register]`, `[variable+4]`, `[register-8]`, `[64]`, and `[map, {index, index}]` of a tensor
Operand Parser::parseAddress() {
  Operand address;
  address.kind = Operand::Kind::Address;
  address.elements.push_back(parsePrimary());
  bool isNegative = peek().is('-');
  if (isNegative || peek().is('+')) {
    take();
    isNegative ^= takeIf('-');
    uint64_t offset = expectInteger("an offset");
    address.offset = static_cast<int64_t>(isNegative ? -offset : offset);
  }
  if (takeIf(','))
    address.elements.push_back(parsePrimary());
  expect(']');
  return address;
}

Operand Parser::parseName() {
  Token token = take();
  std::string name(token.text);
  Operand operand;
  if (name == "_")
    return operand;
  std::optional<Operand> variable = find(name);
  if (variable && variable->kind == Operand::Kind::Register)
    return *variable;
  if (name[0] == '%') {
    while (peek().kind == Token::Kind::Dotted)
      name += "." + std::string(take().text);
    std::optional<Special> special = specialNamed(name);
    if (!special)
      fail(token.position, "unknown register '" + name + "'");
    operand.kind = Operand::Kind::SpecialRegister;
    operand.special = *special;
    return operand;
  }
  if (name == "WARP_SZ") {
    operand.kind = Operand::Kind::Integer;
    operand.bits = 32;
    return operand;
  }
  if (variable) {
    // `variable+4` as a value.
    if (peek().is('+') && peek(1).kind == Token::Kind::Integer) {
      take();
      variable->offset = static_cast<int64_t>(take().bits);
    }
    return *variable;
  }
  operand.kind = Operand::Kind::Name;
  operand.name = name;
  return operand;
}

Operand Parser::parseNumber(bool isNegative) {
  Operand operand;
  const Token &token = peek();
  switch (token.kind) {
  case Token::Kind::Integer:
    operand.kind = Operand::Kind::Integer;
    operand.bits = isNegative ? -token.bits : token.bits;
    break;
  case Token::Kind::Real:
    operand.kind = Operand::Kind::Real;
    operand.bits = isNegative ? token.bits ^ (uint64_t(1) << 63) : token.bits;
    break;
  case Token::Kind::Real32:
    operand.kind = Operand::Kind::Real32;
    operand.bits = isNegative ? token.bits ^ (uint64_t(1) << 31) : token.bits;
    break;
  default:
    unexpected("an operand");
  }
  take();
  return operand;
}
