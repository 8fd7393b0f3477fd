//===- ProgressLine.h - Say what takes so long ------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_PROGRESSLINE_H
#define FSM_TOOLS_RUN_PROGRESSLINE_H

#include <memory>
#include <string>

namespace fsm {

/// While it lives and standard error is a terminal, work of more than a second
/// shows a line "WHAT ... 3 s" there; the line is erased at the end.
class ProgressLine {
public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  /// What the last one says as long as it lives, or nothing; for handlers of signals.
  static const char *current();
  ProgressLine &operator=(const ProgressLine &) = delete;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace fsm

#endif // FSM_TOOLS_RUN_PROGRESSLINE_H
