//===- Libdevice.h - Functions of CUDA's library ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_MATH_LIBDEVICE_H
#define FSM_CONVERSION_FSMTOGPU_MATH_LIBDEVICE_H

#include "mlir/IR/Builders.h"

namespace fsm::gpu {

/// A call of the function of libdevice that is `op` of `math`, on f32 or f64, for scalars or for
/// each lane. Null when the op's kernel does not ask for libdevice, and when `op` has an
/// instruction of its own.
mlir::Value libdeviceFunction(mlir::OpBuilder &builder, mlir::Operation *op,
                              mlir::ValueRange operands);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_MATH_LIBDEVICE_H
