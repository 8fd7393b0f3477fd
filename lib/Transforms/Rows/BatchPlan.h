//===- BatchPlan.h - What differs between programs -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_ROWS_BATCHPLAN_H
#define FSM_TRANSFORMS_ROWS_BATCHPLAN_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace fsm {

/// Whether it gives a program's coordinate along x, by which those of a batch differ.
bool isBatchedId(mlir::Operation *op);

/// What is in the way of batching programs.
struct BatchObstacle {
  mlir::Operation *op = nullptr;
  std::string reason;
};

/// Which values of a kernel differ between programs that are neighbours along x.
class BatchPlan {
public:
  explicit BatchPlan(KernelOp kernel);

  bool differs(mlir::Value value) const { return differing.contains(value); }
  /// Whether an operand of the op differs, or a result.
  bool differs(mlir::Operation *op) const;
  /// Whether programs begin the loop at numbers of their own, and some leave it earlier than others.
  bool isStaggered(mlir::scf::ForOp loop) const { return differs(loop.getLowerBound()); }
  const std::optional<BatchObstacle> &obstacle() const { return found; }

private:
  bool note(mlir::Value value) { return differing.insert(value).second; }
  bool spreadFrom(mlir::Operation *op);
  std::optional<std::string> faultOf(mlir::Operation *op) const;
  std::optional<std::string> faultOfControl(mlir::Operation *op) const;
  bool isInStaggered(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Value> differing;
  std::optional<BatchObstacle> found;
};

/// Rewrites a kernel, whose plan has no obstacle, so that each of its programs is so many.
void writeBatch(KernelOp kernel, const BatchPlan &plan, int64_t programs);

} // namespace fsm

#endif // FSM_TRANSFORMS_ROWS_BATCHPLAN_H
