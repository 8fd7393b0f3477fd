//===- LoadPlan.h - How far the loads of a loop run ahead -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_LOADPLAN_H
#define FSM_TRANSFORMS_PIPELINE_LOADPLAN_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <string>
#include <vector>

namespace fsm {

/// What fsm-schedule-loops decides about a loop, and fsm-advance-loads does. It travels as
/// `fsm.stages` and `fsm.takes_late` of the loop, and as `fsm.buffer` and `fsm.stage` of the loads
/// in its body, and `fsm.in_flight` of its products.
struct LoadPlan {
  struct Entry {
    LoadOp load;
    /// Where its elements wait.
    LoadBuffer buffer = LoadBuffer::None;
    unsigned stage = 0;
  };

  /// The plan that attributes hold; one stage, if none do.
  static LoadPlan writtenIn(mlir::scf::ForOp loop);
  void write() const;

  /// How many iterations before the one that uses it the load begins.
  unsigned iterationsAhead(const Entry &entry) const { return stages - 1 - entry.stage; }

  /// Reports a load whose stage is none of the loop's, that waits nowhere, that may not pass what
  /// stands before it, or whose address is not there yet.
  mlir::LogicalResult verify() const;

  mlir::scf::ForOp loop;
  unsigned stages = 1;
  /// In program order.
  std::vector<Entry> loads;
  /// Products that go on while the next iteration begins.
  llvm::SmallVector<SharedDotOp, 2> inFlight;
  /// Whether blocks are taken from their slots where they are used, not where an iteration begins.
  bool takesLate = false;

private:
  std::optional<std::string> faultOf(const Entry &entry) const;
  const Entry *find(mlir::Operation *load) const;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_LOADPLAN_H
