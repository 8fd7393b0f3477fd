//===- PlanAttributes.h - What passes tell one another ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_PLANATTRIBUTES_H
#define FSM_IR_PLANATTRIBUTES_H

#include "mlir/IR/Operation.h"

namespace fsm {

/// The attributes of PlanAttributes.def, spelled once.
#define FSM_PLAN_ATTRIBUTE(constant, name, isOn, on, hasForm, form, source, writer, reader,        \
                           meaning)                                                                \
  inline constexpr llvm::StringLiteral constant = name;
#include "fsm/IR/PlanAttributes.def"

/// Those who share a loop, as kPartsAttr says, are no more.
inline constexpr unsigned kMostSharers = 8;

/// Where a plan attribute may come from.
enum class PlanSource { ByPasses, ByNumStages, InText };

/// A row of PlanAttributes.def.
struct PlanAttribute {
  llvm::StringLiteral name, on, form, writer;
  PlanSource source;
  bool (*isOn)(mlir::Operation *op);
  bool (*hasForm)(mlir::Attribute value);
};

/// The row of that name, or null.
const PlanAttribute *findPlanAttribute(llvm::StringRef name);

/// Emits an error unless `op` may carry the plan attribute, and with this value.
mlir::LogicalResult verifyPlanAttribute(const PlanAttribute &plan, mlir::Operation *op,
                                        mlir::Attribute value);

} // namespace fsm

#endif // FSM_IR_PLANATTRIBUTES_H
