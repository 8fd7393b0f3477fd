//===- SlotCounter.h - Which slot a loop has come to -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_SLOTCOUNTER_H
#define FSM_ANALYSIS_SLOTCOUNTER_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace fsm {

/// A number that a loop carries: one that is `first` more than `from`, then one more in each iteration,
/// each modulo `slots`. `from` is null for 0.
struct SlotCounter {
  mlir::scf::ForOp loop;
  mlir::Value from;
  int64_t first = 0, slots = 1;
};

/// The slot behind `slot`, or the first one behind the last.
mlir::Value nextSlot(mlir::ImplicitLocOpBuilder &builder, mlir::Value slot, unsigned slots);

/// The phase of the next slot's mbarrier: behind the last slot the other one.
mlir::Value nextPhase(mlir::ImplicitLocOpBuilder &builder, mlir::Value phase, mlir::Value slot,
                      unsigned slots);

/// Whether a number is what nextPhase makes of these.
bool isNextPhase(mlir::Value next, mlir::Value phase, mlir::Value slot, unsigned slots);

/// The counter that a value is, if nextSlot makes what its loop carries on, from a number of a slot.
std::optional<SlotCounter> slotCounterOf(mlir::Value slot);

/// Whether two numbers that a loop counts are never the same slot, of which one is of an iteration and
/// the other of so many iterations later.
bool areApart(mlir::Value slot, mlir::Value other, unsigned later = 0);

/// Whether a slot comes behind the last one that a loop has counted, and is another one.
bool isBehindLast(mlir::Value slot, mlir::Value counted);

} // namespace fsm

#endif // FSM_ANALYSIS_SLOTCOUNTER_H
