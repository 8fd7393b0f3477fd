//===- DebugOps.cpp - What a program says of itself ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

using namespace mlir;
using namespace fsm;

using EffectList = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

LogicalResult PrintOp::verify() {
  if (getValues().empty())
    return emitOpError("expected at least one value to print");
  ArrayRef<int64_t> shape;
  for (Type type : getValues().getTypes()) {
    ArrayRef<int64_t> other = shapeOf(type);
    if (!shape.empty() && !other.empty() && other != shape)
      return emitOpError() << "expected blocks of one shape, got " << type << " beside another";
    if (getHex() && isa<FloatType>(elementTypeOf(type)))
      return emitOpError() << "expected integers or pointers for 'hex', got " << type;
    shape = shape.empty() ? other : shape;
  }
  return success();
}

// What is said stays in order, and is not forgotten.
void PrintOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void AssertOp::getEffects(EffectList &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
