//===- LoopOption.h - How many programs a launch starts ---------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_LOOPOPTION_H
#define FSM_TRANSFORMS_LOOPOPTION_H

#include "fsm/Support/Result.h"

#include <cstdint>
#include <string>

namespace fsm {

/// The number that the option `loop-programs` of fsm-loop-programs names; 0 for `auto`, `never` and
/// `always`. An error says, without a place, what it may be.
Result<int32_t> startedGivenBy(const std::string &loopPrograms);

} // namespace fsm

#endif // FSM_TRANSFORMS_LOOPOPTION_H
