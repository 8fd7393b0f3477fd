//===- ThreadPoolTest.cpp - The threads that run programs ----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Runtime/ThreadPool.h"

#include "gtest/gtest.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace fsm;

namespace {
struct Counts {
  explicit Counts(size_t count) : seen(count) {}
  std::vector<std::atomic<int>> seen;
  std::atomic<bool> badWorker{false};
  unsigned workers = 0;

  static void work(void *context, unsigned worker, int64_t begin, int64_t end) {
    auto &counts = *static_cast<Counts *>(context);
    if (worker >= counts.workers)
      counts.badWorker = true;
    for (int64_t i = begin; i < end; ++i)
      ++counts.seen[static_cast<size_t>(i)];
  }
};
} // namespace

static void expectEachOnce(ThreadPool &pool, size_t count) {
  Counts counts(count);
  counts.workers = pool.workers();
  pool.run(static_cast<int64_t>(count), Counts::work, &counts);
  EXPECT_FALSE(counts.badWorker);
  for (size_t i = 0; i < count; ++i)
    ASSERT_EQ(counts.seen[i], 1) << "item " << i << " of " << count;
}

TEST(ThreadPool, DoesEachItemOnce) {
  ThreadPool pool;
  for (size_t count : {0, 1, 2, 3, 64, 1000, 100003})
    expectEachOnce(pool, count);
}

TEST(ThreadPool, DoesManySmallRuns) {
  ThreadPool pool;
  for (int i = 0; i < 20000; ++i)
    expectEachOnce(pool, 2 + i % 5);
}

TEST(ThreadPool, WakesThreadsThatSleep) {
  ThreadPool pool;
  for (int i = 0; i < 20; ++i) {
    expectEachOnce(pool, 100);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(ThreadPool, EndsWithoutARun) { ThreadPool pool; }
