//===- PiecePlan.h - Which loops walk over blocks --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_ROWS_PIECEPLAN_H
#define FSM_TRANSFORMS_ROWS_PIECEPLAN_H

#include "PieceDims.h"

#include <string>

namespace fsm {

/// Roots of one block of ops that share a loop: each walks over a long block for its own sake, and
/// none needs what another one gives.
struct PieceLoop {
  llvm::SmallVector<mlir::Operation *> roots;
  /// What computes the long blocks that the roots take, in the order in which it is done; the roots
  /// stand among that.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Ops in front of the last root that need what another root gives: they come behind the loop.
  llvm::SmallVector<mlir::Operation *> behind;
  /// Elements of the long blocks along their long dimension.
  int64_t extent = 0;
  /// Whether scans go from the last piece to the first, or from the first to the last, and the loop
  /// with them; nothing where there is no scan across pieces. Where some go this way and some that,
  /// the loop begins with the first piece.
  std::optional<bool> isReverse;
  /// Whether a scan goes the other way than the loop. What all pieces ahead of each combine to has
  /// been found by another loop then.
  bool isOpposed = false;
  /// Where the only root is such a scan, the op in front of which that loop stands: one for which
  /// the scan is made.
  mlir::Operation *ahead = nullptr;
  /// In front of what the loop stands.
  mlir::Operation *place() const { return ahead ? ahead : roots.back(); }
};

/// What is in the way of walking a kernel.
struct PieceObstacle {
  mlir::Operation *op = nullptr;
  std::string reason;
};

/// The loops that walk over a kernel's blocks, in the order of their roots.
class PiecePlan {
public:
  PiecePlan(KernelOp kernel, int64_t piece);

  const PieceDims &dims() const { return dimensions; }
  llvm::ArrayRef<PieceLoop> loops() const { return all; }
  const std::optional<PieceObstacle> &obstacle() const { return found; }

private:
  bool isLong(mlir::Value value) const { return dimensions.isLong(value); }
  bool isLong(mlir::ValueRange values) const;
  bool isRoot(mlir::Operation *op) const;
  std::optional<std::string> faultOf(mlir::Operation *op) const;
  void planBlock(mlir::Block &block);
  void collect(PieceLoop &loop);
  PieceLoop loopOf(mlir::Operation *root);
  llvm::SmallVector<mlir::Operation *> scansOf(const PieceLoop &loop, bool isReverse) const;
  void planAhead(mlir::Operation *scan, mlir::Operation *root);
  void checkOps(KernelOp kernel);
  void checkMemory(KernelOp kernel);
  std::optional<std::string> memoryFault(mlir::Operation *load, mlir::Operation *write);
  void refuse(mlir::Operation *op, std::string reason);

  PieceDims dimensions;
  std::vector<PieceLoop> all;
  std::optional<PieceObstacle> found;
};

/// Rewrites the kernel as its plan, which has no obstacle, says.
void writePieces(KernelOp kernel, const PiecePlan &plan);

} // namespace fsm

#endif // FSM_TRANSFORMS_ROWS_PIECEPLAN_H
