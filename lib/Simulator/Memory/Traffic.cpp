//===- Traffic.cpp - What a warp's access moves ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"

#include <algorithm>

using namespace fsm;
using namespace fsm::sim;

static constexpr uint64_t kSectorBytes = 32;
static constexpr uint64_t kBanks = 32, kBankBytes = 4;

static uint64_t roundedUp(uint64_t count, uint64_t unit) { return (count + unit - 1) / unit; }

Traffic sim::sectorsOf(std::vector<uint64_t> addresses, uint32_t bytes) {
  std::sort(addresses.begin(), addresses.end());
  Traffic traffic;
  uint64_t touched = 0, end = 0, nextSector = 0;
  for (uint64_t address : addresses) {
    const uint64_t behind = address + bytes;
    touched += behind - std::min(behind, std::max(address, end));
    end = std::max(end, behind);
    const uint64_t sectors = roundedUp(behind, kSectorBytes);
    traffic.moved += sectors - std::min(sectors, std::max(address / kSectorBytes, nextSector));
    nextSector = std::max(nextSector, sectors);
  }
  traffic.least = roundedUp(touched, kSectorBytes);
  return traffic;
}

/// One pass after the other until each bank has given all its words.
static Traffic wavefrontsOfPhase(std::vector<uint64_t> &words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  uint64_t perBank[kBanks] = {};
  for (uint64_t word : words)
    ++perBank[word % kBanks];
  return {*std::max_element(perBank, perBank + kBanks), roundedUp(words.size(), kBanks)};
}

Traffic sim::wavefrontsOf(const std::vector<std::pair<unsigned, uint64_t>> &places,
                          uint32_t bytes) {
  const uint64_t lanesOfPhase = std::max<uint64_t>(kBanks / roundedUp(bytes, kBankBytes), 1);
  Traffic traffic;
  std::vector<uint64_t> words;
  for (size_t index = 0; index < places.size();) {
    const uint64_t phase = places[index].first / lanesOfPhase;
    words.clear();
    for (; index < places.size() && places[index].first / lanesOfPhase == phase; ++index) {
      const uint64_t place = places[index].second;
      for (uint64_t word = place / kBankBytes; word <= (place + bytes - 1) / kBankBytes; ++word)
        words.push_back(word);
    }
    const Traffic part = wavefrontsOfPhase(words);
    traffic.moved += part.moved;
    traffic.least += part.least;
  }
  return traffic;
}
