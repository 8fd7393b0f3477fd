//===- GuardWatch.h - Who touched what nobody may touch ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_GUARDWATCH_H
#define FSM_TOOLS_RUN_GUARDWATCH_H

#include "fsm/Tools/Arguments/ArgumentValue.h"

#include <csignal>
#include <string>
#include <vector>

namespace fsm {

/// As long as it lives, code that touches a page beside a guarded buffer of
/// `values` ends the process with exit status 1 and a sentence about the argument
/// on standard error. Does nothing if none is guarded; one at a time.
class GuardWatch {
public:
  explicit GuardWatch(const std::vector<ArgumentValue> &values);
  ~GuardWatch();
  GuardWatch(const GuardWatch &) = delete;
  GuardWatch &operator=(const GuardWatch &) = delete;

  /// An error if something was written beside a buffer where no page begins yet.
  Result<void> check() const;

private:
  static void handle(int number, siginfo_t *info, void *context);
  bool explain(const unsigned char *address) const;

  /// A guarded buffer, and how sentences about it begin.
  struct Watched {
    const AlignedBuffer *buffer;
    std::string place;
  };
  std::vector<Watched> watched;
  struct sigaction before[2];
};

} // namespace fsm

#endif // FSM_TOOLS_RUN_GUARDWATCH_H
