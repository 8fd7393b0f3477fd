//===- Access.cpp - Loads and stores -------------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostBlocks.h"

#include "fsm/Analysis/AffineOffsets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

Value host::firstLanes(OpBuilder &builder, Location loc, const Chunk &chunk) {
  if (chunk.inside)
    return chunk.inside;
  SmallVector<bool> lanes(chunk.lanes, false);
  std::fill(lanes.begin(), lanes.begin() + chunk.active, true);
  auto type = VectorType::get({chunk.lanes}, builder.getI1Type());
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, ArrayRef(lanes)));
}

/// The inner stride the plan has found for an access.
static std::optional<int64_t> plannedStride(Operation *op) {
  auto stride = op->getAttrOfType<IntegerAttr>(kHostStrideAttr);
  return stride ? std::optional<int64_t>(stride.getInt()) : std::nullopt;
}

/// Whether lanes that are neighbours are so in memory.
static bool isContiguous(GlobalAccess op, const Chunk &chunk) {
  if (chunk.isRow())
    return plannedStride(op) == 1;
  return op->hasAttr(kHostDenseAttr) && chunk.isRowMajor(shapeOf(op.getAccessedType()));
}

/// The address of the chunk's first lane, when lanes are neighbours in memory;
/// else one address per lane.
Value HostBlocks::address(Value base, Value offsets, Type element, const Chunk &chunk) {
  Location loc = offsets.getLoc();
  Value index = at(offsets, chunk);
  Type wide = withElement(index.getType(), builder.getI64Type());
  if (index.getType() != wide)
    index = arith::ExtSIOp::create(builder, loc, wide, index);
  return advance(builder, loc, base, index, memoryType(element));
}

/// The lanes a chunk of an access touches, or null for all of them.
Value HostBlocks::maskAt(Value mask, const Chunk &chunk) {
  Value lanes;
  if (mask && mask != chunk.fullMask) {
    lanes = scalarOrAt(mask, chunk);
    if (!isa<VectorType>(lanes.getType()))
      lanes = splat(builder, mask.getLoc(), lanes, chunk.lanes);
  }
  if (!chunk.isPartial())
    return lanes;
  Location loc = builder.getUnknownLoc();
  Value inside = firstLanes(builder, loc, chunk);
  return lanes ? arith::AndIOp::create(builder, loc, lanes, inside).getResult() : inside;
}

/// Of a comparison whose sides come closer by 1 along the row, since the smaller one rises or the
/// larger one falls: their distance where it holds at the row's beginning. Up to there neither side
/// wraps. What is behind is false unless the side that moves wraps in front of the row's end.
HostBlocks::RowBound HostBlocks::boundOf(arith::CmpIOp compare, bool rises, ArrayRef<Value> first) {
  using arith::CmpIPredicate;
  CmpIPredicate order = compare.getPredicate();
  Chunk single{SmallVector<Value>(first)};
  Value left = at(compare.getLhs(), single), right = at(compare.getRhs(), single);
  Location loc = compare.getLoc();
  Value holds = arith::CmpIOp::create(builder, loc, order, left, right);
  if (isGreater(order))
    std::swap(left, right);
  Value distance = arith::SubIOp::create(builder, loc, right, left);
  if (!distance.getType().isInteger(64))
    distance = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), distance);
  int64_t extent = shapeOf(compare.getType()).back();
  distance = arith::MinUIOp::create(builder, loc, distance, i64(extent));
  bool hasEqual = order == CmpIPredicate::sle || order == CmpIPredicate::sge ||
                  order == CmpIPredicate::ule || order == CmpIPredicate::uge;
  if (hasEqual)
    distance = arith::AddIOp::create(builder, loc, distance, i64(1));
  Value all = arith::SelectOp::create(builder, loc, holds, distance, i64(0));
  unsigned width = left.getType().getIntOrFloatBitWidth();
  if (static_cast<uint64_t>(extent) >> (width - 1))
    return {all, i64(extent)};
  bool isSigned = order < CmpIPredicate::ult;
  APInt limit = rises ? (isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width))
                      : (isSigned ? APInt::getSignedMinValue(width) : APInt::getMinValue(width));
  limit = rises ? limit - (extent - 1) : limit + (extent - 1);
  Value last = arith::ConstantOp::create(builder, loc, IntegerAttr::get(left.getType(), limit));
  CmpIPredicate stays = rises ? (isSigned ? CmpIPredicate::sle : CmpIPredicate::ule)
                              : (isSigned ? CmpIPredicate::sge : CmpIPredicate::uge);
  Value noWrap = arith::CmpIOp::create(builder, loc, stays, rises ? left : right, last);
  return {all, arith::SelectOp::create(builder, loc, noWrap, all, i64(extent))};
}

