//===- DotLayouts.h - The layout of a product of matrices ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_LAYOUTS_DOTLAYOUTS_H
#define FSM_TRANSFORMS_LAYOUTS_DOTLAYOUTS_H

#include "fsm/IR/FSMDialect.h"
#include "fsm/Layout/NamedLayouts.h"

namespace fsm {

/// The layout in which threads add up a product of matrices. A thread's elements lie in few rows
/// and few columns, for each of these is read from shared memory once: the rows and columns
/// of a thread are about as many. Neighbouring lanes hold neighbouring vectors of a row and
/// neighbouring rows, so that both the reads of the operands and a store of the result are of
/// neighbouring addresses. Batches go to different warps.
///
/// 64 x 64 f32 over four warps: vectors of 4 columns, lanes 4 x 8, warps 4 x 1, and each thread has
/// 4 rows of two vectors.
LinearLayout dotLayout(mlir::RankedTensorType result, ThreadCounts threads);

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_DOTLAYOUTS_H
