//===- IntegerArith.cpp - Integer arithmetic, comparison, select ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

//===----------------------------------------------------------------------===//
// Two integers to one of the same width
//===----------------------------------------------------------------------===//

// Each takes zero-extended bits of the given width; what it gives is cut to
// that width. Where the language leaves a value unspecified it is 0.

static uint64_t add(uint64_t a, uint64_t b, unsigned) { return a + b; }
static uint64_t subtract(uint64_t a, uint64_t b, unsigned) { return a - b; }
static uint64_t multiply(uint64_t a, uint64_t b, unsigned) { return a * b; }
static uint64_t multiplyHigh(uint64_t a, uint64_t b, unsigned width) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> width);
}
static uint64_t bitAnd(uint64_t a, uint64_t b, unsigned) { return a & b; }
static uint64_t bitOr(uint64_t a, uint64_t b, unsigned) { return a | b; }
static uint64_t bitXor(uint64_t a, uint64_t b, unsigned) { return a ^ b; }

/// Whether the signed quotient exists: not x / 0 and not INT_MIN / -1.
static bool divides(int64_t a, int64_t b, unsigned width) {
  bool isLowest = static_cast<uint64_t>(a) << (64 - width) == uint64_t(1) << 63;
  return b != 0 && !(isLowest && b == -1);
}

static uint64_t divideSigned(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  return divides(x, y, width) ? x / y : 0;
}

static uint64_t remainderSigned(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  return divides(x, y, width) ? x % y : 0;
}

static uint64_t divideSignedDown(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  if (!divides(x, y, width))
    return 0;
  bool isRoundedUp = x % y != 0 && (x < 0) != (y < 0);
  return x / y - isRoundedUp;
}

static uint64_t divideSignedUp(uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  if (!divides(x, y, width))
    return 0;
  bool isRoundedDown = x % y != 0 && (x < 0) == (y < 0);
  return x / y + isRoundedDown;
}

static uint64_t divideUnsigned(uint64_t a, uint64_t b, unsigned) { return b ? a / b : 0; }
static uint64_t remainderUnsigned(uint64_t a, uint64_t b, unsigned) { return b ? a % b : 0; }
static uint64_t divideUnsignedUp(uint64_t a, uint64_t b, unsigned) {
  return b ? a / b + (a % b != 0) : 0;
}

static uint64_t shiftLeft(uint64_t a, uint64_t b, unsigned width) { return b < width ? a << b : 0; }
static uint64_t shiftRightUnsigned(uint64_t a, uint64_t b, unsigned width) {
  return b < width ? a >> b : 0;
}
static uint64_t shiftRightSigned(uint64_t a, uint64_t b, unsigned width) {
  return b < width ? signExtend(a, width) >> b : 0;
}

static uint64_t maxSigned(uint64_t a, uint64_t b, unsigned width) {
  return std::max(signExtend(a, width), signExtend(b, width));
}
static uint64_t minSigned(uint64_t a, uint64_t b, unsigned width) {
  return std::min(signExtend(a, width), signExtend(b, width));
}
static uint64_t maxUnsigned(uint64_t a, uint64_t b, unsigned) { return std::max(a, b); }
static uint64_t minUnsigned(uint64_t a, uint64_t b, unsigned) { return std::min(a, b); }

template <uint64_t (*function)(uint64_t, uint64_t, unsigned)>
static LogicalResult integerBinary(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0)), &b = runner.get(op->getOperand(1));
  unsigned width = widthOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = function(a.bits[i], b.bits[i], width) & maskOf(width);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Comparison, select, absolute value
//===----------------------------------------------------------------------===//

static bool compare(arith::CmpIPredicate predicate, uint64_t a, uint64_t b, unsigned width) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  case arith::CmpIPredicate::ult:
    return a < b;
  case arith::CmpIPredicate::ule:
    return a <= b;
  case arith::CmpIPredicate::ugt:
    return a > b;
  case arith::CmpIPredicate::uge:
    return a >= b;
  }
  return false;
}

static LogicalResult compareIntegers(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0)), &b = runner.get(op->getOperand(1));
  arith::CmpIPredicate predicate = cast<arith::CmpIOp>(op).getPredicate();
  unsigned width = widthOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = compare(predicate, a.bits[i], b.bits[i], width);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

/// A scalar condition chooses the whole value, which may be a pointer.
static LogicalResult select(ProgramRunner &runner, Operation *op) {
  auto selectOp = cast<arith::SelectOp>(op);
  const Elements &condition = runner.get(selectOp.getCondition());
  if (selectOp.getCondition().getType().isInteger(1)) {
    runner.set(
        selectOp.getResult(),
        runner.share(condition.bits.front() ? selectOp.getTrueValue() : selectOp.getFalseValue()));
    return success();
  }
  const Elements &yes = runner.get(selectOp.getTrueValue());
  const Elements &no = runner.get(selectOp.getFalseValue());
  std::vector<uint64_t> result(condition.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = condition.bits[i] ? yes.bits[i] : no.bits[i];
  runner.set(selectOp.getResult(), std::move(result));
  return success();
}

static LogicalResult absolute(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0));
  unsigned width = widthOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits);
  for (uint64_t &bits : result)
    if (signExtend(bits, width) < 0)
      bits = (0 - bits) & maskOf(width); // The lowest number is its own negative.
  runner.set(op->getResult(0), std::move(result));
  return success();
}

void interpreter::addIntegerArithHandlers(HandlerTable &table) {
  table["arith.addi"] = integerBinary<add>;
  table["arith.andi"] = integerBinary<bitAnd>;
  table["arith.ceildivsi"] = integerBinary<divideSignedUp>;
  table["arith.ceildivui"] = integerBinary<divideUnsignedUp>;
  table["arith.cmpi"] = compareIntegers;
  table["arith.divsi"] = integerBinary<divideSigned>;
  table["fsm.umulhi"] = integerBinary<multiplyHigh>;
  table["arith.divui"] = integerBinary<divideUnsigned>;
  table["arith.floordivsi"] = integerBinary<divideSignedDown>;
  table["arith.maxsi"] = integerBinary<maxSigned>;
  table["arith.maxui"] = integerBinary<maxUnsigned>;
  table["arith.minsi"] = integerBinary<minSigned>;
  table["arith.minui"] = integerBinary<minUnsigned>;
  table["arith.muli"] = integerBinary<multiply>;
  table["arith.ori"] = integerBinary<bitOr>;
  table["arith.remsi"] = integerBinary<remainderSigned>;
  table["arith.remui"] = integerBinary<remainderUnsigned>;
  table["arith.select"] = select;
  table["arith.shli"] = integerBinary<shiftLeft>;
  table["arith.shrsi"] = integerBinary<shiftRightSigned>;
  table["arith.shrui"] = integerBinary<shiftRightUnsigned>;
  table["arith.subi"] = integerBinary<subtract>;
  table["arith.xori"] = integerBinary<bitXor>;
  table["math.absi"] = absolute;
}
