//===- LlvmTest.cpp - Kernels that LLVM compiled -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

#include <cmath>
#include <cstring>

using namespace fsm::sim;

namespace {

TEST(Llvm, maskedVectorsThroughSharedMemory) {
  auto kernel = SimulatedKernel::file("llvm.ptx");
  std::vector<float> x(80);
  for (size_t index = 0; index < 80; ++index)
    x[index] = float(index) + 1;
  kernel.buffer(x);
  uint64_t y = kernel.uninitialized(512);
  kernel.scalar(20);
  EXPECT_EQ(kernel.run("mirror", {}, {32}).str(), "");
  std::vector<float> result = kernel.read<float>(y, 128);
  for (size_t index = 0; index < 128; ++index) {
    size_t from = (31 - index / 4) * 4 + index % 4;
    EXPECT_EQ(result[index], from < 80 ? 2 * x[from] : 0);
  }
}

TEST(Llvm, halvesAreWidenedAndNarrowed) {
  auto kernel = SimulatedKernel::file("llvm.ptx");
  std::vector<_Float16> x(128);
  for (int index = 0; index < 128; ++index)
    x[size_t(index)] = _Float16(index * 0.17f - 9);
  kernel.buffer(x);
  uint64_t y = kernel.uninitialized(256);
  EXPECT_EQ(kernel.run("halves", {}, {32}).str(), "");
  std::vector<_Float16> result = kernel.read<_Float16>(y, 128);
  for (size_t index = 0; index < 128; ++index) {
    _Float16 square = _Float16(float(x[index]) * float(x[index]));
    EXPECT_EQ(result[index], _Float16(float(square) + float(index % 4 + 1)));
  }
}

/// Runs a kernel of families.ptx on one warp that reads `in` and writes 32 values.
template <typename Out, typename In>
std::vector<Out> runFamily(const std::string &name, const std::vector<In> &in,
                           const std::vector<uint64_t> &scalars = {}) {
  auto kernel = SimulatedKernel::file("families.ptx");
  kernel.buffer(in);
  uint64_t out = kernel.uninitialized(32 * sizeof(Out));
  for (uint64_t value : scalars)
    kernel.scalar(value);
  EXPECT_EQ(kernel.run(name, {}, {32}).str(), "");
  return kernel.template read<Out>(out, 32);
}

/// A switch: brx.idx, with every lane on a path of its own.
TEST(LlvmFamilies, tablesOfBranches) {
  std::vector<int> in(32);
  for (int index = 0; index < 32; ++index)
    in[size_t(index)] = index % 9;
  std::vector<int> out = runFamily<int>("sw", in);
  for (int index = 0; index < 32; ++index) {
    int a = index % 9;
    const int expected[9] = {a * 11, a + 12, a ^ 13, a - 14, a | 15, a << 16, a & 17, 777, 777};
    EXPECT_EQ(out[size_t(index)], expected[a]) << index;
  }
}

/// twice(a, <5, a>) = 2 a; vec gives back 2 a and 2.0; outer(&5, -1, true) = 5.
TEST(LlvmFamilies, calls) {
  std::vector<float> in(32);
  for (size_t index = 0; index < 32; ++index)
    in[index] = float(index) / 4;
  std::vector<float> out = runFamily<float>("calls", in);
  for (size_t index = 0; index < 32; ++index)
    EXPECT_EQ(out[index], float(index) / 2 + 7);
}

TEST(LlvmFamilies, parametersOfAllKinds) {
  auto kernel = SimulatedKernel::file("families.ptx");
  uint64_t out = kernel.uninitialized(4);
  float pair[2] = {100, 0.5f};
  signed char four[4] = {1, 2, 3, -4};
  struct {
    int32_t first;
    int64_t second;
  } both{7, 1000};
  uint8_t flag = 1;
  _Float16 half = _Float16(0.25f);
  int8_t byte = -8;
  void *parameters[] = {&out, pair, four, &both, &flag, &half, &byte};
  auto report = kernel.device->launch(*kernel.module, "byval", {}, {1}, 0, parameters);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->str(), "");
  // 0.5 + 1000 - 4 + 0.25 + 1 - 8
  EXPECT_EQ(kernel.read<float>(out, 1)[0], 989.75f);
}

TEST(LlvmFamilies, loadsWithHints) {
  std::vector<int> out = runFamily<int>("asmloads", std::vector<int>{10, 20, 30, 40});
  EXPECT_EQ(std::vector<int>(out.begin(), out.begin() + 4), (std::vector<int>{20, 30, 40, 10}));
}

/// Products and sums that leave 64 bits, against the host's 128.
TEST(LlvmFamilies, wideIntegers) {
  std::vector<int64_t> in = {0, 1, -1, INT64_MAX, INT64_MIN, 0x123456789abcdef, -77, 1 << 20};
  in.resize(32, 3);
  const int64_t b = -0x123456789;
  std::vector<int64_t> sums = runFamily<int64_t>("add_i64", in, {uint64_t(b)});
  std::vector<int64_t> highs = runFamily<int64_t>("mulhi_sext_i64", in, {uint64_t(b)});
  std::vector<int64_t> products = runFamily<int64_t>("smulo_i64", in, {uint64_t(b)});
  for (size_t index = 0; index < in.size(); ++index) {
    __int128 product = __int128(in[index]) * b;
    EXPECT_EQ(uint64_t(sums[index]), uint64_t(in[index]) + uint64_t(b));
    EXPECT_EQ(highs[index], int64_t(product >> 64));
    EXPECT_EQ(products[index], product == int64_t(product) ? int64_t(product) : 99);
  }
}

