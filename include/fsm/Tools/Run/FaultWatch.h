//===- FaultWatch.h - Who touched what nobody may touch ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_FAULTWATCH_H
#define FSM_TOOLS_RUN_FAULTWATCH_H

#include "fsm/Tools/Arguments/ArgumentValue.h"

#include <csignal>
#include <string>
#include <vector>

namespace fsm {

/// As long as it lives, a kernel on the CPU that touches memory that nobody may touch ends the
/// process with exit status 1 and a sentence on standard error: about the guarded buffer of
/// `values` that it is beside, or about the program and the nearest buffer. One at a time.
class FaultWatch {
public:
  explicit FaultWatch(const std::vector<ArgumentValue> &values);
  ~FaultWatch();
  FaultWatch(const FaultWatch &) = delete;
  FaultWatch &operator=(const FaultWatch &) = delete;

  /// An error if something was written beside a buffer where no page begins yet.
  Result<void> check() const;

private:
  static void handle(int number, siginfo_t *info, void *context);
  bool explain(const unsigned char *address) const;
  std::string nearest(const unsigned char *address) const;

  /// A buffer, and the argument that it is.
  struct Watched {
    const AlignedBuffer *buffer;
    std::string argument;
  };
  std::vector<Watched> watched;
  struct sigaction before[2];
};

} // namespace fsm

#endif // FSM_TOOLS_RUN_FAULTWATCH_H
