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

std::string fsm::factText(const ArgumentFact &fact) {
  std::string text = fact.divisible > 1 ? std::to_string(fact.divisible) : "";
  for (const FactWord &entry : kFactWords)
    if (fact.*entry.isKnown)
      text.append(text.empty() ? "" : "+").append(entry.word);
  return text;
}

/// Takes one word into `fact`; false where it says nothing.
static bool addWord(std::string_view word, ArgumentFact &fact) {
  for (const FactWord &entry : kFactWords)
    if (word == entry.word)
      return fact.*entry.isKnown = true;
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
