//===- ResourceEstimate.h - What a kernel asks of a GPU --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_RESOURCEESTIMATE_H
#define FSM_ANALYSIS_RESOURCEESTIMATE_H

#include "fsm/IR/FSMDialect.h"

#include <cstdint>

namespace fsm {

/// What a kernel needs, from its layouts, before code is generated.
struct ResourceEstimate {
  /// Of a program.
  unsigned warps = 1;
  unsigned programsPerCta = 1;
  /// Of a cta.
  uint64_t threads = 0;
  uint64_t sharedBytes = 0;
  /// 32-bit words of blocks that a thread holds at a time, at most. Blocks that are
  /// computed from ranges, splats and constants by integer arithmetic are not
  /// counted: they are made again where they are used.
  uint64_t words = 0;
  /// The op behind which it holds so many, or null.
  mlir::Operation *fullest = nullptr;
};

/// The 32-bit registers of a thread that hold its elements of a block with a layout.
uint64_t registersOf(mlir::RankedTensorType block);

/// Of the programs that a kernel packs into a cta, as many as `available` bytes of shared memory
/// have room for where each needs `needed`: all, or half of them, or a quarter, and one at least.
unsigned programsWithRoom(KernelOp kernel, uint64_t needed, uint64_t available);

/// Blocks without a layout are not counted.
ResourceEstimate estimateResources(KernelOp kernel);

} // namespace fsm

#endif // FSM_ANALYSIS_RESOURCEESTIMATE_H
