//===- DotPlan.h - How threads multiply matrices ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_DOTPLAN_H
#define FSM_ANALYSIS_DOTPLAN_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// How a product of matrices is executed on a GPU: both operands are written to scratch
/// memory, row by row, and each thread adds up the elements of the result that it holds.
/// What does not fit at once comes in slabs of `slab` columns of the left and as many rows
/// of the right matrix, one after the other.
struct DotPlan {
  /// Of the product; one batch when there are only two dimensions.
  uint64_t batches = 1, rows = 1, inner = 1, columns = 1;
  /// All of `inner`, or a power of two.
  uint64_t slab = 1;
  /// Bytes from one row to the next: an odd multiple of 16, so that rows do not begin in the
  /// same banks and vectors are aligned; a power of two below that for rows so short.
  uint64_t leftStride = 0, rightStride = 0;
  /// Where scratch memory has the right matrix, and its size.
  uint64_t rightOffset = 0, bytes = 0;

  uint64_t slabs() const { return (inner + slab - 1) / slab; }
};

DotPlan planDot(DotOp op);

} // namespace fsm

#endif // FSM_ANALYSIS_DOTPLAN_H
