//===- Constants.h - Constants of a GPU thread -----------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_PROGRAM_CONSTANTS_H
#define FSM_CONVERSION_FSMTOGPU_PROGRAM_CONSTANTS_H

#include "DeviceProgram.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fsm::gpu {

/// A number, or the thread's elements of a block of constants: of equal ones a splat, of
/// unequal ones what the thread reads of a table, which is put into `module`.
mlir::Value lowerConstant(DeviceProgram &program, mlir::gpu::GPUModuleOp module,
                          mlir::arith::ConstantOp op);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_CONSTANTS_H
