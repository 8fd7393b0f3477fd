//===- BlockWriter.cpp - Writes ops on blocks ----------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockWriter.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace fsm;

Value BlockWriter::number(Type type, int64_t value) {
  unsigned width = elementTypeOf(type).getIntOrFloatBitWidth();
  APInt bits(64, static_cast<uint64_t>(value));
  return createScalarOrSplatConstant(*this, getLoc(), type, bits.trunc(width));
}

Value BlockWriter::i32(const ListedNumber &given) {
  return given.operand ? given.operand : number(getI32Type(), given.number);
}

Value BlockWriter::splat(Value scalar, ArrayRef<int64_t> shape) {
  return SplatOp::create(*this, RankedTensorType::get(shape, scalar.getType()), scalar);
}

Value BlockWriter::spread(Value block, ArrayRef<int32_t> dims, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(block.getType());
  SmallVector<int64_t> extents(type.getShape());
  for (int32_t dim = 0; dim < static_cast<int32_t>(shape.size()); ++dim) {
    if (llvm::is_contained(dims, dim))
      continue;
    extents.insert(extents.begin() + dim, 1);
    block = ExpandDimsOp::create(*this, type.clone(extents), block, dim);
  }
  return ArrayRef<int64_t>(extents) == shape
             ? block
             : BroadcastOp::create(*this, type.clone(shape), block).getResult();
}

Value BlockWriter::coordinates(ArrayRef<int64_t> shape, unsigned dim, int64_t first) {
  auto from = static_cast<int32_t>(first), end = static_cast<int32_t>(first + shape[dim]);
  Value range =
      RangeOp::create(*this, RankedTensorType::get({shape[dim]}, getI32Type()), from, end);
  return spread(range, {static_cast<int32_t>(dim)}, shape);
}

Value BlockWriter::reshape(Value block, ArrayRef<int64_t> shape) {
  if (shapeOf(block.getType()) == shape)
    return block;
  Type type = RankedTensorType::get(shape, elementTypeOf(block.getType()));
  return ReshapeOp::create(*this, type, block);
}

Value BlockWriter::transpose(Value block, ArrayRef<int32_t> order) {
  auto type = cast<RankedTensorType>(block.getType());
  SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(type.getDimSize(dim));
  return TransposeOp::create(*this, type.clone(shape), block, order);
}

Value BlockWriter::window(Value block, unsigned dim, int64_t first, int64_t extent) {
  auto type = cast<RankedTensorType>(block.getType());
  int64_t last = type.getDimSize(dim) - 1;
  if (first == 0 && extent == last + 1)
    return block;
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  Value indices = coordinates(shape, dim, first);
  if (first < 0)
    indices = arith::MaxSIOp::create(*this, indices, number(indices.getType(), 0));
  if (first + extent - 1 > last)
    indices = arith::MinSIOp::create(*this, indices, number(indices.getType(), last));
  return GatherOp::create(*this, type.clone(shape), block, indices, dim);
}
