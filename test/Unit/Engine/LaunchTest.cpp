//===- LaunchTest.cpp - Kernels on the devices of an engine --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <cstring>
#include <thread>

using namespace fsm;
using namespace fsm::test;

/// Runs on every device.
class Launch : public ::testing::TestWithParam<const char *> {
protected:
  Engine engine = openEngine(GetParam());
  Kernel load(const std::string &text) { return expectValue(engine.load(sourceOf(text))); }
};
INSTANTIATE_TEST_SUITE_P(Devices, Launch, ::testing::Values("cpu", "interp", "sim"));

TEST_P(Launch, ComputesWholeAndPartialBlocks) {
  Kernel add = load(kAdd);
  for (int32_t count : {0, 1, 63, 64, 65, 781, 1024})
    launchAdd(engine, add, count);
}

TEST_P(Launch, GivesEveryProgramItsCoordinates) {
  Kernel ids = load(kIds);
  std::vector<int32_t> out(5 * 3 * 2, -1);
  expectSuccess(engine.launch(ids, Grid{5, 3, 2}, {bufferOf(out)}));
  for (int32_t z = 0, i = 0; z < 2; ++z)
    for (int32_t y = 0; y < 3; ++y)
      for (int32_t x = 0; x < 5; ++x, ++i)
        EXPECT_EQ(out[i], 100 * z + 10 * y + x);
}

TEST_P(Launch, RunsNothingOnAnEmptyGrid) {
  Kernel ids = load(kIds);
  std::vector<int32_t> out(1, -1);
  for (Grid grid : {Grid{0, 1, 1}, Grid{1, 0, 1}, Grid{1, 1, 0}})
    expectSuccess(engine.launch(ids, grid, {bufferOf(out)}));
  EXPECT_EQ(out[0], -1);
}

TEST_P(Launch, RefusesWrongArguments) {
  Kernel add = load(kAdd);
  std::vector<float> data(64);
  Argument buffer = bufferOf(data), number = Argument::integer(64);
  std::string few = errorOf(engine.launch(add, Grid(), {buffer}));
  EXPECT_NE(few.find("expected 4 arguments for kernel @add(%out: !fsm.ptr<f32>, "), few.npos)
      << few;
  std::string swapped = errorOf(engine.launch(add, Grid(), {buffer, buffer, number, buffer}));
  EXPECT_NE(swapped.find("argument 2 '%b: !fsm.ptr<f32>' takes a buffer"), swapped.npos) << swapped;
  EXPECT_NE(errorOf(engine.launch(add, Grid{-1, 1, 1}, {buffer, buffer, buffer, number}))
                .find("negative"),
            std::string::npos);
}

TEST_P(Launch, HoldsTheAuthorToPromises) {
  Kernel store = load(storeScalar("i32", " {fsm.divisible = 8 : i32}"));
  std::vector<int32_t> out(1);
  expectSuccess(engine.launch(store, Grid(), {bufferOf(out), Argument::integer(24)}));
  EXPECT_EQ(out[0], 24);
  std::string message =
      errorOf(engine.launch(store, Grid(), {bufferOf(out), Argument::integer(20)}));
  EXPECT_NE(message.find("'fsm.divisible = 8', but is 20"), message.npos) << message;
}

TEST_P(Launch, HoldsTheAuthorToBounds) {
  Kernel store = load(storeScalar("i32", " {fsm.at_least = 3 : i32, fsm.at_most = 5 : i32}"));
  std::vector<int32_t> out(1);
  expectSuccess(engine.launch(store, Grid(), {bufferOf(out), Argument::integer(5)}));
  EXPECT_EQ(out[0], 5);
  std::string less = errorOf(engine.launch(store, Grid(), {bufferOf(out), Argument::integer(2)}));
  EXPECT_NE(less.find("'fsm.at_least = 3', but is 2"), less.npos) << less;
  std::string more = errorOf(engine.launch(store, Grid(), {bufferOf(out), Argument::integer(6)}));
  EXPECT_NE(more.find("'fsm.at_most = 5', but is 6"), more.npos) << more;
}

template <typename T>
static void expectStored(Engine &engine, const char *type, Argument value, T expected) {
  Kernel store = expectValue(engine.load(sourceOf(storeScalar(type))));
  T out{};
  expectSuccess(engine.launch(store, Grid(), {Argument::buffer(&out, sizeof(T)), value}));
  EXPECT_EQ(std::memcmp(&out, &expected, sizeof(T)), 0) << type;
}

TEST_P(Launch, ConvertsScalars) {
  expectStored<int8_t>(engine, "i1", Argument::integer(1), 1);
  expectStored<int8_t>(engine, "i8", Argument::integer(-1), -1);
  expectStored<uint8_t>(engine, "i8", Argument::integer(255), 255);
  expectStored<int64_t>(engine, "i64", Argument::integer(INT64_MIN), INT64_MIN);
  expectStored<float>(engine, "f32", Argument::real(0.1), 0.1f);
  expectStored<double>(engine, "f64", Argument::integer(3), 3.0);
  expectStored<uint16_t>(engine, "f16", Argument::real(1.0), 0x3C00);
  expectStored<uint16_t>(engine, "bf16", Argument::real(1.00390625), 0x3F80); // A tie, to even.
}

