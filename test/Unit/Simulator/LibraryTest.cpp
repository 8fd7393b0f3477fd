//===- LibraryTest.cpp - CUDA's own functions, inlined by nvcc ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

#include <cmath>

using namespace fsm::sim;

namespace {

TEST(Library, layerNormInDynamicSharedMemory) {
  auto kernel = SimulatedKernel::file("library.ptx");
  constexpr size_t n = 300;
  std::vector<float> x(4 * n), gain(n);
  for (size_t index = 0; index < x.size(); ++index)
    x[index] = std::sin(float(index)) * float(index % 7);
  for (size_t index = 0; index < n; ++index)
    gain[index] = float(index % 5) - 2;
  uint64_t in = kernel.buffer(x), y = kernel.uninitialized(x.size() * 4);
  uint64_t factors = kernel.buffer(gain);
  int columns = n;
  float epsilon = 1e-5f;
  void *arguments[] = {&in, &y, &factors, &columns, &epsilon};
  auto report = kernel.device->launch(*kernel.module, "layerNorm", {4}, {128}, n * 4, arguments);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->str(), "");
  std::vector<float> result = kernel.read<float>(y, x.size());
  for (size_t row = 0; row < 4; ++row) {
    double sum = 0, squares = 0;
    for (size_t index = row * n; index < row * n + n; ++index) {
      sum += x[index];
      squares += double(x[index]) * x[index];
    }
    double mean = sum / n, scale = 1 / std::sqrt(squares / n - mean * mean + epsilon);
    for (size_t index = 0; index < n; ++index)
      EXPECT_NEAR(result[row * n + index], (x[row * n + index] - mean) * scale * gain[index], 2e-5);
  }
}

TEST(Library, functionsOfFloats) {
  auto kernel = SimulatedKernel::file("library.ptx");
  std::vector<float> x(64);
  for (size_t index = 0; index < 64; ++index)
    x[index] = float(index) * 0.17f - 5.3f;
  kernel.buffer(x);
  uint64_t y = kernel.uninitialized(2560);
  EXPECT_EQ(kernel.run("functions", {}, {64}).str(), "");
  std::vector<float> result = kernel.read<float>(y, 640);
  for (size_t index = 0; index < 64; ++index) {
    float v = x[index];
    double scaled = double(v * 1000);
    double expected[] = {std::exp(double(v)),
                         std::log(double(std::fabs(v) + 1)),
                         std::sin(scaled),
                         std::tanh(double(v)),
                         std::pow(double(std::fabs(v)), 1.5),
                         std::erf(double(v)),
                         std::sqrt(double(std::fabs(v))),
                         double(std::fmod(v, 0.7f)),
                         std::exp(double(v)),
                         double(v) / 3};
    for (size_t function = 0; function < 10; ++function)
      EXPECT_NEAR(result[10 * index + function], expected[function],
                  4e-7 * std::fabs(expected[function]) + 1e-37)
          << "function " << function << " of " << v;
  }
}

int64_t expectedInteger(int64_t v) {
  uint64_t reversed = 0;
  for (int bit = 0; bit < 64; ++bit)
    reversed |= (uint64_t(v) >> bit & 1) << (63 - bit);
  int64_t zeros = v ? __builtin_clzll(uint64_t(v)) : 64;
  int64_t high = int64_t(__int128(v) * v >> 64);
  uint64_t sum = uint64_t((v / 7) ^ (v % 1000003)) + reversed;
  return int64_t(sum + uint64_t(__builtin_popcountll(uint64_t(v)) * 3 + zeros * 5 + int16_t(v) +
                                int8_t(v) * 11 + high));
}

TEST(Library, wideIntegers) {
  auto kernel = SimulatedKernel::file("library.ptx");
  std::vector<int64_t> x(64);
  for (int64_t index = 0; index < 64; ++index)
    x[size_t(index)] =
        (index % 2 ? -1 : 1) * int64_t(uint64_t(index * index * index * 7919) << (index % 40) >> 2);
  kernel.buffer(x);
  uint64_t y = kernel.uninitialized(512);
  EXPECT_EQ(kernel.run("integers", {}, {64}).str(), "");
  std::vector<int64_t> result = kernel.read<int64_t>(y, 64);
  for (size_t index = 0; index < 64; ++index)
    EXPECT_EQ(result[index], expectedInteger(x[index])) << x[index];
}

TEST(Library, manyWayBranches) {
  for (uint64_t seed : {0, 3}) {
    auto kernel = SimulatedKernel::file("library.ptx");
    uint64_t y = kernel.uninitialized(256);
    LaunchOptions options;
    options.seed = seed;
    EXPECT_EQ(kernel.run("cases", {}, {64}, options).str(), "");
    std::vector<int> result = kernel.read<int>(y, 64);
    for (int i = 0; i < 64; ++i) {
      const int expected[] = {3, i * 2, i ^ 5, -i, i * i, 7 - i, i / 3, i << 3, 99};
      EXPECT_EQ(result[size_t(i)], expected[i % 9]);
    }
  }
}

TEST(Library, barriersThatCount) {
  auto kernel = SimulatedKernel::file("library.ptx");
  uint64_t y = kernel.uninitialized(384);
  EXPECT_EQ(kernel.run("counts", {}, {96}).str(), "");
  EXPECT_EQ(kernel.read<int>(y, 96), std::vector<int>(96, 32 * 4 + 2));
}

} // namespace
