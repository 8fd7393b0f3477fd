//===- ScratchSize.h - Shared memory that an op needs ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_SCRATCHSIZE_H
#define FSM_ANALYSIS_SCRATCHSIZE_H

#include "fsm/IR/FSMDialect.h"
#include "fsm/Layout/ConversionPlan.h"

#include <optional>

namespace fsm {

/// Why an op cannot be executed whose blocks have these layouts, or an empty string:
/// each thread's registers hold distinct elements, there is one cta, and blocks that
/// meet are spread over equally many warps.
std::string layoutFault(mlir::Operation *op);

/// The plan of a conversion between two layouts of blocks with these elements.
ConversionPlan planBetween(const LinearLayout &from, const LinearLayout &to, mlir::Type element);

/// The layouts of a reshape's source and result as layouts of one block, when the
/// packed positions of both shapes number the elements alike (all power-of-two
/// extents do); the reshape is then a conversion between the two.
std::optional<std::pair<LinearLayout, LinearLayout>> alignedLayouts(ReshapeOp op);

/// Bytes of one slot of a ring for blocks of this type, which has a layout. A multiple of 16.
/// Where each thread copies for itself: a place for each register of each thread.
uint64_t ringSlotBytes(mlir::RankedTensorType block);
/// In a ring that is `bulk`: the block as it lies in memory.
uint64_t bulkSlotBytes(mlir::RankedTensorType block);
/// Bytes of an mbarrier, one for each slot of a ring that is `bulk`, behind the slots.
inline constexpr uint64_t kMBarrierBytes = 8;

/// Whether the op belongs to a ring that is `bulk`.
bool isBulkRing(mlir::Value ring);

/// Bytes of an `fsm.ring`, 0 for other ops.
uint64_t ringBytes(mlir::Operation *op);

} // namespace fsm

#endif // FSM_ANALYSIS_SCRATCHSIZE_H
