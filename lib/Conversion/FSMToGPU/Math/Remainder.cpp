//===- Remainder.cpp - fmod on a GPU thread ------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Long division of the significands, in integers: with |x| = a 2^p, |y| = b 2^q and
// n = p - q >= 0, the remainder is (a 2^n mod b) 2^q. Each round of the loop appends
// as many zeros to a as the word has room for; quotients below 2^9 take one round.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "../Program/DeviceProgram.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using fsm::registers::Formula;

Value fsm::gpu::anyLane(OpBuilder &builder, Location loc, Value condition) {
  int64_t lanes = registers::lanesOf(condition.getType());
  if (!lanes)
    return condition;
  Value any = vector::ExtractOp::create(builder, loc, condition, 0);
  for (int64_t lane = 1; lane < lanes; ++lane) {
    Value next = vector::ExtractOp::create(builder, loc, condition, lane);
    any = arith::OrIOp::create(builder, loc, any, next);
  }
  return any;
}

namespace {
/// A positive number as `significand` 2^(`exponent` - bias - mantissa bits).
struct Parts {
  Value significand, exponent;
};

/// Long division on the integers of one float format.
class LongDivision {
public:
  explicit LongDivision(Formula &f) : f(f) {
    bool isDouble = getElementTypeOrSelf(f.type).isF64();
    mantissaBits = isDouble ? 52 : 23;
    bias = isDouble ? 1023 : 127;
    room = isDouble ? 11 : 8;
  }

  Value run(Value x, Value y);

private:
  Value rest(Value a, Value b) { return arith::RemUIOp::create(f.builder, f.loc, a, b); }

  Parts split(Value bits);
  Value reduce(Value significand, Value shift, Value divisor);
  Value scale(Value significand, Value exponent);
  Value powerOfTwo(Value exponent);

  Formula &f;
  int64_t mantissaBits, bias, room;
};
} // namespace

Parts LongDivision::split(Value bits) {
  Value field = f.shiftRight(bits, mantissaBits);
  Value low = f.both(bits, (int64_t(1) << mantissaBits) - 1);
  Value full = f.either(low, f.integer(int64_t(1) << mantissaBits));
  Value isDenormal = f.equal(field, f.integer(0));
  Value exponent = arith::MaxSIOp::create(f.builder, f.loc, field, f.integer(1));
  return {f.select(isDenormal, low, full), exponent};
}

/// significand 2^shift mod divisor, in rounds of at most `room` bits.
Value LongDivision::reduce(Value significand, Value shift, Value divisor) {
  SmallVector<Type> types = {significand.getType(), shift.getType()};
  auto loop = scf::WhileOp::create(
      f.builder, f.loc, types, ValueRange{significand, shift},
      [&](OpBuilder &inner, Location where, ValueRange state) {
        Value isLeft = f.compare(arith::CmpIPredicate::sgt, state[1], f.integer(0));
        scf::ConditionOp::create(inner, where, fsm::gpu::anyLane(inner, where, isLeft), state);
      },
      [&](OpBuilder &inner, Location where, ValueRange state) {
        Value bits = arith::MinSIOp::create(inner, where, state[1], f.integer(room));
        Value moved = f.shiftLeft(rest(state[0], divisor), bits);
        scf::YieldOp::create(inner, where, ValueRange{moved, f.sub(state[1], bits)});
      });
  fsm::gpu::reconverge(f.builder, f.loc);
  return rest(loop.getResult(0), divisor);
}

Value LongDivision::powerOfTwo(Value exponent) {
  return f.fromBits(f.shiftLeft(f.add(exponent, f.integer(bias)), mantissaBits));
}

/// The number of a significand, in two steps whose powers are normal numbers.
Value LongDivision::scale(Value significand, Value exponent) {
  Value whole = f.sub(exponent, f.integer(bias + mantissaBits));
  Value half = f.shiftSigned(whole, 1), other = f.sub(whole, half);
  return f.mul(f.mul(f.fromUnsigned(significand), powerOfTwo(half)), powerOfTwo(other));
}

Value LongDivision::run(Value x, Value y) {
  Value a = f.bits(f.abs(x)), b = f.bits(f.abs(y));
  Parts dividend = split(a), divisor = split(b);
  Value divides = arith::MaxUIOp::create(f.builder, f.loc, divisor.significand, f.integer(1));
  Value shift = f.sub(dividend.exponent, divisor.exponent);
  Value result = scale(reduce(dividend.significand, shift, divides), divisor.exponent);
  result = f.withSign(result, x);
  result = f.select(f.compare(arith::CmpIPredicate::ult, a, b), x, result);
  Value undefined = f.either(f.isNan(y), f.equal(y, f.number(0.0)));
  Value infinity = f.bits(f.number(INFINITY));
  Value unbounded = f.compare(arith::CmpIPredicate::uge, a, infinity);
  return f.select(f.either(undefined, unbounded), f.number(NAN), result);
}

Value fsm::gpu::remainder(OpBuilder &builder, Location loc, Value left, Value right) {
  Formula f(builder, loc, left.getType());
  return LongDivision(f).run(left, right);
}
