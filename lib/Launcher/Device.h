//===- Device.h - What is behind the runtime's handles ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_LAUNCHER_DEVICE_H
#define FSM_LIB_LAUNCHER_DEVICE_H

#include "KernelForm.h"

#include "fsm/Artifact/Launch.h"
#include "fsm/Runtime/Memory.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace fsm {

/// Code that can be called; each device has its own.
struct LoadedCode {
  virtual ~LoadedCode() = default;
};

/// Memory of a device, freed at the end.
class DeviceBytes {
public:
  virtual ~DeviceBytes() = default;
  virtual uintptr_t address() const = 0;
  virtual uint64_t bytes() const = 0;
  virtual Result<void> write(uint64_t offset, const void *from, uint64_t bytes) = 0;
  virtual Result<void> read(uint64_t offset, void *to, uint64_t bytes) const = 0;
  /// Of a GPU; else null.
  virtual const cuda::Memory *gpuMemory() const { return nullptr; }
};

/// A kernel on a device: the code that runs there, the best first.
class DeviceKernel {
public:
  struct Choice {
    explicit Choice(CodeForm form) : form(std::move(form)) {}
    CodeForm form;
    /// Set once; `owned` is for the end.
    std::atomic<const LoadedCode *> loaded = nullptr;
    std::unique_ptr<LoadedCode> owned;
  };

  DeviceKernel(KernelForm form, const FsmDevice &device);

  const KernelForm &form() const { return kernel; }
  const std::vector<std::unique_ptr<Choice>> &choices() const { return sorted; }

  /// The best code for values.
  Result<Choice *> choose(const uint64_t *values, const FsmDevice &device) const;

  /// The code of a choice, loaded now if it was not before.
  Result<const LoadedCode *> load(Choice &choice, FsmDevice &device);

private:
  KernelForm kernel;
  std::vector<std::unique_ptr<Choice>> sorted;
  std::mutex mutex;
};

} // namespace fsm

/// A device that was opened. Any threads may call.
struct FsmDevice {
  virtual ~FsmDevice() = default;

  /// "cpu", "cuda:0" and their like.
  const std::string name;

  virtual bool isGpu() const = 0;
  /// `NVIDIA H200, sm_90`, for errors.
  virtual std::string description() const = 0;
  /// How well code runs here, compared with other code; negative if it does not.
  virtual int rank(const FsmCompiledCode &code) const = 0;
  virtual fsm::Result<std::unique_ptr<fsm::LoadedCode>>
  load(const fsm::KernelForm &kernel, const fsm::CodeForm &form) = 0;
  /// Queues a launch; the grid is not empty. `pointers` has one to each value, hidden ones included.
  virtual fsm::Result<void> launch(const fsm::LoadedCode &code, fsm::Grid grid, void **pointers,
                                   void *stream) = 0;
  virtual fsm::Result<void> synchronize() = 0;

  /// Streams by the driver's handles; null on the CPU.
  virtual fsm::Result<void *> createStream() = 0;
  virtual fsm::Result<void> synchronize(void *stream) = 0;
  virtual fsm::Result<void> destroyStream(void *stream) = 0;

  fsm::Result<void *> allocate(uint64_t bytes);
  fsm::Result<void> free(void *address);
  fsm::Result<void> write(void *to, const void *from, uint64_t bytes);
  fsm::Result<void> read(void *to, const void *from, uint64_t bytes);
  fsm::Result<void> copy(void *to, FsmDevice &fromDevice, const void *from, uint64_t bytes);

  /// The kernel on this device, read and sorted when it is asked for first.
  fsm::Result<fsm::DeviceKernel *> find(const FsmCompiledKernel *kernel);
  /// Gives up what `find` has made.
  void forget(const FsmCompiledKernel *kernel);

protected:
  explicit FsmDevice(std::string name) : name(std::move(name)) {}
  virtual fsm::Result<std::unique_ptr<fsm::DeviceBytes>> makeBytes(uint64_t bytes) = 0;
  /// Frees and unloads, while what that needs is still there.
  void release();

private:
  /// The memory that holds a range of bytes, and where it begins in it.
  fsm::Result<fsm::DeviceBytes *> memoryOf(const void *address, uint64_t bytes, uint64_t &offset);

  std::mutex mutex;
  std::unordered_map<const FsmCompiledKernel *, std::unique_ptr<fsm::DeviceKernel>> kernels;
  std::map<uintptr_t, std::unique_ptr<fsm::DeviceBytes>> memories;
};

namespace fsm {

std::unique_ptr<FsmDevice> openHost();
Result<std::unique_ptr<FsmDevice>> openGpu(std::string_view name, void *context);
/// How many devices of this kind there are.
Result<int> countGpus(std::string_view name);

} // namespace fsm

#endif // FSM_LIB_LAUNCHER_DEVICE_H
