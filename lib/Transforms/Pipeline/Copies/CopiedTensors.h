//===- CopiedTensors.h - What copies are told of tensors --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_COPIEDTENSORS_H
#define FSM_TRANSFORMS_PIPELINE_COPIEDTENSORS_H

#include "fsm/Analysis/TensorTile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fsm {

/// Where a program makes a tensor's map itself: in front of an op, in the loops around that, outermost first; whether it is a loop that copies
/// parts of the tensor; and how many copies may be on their way when it makes the next.
struct MapPlace {
  mlir::Operation *before;
  llvm::ArrayRef<mlir::scf::ForOp> around;
  bool isForLoop = true;
  unsigned slots = 1;
};

/// Why a program makes no map itself that is not in a loop: a thread takes a microsecond for it, in which nothing is copied.
inline constexpr TileFault kMapOfOneTile = "the program would make a map for one tile alone";

/// What copies of a tensor's parts take.
struct CopiedTensor {
  mlir::Value map;
  /// Whether there is nothing in it, which its map does not say; null where it does.
  mlir::Value isEmpty;

  /// Where a part begins, at the builder's place.
  llvm::SmallVector<mlir::Value> coordinates(mlir::ImplicitLocOpBuilder &builder, const TensorTile &tile) const;
};

/// Describes a tensor: at the builder's place, in front of all loops, where the launch makes the map; else where the program does, for the
/// first copy of a part of the tensor.
CopiedTensor describeTensor(mlir::ImplicitLocOpBuilder &before, const TensorTile &tile, TensorMapType type,
                            const MapPlace &where);

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_COPIEDTENSORS_H
