//===- Lexer.cpp - The tokens that MLIR's parser will see ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include <algorithm>

using namespace fsm;

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool isHexDigit(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// What may stand in `%x`, `!x`, `#x` and `^x` besides letters and digits.
static constexpr std::string_view kSuffixPunctuation = "$._-";
/// What may stand in words and in `@x`.
static constexpr std::string_view kWordPunctuation = "$._";

void Lexer::skipBlanks() {
  for (; position < text.size(); ++position) {
    char c = text[position];
    if (c == '/' && at(position + 1) == '/')
      position = std::min(text.find('\n', position), text.size()) - 1;
    else if (c != ' ' && c != '\t' && c != '\n')
      return;
  }
}

Token Lexer::take(Token::Kind kind, size_t end) {
  Token token{kind, text.substr(position, end - position), position, {}};
  position = end;
  return token;
}

size_t Lexer::endOfString(size_t start) const {
  size_t end = start + 1;
  while (end < text.size() && text[end] != '"') {
    // MLIR refuses a string that holds one of these.
    if (text[end] == '\n' || text[end] == '\v' || text[end] == '\f')
      return end;
    bool escapes = text[end] == '\\' && (at(end + 1) == '"' || at(end + 1) == '\\');
    end += escapes ? 2 : 1;
  }
  return std::min(end + 1, text.size());
}

size_t Lexer::endOfNumber() const {
  size_t end = position + 1;
  auto skipDigits = [&] {
    while (isDigit(at(end)))
      ++end;
  };
  if (text[position] == '0' && at(end) == 'x') {
    if (!isHexDigit(at(end + 1)))
      return end;
    ++end;
    while (isHexDigit(at(end)))
      ++end;
    return end;
  }
  skipDigits();
  if (at(end) != '.')
    return end;
  ++end;
  skipDigits();
  if (at(end) == 'e' || at(end) == 'E') {
    size_t digits = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-');
    if (isDigit(at(digits))) {
      end = digits;
      skipDigits();
    }
  }
  return end;
}

size_t Lexer::endOfName(size_t start, std::string_view punctuation) const {
  size_t end = start;
  while (isLetter(at(end)) || isDigit(at(end)) ||
         (end < text.size() && punctuation.find(text[end]) != punctuation.npos))
    ++end;
  return end;
}

static Token::Kind kindOf(char sigil) {
  switch (sigil) {
  case '%':
    return Token::Kind::Value;
  case '!':
    return Token::Kind::Type;
  case '#':
    return Token::Kind::Attribute;
  default:
    return Token::Kind::Block;
  }
}

Token Lexer::nextCode() {
  bool mayBeExtents = behindExtent;
  behindExtent = false;
  if (position >= text.size())
    return take(Token::Kind::End, position);
  char c = text[position], following = at(position + 1);
  if (isDigit(c)) {
    behindExtent = true;
    return take(Token::Kind::Number, endOfNumber());
  }
  if (c == 'x' && mayBeExtents)
    return take(Token::Kind::Word, position + 1);
  if (isLetter(c) || c == '_')
    return take(Token::Kind::Word, endOfName(position, kWordPunctuation));
  switch (c) {
  case '"':
    return take(Token::Kind::String, endOfString(position));
  case '%':
  case '!':
  case '#':
  case '^':
    if (isDigit(following)) {
      size_t end = position + 1;
      while (isDigit(at(end)))
        ++end;
      return take(kindOf(c), end);
    }
    if (size_t end = endOfName(position + 1, kSuffixPunctuation); end > position + 1)
      return take(kindOf(c), end);
    break;
  case '@':
    if (following == '"')
      return take(Token::Kind::Symbol, endOfString(position + 1));
    if (isLetter(following) || following == '_')
      return take(Token::Kind::Symbol, endOfName(position + 1, kWordPunctuation));
    break;
  case '-':
    if (following == '>')
      return take(Token::Kind::Arrow, position + 2);
    break;
  case '?':
  case '*':
  case ']':
    behindExtent = true;
    break;
  default:
    break;
  }
  return take(Token::Kind::Punctuation, position + 1);
}

Error fsm::errorAt(std::string_view text, size_t offset, const std::string &fileName,
                   const std::string &sentence) {
  std::string_view before = text.substr(0, offset);
  size_t line = 1 + static_cast<size_t>(std::count(before.begin(), before.end(), '\n'));
  size_t lastEnd = before.rfind('\n');
  size_t column = offset - (lastEnd == before.npos ? 0 : lastEnd + 1) + 1;
  return badInput(fileName + ":" + std::to_string(line) + ":" + std::to_string(column) +
                  ": error: " + sentence);
}