HostBlocks::RowBound HostBlocks::rowBound(Value mask, ArrayRef<Value> first, unsigned depth) {
  constexpr unsigned kMaxDepth = 6;
  Operation *op = depth < kMaxDepth ? mask.getDefiningOp() : nullptr;
  if (auto both = dyn_cast_or_null<arith::AndIOp>(op)) {
    RowBound left = rowBound(both.getLhs(), first, depth + 1);
    RowBound right = left.all ? rowBound(both.getRhs(), first, depth + 1) : RowBound();
    if (!right.all)
      return {};
    return {arith::MinSIOp::create(builder, both.getLoc(), left.all, right.all),
            arith::MinSIOp::create(builder, both.getLoc(), left.end, right.end)};
  }
  auto step = op ? op->getAttrOfType<IntegerAttr>(kHostRowStepAttr) : IntegerAttr();
  if (step && step.getInt() != 0)
    return boundOf(cast<arith::CmpIOp>(op), step.getInt() > 0, first);
  auto shape = dyn_cast_or_null<LayoutTransfer>(op);
  std::optional<SmallVector<int64_t>> dims = shape ? shape.sourceDims() : std::nullopt;
  if (!step && !dims)
    return {};
  if (step || dims->back() < 0) {
    Value all = at(mask, Chunk{SmallVector<Value>(first)});
    int64_t extent = shapeOf(mask.getType()).back();
    Value bound = arith::SelectOp::create(builder, op->getLoc(), all, i64(extent), i64(0));
    return {bound, bound};
  }
  Value source = op->getOperand(0);
  SmallVector<Value> index(shapeOf(source.getType()).size(), i64(0));
  for (auto [dim, from] : llvm::enumerate(*dims))
    if (from >= 0)
      index[static_cast<size_t>(from)] = first[dim];
  return static_cast<size_t>(dims->back()) + 1 == index.size() ? rowBound(source, index, depth + 1)
                                                               : RowBound();
}

Value HostBlocks::elementsToLine(GlobalAccess store, ArrayRef<Value> first, int64_t lanes) {
  Location loc = store.getLoc();
  Type element = elementTypeOf(store.getAccessedType());
  unsigned bytes = elementBytes(element);
  Chunk single{SmallVector<Value>(first)};
  Value place = address(scalarOf(store.getPointer()), store.getOffsets(), element, single);
  Value number = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), place);
  Value behind = arith::SubIOp::create(builder, loc, i64(0), number);
  Value left = arith::AndIOp::create(builder, loc, behind, i64(lanes * bytes - 1));
  return arith::ShRUIOp::create(builder, loc, left, i64(llvm::Log2_32(bytes)));
}

void HostBlocks::fetchLine(GlobalAccess store, const Chunk &element) {
  Value place = address(scalarOf(store.getPointer()), store.getOffsets(),
                        elementTypeOf(store.getAccessedType()), element);
  LLVM::Prefetch::create(builder, store.getLoc(), place, /*rw=*/1, /*hint=*/3, /*cache=*/1);
}

/// What masked-off lanes give, in memory form.
Value HostBlocks::otherAt(LoadOp op, const Chunk &chunk) {
  Type element = elementTypeOf(op.getType());
  Type type = registerType(memoryType(element), chunk.lanes);
  if (!op.getOther())
    return zero(builder, op.getLoc(), type);
  Value other = toMemory(builder, op.getLoc(), scalarOrAt(op.getOther(), chunk));
  return isa<VectorType>(other.getType()) ? other : splat(builder, op.getLoc(), other, chunk.lanes);
}

