//===- PieceDims.h - Along which dimension each block is walked -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_ROWS_PIECEDIMS_H
#define FSM_TRANSFORMS_ROWS_PIECEDIMS_H

#include "fsm/IR/FSMDialect.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"

namespace fsm {

/// The dimensions along which the blocks of a kernel are walked, in pieces of so many elements.
///
/// Dimensions of different blocks are one where elements that an op combines are at the same place
/// of them: the rows of `x`, of `exp(x)`, and of what is left of `x` when each of them is summed.
/// All of these are walked, or none. A dimension with more elements than a piece is, unless a block
/// has several: then it is the one along which pieces need the least of one another, the first of
/// those, and the others nowhere.
class PieceDims {
public:
  PieceDims(KernelOp kernel, int64_t piece);

  /// The dimension along which a block is walked, if there is one; of what has been made since,
  /// none.
  std::optional<unsigned> of(mlir::Value value) const;
  bool isLong(mlir::Value value) const { return of(value).has_value(); }
  /// Whether an op combines elements of several pieces: a reduction to one, a scan with those
  /// before.
  bool isAcross(mlir::Operation *op) const;
  /// Whether a block would have to be walked along two dimensions, because they are one: those of a
  /// square block to which its transpose is added.
  bool isTwice(mlir::Value value) const { return dimsOf(value).size() > 1; }

  int64_t piece() const { return length; }
  /// The shape of what is there of a block at a time.
  llvm::SmallVector<int64_t> pieceShape(mlir::Value value) const;
  /// The number of elements of the largest block that is there at a time.
  int64_t largest() const;

private:
  void join(mlir::Operation *op);
  void joinReduced(AlongAxis reduction);
  void joinGathered(GatherOp gather);
  void joinReshaped(ReshapeOp reshape);
  void joinSame(mlir::Value left, mlir::Value right);
  void joinDims(mlir::Value left, unsigned leftDim, mlir::Value right, unsigned rightDim);
  void noteNeed(mlir::Operation *op);
  void choose();
  llvm::SmallVector<unsigned> dimsOf(mlir::Value value) const;
  bool hasDim(mlir::Value block, unsigned group) const;
  unsigned groupOf(mlir::Value value, unsigned dim) const {
    return groups.findLeader(first.lookup(value) + dim);
  }

  int64_t length;
  /// In the order of the kernel.
  std::vector<mlir::Value> blocks;
  /// The number of a block's first dimension; those of the others follow.
  llvm::DenseMap<mlir::Value, unsigned> first;
  llvm::IntEqClasses groups;
  llvm::DenseSet<unsigned> walked;
  /// What pieces along a dimension would need of one another, at most; nothing where each has
  /// enough of itself.
  enum Need { Nothing, Sums, Order, All };
  llvm::DenseMap<unsigned, Need> needs;
};

/// Gives each block that gets another dimension its own copy of the numbers that it is made of, and
/// each user of a block of one number its own. Else rows and columns that count alike would be one
/// dimension.
void separateNumbers(KernelOp kernel);

} // namespace fsm

#endif // FSM_TRANSFORMS_ROWS_PIECEDIMS_H
