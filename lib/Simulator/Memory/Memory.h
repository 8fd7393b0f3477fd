//===- Memory.h - The sparse global memory of a device ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_MEMORY_MEMORY_H
#define FSM_LIB_SIMULATOR_MEMORY_MEMORY_H

#include "fsm/Support/Result.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fsm::sim {

struct Program;

/// Where generic addresses of the other spaces begin; each is 4 GiB.
inline constexpr uint64_t kSharedWindow = uint64_t(1) << 33;
inline constexpr uint64_t kLocalWindow = uint64_t(2) << 33;
inline constexpr uint64_t kParamWindow = uint64_t(3) << 33;
inline constexpr uint64_t kWindowBytes = uint64_t(1) << 32;
/// Allocations begin at multiples of this, 512 bytes up, so that an address
/// tells which allocation it was meant for even when it is far off.
inline constexpr uint64_t kAllocationStride = uint64_t(1) << 44;

/// One allocation: its bytes, and a bit for each that tells whether it has a value.
struct Allocation {
  Allocation(uint64_t address, uint64_t bytes);
  ~Allocation();
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;

  bool isValid() const { return data != nullptr; }
  bool contains(uint64_t from, uint64_t count) const {
    return from >= address && from - address <= bytes && count <= bytes - (from - address);
  }
  void setInitialized(uint64_t offset, uint64_t count);
  /// While no block runs.
  void forget(uint64_t offset, uint64_t count);
  /// The first of the bytes without a value, or `count`.
  uint64_t firstUninitialized(uint64_t offset, uint64_t count) const;

  uint64_t address, bytes;
  uint8_t *data = nullptr;
  uint8_t *initialized = nullptr;
  bool isReadOnly = false;
  /// A variable of a module that has its values from the beginning.
  bool isTable = false;
  /// All of it is, whatever its bits say: a variable of gigabytes costs nothing.
  bool isAllInitialized = false;
  /// What it is called where it has a name: a variable of a module, or what the
  /// caller named.
  std::string name;
};

class Memory {
public:
  Result<uint64_t> alloc(uint64_t bytes);
  Result<void> free(uint64_t address);
  Result<uint8_t *> range(uint64_t address, uint64_t bytes, bool isWrite);
  /// Makes the bytes at `to` as initialised as those at `from`. Both are within
  /// an allocation.
  void copyInitialized(uint64_t to, uint64_t from, uint64_t bytes);
  /// The allocation whose stretch of the address space an address lies in.
  Allocation *stretchOf(uint64_t address) const;
  bool isFreed(uint64_t address) const;
  /// The addresses of a module's variables; they are made at the first call.
  Result<std::map<std::string, uint64_t>> globalsOf(const std::shared_ptr<const Program> &program);
  void freeGlobals(const std::shared_ptr<const Program> &program);

private:
  Result<size_t> takeStretch();

  std::vector<std::unique_ptr<Allocation>> allocations;
  /// Stretches whose allocation was freed, the oldest first.
  std::deque<size_t> freed;
  std::map<std::shared_ptr<const Program>, std::map<std::string, uint64_t>> globals;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_MEMORY_MEMORY_H
