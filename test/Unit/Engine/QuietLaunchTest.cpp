//===- QuietLaunchTest.cpp - What a known launch does not do --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch of values that are known takes no memory and no lock. This program's
// own malloc and pthread_mutex_lock count, which sanitizers have a use for.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "fsm/Engine/PreparedLaunch.h"

#include <cstdlib>
#include <mutex>
#include <pthread.h>

#if defined(__GLIBC__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

using namespace fsm;
using namespace fsm::test;

static thread_local long allocations, locks;

extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
int lockOfTheLibrary(pthread_mutex_t *mutex);
__asm__(".symver lockOfTheLibrary, __pthread_mutex_lock@GLIBC_2.2.5");

// Shown to other libraries: that of C++ takes its memory here.
#define SHOWN __attribute__((visibility("default")))
SHOWN void *malloc(size_t bytes) noexcept {
  ++allocations;
  return __libc_malloc(bytes);
}
SHOWN void *calloc(size_t count, size_t bytes) noexcept {
  ++allocations;
  return __libc_calloc(count, bytes);
}
SHOWN void *realloc(void *memory, size_t bytes) noexcept {
  ++allocations;
  return __libc_realloc(memory, bytes);
}
SHOWN int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  ++locks;
  return lockOfTheLibrary(mutex);
}
}

TEST(QuietLaunch, TakesNoMemoryAndNoLock) {
  EngineOptions options;
  options.simulatorLibrary = FSM_NULL_DRIVER;
  Engine engine = expectValue(Engine::create("sim", options));
  Kernel kernel = expectValue(engine.load(sourceOf(kAdd)));
  auto pointer = [](uint64_t address) { return Argument::deviceBuffer(address, 2560); };
  std::vector<Argument> arguments = {pointer(4096), pointer(8192), pointer(16384),
                                     Argument::integer(640)};
  PreparedLaunch prepared = expectValue(engine.prepare(kernel, arguments));
  uint64_t first[] = {4096, 8192, 16384, 640}, second[] = {4096, 8192, 32768, 33};
  for (const uint64_t *values : {first, second})
    expectSuccess(prepared.launch({10, 1, 1}, values));
  long allocationsBefore = allocations, locksBefore = locks;
  bool isDone = true;
  for (int i = 0; i < 10; ++i)
    isDone &= bool(prepared.launch({10, 1, 1}, i % 2 ? first : second));
  EXPECT_TRUE(isDone);
  EXPECT_EQ(allocations, allocationsBefore);
  EXPECT_EQ(locks, locksBefore);
  // They do count.
  first[3] = 639;
  expectSuccess(prepared.launch({10, 1, 1}, first));
  EXPECT_GT(allocations, allocationsBefore);
  EXPECT_GT(locks, locksBefore);
}

#endif
