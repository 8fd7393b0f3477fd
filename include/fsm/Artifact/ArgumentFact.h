//===- ArgumentFact.h - What is known of an argument -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ARTIFACT_ARGUMENTFACT_H
#define FSM_ARTIFACT_ARGUMENTFACT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsm {

/// What is known of the actual argument a kernel was compiled for. The zero
/// values claim nothing.
struct ArgumentFact {
  /// A pointer is a multiple of so many bytes, an integer of this number.
  uint32_t divisible = 1;
  /// The integer argument is equal to 1.
  bool isOne = false;
  /// The pointer's buffer overlaps no other argument's buffer.
  bool noAlias = false;
  /// The pointer's buffer exceeds the machine's private caches.
  bool isLarge = false;
  /// The integer argument is no less and no more than these.
  int64_t atLeast = INT64_MIN, atMost = INT64_MAX;

  /// Whether a number is what the bounds say.
  bool isWithin(int64_t number) const { return number >= atLeast && number <= atMost; }

  bool operator==(const ArgumentFact &other) const {
    return divisible == other.divisible && isOne == other.isOne && noAlias == other.noAlias &&
           isLarge == other.isLarge && atLeast == other.atLeast && atMost == other.atMost;
  }
};

/// Its form on a command line: empty, or a positive number, `one`, `noalias`, `large` and bounds such as
/// `1025..2048` or `8193..` joined by `+`.
std::string factText(const ArgumentFact &fact);

/// The fact of which that is the form; nothing, where a word is none of them.
std::optional<ArgumentFact> parseFact(std::string_view text);

/// The words between the commas of a list, such as facts of several arguments; an empty text has
/// none.
std::vector<std::string_view> listedWords(std::string_view list);

} // namespace fsm

#endif // FSM_ARTIFACT_ARGUMENTFACT_H
