//===- FloatArith.cpp - Float arithmetic and comparison ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

namespace {
struct Add {
  template <typename Float>
  static Float of(Float a, Float b) {
    return a + b;
  }
};

struct Subtract {
  template <typename Float>
  static Float of(Float a, Float b) {
    return a - b;
  }
};

struct Multiply {
  template <typename Float>
  static Float of(Float a, Float b) {
    return a * b;
  }
};

struct Divide {
  template <typename Float>
  static Float of(Float a, Float b) {
    return a / b;
  }
};

struct Remainder {
  template <typename Float>
  static Float of(Float a, Float b) {
    return std::fmod(a, b);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// What changes only the sign, NaN's too
//===----------------------------------------------------------------------===//

static uint64_t flipSign(uint64_t bits, uint64_t sign) { return bits ^ sign; }
static uint64_t clearSign(uint64_t bits, uint64_t sign) { return bits & ~sign; }

template <uint64_t (*function)(uint64_t bits, uint64_t sign)>
static LogicalResult changeSign(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0));
  uint64_t sign = uint64_t(1) << (widthOf(elementTypeOf(a.type)) - 1);
  std::vector<uint64_t> result(a.bits);
  for (uint64_t &bits : result)
    bits = function(bits, sign);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

static LogicalResult copySign(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0)), &b = runner.get(op->getOperand(1));
  uint64_t sign = uint64_t(1) << (widthOf(elementTypeOf(a.type)) - 1);
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = (a.bits[i] & ~sign) | (b.bits[i] & sign);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// `o...` predicates are false and `u...` ones true when a or b is NaN.
static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return !unordered && a == b;
  case arith::CmpFPredicate::OGT:
    return !unordered && a > b;
  case arith::CmpFPredicate::OGE:
    return !unordered && a >= b;
  case arith::CmpFPredicate::OLT:
    return !unordered && a < b;
  case arith::CmpFPredicate::OLE:
    return !unordered && a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  return false;
}

static LogicalResult compareFloats(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0)), &b = runner.get(op->getOperand(1));
  arith::CmpFPredicate predicate = cast<arith::CmpFOp>(op).getPredicate();
  ScalarType type = scalarTypeOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = compare(predicate, widen(a.bits[i], type), widen(b.bits[i], type));
  runner.set(op->getResult(0), std::move(result));
  return success();
}

void interpreter::addFloatArithHandlers(HandlerTable &table) {
  table["arith.addf"] = floatBinary<Add>;
  table["arith.cmpf"] = compareFloats;
  table["arith.divf"] = floatBinary<Divide>;
  table["arith.maximumf"] = floatBinary<Maximum>;
  table["arith.maxnumf"] = floatBinary<MaxNum>;
  table["arith.minimumf"] = floatBinary<Minimum>;
  table["arith.minnumf"] = floatBinary<MinNum>;
  table["arith.mulf"] = floatBinary<Multiply>;
  table["arith.negf"] = changeSign<flipSign>;
  table["arith.remf"] = floatBinary<Remainder>;
  table["arith.subf"] = floatBinary<Subtract>;
  table["math.absf"] = changeSign<clearSign>;
  table["math.copysign"] = copySign;
}
