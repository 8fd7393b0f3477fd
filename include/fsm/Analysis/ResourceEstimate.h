//===- ResourceEstimate.h - What a kernel asks of a GPU --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_RESOURCEESTIMATE_H
#define FSM_ANALYSIS_RESOURCEESTIMATE_H

#include "fsm/Analysis/BlockLives.h"
#include "fsm/Machine/GpuTarget.h"

#include <cstdint>

namespace fsm {

/// What a kernel needs, from its layouts, before code is generated.
struct ResourceEstimate {
  /// Of a program.
  unsigned warps = 1;
  /// Or groups of warps of one that share a loop: what has shared memory of its own.
  unsigned programsPerCta = 1;
  /// Of a cta.
  uint64_t threads = 0;
  uint64_t sharedBytes = 0;
  /// Of a thread.
  BlockRegisters blocks;
};

/// What a thread holds besides blocks: addresses, masks, counters.
inline constexpr unsigned kOtherRegisters = 24;

/// The same in a loop that loads ahead, reduces and stores, and that groups of warps share: with
/// less ptxas keeps some of it in memory (docs/decisions/0212-groups-of-warps-share-a-loop.md).
inline constexpr unsigned kRegistersOfSharedLoop = 48;

/// From so many elements on, a block is worth the exchanges of a cluster where a launch has few programs.
inline constexpr int64_t kSpreadBlock = 16384;

/// The elements of the largest block that an op in `root` gives; 1 where there is none.
int64_t largestBlockIn(mlir::Operation *root);

/// The 32-bit registers of a thread that hold its elements of a block with a layout.
uint64_t registersOf(mlir::RankedTensorType block);

/// The registers of a thread where a kernel without layouts holds most, if its blocks are spread
/// over so many threads.
uint64_t registersOver(KernelOp kernel, uint64_t threads);

/// The most registers that the code generator may give a thread, where a cta has so many warps.
uint64_t registersAllowed(KernelOp kernel, const GpuTarget &target, uint64_t warps);

/// Whether an op along an axis needs what is computed from a value.
bool isReduced(mlir::Value value);

/// Whether a kernel stores a block, and not scalars alone.
bool storesBlocks(KernelOp kernel);

/// Groups of warps of a cta that share a loop of its program; 1 where nobody does.
unsigned groupsOfWarps(KernelOp kernel);

/// Of the programs that a kernel packs into a cta, as many as `available` bytes of shared memory
/// have room for where each needs `needed`: all, or half of them, or a quarter, and one at least.
unsigned programsWithRoom(KernelOp kernel, uint64_t needed, uint64_t available);

/// Blocks without a layout are not counted.
ResourceEstimate estimateResources(KernelOp kernel);

} // namespace fsm

#endif // FSM_ANALYSIS_RESOURCEESTIMATE_H
