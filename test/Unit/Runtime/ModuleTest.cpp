//===- ModuleTest.cpp - Kernels, memory and time on the simulator ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestDevice.h"

#include <thread>

using namespace fsm;
using namespace fsm::cuda;

/// Launches numbersKernel and reads what it wrote.
static std::vector<int> runNumbers(const Device &device, const DeviceModule &module, int value) {
  std::vector<int> values(256, -1);
  Memory memory = expectValue(Memory::allocate(device, values.size() * sizeof(int)));
  Stream stream = expectValue(Stream::create(device));
  uint64_t address = memory.address();
  void *arguments[] = {&address, &value};
  EXPECT_TRUE(module.launch(stream.handle(), {4, 1, 1}, arguments));
  EXPECT_TRUE(stream.synchronize());
  EXPECT_TRUE(memory.copyOut(values.data(), memory.bytes()));
  return values;
}

static std::vector<int> countFrom(int first) {
  std::vector<int> values(256);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = first + static_cast<int>(i);
  return values;
}

TEST(Module, runsAndTellsItsNumbers) {
  Device device = testDevice();
  DeviceModule module = expectValue(DeviceModule::load(device, numbersKernel()));
  EXPECT_EQ(runNumbers(device, module, 7), countFrom(7));
  EXPECT_GT(module.numbers().registers, 0);
  EXPECT_EQ(module.numbers().localBytes, 0);
  EXPECT_EQ(module.numbers().staticSharedBytes, 0);
  EXPECT_GE(module.numbers().maxThreads, 64);
  // 64 threads of few registers: the limit of 2048 threads and of 32 CTAs agree.
  EXPECT_EQ(expectValue(module.ctasPerMultiprocessor()), 32);
}

TEST(Module, runsOnSeveralThreads) {
  Device device = testDevice();
  DeviceModule module = expectValue(DeviceModule::load(device, numbersKernel()));
  std::vector<std::vector<int>> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] { results[size_t(i)] = runNumbers(device, module, 1000 * i); });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(results[size_t(i)], countFrom(1000 * i));
}

TEST(Module, outlivesTheDeviceObjectItWasMadeOn) {
  auto load = [] { return expectValue(DeviceModule::load(testDevice(), numbersKernel())); };
  DeviceModule module = load();
  DeviceModule other = load();
  other = std::move(module);
  EXPECT_EQ(runNumbers(other.device(), other, 3), countFrom(3));
}

TEST(Module, locatesWhatTheDriverRefuses) {
  CompiledKernel kernel = numbersKernel();
  size_t at = kernel.code.find("mul.wide.s32");
  kernel.code.replace(at, 12, "mul.wise.s32");
  auto module = DeviceModule::load(testDevice(), kernel);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().kind, Error::Kind::Execution);
  EXPECT_EQ(module.error().message.rfind(
                "@numbers.ptx:14: error: the driver's compiler refuses the PTX: ", 0),
            0u)
      << module.error().message;
  EXPECT_NE(module.error().message.find("error: cannot load kernel @numbers: CUDA_ERROR_"),
            std::string::npos)
      << module.error().message;
}

