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

#include "Remainder.h"

#include "../../Registers/MathFormulas.h"
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
  explicit LongDivision(Formula &f) : f(f), builder(f.builder), loc(f.loc) {
    bool isDouble = getElementTypeOrSelf(f.type).isF64();
    mantissaBits = isDouble ? 52 : 23;
    bias = isDouble ? 1023 : 127;
    room = isDouble ? 11 : 8;
  }

  Value run(Value x, Value y);

private:
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value rest(Value a, Value b) { return arith::RemUIOp::create(builder, loc, a, b); }

  Parts split(Value bits);
  Value reduce(Value significand, Value shift, Value divisor);
  Value scale(Value significand, Value exponent);
  Value powerOfTwo(Value exponent);

  Formula &f;
  OpBuilder &builder;
  Location loc;
  int64_t mantissaBits, bias, room;
};
} // namespace

Parts LongDivision::split(Value bits) {
  Value field = arith::ShRUIOp::create(builder, loc, bits, f.integer(mantissaBits));
  Value mask = f.integer((int64_t(1) << mantissaBits) - 1);
  Value low = arith::AndIOp::create(builder, loc, bits, mask);
  Value full = arith::OrIOp::create(builder, loc, low, f.integer(int64_t(1) << mantissaBits));
  Value isDenormal = compare(arith::CmpIPredicate::eq, field, f.integer(0));
  Value exponent = arith::MaxSIOp::create(builder, loc, field, f.integer(1));
  return {f.select(isDenormal, low, full), exponent};
}

/// significand 2^shift mod divisor, in rounds of at most `room` bits.
Value LongDivision::reduce(Value significand, Value shift, Value divisor) {
  SmallVector<Type> types = {significand.getType(), shift.getType()};
  auto loop = scf::WhileOp::create(
      builder, loc, types, ValueRange{significand, shift},
      [&](OpBuilder &inner, Location where, ValueRange state) {
        Value isLeft = compare(arith::CmpIPredicate::sgt, state[1], f.integer(0));
        scf::ConditionOp::create(inner, where, fsm::gpu::anyLane(inner, where, isLeft), state);
      },
      [&](OpBuilder &inner, Location where, ValueRange state) {
        Value bits = arith::MinSIOp::create(inner, where, state[1], f.integer(room));
        Value moved = arith::ShLIOp::create(inner, where, rest(state[0], divisor), bits);
        Value left = arith::SubIOp::create(inner, where, state[1], bits);
        scf::YieldOp::create(inner, where, ValueRange{moved, left});
      });
  fsm::gpu::reconverge(builder, loc);
  return rest(loop.getResult(0), divisor);
}

Value LongDivision::powerOfTwo(Value exponent) {
  Value biased = arith::AddIOp::create(builder, loc, exponent, f.integer(bias));
  return f.fromBits(f.shiftLeft(biased, mantissaBits));
}

/// The number of a significand, in two steps whose powers are normal numbers.
Value LongDivision::scale(Value significand, Value exponent) {
  Value lowest = f.integer(bias + mantissaBits);
  Value whole = arith::SubIOp::create(builder, loc, exponent, lowest);
  Value half = arith::ShRSIOp::create(builder, loc, whole, f.integer(1));
  Value other = arith::SubIOp::create(builder, loc, whole, half);
  Value number = arith::UIToFPOp::create(builder, loc, f.type, significand);
  return f.mul(f.mul(number, powerOfTwo(half)), powerOfTwo(other));
}

Value LongDivision::run(Value x, Value y) {
  Value a = f.bits(f.abs(x)), b = f.bits(f.abs(y));
  Parts dividend = split(a), divisor = split(b);
  Value divides = arith::MaxUIOp::create(builder, loc, divisor.significand, f.integer(1));
  Value shift = arith::SubIOp::create(builder, loc, dividend.exponent, divisor.exponent);
  Value result = scale(reduce(dividend.significand, shift, divides), divisor.exponent);
  result = f.withSign(result, x);
  result = f.select(compare(arith::CmpIPredicate::ult, a, b), x, result);
  Value undefined = arith::OrIOp::create(builder, loc, f.isNan(y), f.equal(y, f.number(0.0)));
  Value infinity = f.bits(f.number(INFINITY));
  Value unbounded = compare(arith::CmpIPredicate::uge, a, infinity);
  undefined = arith::OrIOp::create(builder, loc, undefined, unbounded);
  return f.select(undefined, f.number(NAN), result);
}

Value fsm::gpu::remainder(OpBuilder &builder, Location loc, Value left, Value right) {
  Formula f(builder, loc, left.getType());
  return LongDivision(f).run(left, right);
}
