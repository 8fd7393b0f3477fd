//===- OffsetForm.h - Offsets as sums --------------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MEMORY_OFFSETFORM_H
#define FSM_CONVERSION_FSMTOGPU_MEMORY_OFFSETFORM_H

#include "../Program/ThreadBlock.h"

namespace fsm::gpu {

/// A block of offsets, in one thread, as a sum of what all its registers share, a
/// constant per register, and what is left:
///
///   splat(%start) + range          shared   %start, 4 * lane
///                                  constant 0, 1, 2, 3, 128, 129, ...
///
/// so that an access has one address and immediates. Terms are signed, of 32 or 64 bits,
/// and the sum is taken in 64: it is that of the ops only where these cannot wrap, which
/// `overflow<nsw>` says.
struct OffsetForm {
  llvm::SmallVector<mlir::Value> shared;
  /// Per element of the thread's vector.
  llvm::SmallVector<int64_t> constants;
  /// A vector with one term per register, or null.
  mlir::Value varying;
};

/// The form of the offsets `block`; `lookup` gives what a value of the kernel has become.
OffsetForm formOf(DeviceProgram &program, mlir::Value block,
                  llvm::function_ref<mlir::Value(mlir::Value)> lookup);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MEMORY_OFFSETFORM_H
