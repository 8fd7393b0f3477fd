//===- StageProduct.cpp - Products of blocks in shared memory ------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageProduct.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fsm;

/// More than this and too few programs share an SM; a product whose two factors are larger comes in
/// slabs.
static constexpr uint64_t kMaxSlabBytes = 64 * 1024;

static constexpr int64_t kVectorBytes = 16;

/// From row to row an odd multiple of 16 bytes, so that rows do not begin in the same banks and
/// vectors are aligned. What is less than one, as in an outer product of long vectors, is read by
/// no more than the power of two that it fits.
static SharedType pitchedType(ArrayRef<int64_t> shape, Type element) {
  auto elementBytes = static_cast<int64_t>(bytesOf(element)), bytes = shape.back() * elementBytes;
  int64_t pitch = bytes < kVectorBytes ? static_cast<int64_t>(llvm::PowerOf2Ceil(bytes))
                                       : (llvm::divideCeil(bytes, kVectorBytes) | 1) * kVectorBytes;
  return SharedType::get(element.getContext(), shape, element, pitch / elementBytes, /*slots=*/0,
                         LayoutAttr());
}

namespace {
/// The memory of both factors, for a slab: all of the dimension that they share, or a power of two.
struct Slab {
  Slab(DotOp op, int64_t extent) : extent(extent) {
    auto typeOf = [&](RankedTensorType factor, size_t fromEnd) {
      SmallVector<int64_t> shape(factor.getShape());
      shape[shape.size() - fromEnd] = extent;
      return pitchedType(shape, factor.getElementType());
    };
    left = typeOf(op.getLeft().getType(), 1);
    right = typeOf(op.getRight().getType(), 2);
  }

  uint64_t bytes() const { return llvm::alignTo(left.getBytes(), kVectorBytes) + right.getBytes(); }

  int64_t extent;
  SharedType left, right;
};
} // namespace

void fsm::stageProduct(DotOp op) {
  int64_t inner = op.getLeft().getType().getShape().back();
  size_t rank = op.getType().getRank();
  Slab slab(op, inner);
  while (slab.bytes() > kMaxSlabBytes && slab.extent > 1)
    slab = Slab(op, static_cast<int64_t>(llvm::bit_floor<uint64_t>(slab.extent - 1)));
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value left = SharedAllocOp::create(builder, loc, slab.left);
  Value right = SharedAllocOp::create(builder, loc, slab.right);
  Value sum = op.getAcc();
  for (int64_t first = 0; first < inner; first += slab.extent) {
    auto store = [&](Value factor, Value shared, size_t dim) {
      SmallVector<int64_t> at(rank, 0);
      at[dim] = first;
      SharedStoreOp::create(
          builder, loc, factor,
          slab.extent < inner ? builder.getDenseI64ArrayAttr(at) : DenseI64ArrayAttr(), shared);
    };
    if (first > 0)
      SharedBarrierOp::create(builder, loc, ThreadScope::Program);
    store(op.getLeft(), left, rank - 1);
    store(op.getRight(), right, rank - 2);
    SharedBarrierOp::create(builder, loc, ThreadScope::Program);
    sum = SharedDotOp::create(builder, loc, op.getType(), left, right, sum,
                              std::min(slab.extent, inner - first));
  }
  op.replaceAllUsesWith(sum);
  op.erase();
}
