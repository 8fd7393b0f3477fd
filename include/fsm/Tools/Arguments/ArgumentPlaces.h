//===- ArgumentPlaces.h - Arguments that begin anywhere ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TOOLS_ARGUMENTS_ARGUMENTPLACES_H
#define FSM_TOOLS_ARGUMENTS_ARGUMENTPLACES_H

#include "fsm/Tools/Arguments/ArgumentValue.h"
#include "fsm/Tools/Run/RunOptions.h"

#include <vector>

namespace fsm {

/// Moves arrays to where --shift and --overlap want them. An argument may be moved once and
/// overlap one other, which overlaps none itself.
Result<void> placeArguments(const RunOptions &options, const KernelSignature &signature,
                            std::vector<ArgumentValue> &values);

/// Gives values that overlap one memory; what both have is that of the value which is overlapped.
Result<void> joinOverlaps(std::vector<ArgumentValue> &values);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_ARGUMENTPLACES_H
