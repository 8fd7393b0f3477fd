//===- HostValues.cpp - Scalars and vectors on the host ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fsm;

/// f64 to f32 such that rounding the result again to fewer bits gives what one
/// rounding would: an inexact result gets an odd last bit (round to odd).
static Value narrowToOdd(OpBuilder &builder, Location loc, Value value) {
  Type f32 = host::withElement(value.getType(), builder.getF32Type());
  Type i32 = host::withElement(value.getType(), builder.getI32Type());
  Value near = arith::TruncFOp::create(builder, loc, f32, value);
  Value back = arith::ExtFOp::create(builder, loc, value.getType(), near);
  Value bits = arith::BitcastOp::create(builder, loc, i32, near);
  auto isFurther = [&](arith::CmpFPredicate predicate, Value sign) -> Value {
    Value beyond = arith::CmpFOp::create(builder, loc, predicate, back, value);
    return arith::AndIOp::create(builder, loc, beyond, sign);
  };
  Value zero = host::constantReal(builder, loc, value.getType(), 0.0);
  Value positive = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, value, zero);
  Value negative = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, value, zero);
  Value away = arith::OrIOp::create(builder, loc, isFurther(arith::CmpFPredicate::OGT, positive),
                                    isFurther(arith::CmpFPredicate::OLT, negative));
  Value one = host::constantInt(builder, loc, i32, 1);
  Value smaller = arith::SubIOp::create(builder, loc, bits, one);
  Value truncated = arith::SelectOp::create(builder, loc, away, smaller, bits);
  Value odd = arith::OrIOp::create(builder, loc, truncated, one);
  Value inexact = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ONE, back, value);
  Value result = arith::SelectOp::create(builder, loc, inexact, odd, bits);
  return arith::BitcastOp::create(builder, loc, f32, result);
}

/// f32 to bf16 in integers: the host's own instruction flushes denormals.
static Value narrowToBF16(OpBuilder &builder, Location loc, Value value) {
  Type i32 = host::withElement(value.getType(), builder.getI32Type());
  Type i16 = host::withElement(value.getType(), builder.getIntegerType(16));
  auto number = [&](int64_t n) { return host::constantInt(builder, loc, i32, n); };
  Value bits = arith::BitcastOp::create(builder, loc, i32, value);
  Value high = arith::ShRUIOp::create(builder, loc, bits, number(16));
  Value last = arith::AndIOp::create(builder, loc, high, number(1));
  Value bias = arith::AddIOp::create(builder, loc, last, number(0x7fff));
  Value sum = arith::AddIOp::create(builder, loc, bits, bias);
  Value rounded = arith::ShRUIOp::create(builder, loc, sum, number(16));
  Value quiet = arith::OrIOp::create(builder, loc, high, number(0x40));
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
  Value result = arith::SelectOp::create(builder, loc, isNan, quiet, rounded);
  Value half = arith::TruncIOp::create(builder, loc, i16, result);
  return arith::BitcastOp::create(builder, loc,
                                  host::withElement(value.getType(), builder.getBF16Type()), half);
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
