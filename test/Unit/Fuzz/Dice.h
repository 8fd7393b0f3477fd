//===- Dice.h - Random choices, the same for the same seed ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_FUZZ_DICE_H
#define FSM_TEST_UNIT_FUZZ_DICE_H

#include <cstdint>
#include <random>
#include <vector>

namespace fsm::fuzz {

/// A source of choices that depends on nothing but its seed.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine(seed) {}

  /// A number from 0 to `count - 1`; 0 when there is nothing to choose from.
  size_t below(size_t count) { return count ? engine() % count : 0; }
  bool oneIn(size_t count) { return below(count) == 0; }
  template <typename List>
  const auto &pick(const List &list) {
    return list[below(std::size(list))];
  }

private:
  std::mt19937_64 engine;
};

} // namespace fsm::fuzz

#endif // FSM_TEST_UNIT_FUZZ_DICE_H
