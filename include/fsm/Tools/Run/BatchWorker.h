//===- BatchWorker.h - The process that performs lines ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_RUN_BATCHWORKER_H
#define FSM_TOOLS_RUN_BATCHWORKER_H

#include "fsm/Support/Result.h"
#include "fsm/Tools/WholeFile.h"

#include <functional>
#include <optional>
#include <string>

#include <sys/types.h>

namespace fsm {

/// What came of a line in the process that performed it.
struct LineStatus {
  /// The exit status.
  int status = 0;
  /// Whether the process is of no use for the next line.
  bool isSpent = false;
};

/// A child of this process that performs one line after another, so that its devices stay open. A
/// line that ends it, by a signal or by its time, is answered all the same, and the next one gets
/// another child.
class BatchWorker {
public:
  struct Answer {
    int status = 0;
    std::string output, errors;
  };

  /// `perform` runs in the child.
  explicit BatchWorker(std::function<LineStatus(const std::string &line)> perform);
  ~BatchWorker();
  BatchWorker(const BatchWorker &) = delete;
  BatchWorker &operator=(const BatchWorker &) = delete;

  /// What came of a line. In the child it returns as well, with nothing, when all lines are done:
  /// whoever gets that should end the process as usual.
  Result<std::optional<Answer>> perform(const std::string &line);

private:
  bool start();
  void serve(pid_t parent);
  std::optional<LineStatus> ask(const std::string &line);
  int bury(std::string &reason);

  std::function<LineStatus(const std::string &line)> performLine;
  /// What the child prints, whatever becomes of it.
  FileDescriptor output, errors;
  /// Between the two.
  std::optional<FileDescriptor> channel;
  /// The child; 0 where there is none, and in the child itself.
  pid_t child = 0;
  bool isChild = false;
};

} // namespace fsm

#endif // FSM_TOOLS_RUN_BATCHWORKER_H
