//===- TokenChecks.cpp - What may not reach MLIR's parser ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TokenChecks.h"

#include <algorithm>

using namespace fsm;
using Kind = Token::Kind;

/// A parsed number takes time with the square of its digits.
static constexpr size_t kMaxNumberBytes = 128;
/// Each constant of a wide integer takes its width in memory. No pass makes wider ones. Blocks
/// of integers without bits divide by 0.
static constexpr size_t kMaxIntegerBits = 1024;
/// MLIR takes time with the square of their number. A block has at most 5.
static constexpr size_t kMaxExtents = 64;
/// MLIR makes room for N + 1 results when it meets a `%x#N` that is defined later.
static constexpr size_t kMaxResultNumbers = size_t(1) << 22;
/// A text with its aliases written out, as messages and MLIR's printer write them.
static constexpr size_t kMaxExpandedBytes = 4 * kMaxSourceBytes;

/// The decimal number that a text holds, or the largest one; nothing for another text.
static std::optional<size_t> decimal(std::string_view text) {
  size_t value = 0;
  for (char c : text) {
    if (c < '0' || c > '9')
      return std::nullopt;
    size_t digit = static_cast<size_t>(c - '0');
    value = value > (SIZE_MAX - digit) / 10 ? SIZE_MAX : value * 10 + digit;
  }
  return text.empty() ? std::nullopt : std::optional(value);
}

/// Where fsm-opt and the language server split a file into several.
static constexpr std::string_view kSplitMarker = "// -----";

static Fault atMost(const Token &token, size_t limit, const std::string &what) {
  return {token.offset, "expected at most " + std::to_string(limit) + " " + what};
}

static bool opens(const Token &token) {
  return token.is('(') || token.is('[') || token.is('{') || token.is('<');
}

static char openerOf(const Token &token) {
  if (!token.is(Kind::Punctuation))
    return '\0';
  switch (token.text.front()) {
  case ')':
    return '(';
  case ']':
    return '[';
  case '}':
    return '{';
  case '>':
    return '<';
  default:
    return '\0';
  }
}

static bool isAliasName(const Token &token) {
  return token.is(Kind::Type) || token.is(Kind::Attribute);
}

static std::optional<Fault> tooDeep(const Token &token) {
  return Fault{token.offset, "nested deeper than " + std::to_string(kMaxNesting) + " levels"};
}

std::optional<Fault> TokenChecks::checkNesting(const Token &token) {
  if (opens(token)) {
    brackets.push_back({token.text.front(), last, 0});
    openSymbols += brackets.back().isSymbol();
    if (brackets.size() > kMaxNesting)
      return tooDeep(token);
  } else if (char opener = openerOf(token);
             opener && !brackets.empty() && brackets.back().opens == opener) {
    // MLIR's parser goes no further than a bracket that closes another one.
    openSymbols -= brackets.back().isSymbol();
    brackets.pop_back();
  }
  return std::nullopt;
}

std::optional<Fault> TokenChecks::checkPlaces(const Token &token) {
  if (openSymbols && token.skipped.find("//") != token.skipped.npos)
    return Fault{token.offset, "expected no comment in the brackets of '" + symbolName() + "'"};
  // To MLIR this is an arrow there, though not elsewhere.
  if (openSymbols && token.is('>') && last.text.size() > 1 && last.text.back() == '-')
    return Fault{token.offset, "expected a blank between '-' and '>'"};
  bool isString = token.is(Kind::String) || token.is(Kind::Symbol);
  if (isString && token.text.find(kSplitMarker) != token.text.npos)
    return Fault{token.offset, "expected no '// -----' in a string, for files are split there"};
  std::string_view rest = token.skipped;
  for (size_t at; (at = rest.find(kSplitMarker)) != rest.npos;) {
    rest.remove_prefix(at + kSplitMarker.size());
    std::string_view line = rest.substr(0, rest.find('\n'));
    if (line.find_first_of("<>()[]{}\"#!%@^") != line.npos)
      return Fault{token.offset - rest.size(),
                   "expected only words behind '// -----', for files are split there"};
  }
  return std::nullopt;
}

std::string TokenChecks::symbolName() const {
  for (auto bracket = brackets.rbegin(); bracket != brackets.rend(); ++bracket)
    if (bracket->isSymbol())
      return std::string(bracket->name.text.substr(0, 40));
  return {};
}

