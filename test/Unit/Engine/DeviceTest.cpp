//===- DeviceTest.cpp - What only a GPU and the simulator do --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <dlfcn.h>

using namespace fsm;
using namespace fsm::test;

namespace {
Argument number(int64_t value) { return Argument::integer(value); }

/// 640 elements of a, b and their sum for kAdd.
struct Sums {
  std::vector<float> a = std::vector<float>(640, 1.5f), b = std::vector<float>(640, 2.0f);
  std::vector<float> out = std::vector<float>(640, -1.0f);
  std::vector<Argument> arguments() {
    return {bufferOf(out), bufferOf(a), bufferOf(b), number(640)};
  }
};

/// Makes the simulator another device.
void configure(const char *key, long value) {
  void *library = dlopen(FSM_SIMULATOR_LIBRARY, RTLD_NOW);
  auto *set =
      reinterpret_cast<int (*)(const char *, long)>(dlsym(library, "fsmSimulatorConfigure"));
  ASSERT_TRUE(set);
  EXPECT_EQ(set(key, value), 0);
}
} // namespace

TEST(Device, isRefusedWithTheReason) {
  EXPECT_NE(errorOf(Engine::create("cuda:1000000"), Error::Kind::NoDevice).find("error: "),
            std::string::npos);
  EngineOptions options;
  options.simulatorLibrary = "./no-such-simulator.so";
  EXPECT_NE(errorOf(Engine::create("sim", options), Error::Kind::NoDevice)
                .find("cannot load the driver library './no-such-simulator.so'"),
            std::string::npos);
  for (const char *wrong : {"cuda:", "cuda:x", "cuda:1x", "sim:x", "gpu"})
    EXPECT_NE(errorOf(Engine::create(wrong), Error::Kind::NoDevice)
                  .find("there is no device '" + std::string(wrong) + "'"),
              std::string::npos);
}

TEST(Device, isListed) {
  EngineOptions options;
  options.simulatorLibrary = FSM_SIMULATOR_LIBRARY;
  std::vector<DeviceEntry> entries = Engine::devices(options);
  ASSERT_GE(entries.size(), 4u);
  EXPECT_EQ(entries[0].name, "interp");
  EXPECT_EQ(entries[1].name, "cpu");
  EXPECT_EQ(entries.back().name, "sim");
  ASSERT_TRUE(entries.back().properties);
  EXPECT_EQ(entries.back().properties->warpSize, 32);
}

TEST(Device, isListedWithTheReasonWhereADriverHasNone) {
  configure("devices", 0);
  EngineOptions options;
  options.simulatorLibrary = FSM_SIMULATOR_LIBRARY;
  DeviceEntry entry = Engine::devices(options).back();
  configure("devices", 1);
  EXPECT_FALSE(entry.properties);
  EXPECT_NE(entry.reason.find("CUDA_ERROR_NO_DEVICE"), std::string::npos) << entry.reason;
}

TEST(Device, runsCodeForItselfOrOlder) {
  Engine engine = openEngine("sim");
  EXPECT_EQ(engine.device(), "sim");
  EXPECT_EQ(engine.target(), "sm_90a");
  CompileOptions options;
  options.target = "riscv";
  EXPECT_NE(errorOf(engine.load(sourceOf(kAdd), options)).find("got the target 'riscv', which is none of sm_75"),
            std::string::npos);
  for (const char *newer : {"sm_100", "sm_103", "sm_120", "sm_121"}) {
    options.target = newer;
    EXPECT_NE(errorOf(engine.load(sourceOf(kAdd), options))
                  .find("runs code for sm_90a or older, got the target '" + options.target + "'"),
              std::string::npos);
  }
  Engine cpu = openEngine("cpu");
  options.target = "sm_80";
  EXPECT_NE(errorOf(cpu.load(sourceOf(kAdd), options)).find("expected the target 'cpu'"),
            std::string::npos);
}

TEST(Device, thatIsNewerThanAllTargetsRunsTheNewest) {
  configure("compute_capability_major", 13);
  Engine engine = openEngine("sim");
  Kernel add = expectValue(engine.load(sourceOf(kAdd)));
  Sums sums;
  expectSuccess(engine.launch(add, {1, 1, 1}, sums.arguments()));
  configure("compute_capability_major", 9);
  EXPECT_EQ(engine.target(), "sm_121");
  EXPECT_EQ(sums.out.front(), 3.5f);
}

