//===- TextMutation.cpp - Changes of bytes, tokens and lines --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextMutation.h"

#include <cctype>
#include <iterator>
#include <sstream>
#include <string_view>

using namespace fsm::fuzz;

static bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

/// Words with their sigil, single other characters, and line ends.
static std::vector<std::string> splitTokens(std::string_view text) {
  std::vector<std::string> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (isWord(text[i]) || text[i] == '%' || text[i] == '@' || text[i] == '!' || text[i] == '#')
      while (end < text.size() && isWord(text[end]))
        ++end;
    else if (text[i] == ' ')
      while (end < text.size() && text[end] == ' ')
        ++end;
    tokens.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

static std::vector<std::string> splitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.emplace_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

static std::string join(const std::vector<std::string> &pieces) {
  std::string text;
  for (const std::string &piece : pieces)
    text += piece;
  return text;
}

static const std::vector<std::string> &numbers() {
  static const std::vector<std::string> list = {"0",
                                                "1",
                                                "-1",
                                                "2",
                                                "3",
                                                "7",
                                                "64",
                                                "1023",
                                                "2147483647",
                                                "2147483648",
                                                "-2147483648",
                                                "4294967296",
                                                "1048576",
                                                "1048577",
                                                "9223372036854775807",
                                                "9223372036854775808",
                                                "99999999999999999999999999",
                                                "0xFFFFFFFF",
                                                "1.0",
                                                "?"};
  return list;
}

/// The words of a text, at its blanks.
static std::vector<std::string> splitWords(const std::string &text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

static const std::vector<std::string> &words() {
  static const std::vector<std::string> list =
      splitWords("i1 i8 i32 i64 i128 index f16 bf16 f32 f64 f8E4M3FN tensor vector memref "
                 "!fsm.ptr none tuple complex fsm.load fsm.store fsm.reduce fsm.splat fsm.range "
                 "fsm.reshape fsm.broadcast fsm.expand_dims fsm.offset fsm.hint fsm.assume "
                 "fsm.kernel fsm.return scf.for scf.if scf.while scf.yield arith.addi arith.addf "
                 "arith.constant arith.select math.exp func.call func.func axis mask other "
                 "volatile cache evict dense array unit true -> loc attributes ub.poison sum max "
                 "< > ( ) { } [ ] , : = \" ^bb0 %0 @a # // ${ } {-# #-} overflow<nsw> "
                 "fastmath<fast>");
  return list;
}

static void mutateBytes(std::string &text, Dice &dice) {
  if (text.empty())
    return;
  size_t at = dice.below(text.size());
  switch (dice.below(5)) {
  case 0:
    text[at] = static_cast<char>(dice.below(256));
    return;
  case 1:
    text[at] = static_cast<char>(text[at] ^ (1 << dice.below(8)));
    return;
  case 2:
    text.erase(at, 1 + dice.below(8));
    return;
  case 3:
    text.insert(at, 1 + dice.below(4), static_cast<char>(dice.below(256)));
    return;
  default:
    if (dice.oneIn(4))
      text.resize(at);
    else
      text.insert(at, text.substr(dice.below(text.size()), dice.below(40)));
  }
}

static std::string replacementFor(const std::string &token, Dice &dice) {
  if (std::isdigit(static_cast<unsigned char>(token.front())) && !dice.oneIn(4))
    return dice.pick(numbers());
  return dice.oneIn(3) ? dice.pick(numbers()) : dice.pick(words());
}

static void mutateTokens(std::string &text, const std::string &other, Dice &dice) {
  std::vector<std::string> tokens = splitTokens(text);
  if (tokens.empty())
    return;
  size_t at = dice.below(tokens.size());
  while (at + 1 < tokens.size() && std::isspace(static_cast<unsigned char>(tokens[at].front())))
    ++at;
  switch (dice.below(6)) {
  case 0:
    tokens.erase(tokens.begin() + at);
    break;
  case 1:
    tokens.insert(tokens.begin() + at, tokens[at]);
    break;
  case 2:
    std::swap(tokens[at], tokens[dice.below(tokens.size())]);
    break;
  case 3:
    tokens[at] = tokens[dice.below(tokens.size())];
    break;
  case 4:
    tokens[at] = dice.pick(splitTokens(other));
    break;
  default:
    tokens[at] = replacementFor(tokens[at], dice);
  }
  text = join(tokens);
}

static void mutateLines(std::string &text, const std::string &other, Dice &dice) {
  std::vector<std::string> lines = splitLines(text);
  if (lines.empty())
    return;
  size_t at = dice.below(lines.size());
  switch (dice.below(5)) {
  case 0:
    lines.erase(lines.begin() + at);
    break;
  case 1:
    lines.insert(lines.begin() + at, lines[at]);
    break;
  case 2:
    std::swap(lines[at], lines[dice.below(lines.size())]);
    break;
  case 3:
    lines.insert(lines.begin() + at, dice.pick(splitLines(other)));
    break;
  default: {
    std::string line = lines[at];
    lines.erase(lines.begin() + at);
    lines.insert(lines.begin() + dice.below(lines.size() + 1), line);
  }
  }
  text = join(lines);
}

std::string fsm::fuzz::mutateText(const std::string &text, const std::vector<std::string> &seeds,
                                  Dice &dice) {
  std::string mutant = text;
  const std::string &other = dice.pick(seeds);
  for (size_t count = 1 + dice.below(4); count; --count) {
    if (dice.oneIn(4))
      mutateBytes(mutant, dice);
    else if (dice.oneIn(3))
      mutateLines(mutant, other, dice);
    else
      mutateTokens(mutant, other, dice);
  }
  return mutant;
}

//===----------------------------------------------------------------------===//
// Attributes and types of the generic form
//===----------------------------------------------------------------------===//

static const std::vector<std::string> &attributeValues() {
  static const std::vector<std::string> list = {"0 : i32",
                                                "1 : i32",
                                                "-1 : i32",
                                                "5 : i32",
                                                "2147483647 : i32",
                                                "-2147483648 : i32",
                                                "99 : i32",
                                                "0 : i64",
                                                "9223372036854775807 : i64",
                                                "-9223372036854775808 : i64",
                                                "1 : i8",
                                                "1 : index",
                                                "true",
                                                "unit",
                                                "1.0 : f32",
                                                "0x7FC00000 : f32",
                                                "1.0 : f8E4M3FN",
                                                "\"text\"",
                                                "@nobody",
                                                "i32",
                                                "!fsm.ptr<f32>",
                                                "(i32) -> i32",
                                                "[]",
                                                "[1 : i32]",
                                                "[{}]",
                                                "{}",
                                                "array<i64>",
                                                "array<i64: 1, 2>",
                                                "array<i64: 0>",
                                                "array<i64: -1>",
                                                "array<i32: 1, 1, 1, 1>",
                                                "array<i32: 1, 0, 0, 0>",
                                                "array<i32: -1, 2, 1, 0>",
                                                "array<i32: 2147483647, 1, 0, 0>",
                                                "array<i32>",
                                                "array<i64: 9223372036854775807>",
                                                "dense<0> : tensor<4xi32>",
                                                "dense<1> : tensor<1024xi32>",
                                                "dense<> : tensor<0xi32>",
                                                "dense<0.0> : tensor<4x4xf32>",
                                                "dense<true> : tensor<64xi1>",
                                                "#fsm.reduce_kind<sum>",
                                                "#fsm.reduce_kind<umax>",
                                                "#arith.fastmath<fast>",
                                                "#arith.overflow<nsw>",
                                                "strided<[1, ?], offset: 2>",
                                                "loc(unknown)",
                                                "#ub.poison",
                                                "distinct[0]<unit>",
                                                "opaque<\"x\", \"0x00\">",
                                                "dense_resource<x> : tensor<4xf32>",
                                                "sparse<0, 1> : tensor<4xi32>"};
  return list;
}

static const std::vector<std::string> &types() {
  static const std::vector<std::string> list = {"i1",
                                                "i8",
                                                "i16",
                                                "i32",
                                                "i64",
                                                "i128",
                                                "i7",
                                                "si32",
                                                "ui32",
                                                "index",
                                                "none",
                                                "f16",
                                                "bf16",
                                                "f32",
                                                "f64",
                                                "f80",
                                                "f128",
                                                "tf32",
                                                "f8E4M3FN",
                                                "f8E5M2",
                                                "f8E4M3FNUZ",
                                                "f4E2M1FN",
                                                "!fsm.ptr<f32>",
                                                "!fsm.ptr<i32>",
                                                "!fsm.ptr<!fsm.ptr<f32>>",
                                                "tensor<f32>",
                                                "tensor<*xf32>",
                                                "tensor<0xf32>",
                                                "tensor<1xf32>",
                                                "tensor<1xi32>",
                                                "tensor<4xf32>",
                                                "tensor<?xf32>",
                                                "tensor<64xi32>",
                                                "tensor<64xi64>",
                                                "tensor<64xi1>",
                                                "tensor<64xf16>",
                                                "tensor<64xf64>",
                                                "tensor<64xf8E4M3FN>",
                                                "tensor<1023xf32>",
                                                "tensor<1023xi32>",
                                                "tensor<1048576xf32>",
                                                "tensor<1048577xf32>",
                                                "tensor<9223372036854775807xi32>",
                                                "tensor<1x1x1x1x1xf32>",
                                                "tensor<2x3x4xf32>",
                                                "tensor<16x64xf32>",
                                                "tensor<16x1xi32>",
                                                "tensor<1x64xi32>",
                                                "tensor<1x1x1x1x1x1xf32>",
                                                "tensor<4xindex>",
                                                "tensor<4xi128>",
                                                "tensor<4x!fsm.ptr<f32>>",
                                                "tensor<4294967296x4294967296xf32>",
                                                "tensor<4xf32, 1 : i32>",
                                                "vector<4xf32>",
                                                "vector<[4]xf32>",
                                                "memref<4xf32>",
                                                "tuple<>",
                                                "complex<f32>",
                                                "!llvm.ptr",
                                                "!llvm.void",
                                                "() -> ()",
                                                "!llvm.struct<(i32)>"};
  return list;
}

/// Where the attribute value or type that begins at `start` ends.
static size_t endOfPiece(const std::string &text, size_t start) {
  int depth = 0;
  bool inString = false;
  for (size_t i = start; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"' && text[i - 1] != '\\')
      inString = !inString;
    if (inString)
      continue;
    if (c == '(' || c == '[' || c == '{' || c == '<')
      ++depth;
    bool closes = c == ')' || c == ']' || c == '}' || (c == '>' && text[i - 1] != '-');
    if ((closes && depth-- == 0) || (depth == 0 && (c == ',' || c == '\n')))
      return i;
  }
  return text.size();
}

static std::vector<size_t> findAll(const std::string &text, std::string_view what) {
  std::vector<size_t> places;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1))
    places.push_back(at + what.size());
  return places;
}

