//===- Elementwise.h - arith on scalars and vectors -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_ELEMENTWISE_H
#define FSM_CONVERSION_REGISTERS_ELEMENTWISE_H

#include "Values.h"

#include "fsm/IR/FSMDialect.h"

namespace fsm::registers {

/// What each backend does in its own way. Operands are f32 or f64, scalars or
/// vectors; f16 and bf16 have been widened to f32.
class ElementwiseBackend {
public:
  virtual ~ElementwiseBackend();

  /// f32 or f64 to `element`, rounded once to nearest even.
  virtual Value narrow(OpBuilder &builder, Location loc, Value value, Type element) const = 0;

  /// A float rounded toward zero to an integer of type `result`, saturated; NaN
  /// gives 0.
  virtual Value toInteger(OpBuilder &builder, Location loc, Value value, Type result,
                          bool isSigned) const = 0;

  /// max or min: +0 is greater than -0; a NaN is ignored, or propagated.
  virtual Value extremum(OpBuilder &builder, Location loc, Value left, Value right, bool isMax,
                         bool propagateNan) const = 0;

  /// left / right within 2 ulp in f32, rounded in f64. `uniformDivisor`: an f32
  /// divisor that is the same number in every lane.
  virtual Value divide(OpBuilder &builder, Operation *op, Value left, Value right,
                       bool uniformDivisor) const = 0;

  /// left / right toward zero, of integers whose quotient is a number of their type; null where the
  /// machine's own division is used.
  virtual Value quotient(OpBuilder &builder, Location loc, Value left, Value right,
                         bool isSigned) const;

  /// The upper half of the product of two unsigned integers.
  virtual Value multiplyHigh(OpBuilder &builder, Location loc, Value left, Value right) const;
  /// C's fmod, which is exact.
  virtual Value remainder(OpBuilder &builder, Operation *op, Value left, Value right) const = 0;

  /// a * b + c of f16 or bf16, which have not been widened, rounded once.
  virtual Value fuseHalves(OpBuilder &builder, Operation *op, ValueRange operands) const;

  /// What an op of `math` gives, or null.
  virtual Value mathFunction(OpBuilder &builder, Operation *op, ValueRange operands) const = 0;
};

/// What an element-wise op of `arith`, `math` or `fsm` gives for these
/// operands (all scalars or all vectors of equal lanes), or null when the op is
/// none of these. `uniformDivisor` tells that the second operand of a division is
/// the same number in every lane.
Value elementwise(OpBuilder &builder, const ElementwiseBackend &backend, Operation *op,
                  ValueRange operands, bool uniformDivisor);

/// What `fsm.convert` gives for a scalar or a vector of its source's element type, f8 carried as
/// i8.
Value convertFloat(OpBuilder &builder, const ElementwiseBackend &backend, ConvertOp op,
                   Value source);

/// The number that, combined with any other, changes nothing.
Value neutralElement(OpBuilder &builder, Location loc, ReduceKind kind, bool propagateNan,
                     Type type);

/// What two scalars or vectors of one type combine to; f16 and bf16 have been widened to f32.
Value combineElements(OpBuilder &builder, const ElementwiseBackend &backend, Location loc,
                      ReduceKind kind, bool propagateNan, Value left, Value right);

/// The same op with the same properties, on other operands.
Value rebuild(OpBuilder &builder, Operation *op, ValueRange operands, Type result);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_ELEMENTWISE_H
