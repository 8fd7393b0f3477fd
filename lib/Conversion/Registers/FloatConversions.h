//===- FloatConversions.h - Conversions with a rounding --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_REGISTERS_FLOATCONVERSIONS_H
#define FSM_CONVERSION_REGISTERS_FLOATCONVERSIONS_H

#include "Elementwise.h"

#include "fsm/IR/FSMDialect.h"

namespace fsm::registers {

/// What `fsm.convert` gives for a scalar or a vector of its source's element type,
/// f8 carried as i8.
mlir::Value convertFloat(mlir::OpBuilder &builder, const ElementwiseBackend &backend, ConvertOp op,
                         mlir::Value source);

} // namespace fsm::registers

#endif // FSM_CONVERSION_REGISTERS_FLOATCONVERSIONS_H
