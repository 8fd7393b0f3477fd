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
/// begin in one other, which begins in none itself; in that one may others.
Result<void> placeArguments(const RunOptions &options, const KernelSignature &signature,
                            std::vector<ArgumentValue> &values);

/// Gives values that overlap one memory; what several have is that of the value in which the
/// others begin, or of the first of those.
Result<void> joinOverlaps(std::vector<ArgumentValue> &values);

} // namespace fsm

#endif // FSM_TOOLS_ARGUMENTS_ARGUMENTPLACES_H