/// Another value for one attribute: from the list, from elsewhere in the text,
/// or one number in it.
static std::string mutateAttribute(std::string text, Dice &dice) {
  std::vector<size_t> places = findAll(text, " = ");
  if (places.empty())
    return text;
  size_t start = dice.pick(places), end = endOfPiece(text, start);
  std::string value = text.substr(start, end - start);
  if (!value.empty() && value.front() == '"' && value.find('(') != value.npos)
    return text; // an op, not an attribute
  if (dice.oneIn(5)) {
    size_t other = dice.pick(places);
    value = text.substr(other, endOfPiece(text, other) - other);
  } else if (dice.oneIn(2)) {
    std::vector<std::string> tokens = splitTokens(value);
    for (std::string &token : tokens)
      if (std::isdigit(static_cast<unsigned char>(token.front())) && dice.oneIn(2))
        token = dice.pick(numbers());
    value = join(tokens);
  } else {
    value = dice.pick(attributeValues());
  }
  return text.replace(start, end - start, value);
}

/// Another name for one attribute, or one of the dialect's names.
static std::string mutateName(std::string text, Dice &dice) {
  static const std::vector<std::string> names = {"fsm.num_stages",
                                                 "fsm.align",
                                                 "fsm.divisible",
                                                 "fsm.equal_to",
                                                 "fsm.noalias",
                                                 "fsm.readonly",
                                                 "fsm.host_loop",
                                                 "fsm.host_unroll",
                                                 "fsm.host_buffer",
                                                 "fsm.host_stride",
                                                 "fsm.host_scratch",
                                                 "num_warps",
                                                 "axis",
                                                 "kind",
                                                 "value",
                                                 "sym_name",
                                                 "function_type",
                                                 "arg_attrs",
                                                 "predicate",
                                                 "start",
                                                 "end",
                                                 "is_volatile",
                                                 "cache",
                                                 "evict",
                                                 "x.y"};
  std::vector<size_t> places = findAll(text, " = ");
  if (places.empty())
    return text;
  size_t end = dice.pick(places) - 3, start = end;
  while (start > 0 && isWord(text[start - 1]))
    --start;
  return text.replace(start, end - start, dice.pick(names));
}

