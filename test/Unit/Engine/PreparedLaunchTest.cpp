//===- PreparedLaunchTest.cpp - Launches on memory of the device ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "fsm/Engine/PreparedLaunch.h"

#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <optional>
#include <thread>

using namespace fsm;
using namespace fsm::test;

namespace {
constexpr size_t kCount = 640;
constexpr Grid kGrid{10, 1, 1};

/// Memory of a device, or of the host where there is none.
class Block {
public:
  Block(Engine &engine, float value) : host(kCount, value) {
    if (!engine.deviceProperties())
      return;
    memory.emplace(expectValue(engine.allocate(bytes())));
    expectSuccess(memory->copyIn(host.data(), bytes()));
  }
  uint64_t address() {
    return memory ? memory->address() : reinterpret_cast<uint64_t>(host.data());
  }
  Argument argument() {
    return memory ? Argument::deviceBuffer(address(), bytes())
                  : Argument::buffer(host.data(), bytes());
  }
  const std::vector<float> &values() {
    if (memory)
      expectSuccess(memory->copyOut(host.data(), bytes()));
    return host;
  }

private:
  size_t bytes() const { return host.size() * sizeof(float); }
  std::vector<float> host;
  std::optional<cuda::Memory> memory;
};

class Prepared : public testing::TestWithParam<const char *> {
protected:
  Engine engine = openEngine(GetParam());
  Kernel kernel = expectValue(engine.load(sourceOf(kAdd)));
  Block out{engine, -1.0f}, a{engine, 1.5f}, b{engine, 2.0f};

  PreparedLaunch prepare() {
    return expectValue(engine.prepare(
        kernel, {out.argument(), a.argument(), b.argument(), Argument::integer(kCount)}));
  }
};
} // namespace

TEST_P(Prepared, ValuesMayChange) {
  PreparedLaunch prepared = prepare();
  EXPECT_EQ(prepared.valueCount(), 4u);
  uint64_t values[] = {out.address(), a.address(), b.address(), kCount};
  for (int i = 0; i < 3; ++i)
    expectSuccess(prepared.launch(kGrid, values));
  EXPECT_EQ(out.values(), std::vector<float>(kCount, 3.5f));
  // Bits above an i32 are not its value, and a factor may be another.
  Block other(engine, 0.0f);
  uint64_t others[] = {other.address(), b.address(), b.address(), (uint64_t(7) << 32) | 3};
  expectSuccess(prepared.launch(kGrid, others));
  std::vector<float> expected(kCount, 0.0f);
  std::fill_n(expected.begin(), 3, 4.0f);
  EXPECT_EQ(other.values(), expected);
  EXPECT_EQ(out.values(), std::vector<float>(kCount, 3.5f));
}

TEST_P(Prepared, CodeForOneIsNotUsedForOthers) {
  // %n is 1 in the first launch, a multiple of 16 in the second and neither in the third.
  PreparedLaunch prepared = expectValue(engine.prepare(
      kernel, {out.argument(), a.argument(), b.argument(), Argument::integer(1)}));
  for (size_t count : {1u, 32u, 7u, 1u}) {
    Block fresh(engine, -1.0f);
    uint64_t values[] = {fresh.address(), a.address(), b.address(), count};
    expectSuccess(prepared.launch(kGrid, values));
    std::vector<float> expected(kCount, -1.0f);
    std::fill_n(expected.begin(), count, 3.5f);
    EXPECT_EQ(fresh.values(), expected) << count;
  }
}

