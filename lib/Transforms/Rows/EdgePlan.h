//===- EdgePlan.h - Rows that begin anywhere -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_ROWS_EDGEPLAN_H
#define FSM_TRANSFORMS_ROWS_EDGEPLAN_H

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/AxisInfo.h"
#include "fsm/Machine/GpuTarget.h"

namespace fsm {

/// Blocks of one extent, of which one is loaded from rows that begin anywhere.
class EdgePlan {
public:
  explicit EdgePlan(KernelOp kernel) : kernel(kernel), axes(kernel) {}

  /// Finds such blocks that can be split; says whether there are any.
  bool find();

  /// The access whose rows begin at whole vectors behind the split.
  LoadOp first;
  int64_t extent = 0, vector = 0;
  /// How many elements of a row are there; all, if absent.
  std::optional<MaskEnd> end;
  /// The ops on these blocks, in their order.
  llvm::SmallVector<mlir::Operation *> ops;

  bool isSplit(mlir::Type type) const {
    auto block = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return block && block.getRank() == 1 && block.getDimSize(0) == extent;
  }
  /// Whether it is the mask that says which elements of a row are there.
  bool isEnd(mlir::Value mask);
  /// Whether an access is of neighbours from the pointer on, as far as a row reaches.
  bool isAlongRow(GlobalAccess access);
  /// Whether threads wait with what is loaded, and do not find it in a cache.
  bool holds(LoadOp load) { return isSplit(load.getType()) && !isAligned(load.getPointer()); }
  /// Whether a pointer is known to be at a whole vector.
  bool isAligned(mlir::Value pointer) {
    return axes.of(pointer).dims[0].divisibility >= kVectorBytes;
  }

private:
  bool beginsAnywhere(LoadOp load);
  bool canSplit(mlir::Operation &op) const;
  bool collect();
  /// Vectors of a row from which on a split pays.
  int64_t leastVectors();

  KernelOp kernel;
  AxisInfoAnalysis axes;
  AffineOffsets forms;
};

/// Writes what has been found as parts, for so many threads.
void writeEdges(EdgePlan &plan, int64_t threads);

} // namespace fsm

#endif // FSM_TRANSFORMS_ROWS_EDGEPLAN_H
