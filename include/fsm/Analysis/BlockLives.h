//===- BlockLives.h - When blocks are in registers -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_BLOCKLIVES_H
#define FSM_ANALYSIS_BLOCKLIVES_H

#include "fsm/IR/FSMDialect.h"

#include <cstdint>

namespace fsm {

/// Registers of a thread, of 32 bits, and the op that they are for; null where there are none.
struct RegisterNeed {
  uint64_t registers = 0;
  mlir::Operation *op = nullptr;
};

/// What blocks need of a thread's registers.
struct BlockRegisters {
  /// Where most are held at a time, and the op that waits for them.
  RegisterNeed held;
  /// For the largest block that is computed, held as a whole or not, and the op that gives it.
  RegisterNeed largest;
};

/// What the blocks of a kernel need where `measure` says how many registers one of a type takes.
/// Code goes element by element: a block is held as a whole only from one op to another between
/// which its elements have to meet or to wait. Those are reductions, scans and products, stores
/// and barriers that order what was loaded before them, and loops. What is computed in between
/// takes one element at a time, and what is made of ranges, splats and constants by integer
/// arithmetic is made again.
BlockRegisters blockRegisters(KernelOp kernel,
                              llvm::function_ref<uint64_t(mlir::RankedTensorType)> measure);

} // namespace fsm

#endif // FSM_ANALYSIS_BLOCKLIVES_H
