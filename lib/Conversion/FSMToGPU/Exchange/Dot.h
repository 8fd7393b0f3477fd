//===- Dot.h - Products of matrices over threads ---------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_DOT_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_DOT_H

#include "../Program/DeviceProgram.h"

namespace fsm::gpu {

/// What a product gives, as a vector of the live registers of its result; null after an error
/// at the op. What is in positions outside the true extents is unspecified.
mlir::Value lowerDot(DeviceProgram &program, DotOp op, mlir::Value left, mlir::Value right,
                     mlir::Value acc);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_DOT_H
