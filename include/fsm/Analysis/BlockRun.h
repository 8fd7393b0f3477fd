//===- BlockRun.h - Blocks that lie in one piece ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_BLOCKRUN_H
#define FSM_ANALYSIS_BLOCKRUN_H

#include "fsm/IR/FSMDialect.h"

#include <cstdint>
#include <optional>

namespace fsm {

/// The elements that a load reads lie one behind the other in memory, and are the first ones of
/// its block: `bound - base - start` of them, none if that is negative, and no more than the block
/// has. Without a `bound` all are read.
struct BlockRun {
  /// A scalar integer, or null.
  mlir::Value bound;
  /// A scalar integer, or null for 0.
  mlir::Value base;
  int64_t start = 0;
  /// Divides the bytes that are read, and the address of the first one. A power of two.
  int64_t alignment = 1;
};

/// How the elements of a load of a block with one dimension lie; nothing if they may lie apart,
/// or if the mask may leave out others than the last ones.
std::optional<BlockRun> runOf(LoadOp load);

} // namespace fsm

#endif // FSM_ANALYSIS_BLOCKRUN_H
