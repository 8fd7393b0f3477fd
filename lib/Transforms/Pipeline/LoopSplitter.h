//===- LoopSplitter.h - Writes loops that several share ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_LOOPSPLITTER_H
#define FSM_TRANSFORMS_PIPELINE_LOOPSPLITTER_H

#include "fsm/Analysis/SplitPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace fsm {

/// Of n ctas or groups of warps, of which each runs the kernel, the one with number r begins at the
/// loop's iteration r and goes on n iterations at a time. What the loop carries begins accordingly:
///   a sum       in the first one where it did, in the others at zero
///   a counter   r steps later, and goes n steps at a time
/// Behind the loop the sums of all are added up in the first one, where the others end.
class LoopSplitter {
public:
  LoopSplitter(mlir::scf::ForOp loop, const SplitPlan &plan, unsigned sharers)
      : loop(loop), plan(plan), sharers(sharers), builder(loop.getLoc(), loop) {}

  void split();

private:
  mlir::Value number(mlir::Type type, int64_t value);
  mlir::Value partIn(mlir::Type type);
  mlir::Value times(mlir::Value step, mlir::Value count, mlir::arith::IntegerOverflowFlags flags);
  mlir::Value startOf(mlir::Value init);
  void widenCounter();
  void splitBounds();
  void splitCounter(unsigned number, mlir::Value added);
  void sumUp();

  mlir::scf::ForOp loop;
  const SplitPlan &plan;
  unsigned sharers;
  mlir::ImplicitLocOpBuilder builder;
  mlir::Value part;
};

/// The bytes of what a loop sums up.
int64_t bytesOfSums(mlir::scf::ForOp loop, const SplitPlan &plan);

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_LOOPSPLITTER_H
