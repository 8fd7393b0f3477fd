//===- ThreadPool.h - The threads that run programs ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_THREADPOOL_H
#define FSM_RUNTIME_THREADPOOL_H

#include <cstdint>
#include <memory>

namespace fsm {

/// One thread per hardware core, the caller's among them. The others start with
/// the first run that can use them.
class ThreadPool {
public:
  /// Does the items [begin, end) as `worker`, a number below workers().
  using Work = void (*)(void *context, unsigned worker, int64_t begin, int64_t end);

  ThreadPool();
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned workers() const;

  /// Does items 0 to `count` - 1 and returns when all are done. One run at a
  /// time: the caller sees to that. Works in a forked child, too.
  void run(int64_t count, Work work, void *context);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace fsm

#endif // FSM_RUNTIME_THREADPOOL_H
