//===- ThreadPool.cpp - The threads that run programs --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A run is a counter of items that threads draw chunks from. Threads *join* a
// run by counting themselves in and leave when no item is left; the caller draws
// as well, then closes the run and waits for those who joined. It never waits
// for a thread that did not: one that is slow to wake, or that a fork has left
// behind in the parent, costs nothing.

#include "fsm/Runtime/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace fsm;

namespace {
/// How long a thread looks for the next run before it sleeps: launches tend to
/// follow one another, and waking up costs more than this.
constexpr std::chrono::microseconds kSpinTime(50);

/// Set in Run::joined while nobody may join.
constexpr uint32_t kClosed = uint32_t(1) << 31;

void pauseBriefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Spins until `condition` holds; false when it took too long.
template <typename Condition>
bool spinUntil(Condition condition) {
  auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < 32; ++i) {
      if (condition())
        return true;
      pauseBriefly();
    }
  } while (std::chrono::steady_clock::now() < end);
  return condition();
}
} // namespace

struct ThreadPool::State {
  unsigned workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  pid_t process = 0;

  // The current run. The plain fields change only while it is closed and empty.
  Work work = nullptr;
  void *context = nullptr;
  int64_t count = 0, chunk = 1;
  alignas(64) std::atomic<int64_t> next{0};
  alignas(64) std::atomic<uint32_t> joined{kClosed};

  // Sleeping and waking.
  alignas(64) std::atomic<uint64_t> runs{0};
  std::atomic<unsigned> sleepers{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable started, finished;

  void startThreads();
  void serve(unsigned worker);
  bool waitForRun(uint64_t &seen);
  bool join();
  void leave();
  void draw(unsigned worker);
  void wake();
  void close();
};

/// Threads do not survive a fork; what the child holds of them is given up.
void ThreadPool::State::startThreads() {
  pid_t current = getpid();
  if (process == current)
    return;
  if (process != 0) {
    new std::vector<std::thread>(std::move(threads)); // Neither joinable nor destructible.
    threads.clear();
    joined = kClosed;
    sleepers = 0;
    new (&mutex) std::mutex;
    new (&started) std::condition_variable;
    new (&finished) std::condition_variable;
  }
  process = current;
  try {
    for (unsigned worker = 1; worker < workers; ++worker)
      threads.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error &) {
    // Those that could be had do the work.
  }
}

void ThreadPool::State::serve(unsigned worker) {
  uint64_t seen = 0;
  while (waitForRun(seen))
    if (join()) {
      draw(worker);
      leave();
    }
}

/// False when the pool ends.
bool ThreadPool::State::waitForRun(uint64_t &seen) {
  auto isNews = [&] { return runs.load() != seen || stop.load(); };
  if (!spinUntil(isNews)) {
    std::unique_lock<std::mutex> lock(mutex);
    ++sleepers;
    started.wait(lock, isNews);
    --sleepers;
  }
  seen = runs.load();
  return !stop.load();
}

bool ThreadPool::State::join() {
  uint32_t current = joined.load();
  while (!(current & kClosed))
    if (joined.compare_exchange_weak(current, current + 1))
      return true;
  return false;
}

void ThreadPool::State::leave() {
  if (joined.fetch_sub(1) != (kClosed | 1))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  finished.notify_one();
}

void ThreadPool::State::draw(unsigned worker) {
  for (int64_t begin; (begin = next.fetch_add(chunk)) < count;)
    work(context, worker, begin, std::min(begin + chunk, count));
#if defined(__x86_64__)
  // Programs may have stored past the caches; the other threads see that after
  // this fence (Intel SDM, volume 3, "Strengthening the memory-ordering model").
  __builtin_ia32_sfence();
#endif
}

void ThreadPool::State::wake() {
  ++runs;
  if (sleepers.load() == 0)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  started.notify_all();
}

/// Ends the run when those who joined have left.
void ThreadPool::State::close() {
  joined.fetch_or(kClosed);
  auto isEmpty = [&] { return joined.load() == kClosed; };
  if (spinUntil(isEmpty))
    return;
  std::unique_lock<std::mutex> lock(mutex);
  finished.wait(lock, isEmpty);
}

ThreadPool::ThreadPool() : state(std::make_unique<State>()) {}

ThreadPool::~ThreadPool() {
  if (state->process != getpid()) {
    if (state->process != 0)
      state.release(); // A forked child: the threads are the parent's.
    return;
  }
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->stop = true;
    state->started.notify_all();
  }
  for (std::thread &thread : state->threads)
    thread.join();
}

unsigned ThreadPool::workers() const { return state->workers; }

void ThreadPool::run(int64_t count, Work work, void *context) {
  if (count <= 0)
    return;
  if (count == 1 || state->workers == 1)
    return work(context, 0, 0, count);
  state->startThreads();
  state->work = work;
  state->context = context;
  state->count = count;
  // Small enough that the last chunks end together, large enough that the
  // counter is not contended.
  state->chunk = std::max<int64_t>(1, count / (int64_t(16) * state->workers));
  state->next = 0;
  state->joined = 0;
  state->wake();
  state->draw(0);
  state->close();
}
