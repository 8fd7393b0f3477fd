//===- CopiedTensors.cpp - What copies are told of tensors ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a list of products each iteration of a loop around has another tensor:
//
//   for each product                 where it lies, and how large it is, is read from memory
//     for each tile
//       map, if it is the first tile and there are steps
//       for each step: copies
//
// So a map is made when a copy is to come that reads it, and by nobody who has no tile of a product.

#include "CopiedTensors.h"

#include "fsm/Analysis/Loops.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fsm;

SmallVector<Value> CopiedTensor::coordinates(ImplicitLocOpBuilder &builder, const TensorTile &tile) const {
  SmallVector<Value> coordinates;
  for (const ScalarSum &origin : tile.origins)
    coordinates.push_back(origin.materialize(builder, builder.getI32Type()));
  if (isEmpty) {
    Value beyond = arith::ConstantOp::create(builder, builder.getI32IntegerAttr(OwnTensorMapOp::kBeyond));
    coordinates[0] = arith::SelectOp::create(builder, isEmpty, beyond, coordinates[0]);
  }
  return coordinates;
}

/// How many of the loops around one have to begin an iteration for a value to change, outermost first: those of the values
/// that it is computed of.
static size_t depthOf(Value value, ArrayRef<scf::ForOp> around, unsigned ops = 8) {
  Operation *op = value.getDefiningOp();
  if (ops && op && !op->getNumRegions() && isMemoryEffectFree(op)) {
    size_t depth = 0;
    for (Value operand : op->getOperands())
      depth = std::max(depth, depthOf(operand, around, ops - 1));
    return depth;
  }
  return llvm::count_if(around, [&](scf::ForOp loop) { return !loop.isDefinedOutsideOfLoop(value); });
}

static Value both(ImplicitLocOpBuilder &builder, Value left, Value right) {
  return left ? arith::AndIOp::create(builder, left, right).getResult() : right;
}

/// Whether a copy is to come, and the tensor is another one than before: it is the first time that the loops come here which
/// are around it and do not change it. Null for always.
static Value isNewIn(ImplicitLocOpBuilder &builder, const TensorTile &tile, const MapPlace &where) {
  size_t depth = depthOf(tile.pointer, where.around);
  for (const ScalarSum &sum : {tile.sizes[0], tile.sizes[1], tile.stride, tile.base})
    for (auto [symbol, factor] : sum.terms)
      depth = std::max(depth, depthOf(symbol, where.around));
  Value isNew;
  if (where.isForLoop) {
    auto loop = cast<scf::ForOp>(where.before);
    isNew = arith::CmpIOp::create(builder, belowBound(loop), loop.getLowerBound(),
                                  loop.getUpperBound());
    // Or it has no iteration the first time, and some a later one.
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound()})
      if (depthOf(bound, where.around) > depth)
        return isNew;
  }
  for (scf::ForOp around : where.around.drop_front(depth))
    isNew = both(builder, isNew,
                 arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, around.getInductionVar(),
                                       around.getLowerBound()));
  return isNew;
}

static CopiedTensor describeItself(ImplicitLocOpBuilder &builder, const TensorTile &tile, TensorMapType type,
                                   const MapPlace &where) {
  Type wide = builder.getI64Type();
  CopiedTensor tensor;
  SmallVector<Value> sizes;
  Value zero = arith::ConstantOp::create(builder, builder.getI64IntegerAttr(0));
  for (const ScalarSum &size : tile.sizes) {
    sizes.push_back(size.materialize(builder, wide));
    Value isNone = arith::CmpIOp::create(builder, arith::CmpIPredicate::sle, sizes.back(), zero);
    tensor.isEmpty = tensor.isEmpty ? arith::OrIOp::create(builder, tensor.isEmpty, isNone).getResult() : isNone;
  }
  Value pointer = tile.pointer;
  if (!tile.base.terms.empty() || tile.base.constant)
    pointer = OffsetOp::create(builder, pointer.getType(), pointer, tile.base.materialize(builder, wide));
  // One place more than slots: a slot is filled again when it has been read, so that what filled it before has arrived.
  tensor.map = OwnTensorMapOp::create(builder, type, pointer, sizes, tile.stride.materialize(builder, wide),
                                      isNewIn(builder, tile, where), where.slots + 1);
  return tensor;
}

/// A number that a launch computes, at the builder's place, which may be in front of where the kernel has it.
static Value availableAt(ImplicitLocOpBuilder &builder, Value number) {
  Operation *op = number.getDefiningOp();
  if (!op)
    return number;
  Block::iterator place = builder.getInsertionPoint();
  Operation *at = place == builder.getInsertionBlock()->end() ? nullptr : op->getBlock()->findAncestorOpInBlock(*place);
  if (at && op->isBeforeInBlock(at))
    return number;
  IRMapping operands;
  for (Value operand : op->getOperands())
    operands.map(operand, availableAt(builder, operand));
  return builder.clone(*op, operands)->getResult(0);
}

/// A sum of such numbers as one.
static Value materializeAt(ImplicitLocOpBuilder &builder, ScalarSum sum) {
  for (auto &[symbol, factor] : sum.terms)
    symbol = availableAt(builder, symbol);
  return sum.materialize(builder, builder.getI64Type());
}

CopiedTensor fsm::describeTensor(ImplicitLocOpBuilder &before, const TensorTile &tile, TensorMapType type,
                                 const MapPlace &where) {
  if (tile.maker == MapMaker::Program) {
    OpBuilder::InsertionGuard guard(before);
    // The barrier that a loop is entered by stays in front of it, where a role finds it.
    Operation *place = where.before;
    if (auto barrier = dyn_cast_if_present<SharedBarrierOp>(place->getPrevNode()))
      place = barrier;
    before.setInsertionPoint(place);
    return describeItself(before, tile, type, where);
  }
  SmallVector<Value> sizes;
  for (const ScalarSum &size : tile.sizes)
    sizes.push_back(materializeAt(before, size));
  return {TensorMapOp::create(before, type, tile.pointer, sizes, materializeAt(before, tile.stride)), Value()};
}
