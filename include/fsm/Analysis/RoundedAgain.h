//===- RoundedAgain.h - Numbers that are only rounded again -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_ROUNDEDAGAIN_H
#define FSM_ANALYSIS_ROUNDEDAGAIN_H

#include "fsm/IR/FSMDialect.h"

namespace fsm {

/// Whether all that becomes of a value, chosen beside others or not, is rounded to nearest to the
/// float type `narrow`.
bool isOnlyRoundedTo(mlir::Value value, mlir::Type narrow);

} // namespace fsm

#endif // FSM_ANALYSIS_ROUNDEDAGAIN_H
