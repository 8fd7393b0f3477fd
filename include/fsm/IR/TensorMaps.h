//===- TensorMaps.h - Tensor maps that a launch makes -----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_TENSORMAPS_H
#define FSM_IR_TENSORMAPS_H

#include "fsm/Artifact/TensorMapPlan.h"
#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// How a launch computes an integer of a kernel: of its arguments and of numbers, by sums,
/// differences and products that do not wrap; nothing where it does not.
std::optional<LaunchExpression> launchExpressionOf(mlir::Value value);

/// What the host has to know of a map. The op is one that verifies.
TensorMapPlan tensorMapPlanOf(TensorMapOp op);

/// Writes `fsm.tensor_maps`, unless there are none.
void setTensorMaps(mlir::Operation *function, llvm::ArrayRef<TensorMapPlan> maps);

/// What it lists; empty without the attribute.
std::vector<TensorMapPlan> tensorMapsOf(mlir::Operation *function);

/// Whether an attribute has the form that setTensorMaps writes.
bool isTensorMapList(mlir::Attribute attribute);

} // namespace fsm

#endif // FSM_IR_TENSORMAPS_H
