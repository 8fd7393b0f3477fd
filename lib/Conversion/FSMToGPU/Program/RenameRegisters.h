//===- RenameRegisters.h - Shapes that move no element ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_PROGRAM_RENAMEREGISTERS_H
#define FSM_CONVERSION_FSMTOGPU_PROGRAM_RENAMEREGISTERS_H

#include "DeviceProgram.h"

#include "mlir/IR/IRMapping.h"

namespace fsm::gpu {

/// For each element of the thread's vector of a shape op's result (`fsm.expand_dims`,
/// `fsm.broadcast`, `fsm.transpose`), the element of its source's that it is. Nothing when the
/// layouts do not belong together.
std::optional<llvm::SmallVector<int64_t>> sourceRegisters(mlir::Operation *op);

/// `block` as the result of such an op has it: other registers of the same thread. Null,
/// with an error at the op, when the layouts do not belong together.
mlir::Value renameRegisters(DeviceProgram &program, mlir::Operation *op, mlir::Value block);

/// The two blocks as one, and one as the two that `values` then has: a thread has both
/// elements of each pair it has one of. Null, or failure, with an error at the op, when the
/// layouts do not belong together.
mlir::Value joinRegisters(DeviceProgram &program, JoinOp op, mlir::Value left, mlir::Value right);
mlir::LogicalResult splitRegisters(DeviceProgram &program, SplitOp op, mlir::IRMapping &values);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_RENAMEREGISTERS_H
