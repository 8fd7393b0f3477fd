//===- MutateText.cpp - Changes of texts, for libFuzzer -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"
#include "TextMutation.h"

#include <algorithm>
#include <cstring>

using namespace fsm::fuzz;

static size_t give(const std::string &mutant, uint8_t *data, size_t mostSize) {
  size_t size = std::min(mutant.size(), mostSize);
  std::memcpy(data, mutant.data(), size);
  return size;
}

/// Half of the changes are libFuzzer's own, which know the dictionary and what the code
/// compared; the others keep tokens and lines whole.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t mostSize,
                                          unsigned seed) {
  Dice dice(seed);
  if (dice.oneIn(2))
    return LLVMFuzzerMutate(data, size, mostSize);
  std::string text(reinterpret_cast<const char *>(data), size);
  return give(dice.oneIn(3) ? mutateGeneric(text, dice) : mutateText(text, {text}, dice), data,
              mostSize);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t firstSize,
                                            const uint8_t *second, size_t secondSize,
                                            uint8_t *data, size_t mostSize, unsigned seed) {
  Dice dice(seed);
  std::string text(reinterpret_cast<const char *>(first), firstSize);
  std::string other(reinterpret_cast<const char *>(second), secondSize);
  return give(mutateText(text, {other}, dice), data, mostSize);
}
