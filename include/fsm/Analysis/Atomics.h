//===- Atomics.h - How threads learn what one has read ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_ATOMICS_H
#define FSM_ANALYSIS_ATOMICS_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// Whether one thread performs `op` for each element, whoever holds it: an atomic, or a
/// volatile load of a scalar, of which all threads are to see one value.
bool isMadeOnce(mlir::Operation *op);

/// Bytes of neighbours in memory that one instruction of a GPU changes: those of an element, but of
/// floats that are added to. `addsVectors`: vectorAtomics of GpuTarget.h.
unsigned bytesChangedAtOnce(AtomicAccess access, bool addsVectors);

/// How the threads of a GPU that have not acted learn what was in memory.
enum class HandingOn {
  None,    ///< Nobody asks, or each thread has made its own updates.
  Shuffle, ///< From the first lane of those that hold the same element.
  Shared,  ///< By a place in shared memory for each element: `fsm-stage-exchanges` writes that.
};
/// For an op that isMadeOnce. Blocks have layouts without a fault. A result that is only stored to
/// shared memory, by the threads that have it, is handed on there.
HandingOn handingOnOf(mlir::Operation *op);

} // namespace fsm

#endif // FSM_ANALYSIS_ATOMICS_H
