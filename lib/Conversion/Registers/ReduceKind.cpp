//===- ReduceKind.cpp - What a kind does to two elements -----------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "MathFormulas.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// What combines integers, in the order of ReduceKind.
static constexpr arith::AtomicRMWKind kOfIntegers[] = {
    arith::AtomicRMWKind::addi, arith::AtomicRMWKind::muli, arith::AtomicRMWKind::maxs,
    arith::AtomicRMWKind::mins, arith::AtomicRMWKind::maxu, arith::AtomicRMWKind::minu,
    arith::AtomicRMWKind::andi, arith::AtomicRMWKind::ori,  arith::AtomicRMWKind::xori};
static_assert(std::size(kOfIntegers) == getMaxEnumValForReduceKind() + 1);

Value registers::neutralElement(OpBuilder &builder, Location loc, ReduceKind kind,
                                bool propagateNan, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (!isa<FloatType>(element))
    return constantOf(
        builder, loc,
        arith::getIdentityValueAttr(kOfIntegers[static_cast<size_t>(kind)], element, builder, loc),
        lanesOf(type));
  Formula f(builder, loc, type);
  if (kind == ReduceKind::Sum || kind == ReduceKind::Prod)
    return f.number(kind == ReduceKind::Sum ? -0.0 : 1.0);
  if (!propagateNan)
    return f.number(NAN);
  return f.number(kind == ReduceKind::Max ? -INFINITY : INFINITY);
}

Value registers::combineElements(OpBuilder &builder, const ElementwiseBackend &backend,
                                 Location loc, ReduceKind kind, bool propagateNan, Value left,
                                 Value right) {
  if (!isa<FloatType>(getElementTypeOrSelf(left.getType())))
    return arith::getReductionOp(kOfIntegers[static_cast<size_t>(kind)], builder, loc, left, right);
  Formula f(builder, loc, left.getType());
  if (kind == ReduceKind::Sum || kind == ReduceKind::Prod)
    return kind == ReduceKind::Sum ? f.add(left, right) : f.mul(left, right);
  return backend.extremum(builder, loc, left, right, kind == ReduceKind::Max, propagateNan);
}
