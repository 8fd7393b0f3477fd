//===- TimeLimit.h - An end to what takes too long --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_TIMELIMIT_H
#define FSM_TOOLS_RUN_TIMELIMIT_H

namespace fsm {

/// Ends the process with a sentence and status 1 when so many seconds are over while it lives; 0
/// is no limit. Nothing less would do: a kernel cannot be asked to stop.
class TimeLimit {
public:
  explicit TimeLimit(unsigned seconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;
};

} // namespace fsm

#endif // FSM_TOOLS_RUN_TIMELIMIT_H
