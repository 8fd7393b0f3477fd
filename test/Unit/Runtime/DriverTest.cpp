//===- DriverTest.cpp - Finding and opening a driver ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestDevice.h"

using namespace fsm;
using namespace fsm::cuda;

TEST(Driver, saysWhichFileIsMissing) {
  auto driver = Driver::load("libno-such-driver.so.7");
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().kind, Error::Kind::NoDevice);
  EXPECT_EQ(driver.error().message.rfind(
                "error: cannot load the driver library 'libno-such-driver.so.7': ", 0),
            0u)
      << driver.error().message;
}

TEST(Driver, namesTheMissingFunction) {
  auto driver = Driver::load(FSM_HALF_A_DRIVER);
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().kind, Error::Kind::NoDevice);
  EXPECT_EQ(driver.error().message, "error: the driver library '" FSM_HALF_A_DRIVER
                                    "' has no function 'cuGetErrorString'; expected a driver of "
                                    "CUDA 11 or newer");
}

TEST(Driver, saysWhereItLookedForTheSimulator) {
  // The build keeps the library in lib/, which is not next to the unit tests.
  auto driver = Driver::loadSimulator();
  ASSERT_FALSE(driver);
  EXPECT_EQ(driver.error().kind, Error::Kind::NoDevice);
  EXPECT_NE(driver.error().message.find("/Unit/libfsm-simulator.so, "), std::string::npos)
      << driver.error().message;
  EXPECT_NE(driver.error().message.find("/Unit/../lib/libfsm-simulator.so"), std::string::npos)
      << driver.error().message;
}

TEST(Driver, explainsResults) {
  auto driver = simulator();
  Error memory = driver->errorOf(kOutOfMemory, "allocate 5 bytes");
  EXPECT_EQ(memory.kind, Error::Kind::Execution);
  EXPECT_EQ(
      memory.message.rfind("error: cannot allocate 5 bytes: CUDA_ERROR_OUT_OF_MEMORY (2), ", 0), 0u)
      << memory.message;
  EXPECT_EQ(driver->errorOf(kNoDevice, "begin").kind, Error::Kind::NoDevice);
  Error fatal = driver->errorOf(kIllegalAddress, "finish");
  EXPECT_NE(fatal.message.find("no more work succeeds on this device"), std::string::npos);
  EXPECT_NE(driver->errorOf(987654, "begin").message.find("987654"), std::string::npos);
}

TEST(Driver, saysWhatToDoAboutAResult) {
  auto driver = simulator();
  auto advice = [&](int result) { return driver->errorOf(result, "begin").message; };
  for (auto [result, sentence] :
       {std::pair(kStubLibrary, "this is the stub to link against"),
        std::pair(kNoBinaryForGpu, "the kernel was compiled for another GPU"),
        std::pair(kUnsupportedPtxVersion, "the driver is older than the kernel's PTX"),
        std::pair(kLaunchOutOfResources, "expected fewer warps or less shared memory"),
        std::pair(kNotInitialized, "a forked process cannot use its parent's devices")})
    EXPECT_NE(advice(result).find(sentence), std::string::npos) << advice(result);
}

TEST(Device, countsFromZero) {
  for (int ordinal : {-1, 1, 1000}) {
    auto device = Device::open(simulator(), ordinal);
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().kind, Error::Kind::NoDevice);
    EXPECT_EQ(device.error().message, "error: there is no device " + std::to_string(ordinal) +
                                          "; the driver '" FSM_SIMULATOR_LIBRARY
                                          "' has devices 0 to 0");
  }
}

TEST(Device, hasTheNumbersOfAGpu) {
  // Those of an H200, from the CUDA programming guide's table of compute
  // capability 9.0 and the product's data sheet.
  const DeviceProperties properties = testDevice().properties();
  EXPECT_FALSE(properties.name.empty());
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.minor, 0);
  EXPECT_EQ(properties.multiprocessors, 132);
  EXPECT_EQ(properties.registers, 65536);
  EXPECT_EQ(properties.sharedBytes, 228 * 1024);
  EXPECT_EQ(properties.sharedBytesPerCta, 227 * 1024);
  EXPECT_EQ(properties.reservedSharedBytesPerCta, 1024);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.maxThreadsPerCta, 1024);
  EXPECT_EQ(properties.maxThreads, 2048);
  EXPECT_EQ(properties.maxCtas, 32);
  EXPECT_GT(properties.l2Bytes, 0);
  EXPECT_GT(properties.memoryBytes, uint64_t(1) << 30);
}

TEST(Device, leavesTheThreadsContextAlone) {
  auto driver = simulator();
  Device device = testDevice();
  ASSERT_EQ(driver->contextSetCurrent(nullptr), kSuccess);
  EXPECT_TRUE(Memory::allocate(device, 16));
  Context current = nullptr;
  ASSERT_EQ(driver->contextGetCurrent(&current), kSuccess);
  EXPECT_EQ(current, nullptr);
}
