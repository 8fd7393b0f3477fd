//===- NvccTest.cpp - Kernels that nvcc compiled -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace fsm::sim;

namespace {

std::vector<float> waves(size_t count) {
  std::vector<float> values(count);
  for (size_t index = 0; index < count; ++index)
    values[index] = std::sin(float(index) * 0.37f) * 3;
  return values;
}

TEST(Nvcc, vectorAddEqualsTheHost) {
  auto kernel = SimulatedKernel::file("vector-add.ptx");
  std::vector<float> a = waves(1000), b = waves(1007);
  b.erase(b.begin(), b.begin() + 7);
  kernel.buffer(a);
  kernel.buffer(b);
  uint64_t c = kernel.uninitialized(4000);
  kernel.scalar(1000);
  LaunchReport report = kernel.run("vectorAdd", {8}, {128});
  EXPECT_EQ(report.str(), "");
  std::vector<float> sum = kernel.read<float>(c, 1000);
  for (size_t index = 0; index < 1000; ++index)
    EXPECT_EQ(sum[index], a[index] + b[index]);
  // 1000 floats are 125 sectors of each of the three buffers.
  EXPECT_EQ(report.counters.globalSectors(), 375u);
}

void checkSoftmax(const std::vector<float> &x, const std::vector<float> &y, size_t columns) {
  for (size_t row = 0; row < x.size() / columns; ++row) {
    const float *in = &x[row * columns];
    double most = *std::max_element(in, in + columns), sum = 0;
    for (size_t column = 0; column < columns; ++column)
      sum += std::exp(in[column] - most);
    for (size_t column = 0; column < columns; ++column) {
      double expected = std::exp(in[column] - most) / sum;
      ASSERT_NEAR(y[row * columns + column], expected, 2e-6 * expected);
    }
  }
}

TEST(Nvcc, softmaxIsRightForManySchedulesAndFast) {
  auto kernel = SimulatedKernel::file("softmax.ptx");
  std::vector<float> x = waves(64 * 1024);
  kernel.buffer(x);
  uint64_t y = kernel.uninitialized(x.size() * 4);
  kernel.scalar(1024);
  std::vector<float> first;
  for (uint64_t seed : {0, 1, 2, 3}) {
    LaunchOptions options;
    options.seed = seed;
    auto start = std::chrono::steady_clock::now();
    LaunchReport report = kernel.run("softmax", {64}, {256}, options);
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("softmax 64 x 1024, seed %d: %.3f s, %lu warp instructions\n", int(seed),
                time.count(), static_cast<unsigned long>(report.counters.warpInstructions));
    EXPECT_LT(time.count(), 3);
    EXPECT_EQ(report.str(), "");
    std::vector<float> result = kernel.read<float>(y, x.size());
    checkSoftmax(x, result, 1024);
    if (first.empty())
      first = result;
    EXPECT_EQ(result, first);
  }
}

TEST(Nvcc, softmaxOfAnOddWidth) {
  auto kernel = SimulatedKernel::file("softmax.ptx");
  std::vector<float> x = waves(5 * 781);
  kernel.buffer(x);
  uint64_t y = kernel.uninitialized(x.size() * 4);
  kernel.scalar(781);
  EXPECT_EQ(kernel.run("softmax", {5}, {96}).str(), "");
  checkSoftmax(x, kernel.read<float>(y, x.size()), 781);
}

TEST(Nvcc, atomicsOfManyBlocksAdd) {
  auto kernel = SimulatedKernel::file("reduction.ptx");
  std::vector<int> x(5000);
  for (int index = 0; index < 5000; ++index)
    x[size_t(index)] = index * 37 % 1001 - 500;
  kernel.buffer(x);
  uint64_t total = kernel.buffer<int>({0}), most = kernel.buffer<int>({-1000});
  uint64_t real = kernel.buffer<float>({0});
  kernel.scalar(5000);
  EXPECT_EQ(kernel.run("sum", {40}, {128}).str(), "");
  int expected = std::accumulate(x.begin(), x.end(), 0);
  EXPECT_EQ(kernel.read<int>(total, 1)[0], expected);
  EXPECT_EQ(kernel.read<int>(most, 1)[0], *std::max_element(x.begin(), x.end()));
  EXPECT_EQ(kernel.read<float>(real, 1)[0], float(expected));
}

TEST(Nvcc, histogramInSharedMemory) {
  auto kernel = SimulatedKernel::file("reduction.ptx");
  std::vector<unsigned> x(3000), expected(64);
  for (unsigned index = 0; index < 3000; ++index)
    ++expected[(x[index] = index * index) % 64];
  kernel.buffer(x);
  uint64_t bins = kernel.buffer(std::vector<unsigned>(64));
  kernel.scalar(3000);
  EXPECT_EQ(kernel.run("histogram", {7}, {96}).str(), "");
  EXPECT_EQ(kernel.read<unsigned>(bins, 64), expected);
}

TEST(Nvcc, votesAndMatches) {
  auto kernel = SimulatedKernel::file("reduction.ptx");
  std::vector<int> x(64);
  for (int index = 0; index < 64; ++index)
    x[size_t(index)] = index * 7 % 9;
  kernel.buffer(x);
  uint64_t votes = kernel.uninitialized(8), matches = kernel.uninitialized(256);
  EXPECT_EQ(kernel.run("ballots", {}, {64}).str(), "");
  std::vector<unsigned> ballot(2), same(64);
  for (unsigned index = 0; index < 64; ++index) {
    ballot[index / 32] |= unsigned(x[index] > 3) << index % 32;
    for (unsigned other = index / 32 * 32; other < index / 32 * 32 + 32; ++other)
      same[index] |= unsigned(x[other] == x[index]) << other % 32;
  }
  EXPECT_EQ(kernel.read<unsigned>(votes, 2), ballot);
  EXPECT_EQ(kernel.read<unsigned>(matches, 64), same);
}

TEST(Nvcc, lanesThatWaitForALockLetItsHolderGoOn) {
  for (uint64_t seed : {0, 5}) {
    auto kernel = SimulatedKernel::file("reduction.ptx");
    kernel.buffer<int>({0});
    uint64_t counter = kernel.buffer<int>({0});
    LaunchOptions options;
    options.seed = seed;
    EXPECT_EQ(kernel.run("locked", {2}, {64}, options).str(), "");
    EXPECT_EQ(kernel.read<int>(counter, 1)[0], 128);
  }
}

TEST(Nvcc, transposeThroughSharedMemory) {
  auto kernel = SimulatedKernel::file("transpose.ptx");
  std::vector<float> x = waves(45 * 70);
  kernel.buffer(x);
  uint64_t y = kernel.uninitialized(x.size() * 4);
  kernel.scalar(45);
  kernel.scalar(70);
  LaunchReport report = kernel.run("transpose", {3, 2}, {32, 32});
  EXPECT_EQ(report.str(), "");
  EXPECT_EQ(report.counters.bankConflicts(), 0u);
  std::vector<float> result = kernel.read<float>(y, x.size());
  for (size_t row = 0; row < 45; ++row)
    for (size_t column = 0; column < 70; ++column)
      ASSERT_EQ(result[column * 45 + row], x[row * 70 + column]);
}

TEST(Nvcc, bankConflictsAreCounted) {
  auto kernel = SimulatedKernel::file("transpose.ptx");
  kernel.buffer(waves(1024));
  kernel.uninitialized(4096);
  LaunchReport report = kernel.run("transposeConflicts", {}, {32, 32});
  EXPECT_EQ(report.str(), "");
  // 32 warps read a column: 32 passes instead of one.
  EXPECT_EQ(report.counters.bankConflicts(), 32u * 31);
}

TEST(Nvcc, divergentLoops) {
  for (uint64_t seed : {0, 7}) {
    auto kernel = SimulatedKernel::file("divergence.ptx");
    std::vector<unsigned> x(300), expected(300);
    for (unsigned index = 0; index < 300; ++index) {
      x[index] = index + 1;
      for (unsigned value = x[index]; value != 1; ++expected[index])
        value = value % 2 ? 3 * value + 1 : value / 2;
    }
    kernel.buffer(x);
    uint64_t steps = kernel.uninitialized(1200);
    kernel.scalar(300);
    LaunchOptions options;
    options.seed = seed;
    EXPECT_EQ(kernel.run("collatz", {3}, {128}, options).str(), "");
    EXPECT_EQ(kernel.read<unsigned>(steps, 300), expected);
  }
}

TEST(Nvcc, functionsAreCalledByDivergentLanes) {
  auto kernel = SimulatedKernel::file("divergence.ptx");
  uint64_t y = kernel.uninitialized(256);
  EXPECT_EQ(kernel.run("powers", {}, {64}).str(), "");
  std::vector<unsigned> result = kernel.read<unsigned>(y, 64);
  for (unsigned index = 0; index < 64; ++index) {
    unsigned expected = 1;
    for (unsigned k = 0; k < (index % 3 ? index % 7 : 2); ++k)
      expected *= index;
    EXPECT_EQ(result[index], expected + (index % 3 == 0));
  }
}

TEST(Nvcc, localAndConstantMemory) {
  auto kernel = SimulatedKernel::file("divergence.ptx");
  uint64_t y = kernel.uninitialized(256);
  kernel.scalar(3);
  EXPECT_EQ(kernel.run("local", {}, {64}).str(), "");
  std::vector<int> result = kernel.read<int>(y, 64);
  const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
  for (int thread = 0; thread < 64; ++thread) {
    int values[8], sum = 0;
    for (int index = 0; index < 8; ++index)
      values[(index * 3 + thread) % 8] = table[index] + index;
    for (int index = 0; index < 8; ++index)
      sum = sum * 7 + values[(index + 3) % 8];
    EXPECT_EQ(result[size_t(thread)], sum);
  }
}

/// Halves that are small integers and quarters, exact in every operation below.
TEST(Nvcc, halfArithmetic) {
  auto kernel = SimulatedKernel::file("half.ptx");
  std::vector<_Float16> a(64), b(64);
  for (int index = 0; index < 64; ++index) {
    a[size_t(index)] = _Float16(index * 0.3f - 7);
    b[size_t(index)] = _Float16(5 - index * 0.7f);
  }
  kernel.buffer(a);
  kernel.buffer(b);
  uint64_t c = kernel.uninitialized(512);
  EXPECT_EQ(kernel.run("halves", {}, {32}).str(), "");
  std::vector<_Float16> result = kernel.read<_Float16>(c, 256);
  for (size_t pair = 0; pair < 32; ++pair)
    for (size_t half = 0; half < 2; ++half) {
      double x = double(a[2 * pair + half]), y = double(b[2 * pair + half]);
      const _Float16 *got = &result[8 * pair + half];
      EXPECT_EQ(got[0], _Float16(x + y));
      EXPECT_EQ(got[2], _Float16(x * y));
      EXPECT_EQ(got[4], _Float16(x * y + x));
      EXPECT_EQ(got[6], _Float16(std::min(x, y)));
    }
}

float roundedToBfloat(double value) {
  float nearest = float(value);
  uint32_t bits;
  std::memcpy(&bits, &nearest, 4);
  bits += 0x7fff + (bits >> 16 & 1);
  bits &= 0xffff0000;
  std::memcpy(&nearest, &bits, 4);
  return nearest;
}

TEST(Nvcc, bfloatArithmetic) {
  auto kernel = SimulatedKernel::file("half.ptx");
  std::vector<float> a = waves(32), b = waves(40);
  b.erase(b.begin(), b.begin() + 8);
  kernel.buffer(a);
  kernel.buffer(b);
  uint64_t c = kernel.uninitialized(256), d = kernel.uninitialized(128);
  EXPECT_EQ(kernel.run("bfloats", {}, {32}).str(), "");
  std::vector<uint16_t> pairs = kernel.read<uint16_t>(c, 128);
  std::vector<float> sums = kernel.read<float>(d, 32);
  for (size_t index = 0; index < 32; ++index) {
    float x = roundedToBfloat(a[index]), y = roundedToBfloat(b[index]);
    EXPECT_EQ(sums[index], x + y);
    uint32_t bits = uint32_t(pairs[4 * index + 2]) << 16;
    float product;
    std::memcpy(&product, &bits, 4);
    EXPECT_EQ(product, roundedToBfloat(double(x) * x + x));
  }
}

} // namespace
