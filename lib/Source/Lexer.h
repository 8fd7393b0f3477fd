//===- Lexer.h - The tokens that MLIR's parser will see --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SOURCE_LEXER_H
#define FSM_LIB_SOURCE_LEXER_H

#include "fsm/Support/Result.h"

#include <string>
#include <string_view>

namespace fsm {

struct Token {
  enum class Kind {
    End,
    /// `module`, `arith.addi`, `tensor`, `i32`.
    Word,
    /// `12`, `0x1F`, `1.5e3`.
    Number,
    /// With its quotes; the second is missing where the line ends before it.
    String,
    /// Names with their sigil: `%x`, `!x`, `#x`, `@x` and `@"x"`, `^x`.
    Value,
    Type,
    Attribute,
    Symbol,
    Block,
    /// `->`.
    Arrow,
    /// Any other character. A sigil without a name is one, too.
    Punctuation
  };
  Kind kind = Kind::End;
  std::string_view text;
  size_t offset = 0;
  /// Blanks and comments between it and the token before.
  std::string_view skipped;

  bool is(Kind other) const { return kind == other; }
  bool is(char c) const { return kind == Kind::Punctuation && text.front() == c; }
  bool is(Kind other, std::string_view spelling) const { return kind == other && text == spelling; }
};

/// Splits a text without carriage returns where MLIR's lexer does: a `-` may be part of `%a-b`.
/// The `x` between the extents of a shape is a word of its own, as it is for MLIR's parser, so
/// that the word behind it is seen.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}

  Token next() {
    size_t start = position;
    skipBlanks();
    std::string_view skipped = text.substr(start, position - start);
    Token token = nextCode();
    token.skipped = skipped;
    return token;
  }

private:
  Token nextCode();
  void skipBlanks();
  Token take(Token::Kind kind, size_t end);
  size_t endOfString(size_t start) const;
  size_t endOfNumber() const;
  /// Behind the characters from `start` that a name holds, `punctuation` being such ones.
  size_t endOfName(size_t start, std::string_view punctuation) const;
  char at(size_t offset) const { return offset < text.size() ? text[offset] : '\0'; }

  std::string_view text;
  size_t position = 0;
  /// Whether the last token may be an extent of a shape.
  bool behindExtent = false;
};

/// A refusal at an offset of the text of a file.
Error errorAt(std::string_view text, size_t offset, const std::string &fileName,
              const std::string &sentence);

} // namespace fsm

#endif // FSM_LIB_SOURCE_LEXER_H