TEST(Device, runsNoKernelOfAnotherEngine) {
  for (const char *device : {"sim", "cpu", "interp"})
    for (const char *other : {"sim", "cpu", "interp"}) {
      Engine engine = openEngine(device), loader = openEngine(other);
      Kernel add = expectValue(loader.load(sourceOf(kAdd)));
      Sums sums;
      std::string sentence = "error: expected a kernel that this engine loaded, got '@add' of "
                             "another engine";
      EXPECT_EQ(errorOf(engine.launch(add, {1, 1, 1}, sums.arguments())), sentence);
      EXPECT_EQ(errorOf(engine.compile(add, sums.arguments())), sentence);
      EXPECT_EQ(errorOf(engine.diagnostics(add, sums.arguments())), sentence);
      EXPECT_EQ(errorOf(engine.report(add, sums.arguments())), sentence);
      EXPECT_EQ(errorOf(engine.timeLaunches(add, {1, 1, 1}, sums.arguments(), 1)), sentence);
    }
}

TEST(Device, remembersWhatItLoaded) {
  for (const char *device : {"sim", "cpu", "interp"}) {
    Engine engine = openEngine(device);
    const KernelSignature *first = &expectValue(engine.load(sourceOf(kAdd))).signature();
    EXPECT_EQ(&expectValue(engine.load(sourceOf(kAdd))).signature(), first);
    // Whatever differs makes another kernel.
    Source source = sourceOf(kAdd);
    source.text += " ";
    EXPECT_NE(&expectValue(engine.load(source)).signature(), first);
    source = sourceOf(kAdd);
    source.fileName += "x";
    EXPECT_NE(&expectValue(engine.load(source)).signature(), first);
    CompileOptions options;
    options.numWarps = 2;
    EXPECT_NE(&expectValue(engine.load(sourceOf(kAdd), options)).signature(), first);
    // So many others that the first is forgotten, which the caller's own handle outlives.
    Kernel kept = expectValue(engine.load(sourceOf(kAdd)));
    for (int i = 0; i < 300; ++i) {
      source.fileName = std::to_string(i);
      expectValue(engine.load(source));
    }
    EXPECT_NE(&expectValue(engine.load(sourceOf(kAdd))).signature(), &kept.signature());
    Sums sums;
    expectSuccess(engine.launch(kept, {1, 1, 1}, sums.arguments()));
    EXPECT_EQ(sums.out.front(), 3.5f);
  }
}

TEST(Device, warnsAgainOfWhatIsCompiledAlready) {
  for (const char *device : {"sim", "cpu", "interp"}) {
    Engine engine = openEngine(device);
    Kernel wide = expectValue(engine.load(sourceOf(kWide)));
    std::vector<float> in(16384 + 2, 1.0f), out(16384);
    std::vector<Argument> arguments = {bufferOf(out), bufferOf(in), number(2)};
    expectSuccess(engine.launch(wide, {1, 1, 1}, arguments));
    for (int round = 0; round < 2; ++round) {
      std::vector<std::string> said = expectValue(engine.diagnostics(wide, arguments));
      ASSERT_EQ(said.size(), device == std::string("sim") ? 1u : 0u) << device;
      if (!said.empty())
        EXPECT_EQ(said[0].find("k.mlir:4:3: warning: num_stages is reduced from 8 to 4: "), 0u);
    }
  }
}

TEST(Device, refusesGridsItCannotLaunch) {
  Engine engine = openEngine("sim");
  Kernel add = expectValue(engine.load(sourceOf(kAdd)));
  Sums sums;
  for (Grid grid : {Grid{1, 65536, 1}, Grid{1, 1, 65536}})
    EXPECT_NE(
        errorOf(engine.launch(add, grid, sums.arguments())).find("2147483647 x 65535 x 65535"),
        std::string::npos);
}

TEST(Device, memoryOfItsOwnIsNotCopied) {
  Engine engine = openEngine("sim");
  Kernel add = expectValue(engine.load(sourceOf(kAdd)));
  Sums sums;
  cuda::Memory out = expectValue(engine.allocate(640 * sizeof(float)));
  std::vector<Argument> arguments = sums.arguments();
  arguments[0] = Argument::deviceBuffer(out.address(), out.bytes());
  expectSuccess(engine.launch(add, {10, 1, 1}, arguments));
  EXPECT_EQ(sums.out[0], -1.0f);
  expectSuccess(out.copyOut(sums.out.data(), out.bytes()));
  EXPECT_EQ(sums.out, std::vector<float>(640, 3.5f));
}

