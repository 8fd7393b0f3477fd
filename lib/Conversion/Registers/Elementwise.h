//===- Elementwise.h - arith on scalars and vectors -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_ELEMENTWISE_H
#define FSM_CONVERSION_REGISTERS_ELEMENTWISE_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/IR/Builders.h"

namespace fsm::registers {

/// What each backend does in its own way. Operands are f32 or f64, scalars or
/// vectors; f16 and bf16 have been widened to f32.
class ElementwiseBackend {
public:
  virtual ~ElementwiseBackend();

  /// f32 or f64 to `element`, rounded once to nearest even.
  virtual mlir::Value narrow(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                             mlir::Type element) const = 0;

  /// A float rounded toward zero to an integer of type `result`, saturated; NaN
  /// gives 0.
  virtual mlir::Value toInteger(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                mlir::Type result, bool isSigned) const = 0;

  /// max or min: +0 is greater than -0; a NaN is ignored, or propagated.
  virtual mlir::Value extremum(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value left,
                               mlir::Value right, bool isMax, bool propagateNan) const = 0;

  /// left / right within 2 ulp in f32, rounded in f64. `uniformDivisor`: an f32
  /// divisor that is the same number in every lane.
  virtual mlir::Value divide(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value left,
                             mlir::Value right, bool uniformDivisor) const = 0;

  /// C's fmod, which is exact.
  virtual mlir::Value remainder(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value left,
                                mlir::Value right) const = 0;

  /// a * b + c of f16 or bf16, which have not been widened, rounded once.
  virtual mlir::Value fuseHalves(mlir::OpBuilder &builder, mlir::Operation *op,
                                 mlir::ValueRange operands) const;

  /// What an op of `math` gives, or null.
  virtual mlir::Value mathFunction(mlir::OpBuilder &builder, mlir::Operation *op,
                                   mlir::ValueRange operands) const = 0;
};

/// What an element-wise op of `arith`, `math` or `fsm` gives for these
/// operands (all scalars or all vectors of equal lanes), or null when the op is
/// none of these. `uniformDivisor` tells that the second operand of a division is
/// the same number in every lane.
mlir::Value elementwise(mlir::OpBuilder &builder, const ElementwiseBackend &backend,
                        mlir::Operation *op, mlir::ValueRange operands, bool uniformDivisor);

/// What `fsm.convert` gives for a scalar or a vector of its source's element type, f8 carried as
/// i8.
mlir::Value convertFloat(mlir::OpBuilder &builder, const ElementwiseBackend &backend, ConvertOp op,
                         mlir::Value source);

/// The number that, combined with any other, changes nothing.
mlir::Value neutralElement(mlir::OpBuilder &builder, mlir::Location loc, ReduceKind kind,
                           bool propagateNan, mlir::Type type);

/// What two scalars or vectors of one type combine to; f16 and bf16 have been widened to f32.
mlir::Value combineElements(mlir::OpBuilder &builder, const ElementwiseBackend &backend,
                            mlir::Location loc, ReduceKind kind, bool propagateNan,
                            mlir::Value left, mlir::Value right);

/// The same op with the same properties, on other operands.
mlir::Value rebuild(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands,
                    mlir::Type result);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_ELEMENTWISE_H
