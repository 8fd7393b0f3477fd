//===- ArgumentFact.cpp - What is known of an argument -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Artifact/ArgumentFact.h"

#include <algorithm>
#include <charconv>

using namespace fsm;

namespace {
struct FactWord {
  std::string_view word;
  bool ArgumentFact::*isKnown;
};
} // namespace

static constexpr FactWord kFactWords[] = {{"one", &ArgumentFact::isOne},
                                          {"noalias", &ArgumentFact::noAlias},
                                          {"large", &ArgumentFact::isLarge}};

static constexpr std::string_view kUpTo = "..";

std::string fsm::factText(const ArgumentFact &fact) {
  std::string text = fact.divisible > 1 ? std::to_string(fact.divisible) : "";
  auto add = [&](std::string_view word) { text.append(text.empty() ? "" : "+").append(word); };
  for (const FactWord &entry : kFactWords)
    if (fact.*entry.isKnown)
      add(entry.word);
  std::string least = fact.atLeast != INT64_MIN ? std::to_string(fact.atLeast) : "";
  std::string most = fact.atMost != INT64_MAX ? std::to_string(fact.atMost) : "";
  if (!least.empty() || !most.empty())
    add(least.append(kUpTo).append(most));
  return text;
}

/// Takes a number of an end of bounds, which may be left out; false where it is none.
static bool readEnd(std::string_view text, int64_t &end) {
  if (text.empty())
    return true;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), end);
  return error == std::errc() && rest == text.data() + text.size();
}

/// Takes bounds of a number, of which one end at least is there.
static bool addBounds(std::string_view least, std::string_view most, ArgumentFact &fact) {
  return least.size() + most.size() != 0 && readEnd(least, fact.atLeast) && readEnd(most, fact.atMost) &&
         fact.atLeast <= fact.atMost;
}

/// Takes one word into `fact`; false where it says nothing.
static bool addWord(std::string_view word, ArgumentFact &fact) {
  for (const FactWord &entry : kFactWords)
    if (word == entry.word)
      return fact.*entry.isKnown = true;
  if (size_t upTo = word.find(kUpTo); upTo != std::string_view::npos)
    return addBounds(word.substr(0, upTo), word.substr(upTo + kUpTo.size()), fact);
  // It becomes an attribute of type i32.
  int32_t number = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number < 1)
    return false;
  fact.divisible = static_cast<uint32_t>(number);
  return true;
}

std::optional<ArgumentFact> fsm::parseFact(std::string_view text) {
  ArgumentFact fact;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find('+'));
    if (!word.empty() && !addWord(word, fact))
      return std::nullopt;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return fact;
}

std::vector<std::string_view> fsm::listedWords(std::string_view list) {
  std::vector<std::string_view> words;
  for (bool ends = list.empty(); !ends;) {
    size_t comma = list.find(',');
    words.push_back(list.substr(0, comma));
    ends = comma == std::string_view::npos;
    list.remove_prefix(ends ? list.size() : comma + 1);
  }
  return words;
}
