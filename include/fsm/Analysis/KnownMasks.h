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

/// What is promised of the argument of a kernel that the indices of a mask are compared with; null for nothing.
mlir::IntegerAttr promisedOf(mlir::Value bound, mlir::StringRef name);

/// The most that an integer may be: of a constant, and of an argument of which that is promised,
/// widened or not.
std::optional<int64_t> knownMost(mlir::Value number);

/// Whether a mask is the same for all elements, by what is promised of the argument that their indices are compared with.
std::optional<bool> knownMask(mlir::arith::CmpIOp mask);

} // namespace fsm

#endif // FSM_ANALYSIS_KNOWNMASKS_H