std::optional<Fault> TokenChecks::checkSizes(const Token &token) {
  if (token.is(Kind::Number) && token.text.size() > kMaxNumberBytes)
    return atMost(token, kMaxNumberBytes,
                  "characters of a number, got " + std::to_string(token.text.size()));
  if (token.is(Kind::Word)) {
    bool hasSign = token.text.front() == 's' || token.text.front() == 'u';
    std::string_view type = token.text.substr(hasSign);
    std::optional<size_t> width = type.substr(0, 1) == "i" ? decimal(type.substr(1)) : std::nullopt;
    if (width && (*width == 0 || *width > kMaxIntegerBits))
      return Fault{token.offset, "expected an integer of 1 to " + std::to_string(kMaxIntegerBits) +
                                     " bits, got '" + std::string(token.text.substr(0, 40)) + "'"};
  }
  if (token.is(Kind::Word, "x") && !brackets.empty() && ++brackets.back().extents > kMaxExtents)
    return atMost(token, kMaxExtents, "extents of a shape, got more");
  if (token.is(Kind::Attribute) && last.is(Kind::Value)) {
    size_t number = decimal(token.text.substr(1)).value_or(0);
    resultNumbers += std::min(number, kMaxResultNumbers) + 1;
    if (resultNumbers > kMaxResultNumbers)
      return atMost(token, kMaxResultNumbers, "as the sum of the numbers of results, got more");
  }
  return std::nullopt;
}

std::optional<Fault> TokenChecks::checkTypes(const Token &token) {
  bool isBehindOpening = last.is('<');
  // Division of the smallest number by -1, and recursion over each minus and plus.
  if (token.is('<') && (last.is(Kind::Word, "affine_map") || last.is(Kind::Word, "affine_set")))
    return Fault{last.offset, "expected no affine maps or sets; neither the language nor what "
                              "its passes write has them"};
  // An alias may stand for `index`, which has no width.
  if (isBehindOpening && secondToLast.is(Kind::Word, "array") &&
      (token.is(Kind::Word, "index") || token.is(Kind::Type)))
    return Fault{token.offset, "expected an array of integers or floats, got one of '" +
                                   std::string(token.text) + "'"};
  hasVector |= token.is('<') && last.is(Kind::Word, "vector");
  if (isBehindOpening && isInTensor() && token.is('*'))
    return Fault{brackets.back().name.offset,
                 "expected a block of static shape, got an unranked tensor"};
  if (isInTensor() && token.is(',')) {
    hasLayout = true;
    if (layouts == Layouts::Refused)
      return Fault{brackets.back().name.offset, "expected a block without an encoding"};
  }
  if (hasLayout && hasVector)
    return Fault{isInTensor() ? brackets.back().name.offset : last.offset,
                 "expected vectors or blocks with layouts, got both"};
  return std::nullopt;
}

/// The last token is an alias that is not defined there.
std::optional<Fault> TokenChecks::useAlias() {
  auto found = aliases.find(last.text);
  if (found == aliases.end())
    return std::nullopt;
  // The definition may be that of the alias itself, which MLIR refuses.
  Alias used = found->second;
  size_t depth = brackets.size() + used.depth;
  if (depth > kMaxNesting)
    return tooDeep(last);
  expandedBytes += used.bytes;
  if (defined) {
    defined->depth = std::max(defined->depth, depth);
    defined->bytes += used.bytes;
  }
  if (expandedBytes > kMaxExpandedBytes)
    return atMost(last, kMaxExpandedBytes,
                  "bytes of source with its aliases written out, got more");
  return std::nullopt;
}

std::optional<Fault> TokenChecks::checkAliases(const Token &token) {
  bool isDefinition = isAliasName(last) && token.is('=') && brackets.empty();
  if (isAliasName(last) && !isDefinition)
    if (std::optional<Fault> fault = useAlias())
      return fault;
  // A definition ends where a token stands that cannot go on with it.
  if (brackets.empty() && !isBehindOperator() &&
      (token.is(Kind::Word) || token.is(Kind::String) || token.is(Kind::Value) || token.is('{') ||
       isAliasName(token)))
    defined = nullptr;
  if (isDefinition)
    *(defined = &aliases[std::string(last.text)]) = Alias();
  if (defined)
    defined->bytes += token.text.size();
  return std::nullopt;
}

std::optional<Fault> TokenChecks::see(const Token &token) {
  // The first two look at the brackets before this token, the others at those with it.
  std::optional<Fault> fault = checkAliases(token);
  if (!fault)
    fault = checkPlaces(token);
  if (!fault)
    fault = checkNesting(token);
  if (!fault)
    fault = checkSizes(token);
  if (!fault)
    fault = checkTypes(token);
  secondToLast = last;
  last = token;
  return fault;
}
