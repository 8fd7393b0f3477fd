//===- HostValues.cpp - Scalars and vectors on the host ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "../Registers/MathFormulas.h"

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

/// f64 to f32 such that rounding the result again to fewer bits gives what one
/// rounding would: an inexact result gets an odd last bit (round to odd).
static Value narrowToOdd(OpBuilder &builder, Location loc, Value value) {
  Formula f(builder, loc, host::withElement(value.getType(), builder.getF32Type()));
  Value near = arith::TruncFOp::create(builder, loc, f.type, value);
  Value back = arith::ExtFOp::create(builder, loc, value.getType(), near);
  Value bits = f.bits(near), zero = host::constantReal(builder, loc, value.getType(), 0.0);
  Value positive = f.compare(arith::CmpFPredicate::OGT, value, zero);
  Value negative = f.compare(arith::CmpFPredicate::OLT, value, zero);
  Value above = f.both(f.compare(arith::CmpFPredicate::OGT, back, value), positive);
  Value below = f.both(f.compare(arith::CmpFPredicate::OLT, back, value), negative);
  Value away = f.either(above, below);
  Value one = f.integer(1);
  Value odd = f.either(f.select(away, f.sub(bits, one), bits), one);
  Value inexact = f.compare(arith::CmpFPredicate::ONE, back, value);
  return f.fromBits(f.select(inexact, odd, bits));
}

/// f32 to bf16 in integers: the host's own instruction flushes denormals.
static Value narrowToBF16(OpBuilder &builder, Location loc, Value value) {
  Formula f(builder, loc, value.getType());
  Formula half(builder, loc, host::withElement(value.getType(), builder.getBF16Type()));
  Value bits = f.bits(value);
  Value high = f.shiftRight(bits, 16);
  Value bias = f.add(f.both(high, 1), f.integer(0x7fff));
  Value rounded = f.shiftRight(f.add(bits, bias), 16);
  Value quiet = f.either(high, f.integer(0x40));
  Value result = f.select(f.isNan(value), quiet, rounded);
  return half.fromBits(arith::TruncIOp::create(builder, loc, half.bitsType(), result));
}

Value host::narrow(OpBuilder &builder, Location loc, Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  if (from.isF64() && !element.isF32())
    value = narrowToOdd(builder, loc, value);
  if (element.isBF16())
    return narrowToBF16(builder, loc, value);
  return arith::TruncFOp::create(builder, loc, withElement(value.getType(), element), value);
}
