//===- OffsetSteps.h - How far apart neighbours' offsets are ---*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_LAYOUTS_OFFSETSTEPS_H
#define FSM_TRANSFORMS_LAYOUTS_OFFSETSTEPS_H

#include "fsm/Analysis/AxisInfo.h"

namespace fsm {

/// Guesses, per dimension, the difference between neighbours in a block of
/// integers, as if nothing ever wrapped.
///
/// AxisInfo claims only what is certain: of `row * stride + column`, with a
/// stride that nobody knows and without overflow<nsw>, nothing, because the sum
/// may wrap between two neighbours. Which way consecutive lanes should go is no
/// question of certainty.
///
/// Example: broadcast(expand_dims(range) axis 1) * splat(%s) +
/// broadcast(expand_dims(range) axis 0) has the steps [unknown, 1].
class OffsetSteps {
public:
  explicit OffsetSteps(AxisInfoAnalysis &axes) : axes(axes) {}

  /// One step per dimension; nothing where it is not known.
  using Steps = llvm::SmallVector<std::optional<int64_t>, 4>;
  Steps of(mlir::Value block, unsigned depth = 0);

private:
  Steps compute(mlir::Operation *op, int64_t rank, unsigned depth);
  Steps scaled(Steps steps, mlir::Value factor);

  AxisInfoAnalysis &axes;
  llvm::DenseMap<mlir::Value, Steps> known;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_OFFSETSTEPS_H
