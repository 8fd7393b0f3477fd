//===- ScratchSize.h - Shared memory that an op needs ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_SCRATCHSIZE_H
#define FSM_ANALYSIS_SCRATCHSIZE_H

#include "fsm/IR/FSMDialect.h"
#include "fsm/Layout/ConversionPlan.h"

#include <optional>
#include <string>

namespace fsm {

/// Why an op cannot be executed whose blocks have these layouts, if it cannot:
/// each thread's registers hold distinct elements, and blocks that meet are spread over
/// equally many warps and ctas.
std::optional<std::string> layoutFault(mlir::Operation *op);

/// The plan of a conversion between two layouts of blocks with these elements, which counts the
/// warps of all ctas of a cluster as those of one.
ConversionPlan planBetween(const LinearLayout &from, const LinearLayout &to, mlir::Type element);

/// The layouts of a reshape's source and result as layouts of one block, when the
/// packed positions of both shapes number the elements alike (all power-of-two
/// extents do); the reshape is then a conversion between the two.
std::optional<std::pair<LinearLayout, LinearLayout>> alignedLayouts(ReshapeOp op);

} // namespace fsm

#endif // FSM_ANALYSIS_SCRATCHSIZE_H
