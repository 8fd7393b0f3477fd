//===- Reshape.h - Blocks of other extents ---------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_RESHAPE_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_RESHAPE_H

#include "../Program/DeviceProgram.h"

namespace fsm::gpu {

/// What `fsm.reshape` gives, as a vector of the live registers of its result; `source` is that
/// of its operand. Null after an error at the op. What is in positions outside the true extents
/// is unspecified.
mlir::Value lowerReshape(DeviceProgram &program, ReshapeOp op, mlir::Value source);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_RESHAPE_H
