//===- Memory.cpp - Pointers and accesses -------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

static LogicalResult importAddPtr(Importer &importer, triton::AddPtrOp op) {
  if (isPointerBlock(op.getType())) {
    PointerBlock block = importer.pointers(op.getPtr());
    importer.setPointers(op, importer.moved(block, op.getOffset(), importer.formOf(op)));
    return success();
  }
  Value offset = importer.extended(importer.get(op.getOffset()), 32);
  importer.set(op, OffsetOp::create(importer, importer.get(op.getPtr()), offset));
  return success();
}

static LogicalResult importIntToPtr(Importer &importer, triton::IntToPtrOp op) {
  Value address = importer.get(op.getSrc());
  if (isPointerBlock(op.getType()))
    importer.setAddresses(op, address);
  else
    importer.set(op, IntToPtrOp::create(importer, importer.typeOf(op.getType()), address));
  return success();
}

static LogicalResult importPtrToInt(Importer &importer, triton::PtrToIntOp op) {
  Value source = importer.get(op.getSrc());
  if (!isPointerBlock(op.getSrc().getType()))
    source = PtrToIntOp::create(importer, importer.getI64Type(), source);
  importer.set(op, source);
  return success();
}

/// Of pointers: the bits of elements are a case of arithmetic.
static LogicalResult importPointerCast(Importer &importer, triton::BitcastOp op) {
  if (!isPointerBlock(op.getType())) {
    auto type = cast<PointerType>(importer.typeOf(op.getType()));
    importer.set(op, importer.castPointer(importer.get(op.getSrc()), type.getPointeeType()));
    return success();
  }
  PointerBlock block = importer.pointers(op.getSrc());
  // Elements of another size are elsewhere.
  if (importer.formOf(op).kind != PointerForm::Based)
    block = {block.type, {}, {}, importer.addressesOf(block)};
  block.type = cast<RankedTensorType>(op.getType());
  importer.setPointers(op, block);
  return success();
}

static LogicalResult importBitcast(Importer &importer, triton::BitcastOp op) {
  bool fromPointers = triton::isPointers(op.getSrc().getType());
  if (fromPointers != triton::isPointers(op.getType()))
    return refuse(op) << "expected pointers or none, got " << op.getSrc().getType() << " and "
                      << op.getType();
  if (fromPointers)
    return importPointerCast(importer, op);
  importer.set(op, arith::BitcastOp::create(importer, op.getType(), importer.get(op.getSrc())));
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// A hint of FSM's, or none where it is the default.
static CacheHintAttr cacheOf(Importer &importer, triton::CacheModifier modifier) {
  std::optional<CacheHint> hint = symbolizeCacheHint(triton::stringifyCacheModifier(modifier));
  return hint ? CacheHintAttr::get(importer.getContext(), *hint) : CacheHintAttr();
}

static EvictHintAttr evictOf(Importer &importer, triton::EvictionPolicy policy) {
  if (policy == triton::EvictionPolicy::Normal)
    return {};
  return EvictHintAttr::get(importer.getContext(), policy == triton::EvictionPolicy::First
                                                       ? EvictHint::First
                                                       : EvictHint::Last);
}

static Value optional(Importer &importer, Value source) {
  return source ? importer.get(source) : Value();
}

static LogicalResult importLoad(Importer &importer, triton::LoadOp op) {
  if (!op.getBoundaryCheck().empty() || op.getPadding())
    return refuse(op) << "expected pointers to elements; Triton rewrites those to tensors";
  Value mask = optional(importer, op.getMask()), other = optional(importer, op.getOther());
  AccessPlace place = importer.placeOf(op.getPtr(), op.getMask());
  auto load = LoadOp::create(importer, importer.typeOf(op.getType()), place.pointer, place.offsets,
                             mask, other, cacheOf(importer, op.getCache()),
                             evictOf(importer, op.getEvict()), op.getIsVolatile());
  if (isPointerBlock(op.getType()))
    importer.setAddresses(op, load);
  else
    importer.set(op, load);
  return success();
}

static LogicalResult importStore(Importer &importer, triton::StoreOp op) {
  if (!op.getBoundaryCheck().empty())
    return refuse(op) << "expected pointers to elements; Triton rewrites those to tensors";
  Value value = importer.get(op.getValue()), mask = optional(importer, op.getMask());
  AccessPlace place = importer.placeOf(op.getPtr(), op.getMask());
  StoreOp::create(importer, value, place.pointer, place.offsets, mask,
                  cacheOf(importer, op.getCache()), evictOf(importer, op.getEvict()),
                  /*is_volatile=*/false);
  return success();
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// The enumerations have the same names.
static MemorySemantics semanticsOf(triton::MemorySemantics sem) {
  return *symbolizeMemorySemantics(triton::stringifyMemorySemantics(sem));
}

static MemoryScope scopeOf(triton::MemoryScope scope) {
  return *symbolizeMemoryScope(triton::stringifyMemoryScope(scope));
}

static AtomicKind kindOf(triton::AtomicUpdate update) {
  if (update == triton::AtomicUpdate::FAdd)
    return AtomicKind::Add;
  return *symbolizeAtomicKind(triton::stringifyAtomicUpdate(update));
}

/// An atomic of FSM's takes what its operands name for what is in memory.
static LogicalResult checkAtomic(Operation *op, Value pointers, ValueRange operands) {
  Type expected = triton::pointeeOf(pointers.getType());
  for (Value operand : operands)
    if (operand.getType() != expected)
      return refuse(op) << "expected " << expected << " as the pointers say, got "
                        << operand.getType();
  return success();
}

static LogicalResult importAtomicRMW(Importer &importer, triton::AtomicRMWOp op) {
  if (failed(checkAtomic(op, op.getPtr(), {op.getVal(), op.getResult()})))
    return failure();
  Value value = importer.get(op.getVal()), mask = optional(importer, op.getMask());
  AccessPlace place = importer.placeOf(op.getPtr(), op.getMask());
  importer.set(op, AtomicRMWOp::create(importer, value.getType(), kindOf(op.getAtomicRmwOp()),
                                       value, place.pointer, place.offsets, mask,
                                       semanticsOf(op.getSem()), scopeOf(op.getScope())));
  return success();
}

static LogicalResult importAtomicCAS(Importer &importer, triton::AtomicCASOp op) {
  if (failed(checkAtomic(op, op.getPtr(), {op.getCmp(), op.getVal(), op.getResult()})))
    return failure();
  Value compare = importer.get(op.getCmp()), value = importer.get(op.getVal());
  AccessPlace place = importer.placeOf(op.getPtr());
  importer.set(op, AtomicCASOp::create(importer, value.getType(), compare, value, place.pointer,
                                       place.offsets, /*mask=*/Value(), semanticsOf(op.getSem()),
                                       scopeOf(op.getScope())));
  return success();
}

void fsm::addMemoryRewrites(RewriteTable &table) {
  table.on(importAddPtr);
  table.on(importIntToPtr);
  table.on(importPtrToInt);
  table.on(importBitcast);
  table.on(importLoad);
  table.on(importStore);
  table.on(importAtomicRMW);
  table.on(importAtomicCAS);
}
