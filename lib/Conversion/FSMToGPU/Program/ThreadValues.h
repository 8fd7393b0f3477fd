//===- ThreadValues.h - Values of a thread, together and apart --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADVALUES_H
#define FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADVALUES_H

#include "DeviceProgram.h"

namespace fsm::gpu {

/// A vector of the scalars, which are of one type.
mlir::Value vectorOf(DeviceProgram &program, mlir::Location loc,
                     llvm::ArrayRef<mlir::Value> scalars);
/// The elements of a vector.
llvm::SmallVector<mlir::Value> elementsOf(DeviceProgram &program, mlir::Location loc,
                                          mlir::Value vector);

/// What registers::toMemory() has made bytes of, an i1 or a vector of them; other values stay.
mlir::Value fromBytes(DeviceProgram &program, mlir::Location loc, mlir::Value value,
                      mlir::Type element);

/// Emits `body` for the threads for which `condition`, an i1 or null, holds.
void emitIf(DeviceProgram &program, mlir::Location loc, mlir::Value condition,
            llvm::function_ref<void()> body);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_PROGRAM_THREADVALUES_H
