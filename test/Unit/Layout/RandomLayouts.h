//===- RandomLayouts.h - Layouts for properties and for pairs --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
#define FSM_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H

#include "fsm/Layout/NamedLayouts.h"

#include <random>

namespace fsm {

using Random = std::mt19937_64;

/// A layout without structure: any bases, replicas and holes included.
inline LinearLayout randomLayout(Random &random) {
  BitSpace from = BitSpace::threads(random() % 4, random() % 4, random() % 3, random() % 4 ? 0 : 1);
  BitSpace to = BitSpace::block({1 + random() % 12, 1 + random() % 20});
  std::vector<uint64_t> bases;
  for (unsigned i = 0; i < from.bits(); ++i)
    bases.push_back(random() & (to.size() - 1));
  return LinearLayout(from, to, bases);
}

/// A layout with each element of the block exactly once: the bits of the block,
/// mixed, given to the coordinates of `from` in turn.
inline LinearLayout randomPermutation(Random &random, const BitSpace &from, const BitSpace &to) {
  std::vector<uint64_t> bases;
  Subspace space;
  while (bases.size() < from.bits()) {
    // Mostly plain bits, sometimes a mixture of all.
    uint64_t base = random() % 4 ? uint64_t(1) << random() % to.bits() : random() & (to.size() - 1);
    if (space.insert(base))
      bases.push_back(base);
  }
  return LinearLayout(from, to, bases);
}

/// A canonical layout of the block over 32 lanes and four warps that holds every
/// element: distinct in 2^registers registers, perhaps replicated.
inline LinearLayout randomCover(Random &random, const BitSpace &block, unsigned warpBits) {
  unsigned threadBits = 5 + warpBits, least = block.bits() - std::min(block.bits(), threadBits);
  unsigned registers = least + random() % 3;
  registers = std::min(registers, block.bits());
  unsigned distinct = block.bits() - registers;
  std::vector<uint64_t> all =
      randomPermutation(random, BitSpace::offsets(block.bits()), block).bases();
  std::vector<uint64_t> bases(all.begin(), all.begin() + registers), threads(threadBits, 0);
  for (unsigned i = 0; i < distinct;) {
    uint64_t &slot = threads[random() % threadBits];
    if (slot)
      continue;
    slot = all[registers + i++];
  }
  bases.insert(bases.end(), threads.begin(), threads.end());
  return LinearLayout(BitSpace::threads(registers, 5, warpBits), block, bases);
}

} // namespace fsm

#endif // FSM_TEST_UNIT_LAYOUT_RANDOMLAYOUTS_H
