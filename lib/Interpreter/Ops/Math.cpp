//===- Math.cpp - Transcendental functions, roots and rounding -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"

using namespace mlir;
using namespace fsm;
using namespace fsm::interpreter;

/// Runs an op that is a function of libm: computed in double, rounded once.
template <double (*function)(double)>
static LogicalResult libm(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0));
  ScalarType type = scalarTypeOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = narrow(function(widen(a.bits[i], type)), type);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

/// The same for functions of which libm's is off by ulps in double but not in long
/// double, and for those of two operands.
template <long double (*function)(long double)>
static LogicalResult longLibm(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0));
  ScalarType type = scalarTypeOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = narrow(static_cast<double>(function(widen(a.bits[i], type))), type);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

template <long double (*function)(long double, long double)>
static LogicalResult longLibm2(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0)), &b = runner.get(op->getOperand(1));
  ScalarType type = scalarTypeOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] =
        narrow(static_cast<double>(function(widen(a.bits[i], type), widen(b.bits[i], type))), type);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

/// Runs an op that counts bits of an integer of `width` bits.
template <unsigned (*function)(uint64_t bits, unsigned width)>
static LogicalResult countBits(ProgramRunner &runner, Operation *op) {
  const Elements &a = runner.get(op->getOperand(0));
  unsigned width = widthOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = function(a.bits[i], width) & maskOf(width);
  runner.set(op->getResult(0), std::move(result));
  return success();
}

static unsigned setBits(uint64_t bits, unsigned) {
  unsigned count = 0;
  for (; bits; bits >>= 1)
    count += bits & 1;
  return count;
}

/// Of 0, all bits count.
static unsigned leadingZeros(uint64_t bits, unsigned width) {
  unsigned count = 0;
  while (count < width && !(bits >> (width - 1 - count) & 1))
    ++count;
  return count;
}

static unsigned trailingZeros(uint64_t bits, unsigned width) {
  unsigned count = 0;
  while (count < width && !(bits >> count & 1))
    ++count;
  return count;
}

static double reciprocalRoot(double x) { return 1 / std::sqrt(x); }

/// To the nearest integer, halves to the even one, whatever the rounding mode.
static double roundEven(double x) { return __builtin_roundeven(x); }

namespace {
/// One rounding in the operands' own type; in double an f32 would get two.
struct MultiplyAdd {
  template <typename Float>
  static Float of(Float a, Float b, Float c) {
    return std::fma(a, b, c);
  }
};
} // namespace

/// a * b + c of f16 or bf16: two exponents of bf16 may be further apart than the bits
/// of a double reach.
static LogicalResult multiplyAddHalves(ProgramRunner &runner, Operation *op,
                                       const llvm::fltSemantics &semantics) {
  const std::vector<uint64_t> &a = runner.get(op->getOperand(0)).bits;
  const std::vector<uint64_t> &b = runner.get(op->getOperand(1)).bits;
  const std::vector<uint64_t> &c = runner.get(op->getOperand(2)).bits;
  auto number = [&](uint64_t bits) { return llvm::APFloat(semantics, llvm::APInt(16, bits)); };
  std::vector<uint64_t> result(a.size());
  for (size_t i = 0; i < result.size(); ++i) {
    llvm::APFloat sum = number(a[i]);
    sum.fusedMultiplyAdd(number(b[i]), number(c[i]), llvm::APFloat::rmNearestTiesToEven);
    result[i] = sum.bitcastToAPInt().getZExtValue();
  }
  runner.set(op->getResult(0), std::move(result));
  return success();
}

static LogicalResult multiplyAdd(ProgramRunner &runner, Operation *op) {
  switch (scalarTypeOf(elementTypeOf(op->getOperand(0).getType()))) {
  case ScalarType::F16:
    return multiplyAddHalves(runner, op, llvm::APFloat::IEEEhalf());
  case ScalarType::BF16:
    return multiplyAddHalves(runner, op, llvm::APFloat::BFloat());
  default:
    return floatTernary<MultiplyAdd>(runner, op);
  }
}

void interpreter::addMathHandlers(HandlerTable &table) {
  table["math.acos"] = longLibm<std::acos>;
  table["math.acosh"] = longLibm<std::acosh>;
  table["math.asin"] = longLibm<std::asin>;
  table["math.asinh"] = longLibm<std::asinh>;
  table["math.atan"] = longLibm<std::atan>;
  table["math.atan2"] = longLibm2<std::atan2>;
  table["math.atanh"] = longLibm<std::atanh>;
  table["math.cbrt"] = longLibm<std::cbrt>;
  table["math.ceil"] = libm<std::ceil>;
  table["math.cos"] = libm<std::cos>;
  table["math.cosh"] = longLibm<std::cosh>;
  table["math.ctlz"] = countBits<leadingZeros>;
  table["math.ctpop"] = countBits<setBits>;
  table["math.cttz"] = countBits<trailingZeros>;
  table["math.erf"] = libm<std::erf>;
  table["math.erfc"] = longLibm<std::erfc>;
  table["math.exp"] = libm<std::exp>;
  table["math.exp2"] = libm<std::exp2>;
  table["math.expm1"] = libm<std::expm1>;
  table["math.floor"] = libm<std::floor>;
  table["math.fma"] = multiplyAdd;
  table["math.log"] = libm<std::log>;
  table["math.log10"] = longLibm<std::log10>;
  table["math.log1p"] = libm<std::log1p>;
  table["math.log2"] = libm<std::log2>;
  table["math.powf"] = longLibm2<std::pow>;
  table["math.round"] = libm<std::round>;
  table["math.roundeven"] = libm<roundEven>;
  table["math.rsqrt"] = libm<reciprocalRoot>;
  table["math.sin"] = libm<std::sin>;
  table["math.sinh"] = longLibm<std::sinh>;
  table["math.sqrt"] = libm<std::sqrt>;
  table["math.tan"] = longLibm<std::tan>;
  table["math.tanh"] = libm<std::tanh>;
  table["math.trunc"] = libm<std::trunc>;
}
