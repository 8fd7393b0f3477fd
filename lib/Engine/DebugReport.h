//===- DebugReport.h - What a launch's programs have said ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_ENGINE_DEBUGREPORT_H
#define FSM_LIB_ENGINE_DEBUGREPORT_H

#include "fsm/Artifact/DebugRecords.h"
#include "fsm/Engine/Engine.h"

#include <memory>

namespace fsm {

/// Passes lines on up to a limit, then counts them.
class LimitedPrint {
public:
  explicit LimitedPrint(const LaunchOptions &options) : options(options) {}

  void line(const std::string &text);
  /// Counts lines that were lost elsewhere.
  void lose(uint64_t lines) { lost += lines; }
  /// Says how many lines were lost, if any.
  void finish();

private:
  void pass(const std::string &text) const;
  const LaunchOptions &options;
  uint64_t passed = 0, lost = 0;
};

/// The buffer for the records of a launch, in host memory.
class HostRecords {
public:
  explicit HostRecords(uint64_t capacity);
  bool isValid() const { return memory != nullptr; }
  void *address() const { return memory.get(); }
  /// Passes the lines on; an error if an assertion failed.
  Result<void> report(const std::vector<DebugOp> &ops, const LaunchOptions &options) const;

private:
  struct Free {
    void operator()(void *memory) const;
  };
  uint64_t capacity;
  std::unique_ptr<void, Free> memory;
};

/// The same in the memory of a device.
class DeviceRecords {
public:
  static Result<DeviceRecords> allocate(const cuda::Device &device, uint64_t capacity);
  uint64_t address() const { return memory.address(); }
  /// Passes the lines on. `done` is what became of the launch: its error goes before that of
  /// an assertion, and before what then fails here.
  Result<void> report(const Result<void> &done, const std::vector<DebugOp> &ops,
                      const LaunchOptions &options) const;

private:
  DeviceRecords(uint64_t capacity, cuda::Memory memory)
      : capacity(capacity), memory(std::move(memory)) {}
  Result<void> read(const std::vector<DebugOp> &ops, const LaunchOptions &options) const;
  uint64_t capacity;
  cuda::Memory memory;
};

/// Brings records, which stand as their threads came, into the order of the lines: by
/// program, then in the order in which the program printed, then by operand and row-major.
std::vector<DebugRecord> sortedRecords(std::vector<DebugRecord> records);

} // namespace fsm

#endif // FSM_LIB_ENGINE_DEBUGREPORT_H
