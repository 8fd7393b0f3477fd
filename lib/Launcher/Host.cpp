//===- Host.cpp - The CPU as a device -------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include "fsm/Runtime/HostGrid.h"

#include <cstdlib>
#include <cstring>

using namespace fsm;

namespace {
struct HostCode final : LoadedCode {
  explicit HostCode(const FsmCompiledCode &code) : code(code) {}
  const FsmCompiledCode &code;
};

struct Free {
  void operator()(char *memory) const { std::free(memory); }
};

class HostBytes final : public DeviceBytes {
public:
  HostBytes(std::unique_ptr<char, Free> memory, uint64_t size)
      : memory(std::move(memory)), size(size) {}
  uintptr_t address() const override { return reinterpret_cast<uintptr_t>(memory.get()); }
  uint64_t bytes() const override { return size; }
  Result<void> write(uint64_t offset, const void *from, uint64_t bytes) override {
    std::memcpy(memory.get() + offset, from, bytes);
    return {};
  }
  Result<void> read(uint64_t offset, void *to, uint64_t bytes) const override {
    std::memcpy(to, memory.get() + offset, bytes);
    return {};
  }

private:
  std::unique_ptr<char, Free> memory;
  uint64_t size;
};

struct HostDevice final : FsmDevice {
  HostDevice() : FsmDevice("cpu") {}
  ~HostDevice() override { release(); }

  bool isGpu() const override { return false; }
  std::string description() const override;
  int rank(const FsmCompiledCode &code) const override;
  Result<std::unique_ptr<LoadedCode>> load(const KernelForm &, const CodeForm &form) override {
    return std::unique_ptr<LoadedCode>(std::make_unique<HostCode>(*form.code));
  }
  Result<void> launch(const LoadedCode &code, Grid grid, void **pointers, void *stream) override;
  Result<void> synchronize() override { return {}; }
  Result<void *> createStream() override { return nullptr; }
  Result<void> synchronize(void *stream) override { return checkNone(stream); }
  Result<void> destroyStream(void *stream) override { return checkNone(stream); }
  Result<std::unique_ptr<DeviceBytes>> makeBytes(uint64_t bytes) override;

  static Result<void> checkNone(void *stream);

  /// One launch at a time has the workers and their scratch memory.
  std::mutex launches;
  HostGrid grid;
};

/// A set of instructions that code may need, from the smallest on.
struct Level {
  std::string_view name;
  bool isThere;
};
} // namespace

#if defined(__x86_64__)
static const Level *levels() {
  static const Level table[] = {
      {"x86-64", true},
      {"x86-64-v2", __builtin_cpu_supports("x86-64-v2") != 0},
      {"x86-64-v3", __builtin_cpu_supports("x86-64-v3") != 0},
      {"x86-64-v4", __builtin_cpu_supports("x86-64-v4") != 0},
  };
  return table;
}
static constexpr int kLevels = 4;
#else
static const Level *levels() { return nullptr; }
static constexpr int kLevels = 0;
#endif

std::string HostDevice::description() const {
  std::string_view most = "another processor than x86-64";
  for (int i = 0; i < kLevels; ++i)
    if (levels()[i].isThere)
      most = levels()[i].name;
  return std::string(most);
}

int HostDevice::rank(const FsmCompiledCode &code) const {
  if (std::string_view(code.target) != "cpu" || !code.instructions)
    return -1;
  for (int i = 0; i < kLevels; ++i)
    if (levels()[i].name == code.instructions)
      return levels()[i].isThere ? i : -1;
  return -1;
}

Result<void> HostDevice::checkNone(void *stream) {
  if (!stream)
    return {};
  return badInput("error: expected no stream on the device 'cpu', which has none");
}

Result<void> HostDevice::launch(const LoadedCode &loaded, Grid extents, void **pointers,
                                void *stream) {
  if (Result<void> none = checkNone(stream); !none)
    return none;
  const FsmCompiledCode &code = static_cast<const HostCode &>(loaded).code;
  std::lock_guard<std::mutex> lock(launches);
  return grid.run(code.function, code.scratchBytes, extents, pointers);
}

Result<std::unique_ptr<DeviceBytes>> HostDevice::makeBytes(uint64_t bytes) {
  constexpr uint64_t alignment = 256;
  uint64_t rounded = bytes > UINT64_MAX - alignment ? 0 : (bytes + alignment - 1) / alignment * alignment;
  std::unique_ptr<char, Free> memory(
      rounded ? static_cast<char *>(std::aligned_alloc(alignment, rounded)) : nullptr);
  if (!memory)
    return Error{Error::Kind::Execution,
                 "error: cannot allocate " + std::to_string(bytes) + " bytes on the device 'cpu'"};
  return std::unique_ptr<DeviceBytes>(std::make_unique<HostBytes>(std::move(memory), bytes));
}

std::unique_ptr<FsmDevice> fsm::openHost() { return std::make_unique<HostDevice>(); }
