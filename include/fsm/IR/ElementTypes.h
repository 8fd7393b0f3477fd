//===- ElementTypes.h - Element types of the language ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_IR_ELEMENTTYPES_H
#define FSM_IR_ELEMENTTYPES_H

#include "fsm/Artifact/ScalarType.h"

#include "mlir/IR/Types.h"

namespace fsm {

/// The row of kScalarTypes for a type of MLIR's; nothing where there is none, as for pointers.
std::optional<ScalarType> findScalarType(mlir::Type element);

} // namespace fsm

#endif // FSM_IR_ELEMENTTYPES_H
