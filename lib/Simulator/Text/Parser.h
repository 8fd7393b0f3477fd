//===- Parser.h - PTX text to plain data ------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_TEXT_PARSER_H
#define FSM_LIB_SIMULATOR_TEXT_PARSER_H

#include "Lexer.h"

#include <optional>
#include <unordered_map>

namespace fsm::sim {

/// Thrown inside the parser and the decoder only; parseProgram catches it.
struct ParseFailure {
  Error error;
};

[[noreturn]] inline void fail(Position position, const std::string &sentence) {
  throw ParseFailure{errorAt(position, sentence)};
}

/// Reads a module. What it returns is decoded: every instruction has its
/// `execute`, branches their targets and reconvergence points.
Result<Program> parseProgram(std::string_view text);

/// The recursive-descent parser: one token ahead, errors thrown.
class Parser {
public:
  explicit Parser(std::vector<Token> tokens) : tokens(std::move(tokens)) {}
  Program run();

private:
  // Tokens.
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(next + ahead, tokens.size() - 1)];
  }
  Token take() { return tokens[next < tokens.size() - 1 ? next++ : next]; }
  bool takeIf(char c);
  bool takeIfDotted(std::string_view name);
  Token expect(char c);
  std::string expectName(const char *what);
  uint64_t expectInteger(const char *what);
  [[noreturn]] void unexpected(const std::string &wanted) const;

  // Directives.
  void parseTopLevel();
  void skipTo(char last);
  void skipBlock();
  void parseVersion();
  void parseTarget();
  void parseFile();
  void parseLocation();
  void parseVariable(bool isExtern);
  std::vector<uint64_t> parseExtents(Variable &variable);
  void parseInitial(Variable &variable, unsigned elementBytes);
  void parseInitialValue(Variable &variable, unsigned elementBytes, uint64_t place);

  // Declarations.
  struct Meaning {
    Operand::Kind kind = Operand::Kind::Register;
    uint32_t index = 0;
  };
  /// Of what has a place here.
  uint64_t expectAlignment() { return expectPowerOfTwo(1 << 16); }
  uint64_t expectPowerOfTwo(uint64_t most);
  void declare(const std::string &name, Position position, Meaning meaning);
  void takeRegisters(uint64_t count, Position position);
  void declareRegister(const std::string &name, Position position, Type type);
  void declareGlobal(Variable variable);
  void declareLocal(Variable variable);
  void checkReferences() const;
  std::optional<Operand> find(const std::string &name) const;

  // Functions.
  void parseFunction(bool isEntry);
  std::vector<Variable> parseParameters();
  void parseAttributes();
  void parseThreads(uint32_t (&threads)[3]);
  void parseCluster(Position position);
  void parseBody();
  bool parseDirective();
  bool spaceOfDirective() const;
  void parseRegisters();
  void parseStatement();
  void parseBranchTargets(const std::string &label);
  void resolveLabels();
  uint32_t labelAt(const std::string &name, Position position, uint32_t block) const;
  void declareLabel();
  /// A label's name in a block of braces, and the one that is meant there: its own or
  /// that of a block around it; empty if there is none.
  static std::string nameIn(uint32_t block, const std::string &name);
  std::string labelSeenIn(uint32_t block, const std::string &name) const;
  void resolveTable(Instruction &instruction, uint32_t block);
  void placeVariables();

  // Operands.
  Operand parseOperand();
  Operand parsePrimary();
  Operand parseList(char last, Operand::Kind kind);
  Operand parseAddress();
  Operand parseName();
  Operand parseNumber(bool isNegative);

  std::vector<Token> tokens;
  size_t next = 0;
  Program program;
  Function *function = nullptr;
  /// What the names in each pair of braces mean that is open, and the module's variables.
  std::vector<std::unordered_map<std::string, Meaning>> scopes;
  std::unordered_map<std::string, size_t> globals;
  uint64_t registers = 0;
  /// Where labels are, by their name in their block.
  std::unordered_map<std::string, uint32_t> labels;
  /// The blocks of the body: the one around each, and the one of each instruction.
  std::vector<uint32_t> blocksAround, blockOf;
  uint32_t block = 0;
  /// `.branchtargets` of a function, by their label.
  std::unordered_map<std::string, std::vector<Token>> tables;
  uint32_t sourceFile = 0, sourceLine = 0;
  unsigned nesting = 0;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_TEXT_PARSER_H
