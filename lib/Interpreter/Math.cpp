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
static LogicalResult libm(Machine &machine, Operation *op) {
  const Elements &a = machine.get(op->getOperand(0));
  ScalarType type = scalarTypeOf(elementTypeOf(a.type));
  std::vector<uint64_t> result(a.bits.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = narrow(function(widen(a.bits[i], type)), type);
  machine.set(op->getResult(0), std::move(result));
  return success();
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

void interpreter::addMathHandlers(HandlerTable &table) {
  table["math.ceil"] = libm<std::ceil>;
  table["math.cos"] = libm<std::cos>;
  table["math.erf"] = libm<std::erf>;
  table["math.exp"] = libm<std::exp>;
  table["math.exp2"] = libm<std::exp2>;
  table["math.expm1"] = libm<std::expm1>;
  table["math.floor"] = libm<std::floor>;
  table["math.fma"] = floatTernary<MultiplyAdd>;
  table["math.log"] = libm<std::log>;
  table["math.log1p"] = libm<std::log1p>;
  table["math.log2"] = libm<std::log2>;
  table["math.roundeven"] = libm<roundEven>;
  table["math.rsqrt"] = libm<reciprocalRoot>;
  table["math.sin"] = libm<std::sin>;
  table["math.sqrt"] = libm<std::sqrt>;
  table["math.tanh"] = libm<std::tanh>;
  table["math.trunc"] = libm<std::trunc>;
}
