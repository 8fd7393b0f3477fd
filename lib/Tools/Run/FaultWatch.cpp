//===- FaultWatch.cpp - Who touched what nobody may touch -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/FaultWatch.h"
#include "fsm/Runtime/HostGrid.h"
#include "fsm/Tools/Run/SignatureText.h"

#include <atomic>
#include <cstring>

#include <unistd.h>

using namespace fsm;

static constexpr int kSignals[] = {SIGSEGV, SIGBUS};
static std::atomic<const FaultWatch *> current = nullptr;

static const char *const kTouched = "the kernel touched ";
static const char *const kWrote = "the kernel wrote to ";
static const char *const kNobodys = "fsm-run: the kernel touched memory that nobody may touch, in ";
static const char *const kBefore = " bytes before the begin of ";
static const char *const kInside = " bytes into ";
static const char *const kBehind = " bytes behind the end of ";
static const char *const kNearest = ", the nearest one";
static const char *const kNoAddress = ", at no address that there is";
static const char *const kAdvice = "; --device=sim finds the line\n";

/// `byte 3 behind its end`, for a distance that AlignedBuffer::written gives.
static std::string byteText(int64_t distance) {
  return "byte " + std::to_string(distance < 0 ? -distance : distance) +
         (distance < 0 ? " before its begin" : " behind its end");
}

FaultWatch::FaultWatch(const std::vector<ArgumentValue> &values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].argument.isPointer())
      watched.push_back({&values[i].data, argumentPlace(values[i].argument, i)});
  current = this;
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < 2; ++i)
    sigaction(kSignals[i], &action, &before[i]);
}

FaultWatch::~FaultWatch() {
  for (size_t i = 0; i < 2; ++i)
    sigaction(kSignals[i], &before[i], nullptr);
  current = nullptr;
}

/// Whether a guard lies at the address; says so. The kernel's code is what runs
/// when this is called, so nothing holds a lock of the allocator.
/// How far an address is from a buffer, and on which side: `3 bytes behind the end of`.
static std::pair<uint64_t, const char *> distanceOf(const unsigned char *address,
                                                    const AlignedBuffer &buffer) {
  auto at = reinterpret_cast<uintptr_t>(address),
       begin = reinterpret_cast<uintptr_t>(buffer.data());
  if (at < begin)
    return {begin - at, kBefore};
  if (at - begin < buffer.size())
    return {at - begin, kInside};
  return {at - begin - buffer.size(), kBehind};
}

/// `, 4000 bytes behind the end of argument 0 '%p: ...', the nearest one`.
std::string FaultWatch::nearest(const unsigned char *address) const {
  const Watched *best = nullptr;
  for (const Watched &one : watched)
    if (!best || distanceOf(address, *one.buffer).first < distanceOf(address, *best->buffer).first)
      best = &one;
  if (!best)
    return "";
  auto [bytes, side] = distanceOf(address, *best->buffer);
  return ", " + std::to_string(bytes) + side + best->argument + kNearest;
}

static std::string programText(const int32_t *program) {
  return "program (" + std::to_string(program[0]) + ", " + std::to_string(program[1]) + ", " +
         std::to_string(program[2]) + ")";
}

static void say(const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t count = write(STDERR_FILENO, text.data() + done, text.size() - done);
    if (count <= 0)
      break;
    done += static_cast<size_t>(count);
  }
}

/// Says what touched an address, null for one that is none. False where no kernel did.
bool FaultWatch::explain(const unsigned char *address) const {
  const int32_t *program = runningProgram();
  if (!program)
    return false;
  for (const Watched &one : watched) {
    const AlignedBuffer &buffer = *one.buffer;
    if (buffer.guard() == Guard::None || address < buffer.mapping() ||
        address >= buffer.mapping() + buffer.mappingBytes())
      continue;
    int64_t distance = address < buffer.data() ? address - buffer.data()
                                               : address - (buffer.data() + buffer.size()) + 1;
    say("fsm-run: " + one.argument + ": " + kTouched + byteText(distance) + ", in " +
        programText(program) + "\n");
    return true;
  }
  say(kNobodys + programText(program) + (address ? nearest(address) : kNoAddress) + kAdvice);
  return true;
}

void FaultWatch::handle(int number, siginfo_t *info, void *) {
  const FaultWatch *watch = current;
  // No address belongs to a signal that was sent, nor to an address that no processor takes.
  bool isKnown = info->si_code > 0 && info->si_code != SI_KERNEL;
  if (watch && info->si_code > 0 &&
      watch->explain(isKnown ? static_cast<const unsigned char *>(info->si_addr) : nullptr))
    _exit(1);
  // Whoever was here before does with it what he would have done: the same
  // instruction will fail again.
  if (watch)
    for (size_t i = 0; i < 2; ++i)
      if (kSignals[i] == number)
        sigaction(number, &watch->before[i], nullptr);
}

Result<void> FaultWatch::check() const {
  for (const Watched &one : watched)
    if (int64_t distance = one.buffer->written())
      return Error{Error::Kind::Execution,
                   "fsm-run: " + one.argument + ": " + kWrote + byteText(distance)};
  return {};
}
