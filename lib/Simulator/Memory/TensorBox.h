//===- TensorBox.h - The part of a tensor that a copy takes ----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A box lies in shared memory row by row, each as long as the box's innermost extent or, with a
// swizzle, as the swizzle's span. Bits 4 to 6 of an address are exclusive-ored with bits 7 to 9, as
// many as the span has. In global memory it consists of parts of rows; what is not within the
// tensor's sizes is filled, or not stored.

#ifndef FSM_LIB_SIMULATOR_MEMORY_TENSORBOX_H
#define FSM_LIB_SIMULATOR_MEMORY_TENSORBOX_H

#include "Memory.h"
#include "TensorMap.h"

#include <cstring>
#include <optional>
#include <vector>

namespace fsm::sim {

struct TensorPart {
  uint64_t global = 0;
  uint32_t bytes = 0;
  /// Where it begins in the box, before the swizzle.
  uint32_t within = 0;
  Allocation *allocation = nullptr;
  uint64_t offset = 0; ///< In the allocation.
  uint8_t *data() const { return allocation->data + offset; }
};

class TensorBox {
public:
  /// The box of a sound map that begins at the indices, in shared memory at `shared`, which has room
  /// for it; parts have no allocations.
  TensorBox(const TensorMap &map, const int32_t *indices, uint64_t shared);

  /// What the box is in shared memory, as global memory has it now.
  std::vector<uint8_t> gather() const;
  /// Writes a box that shared memory holds to the tensor; with an operation, updates it.
  void scatter(const uint8_t *box) const;
  /// The bytes of a part in such a box.
  std::vector<uint8_t> bytesOf(const TensorPart &part, const uint8_t *box) const;

  const TensorMap map;
  const uint64_t shared;
  std::vector<TensorPart> parts;
  /// Bytes that an mbarrier counts, and those of shared memory.
  uint32_t bytes = 0, extent = 0;
  /// What a store does to what it finds; without it, it overwrites that.
  std::optional<AtomicUpdate::Op> update;

private:
  uint64_t placeOf(uint32_t within) const;
  void addRow(const int64_t *indices, uint32_t within);

  uint32_t elementBytes, pitch;
};

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_MEMORY_TENSORBOX_H
