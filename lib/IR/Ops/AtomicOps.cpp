//===- AtomicOps.cpp - Atomic accesses -----------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"
#include "fsm/IR/Origins.h"

using namespace mlir;
using namespace fsm;

using EffectList = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

bool fsm::acquires(MemorySemantics sem) {
  return sem == MemorySemantics::Acquire || sem == MemorySemantics::AcqRel;
}

bool fsm::releases(MemorySemantics sem) {
  return sem == MemorySemantics::Release || sem == MemorySemantics::AcqRel;
}

/// Checks what both atomics have in common: pointer, offsets, mask, element type.
template <typename AtomicOp>
static LogicalResult verifyAtomic(AtomicOp op) {
  Type value = op.getValue().getType(), pointee = op.getPointer().getType().getPointeeType();
  Value offsets = op.getOffsets();
  Type expected =
      offsets && isElementType(pointee) ? withElementType(offsets.getType(), pointee) : pointee;
  if (value != expected)
    return failWithOrigins(op.emitOpError()
                               << "expected a value of type " << expected << " for "
                               << op.getPointer().getType()
                               << (offsets ? " and the given offsets" : " without offsets")
                               << ", got " << value,
                           {{"the value", op.getValue()},
                            {"the pointer", op.getPointer()},
                            {"the block of offsets", offsets}});
  if (!op.getMask())
    return success();
  Type mask = op.getMask().getType();
  if (!mask.isInteger(1) && shapeOf(mask) != shapeOf(value))
    return failWithOrigins(op.emitOpError()
                               << "expected the mask to be i1 or to have the shape of the access, "
                               << value << ", got " << mask,
                           {{"the mask", op.getMask()}, {"the value", op.getValue()}});
  return success();
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyAtomic(*this)))
    return failure();
  Type element = elementTypeOf(getType());
  AtomicKind kind = getKind();
  bool isWord = element.isInteger(32) || element.isInteger(64);
  bool isReal = isa<Float32Type, Float64Type>(element);
  bool takesReal = kind == AtomicKind::Add || kind == AtomicKind::Max || kind == AtomicKind::Min ||
                   kind == AtomicKind::Exch;
  bool isHalf = isa<Float16Type, BFloat16Type>(element);
  if (isWord || (isReal && takesReal) || (isHalf && kind == AtomicKind::Add))
    return success();
  return emitOpError() << "expected i32" << (takesReal ? ", i64, f32 or f64" : " or i64")
                       << (kind == AtomicKind::Add ? ", or f16 or bf16," : "") << " for '"
                       << stringifyAtomicKind(kind) << "', got " << element;
}

LogicalResult AtomicCASOp::verify() {
  if (failed(verifyAtomic(*this)))
    return failure();
  Type element = elementTypeOf(getType());
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  if (width == 16 || width == 32 || width == 64)
    return success();
  return emitOpError() << "expected an element of 16, 32 or 64 bits to compare and replace, got "
                       << element;
}

/// An atomic orders other accesses too, so it is one of everything.
static void addAtomicEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void AtomicRMWOp::getEffects(EffectList &effects) { addAtomicEffects(effects); }
void AtomicCASOp::getEffects(EffectList &effects) { addAtomicEffects(effects); }
