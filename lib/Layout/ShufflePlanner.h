//===- ShufflePlanner.h - Conversions within warps -------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_LAYOUT_SHUFFLEPLANNER_H
#define FSM_LIB_LAYOUT_SHUFFLEPLANNER_H

#include "fsm/Layout/ConversionPlan.h"

namespace fsm {

/// Finds the rounds described at ShufflePlan, or nothing when elements leave
/// their warp or when no G makes every round a shuffle.
std::optional<ShufflePlan> planShuffles(const LinearLayout &source, const LinearLayout &destination,
                                        unsigned elementBytes);

} // namespace fsm

#endif // FSM_LIB_LAYOUT_SHUFFLEPLANNER_H
