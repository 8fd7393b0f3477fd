//===- RunOptions.cpp - The command line of fsm-run ---------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/RunOptions.h"
#include "OptionTable.h"

#include "fsm/Tools/Quote.h"

#include <algorithm>
#include <set>

using namespace fsm;

Error fsm::runError(const std::string &message) { return badInput("fsm-run: " + message); }

/// How many letters must be added, dropped or replaced to get from a to b.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

static Error unknownOption(std::string_view name) {
  const Option *nearest = nullptr;
  size_t least = std::max<size_t>(2, name.size() / 3) + 1;
  // Longer words are nobody's typing error, and the distance is quadratic.
  if (name.size() < 64)
    for (const Option &option : optionTable())
      if (size_t distance = editDistance(name, option.name); distance < least) {
        least = distance;
        nearest = &option;
      }
  return runError(
      "unknown option " + quoted(name) +
      (nearest ? "; did you mean '" + nearest->name + "'?" : "; --help lists the options"));
}

namespace {
/// Goes through the words from left to right.
class CommandLine {
public:
  explicit CommandLine(const std::vector<std::string_view> &words) : words(words) {}
  Result<RunOptions> parse();

private:
  Result<void> parseWord(std::string_view word);
  Result<void> parseFile(std::string_view word);
  Result<void> parseOption(const Option &option, std::optional<std::string_view> value);

  const std::vector<std::string_view> &words;
  size_t next = 0;
  bool onlyFiles = false;
  std::set<std::string_view> seen;
  size_t numOptions = 0;
  RunOptions options;
};
} // namespace

/// Finds the option a word is, and the value that the word itself holds: after
/// '=', or for -D and -o right after the letter.
static const Option *findOption(std::string_view word, std::optional<std::string_view> &value) {
  if (word == "-h")
    word = "--help";
  size_t equals = word.find('=');
  std::string_view name = word.substr(0, equals);
  if (word[1] != '-') {
    name = word.substr(0, 2);
    equals = word.size() > 2 ? 1 : std::string_view::npos;
  }
  if (equals != std::string_view::npos)
    value = word.substr(equals + 1);
  for (const Option &option : optionTable())
    if (option.name == name)
      return &option;
  return nullptr;
}

Result<void> CommandLine::parseFile(std::string_view word) {
  if (!options.file.empty())
    return runError("expected one file, got " + quoted(options.file) + " and " + quoted(word));
  if (word.empty())
    return runError("expected a file name, got an empty word");
  options.file = std::string(word);
  return {};
}

Result<void> CommandLine::parseOption(const Option &option, std::optional<std::string_view> value) {
  ++numOptions;
  if (!option.mayRepeat && !seen.insert(option.name).second)
    return runError(option.name + ": expected the option once, got it again");
  if (!option.takesValue() && value)
    return runError(option.name + ": expected no value, got " + quoted(*value));
  if (!option.needsValue() && value && value->empty())
    return valueError(option.name, "a value after '='", "");
  if (option.needsValue() && !value) {
    // The next word, unless it is an option: `--arg -1` but not `--grid --arg`.
    if (next == words.size() || words[next].substr(0, 2) == "--")
      return valueError(option.name, "a value", next == words.size() ? "" : words[next]);
    value = words[next++];
  }
  if (Result<void> handled = option.handle(value.value_or(""), options); !handled)
    return handled;
  // More of them may follow: --tune BM=32,64 BN=32,64.
  while (option.name == "--tune" && next < words.size() && words[next].substr(0, 1) != "-" &&
         words[next].find('=') != std::string_view::npos)
    if (Result<void> handled = option.handle(words[next++], options); !handled)
      return handled;
  return {};
}

Result<void> CommandLine::parseWord(std::string_view word) {
  if (onlyFiles || word == "-" || word.empty() || word[0] != '-')
    return parseFile(word);
  if (word == "--") {
    onlyFiles = true;
    return {};
  }
  std::optional<std::string_view> value;
  if (const Option *option = findOption(word, value))
    return parseOption(*option, value);
  return unknownOption(word.substr(0, word.find('=')));
}

/// What options ask of each other.
static Result<void> checkTogether(const RunOptions &options, size_t numOptions) {
  if (options.help || options.version || options.listDevices)
    return {};
  if (!options.batch.empty() && (numOptions > 1 || !options.file.empty()))
    return runError("--batch: expected nothing beside it; every line says all of its run");
  if (!options.batch.empty())
    return {};
  if (options.guard != Guard::None && (!options.shifts.empty() || !options.overlaps.empty()))
    return runError("--guard: expected no --shift and no --overlap beside it, for each guarded "
                    "array lies by itself");
  if (options.file.empty())
    return runError("expected a FILE.mlir; --help shows how to call it");
  if (options.emit.empty() && options.output != "-")
    return runError("-o: expected --emit=STAGE beside it (arrays are written by --out)");
  if (options.isTuned() && (!options.outs.empty() || !options.emit.empty()))
    return runError("--tune: expected neither --out nor --emit beside it");
  if (options.chooses && options.isTuned())
    return runError("--choose: expected no --tune beside it");
  if (options.countsAccesses && options.device != "sim")
    return runError("--count-accesses: expected --device=sim beside it");
  if (options.bytes && !options.timedRuns && !options.isTuned())
    return runError("--bytes: expected --time beside it");
  if (options.list || options.listsChoices)
    return {};
  if (options.grid || !options.emit.empty()) {
    const char *needsLaunch = options.grid               ? nullptr
                              : !options.outs.empty()    ? "--out"
                              : !options.checks.empty()  ? "--check"
                              : !options.compare.empty() ? "--compare"
                              : options.timedRuns        ? "--time"
                              : options.isTuned()        ? "--tune"
                                                         : nullptr;
    if (needsLaunch)
      return runError(std::string(needsLaunch) + ": expected --grid=X[,Y[,Z]] beside it");
    return {};
  }
  return runError("expected --grid=X[,Y[,Z]]; --list and --emit alone need none");
}

Result<RunOptions> CommandLine::parse() {
  while (next < words.size())
    if (Result<void> parsed = parseWord(words[next++]); !parsed)
      return parsed.error();
  if (Result<void> checked = checkTogether(options, numOptions); !checked)
    return checked.error();
  return std::move(options);
}

Result<RunOptions> fsm::parseRunOptions(const std::vector<std::string_view> &words) {
  return CommandLine(words).parse();
}
