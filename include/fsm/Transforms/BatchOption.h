//===- BatchOption.h - How many programs are to be one ----------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_BATCHOPTION_H
#define FSM_TRANSFORMS_BATCHOPTION_H

#include "fsm/Support/Result.h"

#include <string>

namespace fsm {

/// The number that the option `batch-programs` of fsm-batch-programs names; 0 for `auto` and
/// `never`. An error says, without a place, what it may be.
Result<int64_t> programsGivenBy(const std::string &batchPrograms);

} // namespace fsm

#endif // FSM_TRANSFORMS_BATCHOPTION_H
