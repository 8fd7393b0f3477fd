//===- Atomics.cpp - Atomic accesses on the host -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Programs run on several threads, so an update is one instruction of the host or a loop
// around a compare-and-swap. The host has no scopes: all threads are in the widest.

#include "LoopNests.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::host;

static LLVM::AtomicOrdering orderingOf(AtomicAccess op) {
  if (op.acquires())
    return op.releases() ? LLVM::AtomicOrdering::acq_rel : LLVM::AtomicOrdering::acquire;
  return op.releases() ? LLVM::AtomicOrdering::release : LLVM::AtomicOrdering::monotonic;
}

static Value asType(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value
                                 : LLVM::BitcastOp::create(builder, loc, type, value).getResult();
}

static Type bitsOf(OpBuilder &builder, Type element) {
  return builder.getIntegerType(element.getIntOrFloatBitWidth());
}

/// A compare-and-swap of bits; what was there.
static Value swap(OpBuilder &builder, AtomicAccess op, Value place, Value expected, Value next) {
  auto failure = op.acquires() ? LLVM::AtomicOrdering::acquire : LLVM::AtomicOrdering::monotonic;
  Value pair = LLVM::AtomicCmpXchgOp::create(builder, op->getLoc(), place, expected, next,
                                             orderingOf(op), failure);
  return LLVM::ExtractValueOp::create(builder, op->getLoc(), pair, 0);
}

/// What a float in memory becomes.
static Value combined(OpBuilder &builder, AtomicAccess op, Value old, Value value) {
  Location loc = op.getLoc();
  AtomicKind kind = *op.updateKind();
  if (kind != AtomicKind::Add)
    return hostBackend().extremum(builder, loc, old, value, kind == AtomicKind::Max,
                                  /*propagateNan=*/false);
  Value sum =
      arith::AddFOp::create(builder, loc, widen(builder, loc, old), widen(builder, loc, value));
  return narrow(builder, loc, sum, value.getType());
}

/// Computes what is to be there from what seems to be there, and tries again if it was not.
static Value updateFloat(OpBuilder &builder, AtomicAccess op, Value place, Value value) {
  Location loc = op.getLoc();
  Type element = value.getType(), bits = bitsOf(builder, element);
  Value first = LLVM::LoadOp::create(builder, loc, bits, place, elementBytes(element),
                                     /*isVolatile=*/false, /*isNonTemporal=*/false,
                                     /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                     LLVM::AtomicOrdering::monotonic);
  auto loop = scf::WhileOp::create(builder, loc, TypeRange{bits}, first);
  OpBuilder::InsertionGuard guard(builder);
  Value expected = builder.createBlock(&loop.getBefore(), {}, bits, loc)->getArgument(0);
  Value next = combined(builder, op, asType(builder, loc, expected, element), value);
  Value seen = swap(builder, op, place, expected, asType(builder, loc, next, bits));
  Value again = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, seen, expected);
  scf::ConditionOp::create(builder, loc, again, seen);
  Value carried = builder.createBlock(&loop.getAfter(), {}, bits, loc)->getArgument(0);
  scf::YieldOp::create(builder, loc, carried);
  return loop.getResult(0);
}

/// What updates integers, in the order of AtomicKind.
static constexpr LLVM::AtomicBinOp kUpdates[] = {
    LLVM::AtomicBinOp::add,  LLVM::AtomicBinOp::max,  LLVM::AtomicBinOp::min,
    LLVM::AtomicBinOp::umax, LLVM::AtomicBinOp::umin, LLVM::AtomicBinOp::_and,
    LLVM::AtomicBinOp::_or,  LLVM::AtomicBinOp::_xor, LLVM::AtomicBinOp::xchg};
static_assert(std::size(kUpdates) == getMaxEnumValForAtomicKind() + 1);

/// The update of one element; what was in memory.
static Value update(OpBuilder &builder, AtomicAccess op, Value place, Value value, Value compare) {
  Location loc = op->getLoc();
  Type element = value.getType(), bits = bitsOf(builder, element);
  auto asBits = [&](Value number) { return asType(builder, loc, number, bits); };
  Value old;
  std::optional<AtomicKind> kind = op.updateKind();
  if (!kind)
    old = swap(builder, op, place, asBits(compare), asBits(value));
  else if (isa<FloatType>(element) && *kind != AtomicKind::Exch)
    old = updateFloat(builder, op, place, value);
  else
    old = LLVM::AtomicRMWOp::create(builder, loc, kUpdates[static_cast<size_t>(*kind)], place,
                                    asBits(value), orderingOf(op));
  return asType(builder, loc, old, element);
}

/// The same where the condition, an i1 or null, holds; else zero.
static Value updateIf(OpBuilder &builder, AtomicAccess op, Value condition, Value place,
                      Value value, Value compare) {
  if (!condition)
    return update(builder, op, place, value, compare);
  Location loc = op->getLoc();
  auto choice = scf::IfOp::create(builder, loc, TypeRange{value.getType()}, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(builder, loc, zero(builder, loc, value.getType()));
  builder.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(builder, loc, update(builder, op, place, value, compare));
  return choice.getResult(0);
}

Value host::updateScalar(OpBuilder &builder, AtomicAccess op, const IRMapping &scalars) {
  return updateIf(builder, op, scalars.lookupOrNull(op.getMask()), scalars.lookup(op.getPointer()),
                  scalars.lookup(op.getValue()), scalars.lookupOrNull(op.getCompare()));
}

/// One element after the other: all of an element's operands, then its update.
void LoopNests::emitAtomic(AtomicAccess op) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  forEachRow(type.getShape(), [&](ArrayRef<Value> index) {
    blocks.startScope();
    Chunk chunk{SmallVector<Value>(index)};
    auto at = [&](Value value) { return value ? blocks.scalarOrAt(value, chunk) : Value(); };
    Value offset = at(op.getOffsets()), mask = at(op.getMask()), value = at(op.getValue());
    Value compare = at(op.getCompare());
    if (!offset.getType().isInteger(64))
      offset = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), offset);
    Value place =
        advance(builder, loc, scalars.lookup(op.getPointer()), offset, memoryType(element));
    Value old = updateIf(builder, op, mask, place, value, compare);
    blocks.write(op->getResult(0), chunk, old);
  });
}