TEST_P(Prepared, CodeForSomeRowsIsNotUsedForOthers) {
  // A loop over a row by blocks of 64 runs so often that code is made for that, or more often.
  Kernel walk = expectValue(engine.load(sourceOf(R"(
fsm.kernel @walk(%out: !fsm.ptr<f32>, %in: !fsm.ptr<f32>, %n: i32) attributes {num_warps = 1 : i32} {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %range = fsm.range 0, 64 : tensor<64xi32>
  %ends = fsm.splat %n : tensor<64xi32>
  scf.for %i = %zero to %n step %step : i32 {
    %first = fsm.splat %i : tensor<64xi32>
    %at = arith.addi %first, %range overflow<nsw> : tensor<64xi32>
    %in_row = arith.cmpi slt, %at, %ends : tensor<64xi32>
    %x = fsm.load %in[%at], %in_row : !fsm.ptr<f32>, tensor<64xi32> -> tensor<64xf32>
    %y = arith.addf %x, %x : tensor<64xf32>
    fsm.store %y, %out[%at], %in_row : tensor<64xf32>, !fsm.ptr<f32>, tensor<64xi32>
  }
  fsm.return
}
)")));
  PreparedLaunch prepared =
      expectValue(engine.prepare(walk, {out.argument(), a.argument(), Argument::integer(64)}));
  for (size_t count : {64u, 1u, 65u, 128u, 130u, 512u, 513u, 640u, 64u, 0u}) {
    Block fresh(engine, -1.0f);
    uint64_t values[] = {fresh.address(), a.address(), count};
    expectSuccess(prepared.launch({1, 1, 1}, values));
    std::vector<float> expected(kCount, -1.0f);
    std::fill_n(expected.begin(), count, 3.0f);
    EXPECT_EQ(fresh.values(), expected) << count;
  }
}

TEST_P(Prepared, HiddenArgumentsFollowTheGrid) {
  Kernel ids = expectValue(engine.load(sourceOf(kIds)));
  Block numbers(engine, 0.0f);
  PreparedLaunch prepared = expectValue(engine.prepare(ids, {numbers.argument()}));
  uint64_t value = numbers.address();
  for (Grid grid : {Grid{5, 2, 1}, Grid{3, 2, 2}}) {
    expectSuccess(prepared.launch(grid, &value));
    std::vector<float> read = numbers.values();
    int32_t last;
    std::memcpy(&last, &read[grid.x * grid.y * grid.z - 1], sizeof(last));
    EXPECT_EQ(last, 100 * (grid.z - 1) + 10 * (grid.y - 1) + grid.x - 1);
  }
}

TEST_P(Prepared, RefusesWhatALaunchRefuses) {
  PreparedLaunch prepared = prepare();
  uint64_t values[] = {out.address(), a.address(), b.address(), kCount};
  EXPECT_NE(errorOf(prepared.launch({-1, 1, 1}, values)).find("without negative extents"),
            std::string::npos);
  expectSuccess(prepared.launch({0, 1, 1}, values));
  EXPECT_EQ(out.values(), std::vector<float>(kCount, -1.0f));
  Kernel promised = expectValue(engine.load(sourceOf(
      "fsm.kernel @k(%p: !fsm.ptr<f32> {fsm.align = 32 : i32}) {\n  fsm.return\n}")));
  uint64_t straight = (out.address() + 31) / 32 * 32, crooked = straight + 4;
  Argument argument = out.argument();
  argument.data = reinterpret_cast<void *>(straight);
  PreparedLaunch aligned = expectValue(engine.prepare(promised, {argument}));
  std::string message = errorOf(aligned.launch(kGrid, &crooked));
  EXPECT_NE(message.find("promises 'fsm.align = 32'"), std::string::npos) << message;
  // What was refused is not remembered as right.
  EXPECT_EQ(errorOf(aligned.launch(kGrid, &crooked)), message);
}

TEST_P(Prepared, RefusesWhatNobodyWouldHear) {
  if (std::string(GetParam()) == "interp")
    return;
  Kernel talks = expectValue(engine.load(
      sourceOf("fsm.kernel @talks(%n: i32) {\n  fsm.print \"n\" %n : i32\n  fsm.return\n}")));
  EXPECT_EQ(errorOf(engine.prepare(talks, {Argument::integer(3)})),
            "k.mlir:2:3: error: a prepared launch cannot print or assert, for nobody waits for it; "
            "expected a kernel without, got @talks");
}

TEST_P(Prepared, EachThreadHasItsOwn) {
  std::vector<std::thread> threads;
  std::vector<std::unique_ptr<Block>> results;
  for (int t = 0; t < 4; ++t)
    results.push_back(std::make_unique<Block>(engine, 0.0f));
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      PreparedLaunch prepared = prepare();
      for (uint64_t count : {uint64_t(1), uint64_t(kCount)}) {
        uint64_t values[] = {results[t]->address(), a.address(), b.address(), count};
        expectSuccess(prepared.launch(kGrid, values));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (auto &result : results)
    EXPECT_EQ(result->values(), std::vector<float>(kCount, 3.5f));
}

INSTANTIATE_TEST_SUITE_P(Devices, Prepared, testing::Values("cpu", "interp", "sim"),
                         [](const auto &info) { return std::string(info.param); });

TEST(PreparedOnDevice, TakesNoMemoryOfTheHost) {
  Engine engine = openEngine("sim");
  Kernel kernel = expectValue(
      engine.load(sourceOf("fsm.kernel @k(%p: !fsm.ptr<f32>) {\n  fsm.return\n}")));
  float value = 0;
  EXPECT_NE(errorOf(engine.prepare(kernel, {Argument::buffer(&value, 4)}))
                .find("argument 0 '%p: !fsm.ptr<f32>' takes memory of the device in a prepared "
                      "launch, which copies nothing, got memory of the host"),
            std::string::npos);
}

TEST(PreparedOnDevice, SaysWhatTheSimulatorReports) {
  Engine engine = openEngine("sim");
  Kernel kernel = expectValue(engine.load(sourceOf(kAdd)));
  Block out(engine, 0.0f), in(engine, 1.0f);
  PreparedLaunch prepared = expectValue(engine.prepare(
      kernel, {out.argument(), in.argument(), in.argument(), Argument::integer(kCount)}));
  uint64_t values[] = {out.address(), in.address(), in.address(), kCount + 1};
  std::string message = errorOf(prepared.launch({11, 1, 1}, values), Error::Kind::Execution);
  EXPECT_NE(message.find("error: the simulator reports\nk.mlir:11: out of bounds: reads 4 "
                         "bytes, 4 bytes past the end of argument 1"), std::string::npos)
      << message;
}

TEST(PreparedOnHost, HasNoStreams) {
  Engine engine = openEngine("cpu");
  Kernel kernel = expectValue(engine.load(sourceOf("fsm.kernel @k() {\n  fsm.return\n}")));
  PreparedLaunch prepared = expectValue(engine.prepare(kernel, {}));
  int stream = 0;
  EXPECT_EQ(errorOf(prepared.launch(kGrid, nullptr, &stream)),
            "error: expected no stream on the device 'cpu', which has none");
  EXPECT_EQ(errorOf(engine.makeStream()), "error: expected a GPU or the simulator to make a stream "
                                          "on, got the device 'cpu'");
}

//===----------------------------------------------------------------------===//
// What the driver gets
//===----------------------------------------------------------------------===//

namespace {
/// A GPU whose driver does nothing.
class NullGpu {
public:
  explicit NullGpu(void *context = nullptr) : library(dlopen(FSM_NULL_DRIVER, RTLD_NOW)) {
    EngineOptions options;
    options.simulatorLibrary = FSM_NULL_DRIVER;
    options.context = context;
    engine.emplace(expectValue(Engine::create("sim", options)));
  }
  template <typename T>
  T ask(const char *name) const {
    return reinterpret_cast<T (*)()>(dlsym(library, name))();
  }
  std::optional<Engine> engine;

private:
  void *library;
};
} // namespace

TEST(PreparedOnDevice, CallsTheDriverForTheLaunchAlone) {
  // What else a call would do, a stream that records a graph would refuse.
  int context, stream;
  NullGpu gpu(&context);
  Kernel kernel = expectValue(gpu.engine->load(sourceOf(kAdd)));
  auto pointer = [](uint64_t address) { return Argument::deviceBuffer(address, 2560); };
  PreparedLaunch prepared = expectValue(gpu.engine->prepare(
      kernel, {pointer(4096), pointer(8192), pointer(16384), Argument::integer(kCount)}));
  uint64_t values[] = {4096, 8192, 16384, kCount};
  long others = gpu.ask<long>("nullDriverOthers"), launches = gpu.ask<long>("nullDriverLaunches");
  for (int i = 0; i < 5; ++i)
    expectSuccess(prepared.launch(kGrid, values, &stream));
  EXPECT_EQ(gpu.ask<long>("nullDriverLaunches"), launches + 5);
  // Which context is current is asked; the caller's is made current and put back.
  EXPECT_LE(gpu.ask<long>("nullDriverOthers"), others + 15);
  EXPECT_EQ(gpu.ask<void *>("nullDriverContext"), nullptr);
  EXPECT_EQ(gpu.ask<void *>("nullDriverStream"), &stream);
  EXPECT_EQ(gpu.ask<uint64_t>("nullDriverArgument"), 4096u);
  values[0] = 4096 * 5;
  expectSuccess(prepared.launch(kGrid, values, &stream));
  EXPECT_EQ(gpu.ask<uint64_t>("nullDriverArgument"), 4096u * 5);
}

//===----------------------------------------------------------------------===//
// Memory that a launch gives its ctas
//===----------------------------------------------------------------------===//

namespace {
/// The square of a matrix whose extent is in memory, so that programs make its map themselves.
constexpr const char *kSquare = R"(
fsm.kernel @square(%out: !fsm.ptr<f32>, %p: !fsm.ptr<f16>, %list: !fsm.ptr<i32>) attributes {num_warps = 4 : i32} {
  %none = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %program = fsm.program_id x : i32
  %programs = fsm.num_programs x : i32
  %any = fsm.load %list : !fsm.ptr<i32> -> i32
  %n = fsm.hint %any {multiple_of = array<i64: 8>} : i32
  %a = fsm.descriptor %p sizes [%n, %n] strides [%n, 1] : !fsm.ptr<f16> -> !fsm.descriptor<2 x f16>
  %c = fsm.descriptor %out sizes [%n, %n] strides [%n, 1] : !fsm.ptr<f32> -> !fsm.descriptor<2 x f32>
  %tiles = arith.ceildivsi %n, %step : i32
  scf.for %tile = %program to %tiles step %programs : i32 {
    %row = arith.muli %tile, %step overflow<nsw> : i32
    %d = scf.for %j = %none to %n step %step iter_args(%sum = %zeros) -> (tensor<64x64xf32>) : i32 {
      %x = fsm.load_tile %a[%row, %j] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
      %y = fsm.load_tile %a[%j, 0] : !fsm.descriptor<2 x f16> -> tensor<64x64xf16>
      %next = fsm.dot %x, %y, %sum : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    } {fsm.num_stages = 2 : i32}
    fsm.store_tile %d, %c[%row, 0] : tensor<64x64xf32>, !fsm.descriptor<2 x f32>
  }
  fsm.return
})";
} // namespace

TEST(PreparedOnDevice, GivesEachCtaMemory) {
  Engine engine = openEngine("sim");
  Kernel kernel = expectValue(engine.load(sourceOf(kSquare)));
  constexpr size_t extent = 56;
  std::vector<float> out(extent * extent, -1.0f);
  std::vector<uint16_t> ones(extent * extent, 0x3c00);
  int32_t size = extent;
  auto upload = [&](const void *from, size_t bytes) {
    cuda::Memory memory = expectValue(engine.allocate(bytes));
    expectSuccess(memory.copyIn(from, bytes));
    return memory;
  };
  cuda::Memory to = upload(out.data(), out.size() * 4), p = upload(ones.data(), ones.size() * 2), list = upload(&size, 4);
  auto buffer = [](const cuda::Memory &memory) { return Argument::deviceBuffer(memory.address(), memory.bytes()); };
  PreparedLaunch prepared = expectValue(engine.prepare(kernel, {buffer(to), buffer(p), buffer(list)}));
  uint64_t values[] = {to.address(), p.address(), list.address()};
  for (int i = 0; i < 2; ++i)
    expectSuccess(prepared.launch(Grid{2, 1, 1}, values));
  expectSuccess(to.copyOut(out.data(), out.size() * 4));
  EXPECT_EQ(out, std::vector<float>(out.size(), float(extent)));
}

TEST(PreparedOnDevice, SaysThatADriverHasNoPools) {
  int context;
  NullGpu gpu(&context);
  Kernel kernel = expectValue(gpu.engine->load(sourceOf(kSquare)));
  auto pointer = [](uint64_t address) { return Argument::deviceBuffer(address, 1 << 16); };
  PreparedLaunch prepared = expectValue(gpu.engine->prepare(kernel, {pointer(1 << 16), pointer(1 << 17), pointer(1 << 18)}));
  uint64_t values[] = {1 << 16, 1 << 17, 1 << 18};
  EXPECT_EQ(errorOf(prepared.launch(Grid{2, 1, 1}, values), Error::Kind::NoDevice),
            "error: the driver has no memory in the order of streams; expected one of CUDA 11.2 or newer");
}
