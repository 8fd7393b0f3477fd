//===- Lexer.cpp - The tokens of PTX -------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace fsm;
using namespace fsm::sim;

Error sim::errorAt(Position position, const std::string &sentence) {
  return badInput(std::to_string(position.line) + ":" + std::to_string(position.column) +
                  ": error: " + sentence);
}

namespace {

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}

  Result<std::vector<Token>> run() {
    std::vector<Token> tokens;
    while (true) {
      if (Result<void> skipped = skipBlanks(); !skipped)
        return skipped.error();
      Result<Token> token = next();
      if (!token)
        return token.error();
      tokens.push_back(*token);
      if (token->kind == Token::Kind::End)
        return tokens;
    }
  }

private:
  char peek(size_t ahead = 0) const {
    return offset + ahead < text.size() ? text[offset + ahead] : '\0';
  }
  void advance(size_t count = 1) {
    for (; count && offset < text.size(); --count, ++offset) {
      position.column = peek() == '\n' ? 1 : position.column + 1;
      position.line += peek() == '\n';
    }
  }

  Result<void> skipBlanks() {
    while (offset < text.size()) {
      if (std::isspace(static_cast<unsigned char>(peek()))) {
        advance();
      } else if (peek() == '/' && peek(1) == '/') {
        advance(std::min(text.find('\n', offset), text.size()) - offset);
      } else if (peek() == '/' && peek(1) == '*') {
        size_t end = text.find("*/", offset + 2);
        if (end == text.npos)
          return errorAt(position, "expected '*/' to end the comment");
        advance(end + 2 - offset);
      } else {
        break;
      }
    }
    return {};
  }

  Token take(Token::Kind kind, size_t length, size_t skipped = 0) {
    Token token;
    token.kind = kind;
    token.position = position;
    token.text = text.substr(offset + skipped, length - skipped);
    advance(length);
    return token;
  }

  size_t wordLength(size_t from) const {
    size_t length = from;
    while (isWordCharacter(peek(length)) || (peek(length) == ':' && peek(length + 1) == ':'))
      length += peek(length) == ':' ? 2 : 1;
    return length;
  }

  Result<Token> next() {
    if (offset >= text.size())
      return take(Token::Kind::End, 0);
    char c = peek();
    if (isDigit(c))
      return number();
    if (isWordCharacter(c) || (c == '%' && isWordCharacter(peek(1)))) {
      size_t length = 1;
      while (isWordCharacter(peek(length)))
        ++length;
      return take(Token::Kind::Name, length);
    }
    if (c == '.' && isWordCharacter(peek(1)))
      return take(Token::Kind::Dotted, wordLength(1), 1);
    if (c == '"') {
      size_t end = text.find_first_of("\"\n\\", offset + 1);
      while (end != text.npos && text[end] == '\\') // The next character is taken as it is.
        end = text.find_first_of("\"\n\\", end + 2);
      if (end == text.npos || text[end] == '\n')
        return errorAt(position, "expected '\"' to end the string on its line");
      Token token = take(Token::Kind::String, end + 1 - offset, 1);
      token.text.remove_suffix(1);
      return token;
    }
    if (std::strchr("{}()[]<>,;:=+-|!@*&~", c) && c)
      return take(Token::Kind::Symbol, 1);
    return errorAt(position, "unexpected character '" + std::string(1, c) + "'");
  }

  Result<Token> number() {
    char prefix = static_cast<char>(std::tolower(peek(1)));
    if (peek() == '0' && (prefix == 'f' || prefix == 'd'))
      return hexadecimal(prefix == 'f' ? 8 : 16,
                         prefix == 'f' ? Token::Kind::Real32 : Token::Kind::Real);
    size_t length = 0;
    while (isWordCharacter(peek(length)) ||
           (peek(length) == '.' && isDigit(peek(length + 1)) && prefix != 'x') ||
           ((peek(length) == '-' || peek(length) == '+') && length && prefix != 'x' &&
            std::tolower(peek(length - 1)) == 'e'))
      ++length;
    std::string digits(text.substr(offset, length));
    bool isReal = prefix != 'x' && digits.find_first_of(".eE") != digits.npos;
    char *end = nullptr;
    errno = 0;
    Token token;
    Position start = position;
    token = take(isReal ? Token::Kind::Real : Token::Kind::Integer, length);
    if (isReal) {
      double value = std::strtod(digits.c_str(), &end);
      std::memcpy(&token.bits, &value, 8);
    } else {
      bool isBinary = digits[0] == '0' && prefix == 'b';
      token.bits = isBinary ? std::strtoull(digits.c_str() + 2, &end, 2)
                            : std::strtoull(digits.c_str(), &end, 0);
      end += *end == 'U';
    }
    if (*end != '\0')
      return errorAt(start, "expected a number, got '" + digits + "'");
    if (!isReal && errno == ERANGE)
      return errorAt(start, "expected a number of at most 64 bits, got '" + digits + "'");
    return token;
  }

  Result<Token> hexadecimal(size_t digits, Token::Kind kind) {
    size_t length = 2;
    while (isWordCharacter(peek(length)))
      ++length;
    std::string written(text.substr(offset, length));
    Position start = position;
    Token token = take(kind, length);
    char *end = nullptr;
    token.bits = std::strtoull(written.c_str() + 2, &end, 16);
    if (*end != '\0' || length != digits + 2)
      return errorAt(start, "expected " + std::to_string(digits) + " hexadecimal digits after '" +
                                written.substr(0, 2) + "', got '" + written + "'");
    return token;
  }

  std::string_view text;
  size_t offset = 0;
  Position position{1, 1};
};

} // namespace

Result<std::vector<Token>> sim::tokenize(std::string_view text) { return Scanner(text).run(); }
