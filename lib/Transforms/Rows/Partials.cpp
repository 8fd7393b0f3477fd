//===- Partials.cpp - Results of parts, combined -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Partials.h"

using namespace mlir;
using namespace fsm;

/// What combines integers, in the order of ReduceKind.
static constexpr arith::AtomicRMWKind kOfIntegers[] = {
    arith::AtomicRMWKind::addi, arith::AtomicRMWKind::muli, arith::AtomicRMWKind::maxs,
    arith::AtomicRMWKind::mins, arith::AtomicRMWKind::maxu, arith::AtomicRMWKind::minu,
    arith::AtomicRMWKind::andi, arith::AtomicRMWKind::ori,  arith::AtomicRMWKind::xori};
static_assert(std::size(kOfIntegers) == getMaxEnumValForReduceKind() + 1);

Value fsm::combine(ImplicitLocOpBuilder &builder, ReduceKind kind, bool propagateNan, Value left,
                   Value right) {
  if (!isa<FloatType>(elementTypeOf(left.getType())))
    return arith::getReductionOp(kOfIntegers[static_cast<size_t>(kind)], builder, builder.getLoc(),
                                 left, right);
  if (kind == ReduceKind::Sum)
    return arith::AddFOp::create(builder, left, right);
  if (kind == ReduceKind::Prod)
    return arith::MulFOp::create(builder, left, right);
  if (kind == ReduceKind::Max)
    return propagateNan ? arith::MaximumFOp::create(builder, left, right).getResult()
                        : arith::MaxNumFOp::create(builder, left, right).getResult();
  return propagateNan ? arith::MinimumFOp::create(builder, left, right).getResult()
                      : arith::MinNumFOp::create(builder, left, right).getResult();
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
