//===- ExecutePlan.h - Runs a conversion plan on numbers -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TEST_UNIT_LAYOUT_EXECUTEPLAN_H
#define FSM_TEST_UNIT_LAYOUT_EXECUTEPLAN_H

#include "fsm/Layout/ConversionPlan.h"

namespace fsm {

/// Executes a plan on a cta's registers: `registers[place]` for each packed place
/// of the source; the result is for each packed place of the destination. Each
/// step does what the threads could do: read own registers, read one offered
/// register of one lane, write and read shared memory. Places of ctas count, too.
/// What is put into places outside the true extents is unspecified.
std::vector<uint64_t> executePlan(const ConversionPlan &plan,
                                  const std::vector<uint64_t> &registers);

} // namespace fsm

#endif // FSM_TEST_UNIT_LAYOUT_EXECUTEPLAN_H
