//===- Convert.cpp - Between element types -------------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ProgramRunner.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

/// Sets the result of an op with one operand, element by element.
template <typename Function>
static LogicalResult mapElements(ProgramRunner &runner, Operation *op, Function function) {
  const Elements &source = runner.get(op->getOperand(0));
  std::vector<uint64_t> result(source.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = function(source.bits[i]);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

static Type sourceElement(Operation *op) { return elementTypeOf(op->getOperand(0).getType()); }
static Type resultElement(Operation *op) { return elementTypeOf(op->getResult(0).getType()); }

//===----------------------------------------------------------------------===//
// Integer to integer
//===----------------------------------------------------------------------===//

/// Extension with zeros and the reinterpretation of bits.
static LogicalResult keepBits(ProgramRunner &runner, Operation *op) {
  return mapElements(runner, op, [](uint64_t bits) { return bits; });
}

static LogicalResult truncateInteger(ProgramRunner &runner, Operation *op) {
  uint64_t mask = maskOf(widthOf(resultElement(op)));
  return mapElements(runner, op, [=](uint64_t bits) { return bits & mask; });
}

static LogicalResult extendSigned(ProgramRunner &runner, Operation *op) {
  unsigned width = widthOf(sourceElement(op));
  uint64_t mask = maskOf(widthOf(resultElement(op)));
  return mapElements(runner, op, [=](uint64_t bits) { return signExtend(bits, width) & mask; });
}

//===----------------------------------------------------------------------===//
// Float to float
//===----------------------------------------------------------------------===//

/// One rounding, to nearest even, where the result is narrower.
static LogicalResult floatToFloat(ProgramRunner &runner, Operation *op) {
  ScalarType from = scalarTypeOf(sourceElement(op)), to = scalarTypeOf(resultElement(op));
  return mapElements(runner, op, [=](uint64_t bits) { return narrow(widen(bits, from), to); });
}

//===----------------------------------------------------------------------===//
// Integer to float and back
//===----------------------------------------------------------------------===//

/// One rounding, to nearest even; beyond the range, an infinity.
template <bool isSigned>
static LogicalResult integerToFloat(ProgramRunner &runner, Operation *op) {
  unsigned width = widthOf(sourceElement(op));
  const llvm::fltSemantics &to = cast<FloatType>(resultElement(op)).getFloatSemantics();
  return mapElements(runner, op, [&](uint64_t bits) {
    llvm::APFloat number(to);
    number.convertFromAPInt(llvm::APInt(width, bits), isSigned, llvm::APFloat::rmNearestTiesToEven);
    return number.bitcastToAPInt().getZExtValue();
  });
}

/// Truncates; saturates at the ends of the integer's range; NaN gives 0.
static uint64_t saturateSigned(double value, unsigned width) {
  double end = std::ldexp(1.0, static_cast<int>(width) - 1);
  if (std::isnan(value))
    return 0;
  if (value >= end)
    return maskOf(width - 1);
  if (value <= -end)
    return uint64_t(1) << (width - 1);
  return static_cast<uint64_t>(static_cast<int64_t>(value)) & maskOf(width);
}

static uint64_t saturateUnsigned(double value, unsigned width) {
  if (std::isnan(value) || value <= 0)
    return 0;
  if (value >= std::ldexp(1.0, static_cast<int>(width)))
    return maskOf(width);
  return static_cast<uint64_t>(value);
}

template <uint64_t (*saturate)(double value, unsigned width)>
static LogicalResult floatToInteger(ProgramRunner &runner, Operation *op) {
  ScalarType from = scalarTypeOf(sourceElement(op));
  unsigned width = widthOf(resultElement(op));
  return mapElements(runner, op, [=](uint64_t bits) { return saturate(widen(bits, from), width); });
}

void interpreter::addConvertHandlers(HandlerTable &table) {
  table["arith.bitcast"] = keepBits;
  table["arith.extf"] = floatToFloat;
  table["arith.extsi"] = extendSigned;
  table["arith.extui"] = keepBits;
  table["arith.fptosi"] = floatToInteger<saturateSigned>;
  table["arith.fptoui"] = floatToInteger<saturateUnsigned>;
  table["arith.sitofp"] = integerToFloat<true>;
  table["arith.truncf"] = floatToFloat;
  table["arith.trunci"] = truncateInteger;
  table["arith.uitofp"] = integerToFloat<false>;
}
