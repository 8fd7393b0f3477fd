//===- TileOps.cpp - Tiles of tensors in memory --------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/NumberLists.h"
#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;

LogicalResult DescriptorType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank,
                                     Type element) {
  if (rank < 1 || rank > kMostRank)
    return emitError() << "expected a descriptor of 1 to " << kMostRank << " dimensions, got "
                       << rank;
  if (!isElementType(element))
    return emitError() << "expected a descriptor of " << kElementTypeNames << ", got " << element;
  return success();
}

/// Whether all sizes and strides that are operands have one type, as the text has.
static LogicalResult verifyNumberTypes(DescriptorOp op) {
  SmallVector<Type> types(op.getSizes().getTypes());
  llvm::append_range(types, op.getStrides().getTypes());
  if (types.empty() || llvm::all_equal(types))
    return success();
  return op.emitOpError("expected sizes and strides of one type, i32 or i64");
}

LogicalResult DescriptorOp::verify() {
  DescriptorType type = getType();
  if (getPointer().getType().getPointeeType() != type.getElementType())
    return failWithOrigins(emitOpError() << "expected a descriptor of the pointer's elements, "
                                         << getPointer().getType().getPointeeType() << ", got "
                                         << type,
                           {{"the pointer", getPointer()}});
  if (failed(fsm::verifyNumbers(*this, "sizes", type.getRank(), type, getStaticSizes(),
                                getSizes())) ||
      failed(fsm::verifyNumbers(*this, "strides", type.getRank(), type, getStaticStrides(),
                                getStrides())))
    return failure();
  for (int64_t size : getStaticSizes())
    if (!ShapedType::isDynamic(size) && size < 0)
      return emitOpError() << "expected sizes of 0 or more, got " << size;
  return verifyNumberTypes(*this);
}

/// Whether a block can be a part of a tensor that begins at so many coordinates.
template <typename TileOp>
static LogicalResult verifyTile(TileOp op, RankedTensorType block) {
  auto type = cast<DescriptorType>(op.getDescriptor().getType());
  if (block.getElementType() != type.getElementType() ||
      block.getRank() > type.getRank())
    return failWithOrigins(op.emitOpError()
                               << "expected a block of " << type.getElementType()
                               << " with at most as many dimensions as the descriptor has, "
                               << type.getRank() << ", got " << block,
                           {{"the descriptor", op.getDescriptor()}});
  return fsm::verifyNumbers(op, "coordinates", type.getRank(), type, op.getStaticCoordinates(),
                            op.getCoordinates());
}

LogicalResult LoadTileOp::verify() {
  if (getPad() == TilePadding::NaN && !isa<FloatType>(getType().getElementType()))
    return emitOpError() << "expected a block of floats where 'pad' is 'nan', got " << getType();
  return verifyTile(*this, getType());
}

LogicalResult StoreTileOp::verify() { return verifyTile(*this, getValue().getType()); }
