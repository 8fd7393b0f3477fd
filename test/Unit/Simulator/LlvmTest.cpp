//===- LlvmTest.cpp - Kernels that LLVM compiled -----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedKernel.h"

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

} // namespace