TEST(Module, refusesWhatItCannotRun) {
  auto messageOf = [](const CompiledKernel &kernel) {
    auto module = DeviceModule::load(testDevice(), kernel);
    return module ? "nothing" : module.error().message;
  };
  CompiledKernel version = numbersKernel();
  version.contractVersion = 99;
  EXPECT_EQ(messageOf(version),
            "error: kernel @numbers: expected the launch contract version 9, got 99");
  CompiledKernel host = numbersKernel();
  host.target = "cpu";
  EXPECT_EQ(messageOf(host), "error: kernel @numbers: expected code for a GPU, got code for 'cpu'");
  CompiledKernel warps = numbersKernel();
  warps.device.numWarps = 0;
  EXPECT_EQ(messageOf(warps), "error: kernel @numbers: expected 1 to 32 warps and 1 to 32 programs "
                              "per CTA, got 0 and 1");
  CompiledKernel clusters = numbersKernel();
  clusters.device.numCtas = 32;
  EXPECT_EQ(messageOf(clusters), "error: kernel @numbers: expected 1 to 16 CTAs per program, and 1 "
                                 "where programs share a CTA, got 32");
  CompiledKernel both = numbersKernel();
  both.device.numCtas = 2;
  both.device.programsPerCta = 2;
  EXPECT_EQ(messageOf(both), "error: kernel @numbers: expected 1 to 16 CTAs per program, and 1 "
                             "where programs share a CTA, got 2");
  CompiledKernel neighbours = numbersKernel();
  neighbours.device.cluster = 16;
  EXPECT_EQ(messageOf(neighbours), "error: kernel @numbers: expected 1 to 8 programs in a cluster, "
                                   "and of one CTA each, got 16");
  CompiledKernel packed = numbersKernel();
  packed.device.cluster = packed.device.programsPerCta = 2;
  EXPECT_EQ(messageOf(packed), "error: kernel @numbers: expected 1 to 8 programs in a cluster, "
                               "and of one CTA each, got 2");
  CompiledKernel batch = numbersKernel();
  batch.device.batch = 1025;
  EXPECT_EQ(messageOf(batch), "error: kernel @numbers: expected 1 to 1024 programs that the same "
                              "threads compute, got 1025");
  CompiledKernel threads = numbersKernel();
  threads.device.programsPerCta = 32;
  EXPECT_NE(messageOf(threads).find("needs 2048 threads per CTA"), std::string::npos)
      << messageOf(threads);
  CompiledKernel shared = numbersKernel();
  shared.device.sharedBytes = 227 * 1024 + 1;
  EXPECT_NE(messageOf(shared).find("needs 232449 bytes of shared memory, but a CTA of "),
            std::string::npos)
      << messageOf(shared);
  CompiledKernel name = numbersKernel();
  name.name = "letters";
  EXPECT_NE(messageOf(name).find("error: cannot find kernel @letters: CUDA_ERROR_NOT_FOUND (500)"),
            std::string::npos)
      << messageOf(name);
}

TEST(Module, launchesWholeClusters) {
  CompiledKernel kernel = numbersKernel();
  kernel.device.cluster = 2;
  DeviceModule module = expectValue(DeviceModule::load(testDevice(), kernel));
  EXPECT_EQ(runNumbers(module.device(), module, 3), countFrom(3));
  Stream stream = expectValue(Stream::create(module.device()));
  Result<void> launched = module.launch(stream.handle(), {3, 1, 1}, nullptr);
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().message, "error: kernel @numbers has clusters of 2 programs; expected a "
                                      "multiple of them along x, got 3 programs");
}

TEST(Module, takesAllSharedMemoryThatACtaMayHave) {
  CompiledKernel kernel = numbersKernel();
  kernel.device.sharedBytes = 227 * 1024;
  DeviceModule module = expectValue(DeviceModule::load(testDevice(), kernel));
  EXPECT_EQ(expectValue(module.ctasPerMultiprocessor()), 1);
}

TEST(Module, hasACtaForEachBatchOfPrograms) {
  CompiledKernel kernel = numbersKernel();
  kernel.device.programsPerCta = 4;
  kernel.device.batch = 8;
  DeviceModule module = expectValue(DeviceModule::load(testDevice(), kernel));
  EXPECT_EQ(module.ctasOf({1, 2, 3}).x, 1u);
  EXPECT_EQ(module.ctasOf({32, 1, 1}).x, 1u);
  EXPECT_EQ(module.ctasOf({33, 1, 1}).x, 2u);
  EXPECT_EQ(module.ctasOf({2147483647, 1, 1}).x, 67108864u);
}

TEST(Module, startsNoMoreProgramsThanRounds) {
  CompiledKernel kernel = numbersKernel();
  kernel.device.loopsPrograms = true;
  kernel.device.mostStarted = 6;
  DeviceModule module = expectValue(DeviceModule::load(testDevice(), kernel));
  EXPECT_EQ(module.ctasOf({5, 1, 1}).x, 5u);
  // Two rounds of four, and three of five.
  EXPECT_EQ(module.ctasOf({8, 1, 1}).x, 4u);
  EXPECT_EQ(module.ctasOf({13, 1, 1}).x, 5u);
  kernel.device.programsPerCta = 2;
  DeviceModule packed = expectValue(DeviceModule::load(testDevice(), kernel));
  EXPECT_EQ(packed.ctasOf({13, 1, 1}).x, 3u);
}

TEST(Module, startsAsManyProgramsAsRunAtOnce) {
  CompiledKernel kernel = numbersKernel();
  kernel.device.loopsPrograms = true;
  DeviceModule module = expectValue(DeviceModule::load(testDevice(), kernel));
  auto atOnce = static_cast<uint32_t>(module.device().properties().multiprocessors *
                                      expectValue(module.ctasPerMultiprocessor()));
  EXPECT_EQ(module.ctasOf({static_cast<int32_t>(3 * atOnce), 1, 1}).x, atOnce);
  EXPECT_EQ(module.ctasOf({static_cast<int32_t>(3 * atOnce), 2, 1}).x, atOnce / 2);
  EXPECT_EQ(module.ctasOf({0, 1, 1}).x, 0u);
}

