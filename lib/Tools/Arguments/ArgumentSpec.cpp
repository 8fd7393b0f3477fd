//===- ArgumentSpec.cpp - What --arg asks for ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Arguments/ArgumentSpec.h"
#include "fsm/Tools/Arguments/Npy.h"
#include "fsm/Tools/Quote.h"

using namespace fsm;

static constexpr std::string_view kExamples =
    "a number, f32[1823x781] or @file.npy, optionally after NAME=";

/// In front of a file whose elements are to lie column by column.
static constexpr std::string_view kFortran = "fortran:@";

static Error specError(std::string_view spec, const std::string &expected, std::string_view got) {
  return badInput("argument " + quoted(spec) + ": expected " + expected + ", got " +
                  (got.empty() ? "nothing" : quoted(got)));
}

static bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '.' || c == '-';
}

/// Takes `NAME=` off the front. A path begins with '@', which no name has, so
/// an '=' inside a path is never mistaken.
static std::string takeName(std::string_view &text) {
  size_t begin = !text.empty() && text[0] == '%' ? 1 : 0;
  size_t end = begin;
  while (end < text.size() && isNameCharacter(text[end]))
    ++end;
  if (end == begin || end == text.size() || text[end] != '=')
    return "";
  std::string name(text.substr(begin, end - begin));
  text.remove_prefix(end + 1);
  return name;
}

/// Takes an element type off the front, when `after` follows it.
static std::optional<ScalarType> takeType(std::string_view &text, char after) {
  size_t end = text.find(after);
  if (end == std::string_view::npos)
    return std::nullopt;
  std::optional<ScalarType> type = scalarTypeNamed(text.substr(0, end));
  if (type)
    text.remove_prefix(end + 1);
  return type;
}

static std::string typeNames() {
  std::string names;
  for (const ScalarTypeInfo &info : kScalarTypes)
    names += (names.empty() ? "" : " ") + std::string(info.name);
  return names;
}

static Result<void> parseExtents(std::string_view text, ArgumentSpec &spec) {
  std::string_view rest = text;
  while (!rest.empty() || !spec.shape.empty()) {
    std::string_view word = rest.substr(0, rest.find('x'));
    std::optional<uint64_t> extent = parseUnsigned(word, INT64_MAX);
    if (!extent)
      return specError(spec.text, "extents as in [1823x781], each below 2^63", text);
    if (spec.shape.size() == kMaxNpyRank)
      return specError(spec.text, "at most " + std::to_string(kMaxNpyRank) + " extents", "more");
    spec.shape.push_back(*extent);
    if (word.size() == rest.size())
      break;
    rest.remove_prefix(word.size() + 1);
  }
  uint64_t bytes = 0;
  if (!arrayBytes(spec.shape, scalarTypeInfo(*spec.type).bytes, bytes) ||
      bytes > AlignedBuffer::kMaxBytes)
    return specError(spec.text, "an array of at most 2^46 bytes", text);
  return {};
}

static Result<void> parseFill(std::string_view text, ArgumentSpec &spec) {
  size_t colon = text.find(':');
  std::string_view pattern = text.substr(0, colon);
  bool hasValue = colon != std::string_view::npos;
  std::string_view value = hasValue ? text.substr(colon + 1) : "";
  if (pattern == "arange" && !hasValue) {
    spec.fill.pattern = Fill::Pattern::Arange;
    return {};
  }
  if (pattern == "full") {
    std::optional<Number> number = parseNumber(value);
    if (!number)
      return specError(spec.text, "a number after full:", value);
    spec.fill.pattern = Fill::Pattern::Full;
    spec.fill.value = *number;
    return {};
  }
  if (pattern != "randn" && pattern != "uniform")
    return specError(spec.text, "randn:SEED, uniform:SEED, arange or full:V after the array", text);
  std::optional<uint64_t> seed = parseUnsigned(value);
  if (!seed)
    return specError(spec.text,
                     "a seed, an integer of 0 or more, after " + std::string(pattern) + ":", value);
  spec.fill.pattern = pattern == "randn" ? Fill::Pattern::Randn : Fill::Pattern::Uniform;
  spec.fill.seed = *seed;
  return {};
}

/// `rest` begins after `type[`.
static Result<void> parseFilled(std::string_view rest, ArgumentSpec &spec) {
  spec.kind = ArgumentSpec::Kind::Filled;
  size_t close = rest.find(']');
  if (close == std::string_view::npos)
    return specError(spec.text, "']' after the extents", rest);
  if (Result<void> extents = parseExtents(rest.substr(0, close), spec); !extents)
    return extents;
  rest.remove_prefix(close + 1);
  if (rest.empty())
    return {};
  if (rest[0] != ':')
    return specError(spec.text, "nothing or ':' and a fill after ']'", rest);
  return parseFill(rest.substr(1), spec);
}

/// `rest` is `@file`, or `fortran:@file`.
static bool isFile(std::string_view rest) {
  return rest.substr(0, 1) == "@" || rest.substr(0, kFortran.size()) == kFortran;
}

static Result<void> parseFile(std::string_view rest, ArgumentSpec &spec) {
  spec.fortranOrder = rest.substr(0, kFortran.size()) == kFortran;
  std::string_view path = rest.substr(spec.fortranOrder ? kFortran.size() : 1);
  if (path.empty())
    return specError(spec.text, "a file name after '@'", "");
  spec.kind = ArgumentSpec::Kind::File;
  spec.path = std::string(path);
  return {};
}

/// What was meant by a spec that is none: the nearest rule's error.
static Error explainSpec(std::string_view rest, const ArgumentSpec &spec) {
  size_t bracket = rest.find('[');
  if (bracket != std::string_view::npos)
    return specError(spec.text, "an element type (" + typeNames() + ") before '['",
                     rest.substr(0, bracket));
  size_t file = rest.find(":@");
  if (file != std::string_view::npos)
    return specError(spec.text, "an element type (" + typeNames() + ") before ':@'",
                     rest.substr(0, file));
  return specError(spec.text, std::string(kExamples), rest);
}

Result<ArgumentSpec> fsm::parseArgumentSpec(std::string_view text) {
  ArgumentSpec spec;
  spec.text = std::string(text);
  std::string_view rest = text;
  spec.name = takeName(rest);
  Result<void> parsed;
  if (isFile(rest)) {
    parsed = parseFile(rest, spec);
  } else if ((spec.type = takeType(rest, '['))) {
    parsed = parseFilled(rest, spec);
  } else if ((spec.type = takeType(rest, ':'))) {
    parsed = isFile(rest) ? parseFile(rest, spec)
                          : specError(spec.text, "'@' and a file name after the type", rest);
  } else if (std::optional<Number> number = parseNumber(rest)) {
    spec.value = *number;
  } else {
    parsed = explainSpec(rest, spec);
  }
  if (!parsed)
    return parsed.error();
  return spec;
}
