//===- HiddenArguments.h - What functions take besides ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_HIDDENARGUMENTS_H
#define FSM_IR_HIDDENARGUMENTS_H

#include "fsm/Artifact/HiddenArgument.h"

#include "mlir/IR/Operation.h"

#include <optional>
#include <vector>

namespace fsm {

/// Writes `fsm.hidden_arguments`, unless there are none.
void setHiddenArguments(mlir::Operation *function, llvm::ArrayRef<HiddenArgument> hidden);

/// What it lists; empty without the attribute.
std::vector<HiddenArgument> hiddenArgumentsOf(mlir::Operation *function);

/// Whether an attribute has the form that setHiddenArguments writes.
bool isHiddenArgumentList(mlir::Attribute attribute);

/// Which place one of them has in a list, or nothing.
std::optional<unsigned> placeOf(HiddenArgument argument, llvm::ArrayRef<HiddenArgument> hidden);

} // namespace fsm

#endif // FSM_IR_HIDDENARGUMENTS_H
