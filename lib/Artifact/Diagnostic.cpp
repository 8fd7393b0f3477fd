//===- Diagnostic.cpp - What there is to say, as a value ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/Diagnostic.h"

#include <optional>

using namespace fsm;

static constexpr struct {
  std::string_view name;
  Diagnostic::Severity severity;
} kSeverities[] = {{"error: ", Diagnostic::Severity::Error},
                   {"warning: ", Diagnostic::Severity::Warning},
                   {"remark: ", Diagnostic::Severity::Remark},
                   {"note: ", Diagnostic::Severity::Note}};

/// Takes `:NUMBER` from the end of a text; nothing, where there is none.
static std::optional<uint32_t> takeNumber(std::string_view &text) {
  size_t colon = text.rfind(':');
  std::string_view digits = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  uint64_t number = 0;
  for (char digit : digits) {
    if (digit < '0' || digit > '9')
      return std::nullopt;
    number = 10 * number + static_cast<uint64_t>(digit - '0');
    if (number > UINT32_MAX)
      return std::nullopt;
  }
  if (digits.empty())
    return std::nullopt;
  text = text.substr(0, colon);
  return static_cast<uint32_t>(number);
}

/// Reads `FILE`, `FILE:LINE:COLUMN` or nothing.
static void readPlace(std::string_view place, Diagnostic &to) {
  std::string_view rest = place;
  std::optional<uint32_t> column = takeNumber(rest);
  std::optional<uint32_t> line = column ? takeNumber(rest) : std::nullopt;
  if (line) {
    place = rest;
    to.line = *line;
    to.column = *column;
  }
  to.file = std::string(place);
}

/// The diagnostic that begins in a line. Its severity is the first word that names one: a sentence
/// may quote another.
static std::optional<Diagnostic> beginningIn(std::string_view line) {
  std::optional<Diagnostic> found;
  size_t first = std::string_view::npos;
  for (auto [name, severity] : kSeverities) {
    size_t at = line.substr(0, name.size()) == name ? 0 : line.find(": " + std::string(name));
    if (at >= first)
      continue;
    first = at;
    found.emplace();
    found->severity = severity;
    readPlace(line.substr(0, at), *found);
    found->sentence = std::string(line.substr(at + name.size() + (at == 0 ? 0 : 2)));
  }
  return found;
}

std::vector<Diagnostic> fsm::parseDiagnostics(std::string_view text) {
  std::vector<Diagnostic> all;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    if (std::optional<Diagnostic> begun = beginningIn(line)) {
      all.push_back(std::move(*begun));
    } else if (all.empty()) {
      all.emplace_back();
      all.back().sentence = std::string(line);
    } else {
      all.back().sentence += "\n" + std::string(line);
    }
  }
  return all;
}
