//===- TupleOrder.h - Tuples that hold their positions ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tuples of a reduction such as argmax hold where each element was, so that of equal elements
// the first one is taken whatever the order in which they are combined. Where the order is known,
// nothing has to be compared for that: positions increase along the axis, and a region that yields
// one of two positions yields one of those that it was made of.
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_TUPLEORDER_H
#define FSM_ANALYSIS_TUPLEORDER_H

#include "fsm/Analysis/AffineOffsets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fsm {

/// A comparison in a region that combines tuples, and what it says wherever all that the left tuple
/// was made of comes before all that the right one was.
struct OrderedCompare {
  mlir::arith::CmpIOp compare;
  bool holds;
};

/// The comparisons of the positions that a reduction's tuples hold.
llvm::SmallVector<OrderedCompare> orderedCompares(ReduceWithOp reduction, AffineOffsets &forms);

} // namespace fsm

#endif // FSM_ANALYSIS_TUPLEORDER_H
