//===- TensorTile.h - Accesses of a part of a tensor ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_TENSORTILE_H
#define FSM_ANALYSIS_TENSORTILE_H

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <array>
#include <optional>
#include <utility>

namespace fsm {

/// A number that is a sum of scalars of a kernel, each times a factor, and of a constant.
struct ScalarSum {
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 2> terms;
  int64_t constant = 0;

  void add(mlir::Value symbol, int64_t factor);
  void add(const ScalarSum &other, int64_t factor = 1);
  /// The number of this integer type, by sums and products that do not wrap.
  mlir::Value materialize(mlir::ImplicitLocOpBuilder &builder, mlir::Type type) const;
};

/// Who makes the map of a tensor: the launch, or the program itself, of numbers that it reads from memory.
enum class MapMaker { Launch, Program };

/// What an access to a block of two dimensions reads or writes, as a part of a tensor in global memory:
/// that element whose coordinates are `origin` plus the block's indices, each times its stride, from the
/// `pointer` on. What the mask leaves out lies outside of `sizes`: it is zero, or not written.
struct TensorTile {
  /// An argument of the kernel; or one that is read from memory, which no launch knows.
  mlir::Value pointer;
  /// What is between it and the element whose coordinates are 0, in elements: numbers that are read from memory.
  ScalarSum base;
  /// Which dimension of the block each of the tensor's is; along the last one elements lie side by
  /// side.
  std::array<unsigned, 2> dims = {0, 1};
  std::array<ScalarSum, 2> origins, sizes;
  /// By the tensor's dimensions: whether the mask leaves out what is below 0.
  std::array<bool, 2> endsBelow = {false, false};
  /// Elements along the first dimension.
  ScalarSum stride;
  /// Whether the part and the tensor begin and end along the last dimension where 16 bytes do: less the
  /// hardware does not leave out when it stores.
  bool hasWholeEnds = false;
  /// Who knows these numbers.
  MapMaker maker = MapMaker::Launch;
};

/// Why there is no such tile, as the end of a sentence.
using TileFault = const char *;

/// The tensor that an access's offsets and mask describe, with what copies ask of it: its numbers are
/// such as a launch knows, address and stride are multiples of 16 bytes. Nothing, and `why`, where
/// one of these is not known. Where the program makes the map, any numbers will do, of tiles that an
/// author has written: of these it is known that strides are positive.
std::optional<TensorTile> tensorTileOf(GlobalAccess access, TileFault &why,
                                       MapMaker maker = MapMaker::Launch);

/// The tensor of an access as whoever knows its numbers describes it, a launch if it does. Of the two reasons the launch's
/// is given.
std::optional<TensorTile> anyTensorTileOf(GlobalAccess access, TileFault &why);

/// Whether a sum is known to be 0 or more.
bool isNonNegative(const ScalarSum &sum);

/// Whether a tile is known to begin at coordinates of 0 or more.
bool hasNoCoordinateBelow(const TensorTile &tile);

/// Whether no coordinate of a tile that a loop's body loads is below 0, where copies have zeros and
/// loads have what is there unless their mask leaves it out. One of them may be, if the other is 0
/// in the first iteration: there the element is in front of the kernel's buffer, so no launch may
/// come to it.
bool beginsInside(const TensorTile &tile, mlir::scf::ForOp loop);

} // namespace fsm

#endif // FSM_ANALYSIS_TENSORTILE_H
