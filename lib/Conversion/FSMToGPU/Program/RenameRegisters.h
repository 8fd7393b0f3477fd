//===- RenameRegisters.h - Shapes that move no element ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_PROGRAM_RENAMEREGISTERS_H
#define FSM_CONVERSION_FSMTOGPU_PROGRAM_RENAMEREGISTERS_H

#include "DeviceProgram.h"

namespace fsm::gpu {

/// For each element of the thread's vector of a shape op's result (`fsm.expand_dims`,
/// `fsm.broadcast`, `fsm.transpose`, `fsm.reshape`), the element of its source's that it is.
/// Nothing when the layouts do not belong together.
std::optional<llvm::SmallVector<int64_t>> sourceRegisters(mlir::Operation *op);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_RENAMEREGISTERS_H
