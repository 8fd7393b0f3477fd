//===- ProgressLine.cpp - Say what takes so long ------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/ProgressLine.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

using namespace fsm;

struct ProgressLine::State {
  std::string what;
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
  bool isShown = false;
  // Not std::thread: where no thread can be had it would throw, and this line is
  // not worth a failure.
  pthread_t thread = {};

  void run();
};

void ProgressLine::State::run() {
  auto begin = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  for (int seconds = 1;; ++seconds) {
    auto until = begin + std::chrono::seconds(seconds);
    if (changed.wait_until(lock, until, [&] { return isDone; }))
      break;
    isShown = true;
    std::fprintf(stderr, "\r%s ... %d s", what.c_str(), seconds);
    std::fflush(stderr);
  }
  if (isShown)
    std::fputs("\r\033[K", stderr);
}

static char currentStep[256] = "";

const char *ProgressLine::current() { return currentStep; }

ProgressLine::ProgressLine(std::string what) {
  std::snprintf(currentStep, sizeof(currentStep), "%s", what.c_str());
  if (!isatty(STDERR_FILENO))
    return;
  state = std::make_unique<State>();
  state->what = std::move(what);
  auto run = [](void *state) -> void * {
    static_cast<State *>(state)->run();
    return nullptr;
  };
  if (pthread_create(&state->thread, nullptr, run, state.get()) != 0)
    state.reset();
}

ProgressLine::~ProgressLine() {
  currentStep[0] = 0;
  if (!state)
    return;
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->isDone = true;
  }
  state->changed.notify_one();
  pthread_join(state->thread, nullptr);
}
