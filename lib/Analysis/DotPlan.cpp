//===- DotPlan.cpp - How threads multiply matrices -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/DotPlan.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

/// More than this and too few programs share an SM; an op whose two operands are larger comes
/// in slabs.
static constexpr uint64_t kMaxSlabBytes = 64 * 1024;

static constexpr uint64_t kVectorBytes = 16;

/// The bytes of a row, up to an odd number of vectors. What is less than one, as in an outer
/// product of long vectors, is read by no more than the power of two that it fits.
static uint64_t strideOf(uint64_t bytes) {
  if (bytes < kVectorBytes)
    return llvm::PowerOf2Ceil(bytes);
  return (llvm::divideCeil(bytes, kVectorBytes) | 1) * kVectorBytes;
}

static void setSlab(DotPlan &plan, uint64_t slab, uint64_t elementBytes) {
  plan.slab = slab;
  plan.leftStride = strideOf(slab * elementBytes);
  plan.rightStride = strideOf(plan.columns * elementBytes);
  plan.rightOffset = llvm::alignTo(plan.batches * plan.rows * plan.leftStride, kVectorBytes);
  plan.bytes = plan.rightOffset + plan.batches * slab * plan.rightStride;
}

DotPlan fsm::planDot(DotOp op) {
  RankedTensorType left = op.getLeft().getType();
  ArrayRef<int64_t> shape = op.getType().getShape();
  DotPlan plan;
  plan.batches = shape.size() == 3 ? shape.front() : 1;
  plan.rows = shape[shape.size() - 2];
  plan.columns = shape.back();
  plan.inner = left.getShape().back();
  uint64_t elementBytes = left.getElementTypeBitWidth() / 8;
  setSlab(plan, plan.inner, elementBytes);
  while (plan.bytes > kMaxSlabBytes && plan.slab > 1)
    setSlab(plan, llvm::bit_floor(plan.slab - 1), elementBytes);
  return plan;
}
