//===- DotOps.cpp - Products of matrices ---------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;

/// Whether products of `element` may be added up in `sum`.
static bool canAddUp(Type element, Type sum) {
  if (element.isInteger(8))
    return sum.isInteger(32);
  if (element.isF64())
    return sum.isF64();
  return isa<FloatType>(element) && (sum.isF32() || (element.isF16() && sum.isF16()));
}

static bool isF8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

bool fsm::canMultiply(Type left, Type right) {
  return left == right || (isF8(left) && isF8(right));
}

/// Ends an error with where the matrices come from.
static LogicalResult failWithMatrices(DotOp op, InFlightDiagnostic error) {
  return failWithOrigins(std::move(error), {{"the left matrix", op.getLeft()},
                                            {"the right matrix", op.getRight()},
                                            {"the third matrix", op.getAcc()}});
}

static LogicalResult verifyExtents(DotOp op) {
  RankedTensorType left = op.getLeft().getType(), right = op.getRight().getType();
  RankedTensorType result = op.getType();
  int64_t rank = left.getRank();
  if (rank != right.getRank() || rank != result.getRank() || rank < 2 || rank > 3)
    return failWithMatrices(op, op.emitOpError()
                                    << "expected three matrices, or three batches of them, got "
                                    << left << ", " << right << " and " << result);
  bool isBatch = rank == 3;
  int64_t rows = left.getDimSize(rank - 2), inner = left.getDimSize(rank - 1);
  int64_t columns = right.getDimSize(rank - 1);
  if (right.getDimSize(rank - 2) != inner || (isBatch && left.getDimSize(0) != right.getDimSize(0)))
    return failWithMatrices(
        op, op.emitOpError() << "expected as many columns of the left matrix as rows of the right "
                             << "one, in batches of one extent, got " << left << " and " << right);
  SmallVector<int64_t> shape(left.getShape().take_front(rank - 2));
  shape.append({rows, columns});
  if (result.getShape() != ArrayRef<int64_t>(shape))
    return failWithMatrices(op, op.emitOpError()
                                    << "expected a result of the extents " << shape << " for "
                                    << left << " and " << right << ", got " << result);
  return success();
}

LogicalResult DotOp::verify() {
  if (failed(verifyExtents(*this)))
    return failure();
  Type left = getLeft().getType().getElementType(), right = getRight().getType().getElementType();
  Type sum = getType().getElementType();
  if (!canMultiply(left, right) || !canAddUp(left, sum))
    return failWithMatrices(
        *this, emitOpError() << "expected two matrices of one type, or of f8: f16, bf16, f8 or f32 "
                             << "adding up in f32, f16 in f16, i8 in i32, or f64 in f64, got "
                             << left << " and " << right << " adding up in " << sum);
  if (isa<Float32Type>(left) != getPrecision().has_value())
    return emitOpError() << (getPrecision() ? "expected no 'precision' for "
                                            : "expected 'precision = ieee|tf32|tf32x3|bf16x3|bf16x6' for ")
                         << left;
  if (getAccumulate() && !isF8(left))
    return emitOpError() << "expected 'accumulate' of f8 alone, got " << left;
  if (getSaturate() && !left.isInteger(8))
    return emitOpError() << "expected 'saturate' of i8 alone, got " << left;
  return success();
}
