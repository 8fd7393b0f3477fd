//===- GuardWatch.cpp - Who touched what nobody may touch -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/GuardWatch.h"
#include "fsm/Tools/Run/SignatureText.h"

#include <atomic>
#include <cstring>

#include <unistd.h>

using namespace fsm;

static constexpr int kSignals[] = {SIGSEGV, SIGBUS};
static std::atomic<const GuardWatch *> current = nullptr;

static const char *const kTouched = "the kernel touched ";
static const char *const kWrote = "the kernel wrote to ";

/// `byte 3 behind its end`, for a distance that AlignedBuffer::written gives.
static std::string byteText(int64_t distance) {
  return "byte " + std::to_string(distance < 0 ? -distance : distance) +
         (distance < 0 ? " before its begin" : " behind its end");
}

GuardWatch::GuardWatch(const std::vector<ArgumentValue> &values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].data.guard() != Guard::None)
      watched.push_back(
          {&values[i].data, "fsm-run: " + argumentPlace(values[i].argument, i) + ": "});
  if (watched.empty())
    return;
  current = this;
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < 2; ++i)
    sigaction(kSignals[i], &action, &before[i]);
}

GuardWatch::~GuardWatch() {
  if (watched.empty())
    return;
  for (size_t i = 0; i < 2; ++i)
    sigaction(kSignals[i], &before[i], nullptr);
  current = nullptr;
}

/// Whether a guard lies at the address; says so. The kernel's code is what runs
/// when this is called, so nothing holds a lock of the allocator.
bool GuardWatch::explain(const unsigned char *address) const {
  for (const Watched &one : watched) {
    const AlignedBuffer &buffer = *one.buffer;
    if (address < buffer.mapping() || address >= buffer.mapping() + buffer.mappingBytes())
      continue;
    int64_t distance = address < buffer.data() ? address - buffer.data()
                                               : address - (buffer.data() + buffer.size()) + 1;
    std::string text = one.place + kTouched + byteText(distance) + "\n";
    for (size_t done = 0; done < text.size();) {
      ssize_t count = write(STDERR_FILENO, text.data() + done, text.size() - done);
      if (count <= 0)
        break;
      done += static_cast<size_t>(count);
    }
    return true;
  }
  return false;
}

void GuardWatch::handle(int number, siginfo_t *info, void *) {
  const GuardWatch *watch = current;
  // No address belongs to a signal that was sent.
  if (watch && info->si_code > 0 &&
      watch->explain(static_cast<const unsigned char *>(info->si_addr)))
    _exit(1);
  // Whoever was here before does with it what he would have done: the same
  // instruction will fail again.
  if (watch)
    for (size_t i = 0; i < 2; ++i)
      if (kSignals[i] == number)
        sigaction(number, &watch->before[i], nullptr);
}

Result<void> GuardWatch::check() const {
  for (const Watched &one : watched)
    if (int64_t distance = one.buffer->written())
      return Error{Error::Kind::Execution, one.place + kWrote + byteText(distance)};
  return {};
}