TEST(Device, memoryIsRefusedByTheHost) {
  for (const char *name : {"cpu", "interp"}) {
    Engine engine = openEngine(name);
    Kernel add = expectValue(engine.load(sourceOf(kAdd)));
    Sums sums;
    std::vector<Argument> arguments = sums.arguments();
    arguments[1] = Argument::deviceBuffer(4096, 640 * sizeof(float));
    EXPECT_NE(errorOf(engine.launch(add, {1, 1, 1}, arguments))
                  .find("takes host memory on the device '" + std::string(name) + "'"),
              std::string::npos);
    EXPECT_NE(errorOf(engine.allocate(16)).find("expected a GPU"), std::string::npos);
    EXPECT_NE(errorOf(engine.report(add, sums.arguments())).find("expected a GPU"),
              std::string::npos);
  }
}

TEST(Device, keepsOverlapsOfHostBuffers) {
  Engine engine = openEngine("sim");
  Kernel add = expectValue(engine.load(sourceOf(kAdd)));
  Sums sums;
  expectSuccess(engine.launch(add, {10, 1, 1},
                              {bufferOf(sums.a), bufferOf(sums.a), bufferOf(sums.a), number(640)}));
  EXPECT_EQ(sums.a, std::vector<float>(640, 3.0f));
}

TEST(Device, simulatorReportsAreErrors) {
  Sums sums;
  {
    Engine engine = openEngine("sim");
    Kernel add = expectValue(engine.load(sourceOf(kAdd)));
    std::vector<Argument> arguments = sums.arguments();
    arguments[1].bytes -= 4;
    std::string message =
        errorOf(engine.launch(add, {10, 1, 1}, arguments), Error::Kind::Execution);
    EXPECT_NE(message.find("past the end of argument %a"), std::string::npos) << message;
    EXPECT_EQ(sums.out[0], -1.0f);
    // As on a GPU, that is the end of the context.
    EXPECT_NE(errorOf(engine.launch(add, {10, 1, 1}, sums.arguments()), Error::Kind::Execution)
                  .find("no more work succeeds on this device"),
              std::string::npos);
  }
  Engine engine = openEngine("sim");
  Kernel add = expectValue(engine.load(sourceOf(kAdd)));
  expectSuccess(engine.launch(add, {10, 1, 1}, sums.arguments()));
  EXPECT_EQ(sums.out, std::vector<float>(640, 3.5f));
}

TEST(Device, tellsOfOccupancy) {
  Engine engine = openEngine("sim");
  Kernel add = expectValue(engine.load(sourceOf(kAdd)));
  Sums sums;
  KernelReport report = expectValue(engine.report(add, sums.arguments()));
  EXPECT_GT(report.numbers.registers, 0);
  EXPECT_EQ(report.numbers.localBytes, 0);
  EXPECT_GT(report.occupancy, 0.0);
  EXPECT_LE(report.occupancy, 1.0);
  EXPECT_EQ(report.concurrentPrograms,
            132 * report.ctasPerMultiprocessor * static_cast<int>(report.launch.programs()));
  EXPECT_EQ(expectValue(engine.concurrentPrograms(add, sums.arguments())),
            report.concurrentPrograms);
  EXPECT_EQ(expectValue(engine.persistentPrograms(add, sums.arguments())),
            8 * report.concurrentPrograms);
  EXPECT_EQ(expectValue(engine.persistentPrograms(add, sums.arguments(), 5)), 5);
}

TEST(Device, timesWithoutTouchingTheHostsBuffers) {
  Sums sums;
  Engine simulator = openEngine("sim");
  Kernel add = expectValue(simulator.load(sourceOf(kAdd)));
  EXPECT_EQ(expectValue(simulator.timeLaunches(add, {10, 1, 1}, sums.arguments(), 5)).size(), 1u);
  EXPECT_EQ(sums.out[0], -1.0f);
  Engine cpu = openEngine("cpu");
  Kernel onCpu = expectValue(cpu.load(sourceOf(kAdd)));
  EXPECT_EQ(expectValue(cpu.timeLaunches(onCpu, {10, 1, 1}, sums.arguments(), 5)).size(), 5u);
}

