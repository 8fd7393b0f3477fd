//===- KnownMasks.h - Masks that a launch makes no masks --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_KNOWNMASKS_H
#define FSM_ANALYSIS_KNOWNMASKS_H

#include "fsm/IR/FSMDialect.h"

#include <optional>

namespace fsm {

/// Whether a mask is the same for all elements, by what is promised of the argument that their indices are compared with.
std::optional<bool> knownMask(mlir::arith::CmpIOp mask);

/// Whether a load keeps a mask that is known to hold: one of weights, which all programs read, in a kernel whose rows fill their block.
/// The assembler moves a load without a condition behind what the threads wait for, and they wait once more.
bool staysForLoad(mlir::OpOperand &use);

} // namespace fsm

#endif // FSM_ANALYSIS_KNOWNMASKS_H