TEST_P(Launch, RunsFromSeveralThreads) {
  Kernel add = load(kAdd);
  std::vector<std::thread> threads;
  for (int32_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int32_t round = 0; round < 5; ++round)
        launchAdd(engine, add, 100 + 64 * i + round);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Engine, NamesItsDevices) {
  bool hasGpu = bool(Engine::create("cuda"));
  EXPECT_EQ(expectValue(Engine::create()).device(), hasGpu ? "cuda:0" : "cpu");
  EXPECT_EQ(expectValue(Engine::create("interp")).concurrentPrograms(), 1);
  EXPECT_GE(expectValue(Engine::create("cpu")).concurrentPrograms(), 1);
  EXPECT_NE(errorOf(Engine::create("tpu"), Error::Kind::NoDevice)
                .find("expected interp, cpu, cuda, cuda:N or sim"),
            std::string::npos);
}

/// A block that a loop carries lives in scratch memory.
TEST(Engine, GivesProgramsScratchOfTheirOwn) {
  Engine engine = expectValue(Engine::create("cpu"));
  Kernel kernel = expectValue(engine.load(sourceOf(R"(
    fsm.kernel @powers(%out: !fsm.ptr<i32>) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c256 = arith.constant 256 : i32
      %pid = fsm.program_id x : i32
      %ones = arith.constant dense<1> : tensor<256xi32>
      %sum = scf.for %i = %c0 to %pid step %c1 iter_args(%x = %ones) -> tensor<256xi32> : i32 {
        %twice = arith.addi %x, %x : tensor<256xi32>
        scf.yield %twice : tensor<256xi32>
      }
      %start = arith.muli %pid, %c256 : i32
      %p = fsm.offset %out, %start : !fsm.ptr<i32>, i32
      %offs = fsm.range 0, 256 : tensor<256xi32>
      fsm.store %sum, %p[%offs] : tensor<256xi32>, !fsm.ptr<i32>, tensor<256xi32>
      fsm.return
    })")));
  std::vector<int32_t> out(16 * 256);
  expectSuccess(engine.launch(kernel, Grid{16, 1, 1}, {bufferOf(out)}));
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], 1 << (i / 256)) << "element " << i;
}

/// Code made for one set of facts must not run for another.
TEST(Engine, SpecialisesAndStaysRight) {
  Engine engine = expectValue(Engine::create("cpu"));
  Kernel add = expectValue(engine.load(sourceOf(kAdd)));
  std::vector<float> data(300, 1.0f);
  auto at = [&](size_t i) { return Argument::buffer(&data[i], 64 * 4); };
  for (int64_t n : {64, 4, 1, 63})
    for (size_t shift : {0, 1, 4}) {
      std::fill(data.begin(), data.end(), 1.0f);
      expectSuccess(
          engine.launch(add, Grid(), {at(shift), at(100), at(200), Argument::integer(n)}));
      for (int64_t i = 0; i < 64; ++i)
        ASSERT_EQ(data[shift + i], i < n ? 2.0f : 1.0f);
    }
  // In place.
  expectSuccess(engine.launch(add, Grid(), {at(0), at(0), at(0), Argument::integer(64)}));
}

TEST(Engine, UsesGivenFactsAsTheyAre) {
  Engine engine = expectValue(Engine::create("cpu"));
  CompileOptions options;
  options.facts.resize(4);
  Kernel add = expectValue(engine.load(sourceOf(kAdd), options));
  launchAdd(engine, add, 64);
  options.facts.resize(3);
  EXPECT_NE(errorOf(engine.load(sourceOf(kAdd), options)).find("got 3"), std::string::npos);
}

TEST(Engine, KnowsFactsOfArguments) {
  alignas(64) float data[8];
  auto facts = Engine::factsOf({Argument::buffer(data, 16), Argument::buffer(data + 3, 8),
                                Argument::buffer(data + 5, 8), Argument::integer(1),
                                Argument::integer(48), Argument::integer(-4), Argument::real(16)});
  ASSERT_EQ(facts.size(), 7u);
  EXPECT_TRUE(facts[0].divisible == 64 && !facts[0].noAlias);
  EXPECT_TRUE(facts[1].divisible == 1 && !facts[1].noAlias);
  EXPECT_TRUE(facts[2].divisible == 1 && facts[2].noAlias);
  EXPECT_TRUE(facts[3].isOne && facts[3].divisible == 1);
  EXPECT_EQ(facts[4].divisible, 16u);
  EXPECT_EQ(facts[5].divisible, 4u);
  EXPECT_EQ(facts[6], ArgumentFact());
}