TEST(Device, factsAreThoseOfTheCopies) {
  alignas(64) static char data[256];
  std::vector<Argument> arguments = {Argument::buffer(data + 4, 100), number(1)};
  EXPECT_EQ(Engine::factsOf(arguments)[0].divisible, 1u);
  EXPECT_EQ(Engine::factsOf(arguments, "sm_90a")[0].divisible, 64u);
  EXPECT_TRUE(Engine::factsOf(arguments, "sm_90a")[1].isOne);
  arguments.push_back(Argument::buffer(data, 104));
  auto facts = Engine::factsOf(arguments, "sm_90a");
  EXPECT_EQ(facts[0].divisible, 1u);
  EXPECT_FALSE(facts[0].noAlias);
  EXPECT_EQ(facts[2].divisible, 64u);
}

/// One code serves all rows that a loop takes as many steps for; and one all longer ones.
TEST(Device, factsSayHowOftenLoopsOverARowRun) {
  KernelSignature kernel{"k", {{"n", ScalarType::I32}, {"m", ScalarType::I32}}, {}};
  kernel.arguments[0].rowSteps = {256, 1024};
  auto boundsOf = [&](int64_t n, const char *target = "sm_90a") {
    return factText(Engine::factsOf({number(n), number(3)}, target, &kernel)[0]);
  };
  EXPECT_EQ(boundsOf(1), "one+1..256");
  EXPECT_EQ(boundsOf(257), "257..512");
  EXPECT_EQ(boundsOf(1025), "1025..1280");
  EXPECT_EQ(boundsOf(4097), "4097..5120");
  EXPECT_EQ(boundsOf(9001), "8193..");
  for (int64_t n : {int64_t(-5), int64_t(0xFFFFFFFB)})
    EXPECT_EQ(boundsOf(n), "") << n;
  EXPECT_EQ(boundsOf(257, "cpu"), "");
  EXPECT_EQ(factText(Engine::factsOf({number(3), number(257)}, "sm_90a", &kernel)[1]), "");
}

/// Rows that fill a block have code without its mask, and all others have one code.
TEST(Device, factsSayThatRowsFillBlocks) {
  KernelSignature kernel{"k", {{"n", ScalarType::I32}}, {}};
  kernel.arguments[0].rowBlocks = {64, 781};
  auto boundsOf = [&](int64_t n, const char *target = "sm_90a") {
    return factText(Engine::factsOf({number(n)}, target, &kernel)[0]);
  };
  EXPECT_EQ(boundsOf(63), "");
  EXPECT_EQ(boundsOf(65), "64..");
  EXPECT_EQ(boundsOf(781), "781..");
  EXPECT_EQ(boundsOf(9001), "781..");
  EXPECT_EQ(boundsOf(0xFFFFFFFB), "");
  EXPECT_EQ(boundsOf(781, "cpu"), "");
  kernel.arguments[0].rowSteps = {256};
  EXPECT_EQ(boundsOf(513), "513..768");
  EXPECT_EQ(boundsOf(785), "781..1024");
}

/// Tensors that end within a tile have code of their own, and those that fill it; all longer ones
/// one code.
TEST(Device, factsSayThatTensorsEndWithinTiles) {
  KernelSignature kernel{"k", {{"m", ScalarType::I32}}, {}};
  kernel.arguments[0].tileExtents = {64, 128};
  auto boundsOf = [&](int64_t m, const char *target = "sm_90a") {
    return factText(Engine::factsOf({number(m)}, target, &kernel)[0]);
  };
  EXPECT_EQ(boundsOf(33), "..63");
  EXPECT_EQ(boundsOf(63), "..63");
  EXPECT_EQ(boundsOf(64), "16+..64");
  EXPECT_EQ(boundsOf(65), "..127");
  EXPECT_EQ(boundsOf(128), "16+..128");
  EXPECT_EQ(boundsOf(129), "");
  EXPECT_EQ(boundsOf(-5), "");
  EXPECT_EQ(boundsOf(33, "cpu"), "");
}

TEST(Device, factsSayWhichPowerOfTwoDividesAnInteger) {
  std::vector<Argument> arguments;
  for (int64_t value : {1, 2, 4, -12, 8, 712, 16, -48, 0})
    arguments.push_back(number(value));
  std::vector<uint32_t> divisors;
  for (const auto &fact : Engine::factsOf(arguments, "sm_90a"))
    divisors.push_back(fact.divisible);
  EXPECT_EQ(divisors, (std::vector<uint32_t>{1, 1, 4, 4, 8, 8, 16, 16, 16}));
}
