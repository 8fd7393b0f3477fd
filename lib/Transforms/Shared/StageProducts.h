//===- StageProducts.h - Factors in shared memory or registers --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_SHARED_STAGEPRODUCTS_H
#define FSM_TRANSFORMS_SHARED_STAGEPRODUCTS_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// Writes both factors of a product to shared memory, row by row, and takes them from there. What
/// does not fit at once comes in slabs, some columns of the left and as many rows of the right
/// matrix, one after the other.
void stageProduct(DotOp op, bool isOneOfMany);

} // namespace fsm

#endif // FSM_TRANSFORMS_SHARED_STAGEPRODUCTS_H
