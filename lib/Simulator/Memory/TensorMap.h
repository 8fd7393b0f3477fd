//===- TensorMap.h - What a copy of a tensor is told -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tensor map is 128 bytes that only the driver and the device understand. The driver here and the
// device here are the simulator, whose bytes are those of this struct.

#ifndef FSM_LIB_SIMULATOR_MEMORY_TENSORMAP_H
#define FSM_LIB_SIMULATOR_MEMORY_TENSORMAP_H

#include "../Text/Families.h"

#include <cstdint>

namespace fsm::sim {

struct TensorMap {
  static constexpr unsigned kMostRank = 5;
  static constexpr uint64_t kBytes = 128, kAlignment = 64;
  static constexpr uint64_t kMagic = 0x70614d4d53462e31;

  uint64_t magic = kMagic;
  /// Of the element with all indices 0.
  uint64_t address = 0;
  /// Elements along each dimension, the innermost first.
  uint64_t sizes[kMostRank] = {};
  /// Bytes from one index to the next, but for the innermost dimension.
  uint64_t strides[kMostRank - 1] = {};
  /// Elements that one copy takes.
  uint16_t box[kMostRank] = {};
  uint8_t rank = 0;
  Type type = Type::None;
  /// Bytes of the swizzle, or 16: none.
  uint8_t span = 16;
  /// Bits of the dimensions of which it is said that a box has each element of them.
  uint8_t steps = 0;
  /// What is outside is NaN, and not zero.
  bool fillsNaN = false;

  /// False for bytes that are no map, whatever a kernel may have written.
  bool isSound() const;
  /// Of shared memory that a box takes.
  uint64_t extentOfBox() const;
};
static_assert(sizeof(TensorMap) <= TensorMap::kBytes);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_MEMORY_TENSORMAP_H
