//===- HostLoops.h - A plan: which block ops share a loop ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_HOST_HOSTLOOPS_H
#define FSM_TRANSFORMS_HOST_HOSTLOOPS_H

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/IR/FSMDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace fsm {

/// One loop over the elements of blocks: the roots it computes, in program
/// order. It runs where its last root stands.
struct HostLoop {
  llvm::SmallVector<mlir::Operation *> roots;
  /// The iteration space.
  llvm::SmallVector<int64_t> shape;
  /// A loop of its own kind (a reduction along an outer dimension, the operands
  /// of a region op or terminator) that nothing else joins.
  bool isPrivate = false;
};

/// Whether the op has a block among its results.
bool definesBlock(mlir::Operation *op);

/// Whether the op reads or writes whole blocks and so needs a loop: a store, an
/// atomic or a reduction of a block, or an op that passes blocks into or out of a region.
bool needsLoop(mlir::Operation *op);

/// Whether each element of the one access is the same place as that element of the other, and no
/// place is that of two: a loop over both may do the two element by element.
bool meetInPlace(mlir::Operation *one, mlir::Operation *other, AffineOffsets &forms);

/// Everything in the op's IR block that its operands are computed from, as far
/// back as `since` (exclusive when given), operands before users.
void collectSlice(mlir::Operation *op, mlir::Operation *since,
                  llvm::SetVector<mlir::Operation *> &slice);

/// Groups the roots of one IR block into loops. Roots that can share a loop are
/// moved next to each other.
class HostLoopGrouping {
public:
  HostLoopGrouping(mlir::Block &block, AffineOffsets &forms);

  llvm::ArrayRef<HostLoop> loops() const { return all; }
  /// The number of a root's loop; the op must be a root.
  unsigned indexOf(mlir::Operation *root) const { return index.lookup(root); }
  /// Adds a value that is kept in a buffer to an existing loop.
  void join(unsigned loop, mlir::Operation *value);
  /// Gives a value that is kept in a buffer a loop of its own.
  void addOwnLoop(mlir::Operation *value);

private:
  using Slice = llvm::SetVector<mlir::Operation *>;

  void place(mlir::Operation *root);
  bool canJoin(const HostLoop &loop, mlir::Operation *root, const Slice &slice) const;
  bool keepsMemoryOrder(const HostLoop &loop, mlir::Operation *root, const Slice &slice) const;
  void open(mlir::Operation *root);

  AffineOffsets &forms;
  llvm::SmallVector<HostLoop> all;
  llvm::DenseMap<mlir::Operation *, unsigned> index;
  /// Whether the last loop may still be joined.
  bool isOpen = false;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_HOST_HOSTLOOPS_H
