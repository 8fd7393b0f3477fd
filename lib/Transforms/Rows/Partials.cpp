//===- Partials.cpp - Results of parts, combined -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Partials.h"

using namespace mlir;
using namespace fsm;

/// What combines integers, in the order of ReduceKind, and floats, which the first four kinds combine.
static constexpr arith::AtomicRMWKind kOfIntegers[] = {
    arith::AtomicRMWKind::addi, arith::AtomicRMWKind::muli, arith::AtomicRMWKind::maxs,
    arith::AtomicRMWKind::mins, arith::AtomicRMWKind::maxu, arith::AtomicRMWKind::minu,
    arith::AtomicRMWKind::andi, arith::AtomicRMWKind::ori,  arith::AtomicRMWKind::xori};
static_assert(std::size(kOfIntegers) == getMaxEnumValForReduceKind() + 1);
static constexpr arith::AtomicRMWKind kOfFloats[] = {
    arith::AtomicRMWKind::addf, arith::AtomicRMWKind::mulf, arith::AtomicRMWKind::maxnumf,
    arith::AtomicRMWKind::minnumf};
static constexpr arith::AtomicRMWKind kWithNan[] = {
    arith::AtomicRMWKind::addf, arith::AtomicRMWKind::mulf, arith::AtomicRMWKind::maximumf,
    arith::AtomicRMWKind::minimumf};

static arith::AtomicRMWKind kindOf(ReduceKind kind, bool propagateNan, Type element) {
  size_t place = static_cast<size_t>(kind);
  if (!isa<FloatType>(element))
    return kOfIntegers[place];
  return propagateNan ? kWithNan[place] : kOfFloats[place];
}

Value fsm::combine(ImplicitLocOpBuilder &builder, ReduceKind kind, bool propagateNan, Value left,
                   Value right) {
  return arith::getReductionOp(kindOf(kind, propagateNan, elementTypeOf(left.getType())), builder,
                               builder.getLoc(), left, right);
}

Value fsm::neutral(ImplicitLocOpBuilder &builder, ReduceKind kind, bool propagateNan, Type element) {
  TypedAttr number = arith::getIdentityValueAttr(kindOf(kind, propagateNan, element), element,
                                                 builder, builder.getLoc());
  return arith::ConstantOp::create(builder, number);
}

SmallVector<Value> fsm::widened(ImplicitLocOpBuilder &builder, AlongAxis op, ValueRange values) {
  SmallVector<Value> wide(values);
  for (Value &value : wide) {
    Type element = elementTypeOf(value.getType());
    Type to = accumulatorType(element, op.knownKind().has_value());
    if (element != to)
      value = arith::ExtFOp::create(builder, withElementType(value.getType(), to), value);
  }
  return wide;
}

SmallVector<Value> fsm::narrowed(ImplicitLocOpBuilder &builder, Operation *op, ValueRange values) {
  SmallVector<Value> narrow(values);
  for (auto [value, result] : llvm::zip_equal(narrow, op->getResults())) {
    Type element = elementTypeOf(result.getType());
    if (elementTypeOf(value.getType()) != element)
      value = arith::TruncFOp::create(builder, withElementType(value.getType(), element), value);
  }
  return narrow;
}
