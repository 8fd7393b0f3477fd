//===- TrafficTest.cpp - What a warp's access moves -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Traffic.h"

#include "gtest/gtest.h"

using namespace fsm::sim;

namespace {

/// Moved and least sectors of 32 lanes that access `bytes` at every `stride`.
std::pair<uint64_t, uint64_t> sectors(uint64_t stride, uint32_t bytes, uint64_t begin = 0) {
  std::vector<uint64_t> addresses;
  for (uint64_t lane = 32; lane-- > 0;)
    addresses.push_back(begin + lane * stride);
  Traffic traffic = sectorsOf(addresses, bytes);
  return {traffic.moved, traffic.least};
}

/// The same of wavefronts, of lanes whose place is a function of their number.
template <typename F>
std::pair<uint64_t, uint64_t> wavefronts(uint32_t bytes, F place, unsigned lanes = 32) {
  std::vector<std::pair<unsigned, uint64_t>> places;
  for (unsigned lane = 0; lane < lanes; ++lane)
    places.emplace_back(lane, place(lane));
  Traffic traffic = wavefrontsOf(places, bytes);
  return {traffic.moved, traffic.least};
}

using Numbers = std::pair<uint64_t, uint64_t>;

} // namespace

TEST(Traffic, sectorsByStride) {
  EXPECT_EQ(sectors(4, 4), Numbers(4, 4));
  EXPECT_EQ(sectors(8, 4), Numbers(8, 4));
  EXPECT_EQ(sectors(128, 4), Numbers(32, 4));
  EXPECT_EQ(sectors(16, 16), Numbers(16, 16));
  EXPECT_EQ(sectors(32, 16), Numbers(32, 16));
  EXPECT_EQ(sectors(2, 2), Numbers(2, 2));
  EXPECT_EQ(sectors(64, 1), Numbers(32, 1));
}

TEST(Traffic, whatBeginsBetweenSectorsTouchesOneMore) {
  EXPECT_EQ(sectors(4, 4, 4), Numbers(5, 4));
  EXPECT_EQ(sectors(4, 4, 32), Numbers(4, 4));
  EXPECT_EQ(sectors(2, 2, 30), Numbers(3, 2));
}

TEST(Traffic, bytesThatLanesShareCountOnce) {
  EXPECT_EQ(sectors(0, 4), Numbers(1, 1));
  EXPECT_EQ(sectors(0, 16, 16), Numbers(1, 1));
  // A copy's bytes overlap those of the lane before by half.
  EXPECT_EQ(sectors(32, 64), Numbers(33, 33));
}

TEST(Traffic, wavefrontsByStride) {
  EXPECT_EQ(wavefronts(4, [](unsigned lane) { return lane * 4; }), Numbers(1, 1));
  EXPECT_EQ(wavefronts(4, [](unsigned lane) { return lane * 8; }), Numbers(2, 1));
  EXPECT_EQ(wavefronts(4, [](unsigned lane) { return lane * 128; }), Numbers(32, 1));
  EXPECT_EQ(wavefronts(4, [](unsigned lane) { return lane * 132; }), Numbers(1, 1));
  EXPECT_EQ(wavefronts(4, [](unsigned) { return 64; }), Numbers(1, 1));
  EXPECT_EQ(wavefronts(2, [](unsigned lane) { return lane * 2; }), Numbers(1, 1));
  EXPECT_EQ(wavefronts(1, [](unsigned lane) { return lane * 128; }, 3), Numbers(3, 1));
}

/// Halves of a warp for 8 bytes, quarters for 16.
TEST(Traffic, wideLanesAreServedInTurns) {
  EXPECT_EQ(wavefronts(8, [](unsigned lane) { return lane * 8; }), Numbers(2, 2));
  EXPECT_EQ(wavefronts(16, [](unsigned lane) { return lane * 16; }), Numbers(4, 4));
  EXPECT_EQ(wavefronts(16, [](unsigned lane) { return lane * 16; }, 9), Numbers(2, 2));
  // Eight rows of 128 bytes, read by columns of 16: all in the same four banks ...
  EXPECT_EQ(wavefronts(16, [](unsigned lane) { return lane % 8 * 128 + lane / 8 * 16; }),
            Numbers(32, 4));
  // ... and apart, where column j of row i lies in i ^ j.
  EXPECT_EQ(
      wavefronts(16, [](unsigned lane) { return lane % 8 * 128 + (lane / 8 ^ lane % 8) * 16; }),
      Numbers(4, 4));
  // Two halves that touch the same words in turn are no conflict.
  EXPECT_EQ(wavefronts(8, [](unsigned lane) { return lane % 16 * 8; }), Numbers(2, 2));
}
