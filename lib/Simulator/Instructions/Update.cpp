//===- Update.cpp - What atom, redux and reductions of copies make -------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Update.h"

#include "NumberFormats.h"

#include <cmath>

using namespace fsm;
using namespace fsm::sim;

using Op = AtomicUpdate::Op;

static uint64_t addFloats(Type type, uint64_t a, uint64_t b) {
  switch (type) {
  case Type::F32:
    return bitsOfFloat(floatOfBits(a) + floatOfBits(b));
  case Type::F64:
    return bitsOfDouble(doubleOfBits(a) + doubleOfBits(b));
  case Type::F16x2:
  case Type::BF16x2: {
    Type half = type == Type::F16x2 ? Type::F16 : Type::BF16;
    return addFloats(half, a & 0xffff, b & 0xffff) | addFloats(half, a >> 16, b >> 16) << 16;
  }
  default:
    return encodeFloat(
        static_cast<long double>(decodeFloatBits(a, type)) + decodeFloatBits(b, type), type);
  }
}

static bool isLess(Type type, uint64_t a, uint64_t b) {
  const unsigned shift = 64 - bitsOf(type);
  a <<= shift, b <<= shift;
  return isSigned(type) ? int64_t(a) < int64_t(b) : a < b;
}

static uint64_t updateFloat(Op op, Type type, uint64_t old, uint64_t b) {
  if (op == Op::Add)
    return addFloats(type, old, b);
  if (const Type half = elementOf(type); half != type)
    return updateFloat(op, half, old & 0xffff, b & 0xffff) | updateFloat(op, half, old >> 16, b >> 16) << 16;
  const double x = decodeFloatBits(old, type), y = decodeFloatBits(b, type);
  return encodeFloat(op == Op::Min ? std::fmin(x, y) : std::fmax(x, y), type);
}

uint64_t sim::updated(Op op, Type type, uint64_t old, uint64_t b, uint64_t c) {
  if (isFloat(type))
    return updateFloat(op, type, old, b);
  switch (op) {
  case Op::Add:
    return old + b;
  case Op::Min:
    return isLess(type, b, old) ? b : old;
  case Op::Max:
    return isLess(type, old, b) ? b : old;
  case Op::And:
    return old & b;
  case Op::Or:
    return old | b;
  case Op::Xor:
    return old ^ b;
  case Op::Exch:
    return b;
  case Op::Cas:
    return old == b ? c : old;
  case Op::Inc:
    return old >= b ? 0 : old + 1;
  case Op::Dec:
    return old == 0 || old > b ? b : old - 1;
  }
  return old;
}
