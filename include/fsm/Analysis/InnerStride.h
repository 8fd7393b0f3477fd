//===- InnerStride.h - Distances between neighbouring elements -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_INNERSTRIDE_H
#define FSM_ANALYSIS_INNERSTRIDE_H

#include "fsm/IR/FSMDialect.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace fsm {

/// Tells how an integer block varies along its innermost dimension.
///
/// A block has inner stride s when, in every row, neighbours differ by exactly s
/// as 64-bit numbers after sign extension: `fsm.range` has 1, a splat 0. A sum
/// of i32 blocks keeps a stride only where it cannot wrap inside an aligned
/// group of kAlignedGroup elements: it says `overflow<nsw>`, or its uniform part
/// is a multiple of the group (language rule: contiguity is claimed within
/// aligned groups).
class InnerStride {
public:
  /// The largest number of neighbours a reader of the answer may access at
  /// once, starting at a multiple of it.
  static constexpr int64_t kAlignedGroup = 64;

  /// The stride of `block`, or nothing when it is not known.
  std::optional<int64_t> of(mlir::Value block);

private:
  std::optional<int64_t> compute(mlir::Value block);
  std::optional<int64_t> ofCarried(mlir::BlockArgument argument);
  std::optional<int64_t> ofShape(mlir::Operation *op);
  std::optional<int64_t> ofArithmetic(mlir::Operation *op);

  static constexpr unsigned kMaxDepth = 256;

  llvm::DenseMap<mlir::Value, std::optional<int64_t>> known;
  unsigned depth = 0;
  /// Whether `known` holds a stride that is only supposed.
  bool isSupposing = false;
};

/// A number that divides the integer `value` and each first element of an
/// aligned group of the block `value`; 1 when nothing is known. A power of two,
/// so it also divides what is left after the value has wrapped. Looks `depth` ops
/// back at most.
int64_t knownDivisor(mlir::Value value, unsigned depth = 10);

/// A number of bytes, a power of two, that divides the address of the first
/// element of each aligned group of an access (`offsets` null: of the pointer).
int64_t knownAlignment(mlir::Value pointer, mlir::Value offsets);

/// Whether no two elements of a block of offsets are equal, as far as is known. Looks `depth` ops
/// back at most.
bool areDistinct(mlir::Value offsets, unsigned depth = 16);

/// The kernel argument a pointer was moved from, or null.
mlir::BlockArgument rootArgument(mlir::Value pointer);

/// When `mask` is true exactly for the first n elements of every row, for one n:
/// the scalar n. Null otherwise.
mlir::Value rowBound(mlir::Value mask);

} // namespace fsm

#endif // FSM_ANALYSIS_INNERSTRIDE_H
