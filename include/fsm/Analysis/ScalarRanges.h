//===- ScalarRanges.h - Between which numbers a scalar lies -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_SCALARRANGES_H
#define FSM_ANALYSIS_SCALARRANGES_H

#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace fsm {

/// The least and the largest number that an integer may be, as far as constants, the bounds of
/// loops and upstream's rules say. What the language leaves unspecified, as a quotient by 0, may be
/// any other.
mlir::ConstantIntRanges rangeOf(mlir::Value scalar);

/// Whether an integer is known to be 0 or more.
bool isNonNegative(mlir::Value scalar);

} // namespace fsm

#endif // FSM_ANALYSIS_SCALARRANGES_H
