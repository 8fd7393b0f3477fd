//===- JitLog.cpp - What the driver's compiler says of PTX ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitLog.h"

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>

using namespace fsm;

namespace {
struct Place {
  std::string file;
  unsigned line = 0, column = 0;
};
} // namespace

static std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() &&
         (std::isspace(static_cast<unsigned char>(text.back())) || text.back() == 0))
    text.remove_suffix(1);
  return text;
}

/// The source line that a line of the PTX, counted from 1, comes from.
static std::optional<Place> sourceOf(std::string_view ptx, unsigned long wanted) {
  std::map<unsigned, std::string> files;
  unsigned fileNumber = 0;
  std::optional<Place> place;
  std::istringstream lines{std::string(ptx)};
  std::string text;
  for (unsigned long number = 1; std::getline(lines, text); ++number) {
    std::istringstream words{text};
    std::string directive;
    words >> directive;
    unsigned file = 0;
    if (directive == ".file" && words >> file) {
      size_t open = text.find('"'), close = text.rfind('"');
      if (open != std::string::npos && close > open)
        files[file] = text.substr(open + 1, close - open - 1);
    }
    Place next;
    // The files may be listed at the end, so the whole text is read.
    if (number <= wanted && directive == ".loc" && words >> file >> next.line >> next.column) {
      fileNumber = file;
      place = next;
    }
  }
  if (!place || place->line == 0 || files.find(fileNumber) == files.end())
    return std::nullopt;
  place->file = files[fileNumber];
  return place;
}

static unsigned long numberAt(std::string_view text, size_t &at) {
  unsigned long number = 0;
  for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at)
    number = number * 10 + static_cast<unsigned long>(text[at] - '0');
  return number;
}

/// The line of the PTX that a line of the log is about, or 0, and where the rest
/// begins: `... line N; ...` of the driver, `N:column: ...` of the simulator.
static unsigned long ptxLineOf(std::string_view line, size_t &rest) {
  rest = 0;
  unsigned long number = numberAt(line, rest);
  if (rest != 0 && rest < line.size() && line[rest] == ':') {
    numberAt(line, ++rest);
    return number;
  }
  rest = line.find("line ");
  if (rest == std::string_view::npos)
    return 0;
  return numberAt(line, rest += 5);
}

/// Without what leads to the sentence: `; error   : sentence`.
static std::string_view sentenceOf(std::string_view text) {
  auto skip = [&](const char *set) {
    text.remove_prefix(std::min(text.find_first_not_of(set), text.size()));
  };
  skip(";:, ");
  for (std::string_view word : {"error", "fatal", "warning"}) {
    if (text.substr(0, word.size()) != word)
      continue;
    text.remove_prefix(word.size());
    skip(": ");
    break;
  }
  return trimmed(text);
}

std::string cuda::locateJitLog(std::string_view log, std::string_view ptx,
                               const std::string &kernel) {
  std::string located, others;
  while (!log.empty()) {
    size_t end = std::min(log.find('\n'), log.size());
    std::string_view line = trimmed(log.substr(0, end));
    log.remove_prefix(std::min(end + 1, log.size()));
    size_t rest = 0;
    unsigned long number = ptxLineOf(line, rest);
    if (number == 0) {
      if (!line.empty())
        others += (others.empty() ? "" : "\n") + std::string(line);
      continue;
    }
    std::string sentence(sentenceOf(line.substr(rest)));
    std::string ptxLine = std::to_string(number);
    located += located.empty() ? "" : "\n";
    if (std::optional<Place> place = sourceOf(ptx, number))
      located += place->file + ":" + std::to_string(place->line) + ":" +
                 std::to_string(place->column) + ": error: the driver's compiler refuses line " +
                 ptxLine + " of the PTX of kernel @" + kernel + ": " + sentence;
    else
      located += "@" + kernel + ".ptx:" + ptxLine +
                 ": error: the driver's compiler refuses the PTX: " + sentence;
  }
  return located + (located.empty() || others.empty() ? "" : "\n") + others;
}
