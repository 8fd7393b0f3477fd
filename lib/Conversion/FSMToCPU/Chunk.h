//===- Chunk.h - Where in a block a vector stands --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOCPU_CHUNK_H
#define FSM_CONVERSION_FSMTOCPU_CHUNK_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace fsm::host {

/// For each dimension of a block, how many coordinates each lane of a vector is from the first.
using LaneSteps = llvm::SmallVector<llvm::SmallVector<int64_t>>;

/// Where in a block a vector stands: the coordinates of its first lane (i64 values, one per
/// dimension) and how many lanes it has, of which the first `active` are inside the block. `lanes`
/// 0 is a single element.
struct Chunk {
  llvm::SmallVector<mlir::Value> index;
  int64_t lanes = 0;
  int64_t active = 0;
  /// A block of i1 that is known to be all true here, or null.
  mlir::Value fullMask = {};
  /// Where it is known at run time only, which lanes are inside: a vector of i1, or null.
  mlir::Value inside = {};
  /// The store of the loop begins a line of memory here.
  bool beginsLine = false;
  /// Empty where the lanes are neighbours along the innermost dimension.
  LaneSteps steps = {};

  /// Whether neighbouring lanes are neighbours in a block of this shape, in row-major order.
  bool isRowMajor(llvm::ArrayRef<int64_t> shape) const;
  bool isPartial() const { return active < lanes || inside; }
  bool isRow() const { return steps.empty(); }

  /// `steps`, written out for neighbours too; lanes outside of the block stand where the first one
  /// does. None for a single element.
  LaneSteps laneSteps() const;
};

/// Whether numbers count from 0 on.
bool isCounting(llvm::ArrayRef<int64_t> numbers);

/// If numbers are in any order those from 0 to n - 1, for a power of two n, each of them once or
/// more often: n. Else 0.
int64_t neighboursAmong(llvm::ArrayRef<int64_t> numbers);

/// The row-major numbers of the lanes of a block, counted from the first lane.
llvm::SmallVector<int64_t> linearSteps(llvm::ArrayRef<int64_t> shape, const LaneSteps &steps);

/// The steps of lanes of these row-major numbers. In a block whose extents are powers of two no
/// lane leaves a row on the way, if the numbers have no bit in common with that of the first lane.
LaneSteps delinearSteps(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> numbers);

} // namespace fsm::host

#endif // FSM_CONVERSION_FSMTOCPU_CHUNK_H
