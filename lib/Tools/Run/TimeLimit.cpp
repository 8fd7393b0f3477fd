//===- TimeLimit.cpp - An end to what takes too long ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Tools/Run/TimeLimit.h"
#include "fsm/Tools/Run/ProgressLine.h"

#include <csignal>
#include <string>

#include <unistd.h>

using namespace fsm;

static unsigned limit = 0;

static const char *const kOver = " second is over", *const kAllOver = " seconds are over";

/// The allocator may be in the hands of whoever was interrupted: nothing is allocated here.
static void writeOut(const char *text) {
  size_t bytes = std::char_traits<char>::length(text);
  while (bytes > 0) {
    ssize_t count = write(STDERR_FILENO, text, bytes);
    if (count <= 0)
      return;
    text += count;
    bytes -= static_cast<size_t>(count);
  }
}

static void endNow(int) {
  char digits[16];
  char *first = digits + sizeof(digits) - 1;
  *first = 0;
  for (unsigned rest = limit; rest > 0; rest /= 10)
    *--first = static_cast<char>('0' + rest % 10);
  const char *step = ProgressLine::current();
  writeOut("fsm-run: --timeout: ");
  writeOut(first);
  writeOut(limit == 1 ? kOver : kAllOver);
  writeOut(*step ? " while " : "");
  writeOut(step);
  writeOut("\n");
  _exit(1);
}

TimeLimit::TimeLimit(unsigned seconds) {
  limit = seconds;
  if (seconds == 0)
    return;
  struct sigaction action = {};
  action.sa_handler = endNow;
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, nullptr);
  alarm(seconds);
}

TimeLimit::~TimeLimit() {
  if (limit)
    alarm(0);
}
