//===- FailingCallTest.cpp - Every driver call failing in turn ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestDevice.h"

#include <dlfcn.h>
#include <optional>

using namespace fsm;
using namespace fsm::cuda;

namespace {
/// What the driver still holds: memory of the device, and its primary context.
struct Held {
  size_t freeBytes = 0;
  int isContextActive = 0;
};

template <typename Function>
Function *entry(const char *name) {
  void *library = dlopen(FSM_SIMULATOR_LIBRARY, RTLD_NOW);
  return reinterpret_cast<Function *>(dlsym(library, name));
}

Held held(const Device &device) {
  Held now;
  unsigned flags = 0;
  size_t total = 0;
  ContextScope scope(device);
  EXPECT_EQ(entry<int(size_t *, size_t *)>("cuMemGetInfo_v2")(&now.freeBytes, &total), kSuccess);
  EXPECT_EQ(entry<int(int, unsigned *, int *)>("cuDevicePrimaryCtxGetState")(0, &flags,
                                                                             &now.isContextActive),
            kSuccess);
  return now;
}

/// Every kind of call that the runtime makes; the first error of them.
Result<void> useEverything() {
  Result<Device> device = Device::open(simulator(), 0);
  if (!device)
    return device.error();
  Result<DeviceModule> module = DeviceModule::load(*device, [] {
    CompiledKernel kernel = numbersKernel();
    kernel.device.sharedBytes = 1024;
    return kernel;
  }());
  if (!module)
    return module.error();
  if (Result<int> ctas = module->ctasPerMultiprocessor(); !ctas)
    return ctas.error();
  Result<Memory> memory = Memory::allocate(*device, 1024);
  if (!memory)
    return memory.error();
  Result<Stream> stream = Stream::create(*device);
  if (!stream)
    return stream.error();
  Result<Event> begin = Event::create(*device), end = Event::create(*device);
  if (!begin || !end)
    return begin ? end.error() : begin.error();
  std::string bytes(1024, 'x');
  uint64_t address = memory->address();
  int value = 1;
  void *arguments[] = {&address, &value};
  for (auto step : {+[](const Memory &memory, std::string &bytes) {
                      return memory.copyIn(bytes.data(), bytes.size());
                    },
                    +[](const Memory &memory, std::string &bytes) {
                      return memory.copyOut(bytes.data(), bytes.size());
                    }})
    if (Result<void> done = step(*memory, bytes); !done)
      return done;
  if (Result<void> done = stream->fill(*memory, 3); !done)
    return done;
  if (Result<void> done = begin->record(*stream); !done)
    return done;
  if (Result<void> done = module->launch(stream->handle(), {4, 1, 1}, arguments); !done)
    return done;
  if (Result<void> done = end->record(*stream); !done)
    return done;
  if (Result<void> done = stream->synchronize(); !done)
    return done;
  if (Result<double> seconds = Event::secondsBetween(*begin, *end); !seconds)
    return seconds.error();
  return device->synchronize();
}
} // namespace

TEST(FailingCall, isAnErrorAndLeaksNothing) {
  auto driver = simulator();
  Device keeper = testDevice();
  ASSERT_EQ(driver->contextSetCurrent(nullptr), kSuccess);
  Held before = held(keeper);
  auto *calls = entry<long()>("fsmSimulatorCalls");
  ASSERT_NE(calls, nullptr);
  ASSERT_EQ(driver->simulatorConfigure("fail_call", 0), kSuccess);
  Result<void> works = useEverything();
  ASSERT_TRUE(works) << works.error().message;
  long count = calls();
  ASSERT_GT(count, 30);
  int errors = 0;
  for (long call = 1; call <= count; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    ASSERT_EQ(driver->simulatorConfigure("fail_call", call), kSuccess);
    Result<void> done = useEverything();
    ASSERT_EQ(driver->simulatorConfigure("fail_call", 0), kSuccess);
    driver->simulatorReports();
    // What destructors and the putting back of a context run into has nobody to
    // be told, and what they did not free is not theirs to free again.
    if (done)
      continue;
    ++errors;
    EXPECT_EQ(done.error().message.rfind("error: cannot ", 0), 0u) << done.error().message;
    EXPECT_NE(done.error().message.find("CUDA_ERROR_"), std::string::npos) << done.error().message;
    EXPECT_EQ(done.error().message.find('\n'), std::string::npos) << done.error().message;
    Held after = held(keeper);
    EXPECT_EQ(after.freeBytes, before.freeBytes) << done.error().message;
  }
  EXPECT_GT(errors, 30);
  Result<void> again = useEverything();
  EXPECT_TRUE(again) << again.error().message;
}
