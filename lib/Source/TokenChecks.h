//===- TokenChecks.h - What may not reach MLIR's parser --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SOURCE_TOKENCHECKS_H
#define FSM_LIB_SOURCE_TOKENCHECKS_H

#include "Lexer.h"

#include "fsm/Source/SourceText.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fsm {

/// What is wrong with a text, and where.
struct Fault {
  size_t offset;
  std::string sentence;
};

/// Looks at the tokens of a text one after another, the last of which is Token::Kind::End, for
/// what MLIR's parser or its verifiers cannot bear: see the checks below.
class TokenChecks {
public:
  explicit TokenChecks(Layouts layouts) : layouts(layouts) {}

  std::optional<Fault> see(const Token &token);

private:
  /// An open bracket; `name` is the token before it, as the `tensor` before its `<`.
  struct Bracket {
    char opens;
    Token name;
    /// How many extents of a shape there are in it.
    size_t extents = 0;
    /// Whether this is the `<` of `!dialect.type<` or `#dialect.attribute<`.
    bool isSymbol() const {
      return opens == '<' && (name.is(Token::Kind::Type) || name.is(Token::Kind::Attribute));
    }
  };
  /// How deep an alias is nested, and how long it is with all others in it written out.
  struct Alias {
    size_t depth = 0, bytes = 0;
  };

  /// Recursion: brackets and aliases of aliases may not be too deep.
  std::optional<Fault> checkNesting(const Token &token);
  /// Places: where MLIR looks for the end of `!dialect.type<...>`, and where it splits files,
  /// it looks at characters, not at tokens.
  std::optional<Fault> checkPlaces(const Token &token);
  /// Time and memory: numbers, widths of integers, and numbers of results that MLIR makes
  /// room for before it knows them.
  std::optional<Fault> checkSizes(const Token &token);
  /// Null: types and attributes whose parsers or verifiers dereference it.
  std::optional<Fault> checkTypes(const Token &token);
  /// Text that aliases of aliases stand for doubles with each line.
  std::optional<Fault> checkAliases(const Token &token);
  std::optional<Fault> useAlias();

  /// The name of the innermost dialect's symbol that is open.
  std::string symbolName() const;
  bool isInTensor() const {
    return !brackets.empty() && brackets.back().opens == '<' &&
           brackets.back().name.is(Token::Kind::Word, "tensor");
  }
  bool isBehindOperator() const {
    return last.is('=') || last.is(':') || last.is('-') || last.is(Token::Kind::Arrow);
  }

  Layouts layouts;
  /// The tokens before the one that is looked at.
  Token last, secondToLast;
  std::vector<Bracket> brackets;
  /// How many of them are those of dialects' symbols.
  size_t openSymbols = 0;
  bool hasVector = false, hasLayout = false;
  size_t resultNumbers = 0, expandedBytes = 0;
  std::map<std::string, Alias, std::less<>> aliases;
  /// The alias whose definition is read, or null.
  Alias *defined = nullptr;
};

} // namespace fsm

#endif // FSM_LIB_SOURCE_TOKENCHECKS_H