/// 1 * 5 + (-2) * 6 + 3 * 7 + (-128) * 127 + 5
TEST(LlvmFamilies, dotsAndReductions) {
  std::vector<uint32_t> in(32, 0x8003fe01);
  EXPECT_EQ(runFamily<int32_t>("dp4a_s", in, {0x7f070605})[0], -16237);
  std::vector<int> ramp(32);
  for (int index = 0; index < 32; ++index)
    ramp[size_t(index)] = index;
  EXPECT_EQ(runFamily<int>("redux", ramp, {0})[31], 496);
}

TEST(LlvmFamilies, saturatingConversion) {
  std::vector<float> in = {1.9f, -1.9f, 127.5f, 1e30f, -1e30f, -128.4f, NAN, 0};
  in.resize(32, 0);
  std::vector<int8_t> out = runFamily<int8_t>("fptosisat_float_i8", in, {0});
  EXPECT_EQ(std::vector<int8_t>(out.begin(), out.begin() + 7),
            (std::vector<int8_t>{1, -1, 127, 127, -128, -128, 0}));
}

/// The tables of the OCP 8-bit floating point specification: all 256 values.
TEST(LlvmFamilies, eightBitFloatsAreWidened) {
  for (bool isE4M3 : {true, false}) {
    const int mantissaBits = isE4M3 ? 3 : 2, bias = isE4M3 ? 7 : 15;
    for (unsigned first = 0; first < 256; first += 64) {
      std::vector<uint8_t> in(64);
      for (unsigned index = 0; index < 64; ++index)
        in[index] = static_cast<uint8_t>(first + index);
      auto halves = runFamily<uint32_t>(isE4M3 ? "from_e4m3" : "from_e5m2", in);
      for (unsigned index = 0; index < 64; ++index) {
        uint16_t bits = static_cast<uint16_t>(halves[index / 2] >> (index % 2 * 16));
        _Float16 half;
        std::memcpy(&half, &bits, 2);
        int mantissa = in[index] & ((1 << mantissaBits) - 1);
        int exponent = (in[index] & 0x7f) >> mantissaBits;
        bool isTop = isE4M3 ? (in[index] & 0x7f) == 0x7f : exponent == 31;
        double value = exponent
                           ? std::ldexp(1 + double(mantissa) / (1 << mantissaBits), exponent - bias)
                           : std::ldexp(double(mantissa), 1 - bias - mantissaBits);
        value = isTop ? (isE4M3 || mantissa ? NAN : INFINITY) : value;
        value = in[index] & 0x80 ? -value : value;
        if (std::isnan(value))
          EXPECT_TRUE(std::isnan(float(half))) << unsigned(in[index]);
        else
          EXPECT_EQ(double(half), value) << unsigned(in[index]);
      }
    }
  }
}

/// Ties go to even; what is too large becomes the largest number, 448 or 57344.
TEST(LlvmFamilies, floatsAreNarrowedToEightBits) {
  const std::pair<float, uint8_t> expected[] = {
      {1, 0x38},       {-1.5f, 0xbc},      {1.0625f, 0x38},   {1.1875f, 0x3a}, {448, 0x7e},
      {464, 0x7e},     {1e30f, 0x7e},      {-INFINITY, 0xfe}, {NAN, 0x7f},     {0.001953125f, 0x01},
      {0.0009f, 0x00}, {0.0009766f, 0x01}, {-0.f, 0x80},      {240, 0x77}};
  std::vector<float> in;
  for (auto [value, bits] : expected)
    in.push_back(value);
  in.resize(64, 0);
  std::vector<uint8_t> out;
  for (uint16_t both : runFamily<uint16_t>("to_e4m3", in))
    out.insert(out.end(), {uint8_t(both & 0xff), uint8_t(both >> 8)});
  for (size_t index = 0; index < std::size(expected); ++index)
    EXPECT_EQ(unsigned(out[index]), unsigned(expected[index].second)) << expected[index].first;
  // 1, 60000 (above the largest, but nearest to it), infinity, 1.25 of E5M2.
  std::vector<_Float16> halves = {_Float16(1.f), _Float16(60000.f), _Float16(INFINITY),
                                  _Float16(1.25f)};
  halves.resize(64, _Float16(0.f));
  std::vector<uint16_t> narrow = runFamily<uint16_t>("half_to_e5m2", halves);
  EXPECT_EQ(narrow[0], 0x7b3cu);
  EXPECT_EQ(narrow[1], 0x3d7bu);
}

/// Generic addresses of shared and local memory: 7 and 3, and what `in` holds.
TEST(LlvmFamilies, genericAddresses) {
  auto kernel = SimulatedKernel::file("families.ptx");
  kernel.buffer(std::vector<int>{100});
  uint64_t out = kernel.uninitialized(4);
  std::vector<void *> pointers;
  for (uint64_t &argument : kernel.arguments)
    pointers.push_back(&argument);
  auto report = kernel.device->launch(*kernel.module, "asc", {}, {1}, 16, pointers.data());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->str(), "");
  EXPECT_EQ(kernel.read<int>(out, 1)[0], 110);
}

} // namespace
