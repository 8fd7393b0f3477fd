//===- DebugOps.cpp - What a program says of itself ----------------------===//
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

LogicalResult PrintOp::verify() {
  if (getValues().empty())
    return emitOpError("expected at least one value to print");
  Value first;
  for (Value value : getValues()) {
    Type type = value.getType();
    bool isBlock = !shapeOf(type).empty();
    if (first && isBlock && shapeOf(type) != shapeOf(first.getType()))
      return failWithOrigins(emitOpError() << "expected blocks of one shape, got " << type
                                           << " beside another",
                             {{"this block", value}, {"the other one", first}});
    if (getHex() && isa<FloatType>(elementTypeOf(type)))
      return failWithOrigins(emitOpError()
                                 << "expected integers or pointers for 'hex', got " << type,
                             {{"the value", value}});
    first = !first && isBlock ? value : first;
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