Value HostBlocks::conditionalLoad(Location loc, Value address, Value condition, Value other,
                                  Type element, bool isVolatile) {
  auto choice = scf::IfOp::create(builder, loc, TypeRange{other.getType()}, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  Value value = LLVM::LoadOp::create(builder, loc, other.getType(), address, elementBytes(element),
                                     isVolatile);
  scf::YieldOp::create(builder, loc, value);
  builder.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(builder, loc, other);
  return choice.getResult(0);
}

Value HostBlocks::loadVector(LoadOp op, const Chunk &chunk, Value other) {
  Location loc = op.getLoc();
  Type element = elementTypeOf(op.getType());
  Type type = other.getType();
  Value mask = maskAt(op.getMask(), chunk);
  unsigned alignment = elementBytes(element);
  if (!isContiguous(cast<GlobalAccess>(op.getOperation()), chunk)) {
    Value addresses = address(scalarOf(op.getPointer()), op.getOffsets(), element, chunk);
    if (!mask)
      mask = constantInt(builder, loc, registerType(builder.getI1Type(), chunk.lanes), -1);
    return LLVM::masked_gather::create(builder, loc, type, addresses, mask, ValueRange{other},
                                       builder.getI32IntegerAttr(alignment));
  }
  Chunk first{chunk.index};
  Value place = address(scalarOf(op.getPointer()), op.getOffsets(), element, first);
  if (Value next = prefetches.lookup(op)) {
    // A prefetch never faults, so it needs no mask.
    Value later = address(next, op.getOffsets(), element, first);
    LLVM::Prefetch::create(builder, loc, later, /*rw=*/0, /*hint=*/2, /*cache=*/1);
  }
  if (!mask)
    return LLVM::LoadOp::create(builder, loc, type, place, alignment, op.getIsVolatile());
  return LLVM::MaskedLoadOp::create(builder, loc, type, place, mask, other,
                                    builder.getI32IntegerAttr(alignment), UnitAttr());
}

Value HostBlocks::resultAt(LoadOp op, const Chunk &chunk) {
  Location loc = op.getLoc();
  Type element = elementTypeOf(op.getType());
  Value other = otherAt(op, chunk), value;
  if (chunk.lanes) {
    value = loadVector(op, chunk, other);
  } else {
    Value place = address(scalarOf(op.getPointer()), op.getOffsets(), element, chunk);
    Value condition = op.getMask() ? scalarOrAt(op.getMask(), chunk) : Value();
    value = condition
                ? conditionalLoad(loc, place, condition, other, element, op.getIsVolatile())
                : LLVM::LoadOp::create(builder, loc, other.getType(), place, elementBytes(element))
                      .getResult();
  }
  return fromMemory(builder, loc, value, element);
}

Value HostBlocks::loadScalar(LoadOp op) {
  Location loc = op.getLoc();
  Type element = op.getType();
  Value place = scalars.lookup(op.getPointer());
  Type memory = memoryType(element);
  if (!op.getMask())
    return fromMemory(builder, loc,
                      LLVM::LoadOp::create(builder, loc, memory, place, elementBytes(element),
                                           op.getIsVolatile()),
                      element);
  Value other = op.getOther() ? toMemory(builder, loc, scalars.lookup(op.getOther()))
                              : zero(builder, loc, memory);
  Value value =
      conditionalLoad(loc, place, scalars.lookup(op.getMask()), other, element, op.getIsVolatile());
  return fromMemory(builder, loc, value, element);
}

void HostBlocks::store(GlobalAccess op, const Chunk &chunk) {
  Location loc = op.getLoc();
  Type element = elementTypeOf(op.getAccessedType());
  Value value = toMemory(builder, loc, scalarOrAt(op.getValue(), chunk));
  unsigned alignment = elementBytes(element);
  if (!op.getOffsets()) {
    Value place = scalars.lookup(op.getPointer());
    OpBuilder::InsertionGuard guard(builder);
    if (op.getMask()) {
      auto guarded = scf::IfOp::create(builder, loc, scalars.lookup(op.getMask()),
                                       /*withElseRegion=*/false);
      builder.setInsertionPointToStart(guarded.thenBlock());
    }
    LLVM::StoreOp::create(builder, loc, value, place, alignment, op.getIsVolatile());
    return;
  }
  Value mask = maskAt(op.getMask(), chunk);
  bool contiguous = isContiguous(op, chunk);
  Chunk first{chunk.index};
  Value place =
      address(scalarOf(op.getPointer()), op.getOffsets(), element, contiguous ? first : chunk);
  if (contiguous && !mask) {
    bool streams = op->hasAttr(kHostStreamAttr) || chunk.beginsLine;
    LLVM::StoreOp::create(builder, loc, value, place, streams ? alignment * chunk.lanes : alignment,
                          op.getIsVolatile(), streams);
  } else if (contiguous) {
    LLVM::MaskedStoreOp::create(builder, loc, value, place, mask, alignment);
  } else {
    if (!mask)
      mask = constantInt(builder, loc, registerType(builder.getI1Type(), chunk.lanes), -1);
    LLVM::masked_scatter::create(builder, loc, value, place, mask,
                                 builder.getI32IntegerAttr(alignment));
  }
}