// Worked out by hand: 512 tiles by 132 multiprocessors are four rounds, which 128 programs make as
// well.
TEST(StartedPrograms, areTheFewestOfAsManyRounds) {
  EXPECT_EQ(balancedPrograms(512, 132), 128u);
  EXPECT_EQ(balancedPrograms(132, 132), 132u);
  EXPECT_EQ(balancedPrograms(133, 132), 67u);
  EXPECT_EQ(balancedPrograms(616, 132), 124u);
  EXPECT_EQ(balancedPrograms(2048, 132), 128u);
  EXPECT_EQ(balancedPrograms(134, 132, 2), 68u);
  EXPECT_EQ(balancedPrograms(300, 131, 4), 100u);
  EXPECT_EQ(balancedPrograms(8, 3, 4), 4u);
  EXPECT_EQ(balancedPrograms(0, 132), 0u);
}

TEST(Module, refusesMoreCtasThanAGridHas) {
  CompiledKernel kernel = numbersKernel();
  kernel.device.numCtas = 4;
  DeviceModule module = expectValue(DeviceModule::load(testDevice(), kernel));
  EXPECT_EQ(module.ctasOf({3, 2, 1}).x, 12u);
  Result<void> launched = module.launch(nullptr, module.ctasOf({1 << 29, 1, 1}), nullptr);
  ASSERT_FALSE(launched);
  EXPECT_EQ(launched.error().message, "error: kernel @numbers has 4 CTAs a program; expected at "
                                      "most 536870911 programs along x");
}

TEST(Memory, holdsExactlyItsBytes) {
  Device device = testDevice();
  Memory memory = expectValue(Memory::allocate(device, 5));
  EXPECT_EQ(memory.address() % kMemoryAlignment, 0u);
  char text[6] = "abcde";
  EXPECT_TRUE(memory.copyIn(text, 5));
  EXPECT_TRUE(memory.copyIn("X", 1, 4));
  EXPECT_TRUE(memory.copyOut(text, 3, 2));
  EXPECT_EQ(std::string(text), "cdXde");
  auto beyond = memory.copyIn(text, 2, 4);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().message, "error: expected a copy within the allocation's 5 bytes, got 2 "
                                    "bytes at offset 4");
  Memory none = expectValue(Memory::allocate(device, 0));
  EXPECT_EQ(none.address(), 0u);
  EXPECT_TRUE(none.copyIn(text, 0));
}

TEST(Memory, refusesMoreThanThereIs) {
  auto memory = Memory::allocate(testDevice(), size_t(1) << 50);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().message.rfind("error: cannot allocate 1125899906842624 bytes on the "
                                         "device: CUDA_ERROR_OUT_OF_MEMORY (2), ",
                                         0),
            0u)
      << memory.error().message;
}

TEST(Stream, fillsAndTimes) {
  Device device = testDevice();
  Stream stream = expectValue(Stream::create(device));
  Memory memory = expectValue(Memory::allocate(device, 64));
  Event begin = expectValue(Event::create(device)), end = expectValue(Event::create(device));
  EXPECT_TRUE(begin.record(stream));
  EXPECT_TRUE(stream.fill(memory, 0x5A));
  EXPECT_TRUE(end.record(stream));
  EXPECT_GE(expectValue(Event::secondsBetween(begin, end)), 0.0);
  std::string bytes(64, 0);
  EXPECT_TRUE(memory.copyOut(bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, std::string(64, 0x5A));
}

TEST(Simulator, reportsAndNames) {
  Device device = testDevice();
  DeviceModule module = expectValue(DeviceModule::load(device, numbersKernel()));
  Memory memory = expectValue(Memory::allocate(device, 255 * sizeof(int)));
  EXPECT_EQ(device.driver().simulatorNameArgument(memory.address(), "%out"), kSuccess);
  Stream stream = expectValue(Stream::create(device));
  uint64_t address = memory.address();
  int value = 1;
  void *arguments[] = {&address, &value};
  Result<void> done = module.launch(stream.handle(), {4, 1, 1}, arguments);
  if (done)
    done = stream.synchronize();
  std::string reports = device.driver().simulatorReports();
  EXPECT_NE(reports.find("%out"), std::string::npos) << reports;
  EXPECT_STREQ(device.driver().simulatorReports(), "");
}
