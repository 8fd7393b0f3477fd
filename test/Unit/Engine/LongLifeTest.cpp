//===- LongLifeTest.cpp - Engines that live long -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace fsm;
using namespace fsm::test;

static size_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(LongLife, TwoHundredCompilesLeaveNothingBehind) {
#if defined(__has_feature) && __has_feature(address_sanitizer)
  GTEST_SKIP() << "AddressSanitizer holds freed memory back; LeakSanitizer looks for leaks";
#endif
  Engine engine = expectValue(Engine::create("cpu"));
  auto round = [&](int i) {
    std::string text = kAdd;
    text.replace(text.find("@add"), 4, "@add" + std::to_string(i));
    launchAdd(engine, expectValue(engine.load(sourceOf(text))), 100);
  };
  for (int i = 0; i < 20; ++i)
    round(i);
  size_t before = residentBytes();
  for (int i = 20; i < 220; ++i)
    round(i);
  EXPECT_LT(residentBytes(), before + (size_t(16) << 20));
}

TEST(LongLife, KernelsWorkAfterOthersWereCompiled) {
  Engine engine = expectValue(Engine::create("cpu"));
  Kernel first = expectValue(engine.load(sourceOf(kAdd)));
  launchAdd(engine, first, 100);
  for (int i = 0; i < 10; ++i)
    launchAdd(engine, expectValue(engine.load(sourceOf(kAdd))), 200);
  launchAdd(engine, first, 100);
}

/// The child has none of the parent's threads.
TEST(LongLife, AForkedChildCompilesAndLaunches) {
  Engine engine = expectValue(Engine::create("cpu"));
  Kernel kernel = expectValue(engine.load(sourceOf(kAdd)));
  launchAdd(engine, kernel, 1000);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(30);
    launchAdd(engine, kernel, 1000);
    launchAdd(engine, expectValue(engine.load(sourceOf(kAdd))), 64);
    _exit(::testing::Test::HasFailure());
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  launchAdd(engine, kernel, 1000);
}
