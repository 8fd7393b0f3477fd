//===- DeviceCopiesTest.cpp - Host buffers on a device -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends/DeviceCopies.h"
#include "Backends/DeviceGrid.h"

#include "gtest/gtest.h"

using namespace fsm;

static uint64_t addressOf(const Argument &argument) {
  return reinterpret_cast<uint64_t>(argument.data);
}

TEST(BufferPlacement, givesEachBufferItsOwnBytes) {
  char a[100], b[50];
  BufferPlacement placement(
      {Argument::buffer(a, 100), Argument::integer(3), Argument::buffer(b, 50)});
  ASSERT_EQ(placement.allocations().size(), 2u);
  size_t first = placement.allocations()[0].host == a ? 0 : 1;
  EXPECT_EQ(placement.allocations()[first].bytes, 100u);
  EXPECT_EQ(placement.allocations()[1 - first].bytes, 50u);
  std::vector<uint64_t> bases(2);
  bases[first] = 4096;
  bases[1 - first] = 8192;
  std::vector<Argument> placed = placement.placedAt(bases);
  EXPECT_EQ(addressOf(placed[0]), 4096u);
  EXPECT_EQ(placed[1].integerValue, 3);
  EXPECT_EQ(addressOf(placed[2]), 8192u);
  EXPECT_TRUE(placed[0].onDevice);
}

TEST(BufferPlacement, letsBuffersOverlapAsOnTheHost) {
  char data[100];
  BufferPlacement placement({Argument::buffer(data + 40, 60), Argument::buffer(data, 50),
                             Argument::buffer(data + 20, 4), Argument::buffer(data + 40, 60)});
  ASSERT_EQ(placement.allocations().size(), 1u);
  EXPECT_EQ(placement.allocations()[0].host, data);
  EXPECT_EQ(placement.allocations()[0].bytes, 100u);
  EXPECT_EQ(placement.allocations()[0].arguments.size(), 4u);
  std::vector<Argument> placed = placement.placedAt({1000});
  EXPECT_EQ(addressOf(placed[0]), 1040u);
  EXPECT_EQ(addressOf(placed[1]), 1000u);
  EXPECT_EQ(addressOf(placed[2]), 1020u);
  EXPECT_EQ(addressOf(placed[3]), 1040u);
}

TEST(BufferPlacement, keepsBuffersThatOnlyTouchApart) {
  char data[100];
  BufferPlacement placement({Argument::buffer(data, 50), Argument::buffer(data + 50, 50)});
  EXPECT_EQ(placement.allocations().size(), 2u);
}

TEST(BufferPlacement, copiesNeitherNothingNorMemoryOfTheDevice) {
  char data[4];
  BufferPlacement placement({Argument::buffer(data, 0), Argument::deviceBuffer(0x7000, 64)});
  EXPECT_TRUE(placement.allocations().empty());
  std::vector<Argument> placed = placement.placedAt({});
  EXPECT_EQ(addressOf(placed[0]), 0u);
  EXPECT_EQ(addressOf(placed[1]), 0x7000u);
}

TEST(Targets, areReadAsCapabilities) {
  EXPECT_EQ(capabilityOf("sm_75"), 75);
  EXPECT_EQ(capabilityOf("sm_90a"), 90);
  EXPECT_EQ(capabilityOf("sm_120"), 120);
  for (const char *wrong : {"cpu", "sm_", "sm_9", "sm_a", "sm_9x", "sm_1200", "sm90", ""})
    EXPECT_EQ(capabilityOf(wrong), std::nullopt) << wrong;
}
