//===- OffsetForm.h - Offsets as a thread has them -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_OFFSETFORM_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_OFFSETFORM_H

#include "../Program/ThreadBlock.h"
#include "../Program/ThreadLowering.h"

namespace fsm::gpu {

/// A block of offsets, in one thread, as a sum of what all its registers share, a
/// constant per register, and what is left:
///
///   splat(%start) + range          shared   %start, 4 * lane
///                                  constant 0, 1, 2, 3, 128, 129, ...
///
/// so that an access has one address and immediates. Terms are signed, of 32 or 64 bits,
/// and the sum is taken in 64.
struct OffsetForm {
  llvm::SmallVector<mlir::Value> shared;
  /// Per element of the thread's vector.
  llvm::SmallVector<int64_t> constants;
  /// A vector with one term per register, or null.
  mlir::Value varying;
};

/// The form of a block of offsets (AffineOffsets.h), or the whole block as it has become.
OffsetForm formOf(ThreadLowering &thread, mlir::Value offsets);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_OFFSETFORM_H
