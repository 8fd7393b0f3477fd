//===- Device.h - One GPU, real or simulated --------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_RUNTIME_DEVICE_H
#define FSM_RUNTIME_DEVICE_H

#include "fsm/Runtime/Driver.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fsm::cuda {

struct DeviceProperties {
  std::string name;
  /// The compute capability, such as 9.0.
  int major = 0, minor = 0;
  int multiprocessors = 0;
  /// 32-bit registers of one multiprocessor.
  int registers = 0;
  /// Shared memory in bytes: of one multiprocessor, of one CTA at most, and what
  /// the driver takes for itself from each CTA.
  int sharedBytes = 0, sharedBytesPerCta = 0, reservedSharedBytesPerCta = 0;
  int warpSize = 0;
  int maxThreadsPerCta = 0;
  int maxThreads = 0, maxCtas = 0; ///< Resident on one multiprocessor.
  int64_t l2Bytes = 0;
  uint64_t memoryBytes = 0;
};

/// What a device is called: "cuda", "cuda:N", "sim" or "sim:N".
struct DeviceName {
  bool isSimulator = false;
  int ordinal = 0;

  /// Nothing, of a text that is no such name.
  static std::optional<DeviceName> parse(std::string_view name);

  /// "cuda:0", "sim", "sim:1".
  std::string text() const;
};

/// A device with its primary context, which it retains, or with a context of the caller, who keeps
/// it until all that is made on the device is gone. Copies share it, and all that is made on a
/// device keeps it. Any threads may call.
class Device {
public:
  /// `context` is null for the primary one.
  static Result<Device> open(std::shared_ptr<const Driver> driver, int ordinal,
                             Context context = nullptr);

  /// What a device is like, without taking anything of it.
  static Result<DeviceProperties> describe(const Driver &driver, int ordinal);

  const DeviceProperties &properties() const { return state->properties; }
  const Driver &driver() const { return *state->driver; }
  Context context() const { return state->context; }
  /// What the driver calls it.
  int number() const { return state->device; }

  /// Returns when all work on the device is done.
  Result<void> synchronize() const;

private:
  friend class ContextScope;
  struct State {
    std::shared_ptr<const Driver> driver;
    int device = 0;
    Context context = nullptr;
    bool isPrimary = false;
    DeviceProperties properties;
    ~State();
  };
  explicit Device(std::shared_ptr<const State> state) : state(std::move(state)) {}
  std::shared_ptr<const State> state;
};

/// Makes a device's context the thread's current one, and puts back whichever
/// was current: the thread may be another library's.
class ContextScope {
public:
  explicit ContextScope(const Device &device);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  /// What making it current led to.
  Result<void> entered() const { return driver.check(result, "use the device's context"); }

private:
  const Driver &driver;
  Context previous = nullptr;
  bool changed = false;
  int result;
};

} // namespace fsm::cuda

#endif // FSM_RUNTIME_DEVICE_H
