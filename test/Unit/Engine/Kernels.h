//===- Kernels.h - The kernels these tests launch --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_ENGINE_KERNELS_H
#define FSM_TEST_UNIT_ENGINE_KERNELS_H

#include "fsm/Engine/Engine.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace fsm::test {

/// out[i] = a[i] + b[i] for i < n, a block of 64 per program.
inline const char *const kAdd = R"(
fsm.kernel @add(%out: !fsm.ptr<f32>, %a: !fsm.ptr<f32>, %b: !fsm.ptr<f32>, %n: i32) {
  %c64 = arith.constant 64 : i32
  %pid = fsm.program_id x : i32
  %start = arith.muli %pid, %c64 : i32
  %range = fsm.range 0, 64 : tensor<64xi32>
  %starts = fsm.splat %start : tensor<64xi32>
  %offs = arith.addi %starts, %range : tensor<64xi32>
  %ns = fsm.splat %n : tensor<64xi32>
  %mask = arith.cmpi slt, %offs, %ns : tensor<64xi32>
  %x = fsm.load %a[%offs], %mask : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %y = fsm.load %b[%offs], %mask : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
  %sum = arith.addf %x, %y : tensor<64xf32>
  fsm.store %sum, %out[%offs], %mask : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  fsm.return
})";

/// A loop whose slots of 64 KiB leave room for 4 of its 8 stages on sm_90a; it begins in line 4.
inline const char *const kWide =
    R"(fsm.kernel @wide(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) {
  %c = arith.constant 1 : i32
  %o = fsm.range 0, 16384 : tensor<16384xi32>
  scf.for %i = %c to %n step %c : i32 {
    %from = fsm.offset %in, %i : !fsm.ptr<f32>, i32
    %x = fsm.load %from[%o] : !fsm.ptr<f32>, tensor<16384xi32> -> tensor<16384xf32>
    fsm.store %x, %out[%o] : tensor<16384xf32>, !fsm.ptr<f32>, tensor<16384xi32>
  } {fsm.num_stages = 8 : i32}
  fsm.return
})";

/// out[z][y][x] = 100 z + 10 y + x, for a grid of at most 10 in x and y.
inline const char *const kIds = R"(
fsm.kernel @ids(%out: !fsm.ptr<i32>) {
  %c10 = arith.constant 10 : i32
  %x = fsm.program_id x : i32
  %y = fsm.program_id y : i32
  %z = fsm.program_id z : i32
  %nx = fsm.num_programs x : i32
  %ny = fsm.num_programs y : i32
  %zy = arith.muli %z, %ny : i32
  %plane = arith.addi %zy, %y : i32
  %row = arith.muli %plane, %nx : i32
  %index = arith.addi %row, %x : i32
  %z10 = arith.muli %z, %c10 : i32
  %zy10 = arith.addi %z10, %y : i32
  %tens = arith.muli %zy10, %c10 : i32
  %value = arith.addi %tens, %x : i32
  %p = fsm.offset %out, %index : !fsm.ptr<i32>, i32
  fsm.store %value, %p : i32, !fsm.ptr<i32>
  fsm.return
})";

/// A kernel that stores its scalar argument of `type`.
inline std::string storeScalar(const std::string &type, const std::string &attributes = "") {
  return "fsm.kernel @store(%out: !fsm.ptr<" + type + ">, %value: " + type + attributes +
         ") {\n  fsm.store %value, %out : " + type + ", !fsm.ptr<" + type + ">\n  fsm.return\n}";
}

inline Source sourceOf(const std::string &text) {
  Source source;
  source.text = text;
  source.fileName = "k.mlir";
  return source;
}

template <typename T>
T expectValue(Result<T> result) {
  if (!result)
    ADD_FAILURE() << result.error().message;
  return std::move(*result);
}

inline void expectSuccess(const Result<void> &result) {
  EXPECT_TRUE(result) << result.error().message;
}

/// The message of an error of that kind.
template <typename T>
std::string errorOf(const Result<T> &result, Error::Kind kind = Error::Kind::BadInput) {
  if (result)
    return "no error";
  EXPECT_EQ(static_cast<int>(result.error().kind), static_cast<int>(kind));
  return result.error().message;
}

/// An engine; the simulator is the one of this build.
inline Engine openEngine(const std::string &device) {
  EngineOptions options;
  options.simulatorLibrary = FSM_SIMULATOR_LIBRARY;
  return expectValue(Engine::create(device, options));
}

template <typename T>
Argument bufferOf(std::vector<T> &elements) {
  return Argument::buffer(elements.data(), elements.size() * sizeof(T));
}

/// Launches kAdd on `count` elements and checks every sum.
inline void launchAdd(Engine &engine, const Kernel &kernel, int32_t count) {
  std::vector<float> a(count), b(count), out(count + 1, -1.0f);
  for (int32_t i = 0; i < count; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i + 1);
  }
  expectSuccess(engine.launch(kernel, Grid{(count + 63) / 64, 1, 1},
                              {bufferOf(out), bufferOf(a), bufferOf(b), Argument::integer(count)}));
  for (int32_t i = 0; i < count; ++i)
    ASSERT_EQ(out[i], static_cast<float>(3 * i + 1)) << "element " << i;
  EXPECT_EQ(out[count], -1.0f);
}

} // namespace fsm::test

#endif // FSM_TEST_UNIT_ENGINE_KERNELS_H
