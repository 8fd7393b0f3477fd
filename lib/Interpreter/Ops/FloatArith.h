//===- FloatArith.h - Element-wise float functions -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_INTERPRETER_OPS_FLOATARITH_H
#define FSM_INTERPRETER_OPS_FLOATARITH_H

#include "../ProgramRunner.h"

#include <cmath>

namespace fsm::interpreter {

/// Runs an op that applies `Function::of` to the elements of its operands: f32
/// in float, f64 in double, f16 and bf16 in double, rounded once.
template <typename Function, typename... Indices>
mlir::LogicalResult floatElementwise(ProgramRunner &runner, mlir::Operation *op,
                                     Indices... operand) {
  ScalarType type = scalarTypeOf(elementTypeOf(op->getOperand(0).getType()));
  std::vector<uint64_t> result(runner.get(op->getOperand(0)).bits.size());
  auto run = [&](const auto &...elements) {
    for (size_t i = 0; i < result.size(); ++i) {
      if (type == ScalarType::F32)
        result[i] = bitsOf(Function::of(floatOf(elements.bits[i])...));
      else if (type == ScalarType::F64)
        result[i] = bitsOf(Function::of(doubleOf(elements.bits[i])...));
      else
        result[i] = narrow(Function::of(widen(elements.bits[i], type)...), type);
    }
  };
  run(runner.get(op->getOperand(operand))...);
  runner.set(op->getResult(0), std::move(result));
  return mlir::success();
}

template <typename Function>
mlir::LogicalResult floatUnary(ProgramRunner &runner, mlir::Operation *op) {
  return floatElementwise<Function>(runner, op, 0);
}

template <typename Function>
mlir::LogicalResult floatBinary(ProgramRunner &runner, mlir::Operation *op) {
  return floatElementwise<Function>(runner, op, 0, 1);
}

template <typename Function>
mlir::LogicalResult floatTernary(ProgramRunner &runner, mlir::Operation *op) {
  return floatElementwise<Function>(runner, op, 0, 1, 2);
}

/// The greater of two numbers that are not NaN; +0 is greater than -0.
template <typename Float>
Float greater(Float a, Float b) {
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <typename Float>
Float lesser(Float a, Float b) {
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

// maxnum and minnum ignore a NaN, maximum and minimum give it back.

struct MaxNum {
  template <typename Float>
  static Float of(Float a, Float b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : greater(a, b);
  }
};

struct MinNum {
  template <typename Float>
  static Float of(Float a, Float b) {
    return std::isnan(a) ? b : std::isnan(b) ? a : lesser(a, b);
  }
};

struct Maximum {
  template <typename Float>
  static Float of(Float a, Float b) {
    return std::isnan(a) ? a : std::isnan(b) ? b : greater(a, b);
  }
};

struct Minimum {
  template <typename Float>
  static Float of(Float a, Float b) {
    return std::isnan(a) ? a : std::isnan(b) ? b : lesser(a, b);
  }
};

} // namespace fsm::interpreter

#endif // FSM_INTERPRETER_OPS_FLOATARITH_H