/// One type replaced everywhere, so that uses and definitions agree.
static std::string mutateTypeEverywhere(const std::string &text, Dice &dice) {
  std::vector<size_t> places = findAll(text, "tensor<");
  std::string from = dice.pick(types());
  if (!places.empty() && !dice.oneIn(4)) {
    size_t start = dice.pick(places);
    from = "tensor<" + text.substr(start, endOfPiece(text, start) + 1 - start);
  }
  std::string to = dice.pick(types()), mutant;
  size_t last = 0;
  for (size_t after : findAll(text, from)) {
    size_t start = after - from.size();
    if (start < last || (after < text.size() && isWord(text[after])) ||
        (start > 0 && isWord(text[start - 1])))
      continue;
    mutant += text.substr(last, start - last) + to;
    last = after;
  }
  return mutant + text.substr(last);
}

std::string fsm::fuzz::mutateGeneric(const std::string &text, Dice &dice) {
  std::string mutant = text;
  for (size_t count = 1 + dice.below(2); count; --count) {
    if (dice.oneIn(2))
      mutant = mutateAttribute(mutant, dice);
    else if (dice.oneIn(3))
      mutant = mutateName(mutant, dice);
    else
      mutant = mutateTypeEverywhere(mutant, dice);
  }
  return mutant;
}
