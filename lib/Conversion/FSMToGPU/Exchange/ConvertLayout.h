//===- ConvertLayout.h - Moving elements between threads -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_CONVERSION_FSMTOGPU_EXCHANGE_CONVERTLAYOUT_H
#define FSM_CONVERSION_FSMTOGPU_EXCHANGE_CONVERTLAYOUT_H

#include "../Program/DeviceProgram.h"

#include "fsm/Layout/ConversionPlan.h"

namespace fsm::gpu {

/// Executes a plan between layouts without ctas on a vector of live registers, with the scratch
/// memory that begins `scratch` bytes into the program's.
mlir::Value executeConversion(DeviceProgram &program, mlir::Location loc,
                              const ConversionPlan &plan, mlir::Value source, uint64_t scratch);

} // namespace fsm::gpu

#endif // FSM_CONVERSION_FSMTOGPU_EXCHANGE_CONVERTLAYOUT_H
