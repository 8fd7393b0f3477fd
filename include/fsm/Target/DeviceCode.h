//===- DeviceCode.h - From the llvm dialect to PTX -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_DEVICECODE_H
#define FSM_TARGET_DEVICECODE_H

#include "fsm/Machine/GpuTarget.h"
#include "fsm/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

#include <string>

namespace fsm {

/// What emitDeviceCode produces.
enum class DeviceOutput {
  LLVMIR, ///< LLVM IR as text, after its optimisation.
  PTX,    ///< What a driver or ptxas takes.
};

/// Milliseconds that the parts of emitDeviceCode took.
struct DeviceCodeTimes {
  double check = 0, translate = 0, optimize = 0, generate = 0;
};

/// Adds what the translation of the llvm and nvvm dialects needs to a registry.
void registerDeviceTranslations(mlir::DialectRegistry &registry);

/// Translates a module at the stage `llvm` of a GPU to code for that target.
/// An op that the target lacks is an error, located where the op is. `libdevice` is the file that
/// functions whose name begins with `__nv_` come from, or empty.
Result<std::string> emitDeviceCode(mlir::ModuleOp module, const GpuTarget &target,
                                   DeviceOutput output, DeviceCodeTimes *times = nullptr,
                                   const std::string &libdevice = {});

} // namespace fsm

#endif // FSM_TARGET_DEVICECODE_H
