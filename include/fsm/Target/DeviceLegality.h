//===- DeviceLegality.h - What a GPU can run -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TARGET_DEVICELEGALITY_H
#define FSM_TARGET_DEVICELEGALITY_H

#include "fsm/Machine/GpuTarget.h"
#include "fsm/Support/Result.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace fsm {

/// Refuses what the code generator would abort on, or what ptxas would refuse,
/// with one located sentence for each such op, at most ten of them. Calls into libdevice are
/// right where it is linked.
Result<void> checkDeviceOps(mlir::ModuleOp module, const GpuTarget &target,
                            bool linksLibdevice = false);

/// Why an op does not run on a target, or nothing.
std::optional<std::string> whyNotOnDevice(mlir::Operation *op, const GpuTarget &target);

} // namespace fsm

#endif // FSM_TARGET_DEVICELEGALITY_H
