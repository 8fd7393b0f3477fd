//===- Update.h - What atom, redux and reductions of copies make -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_SIMULATOR_INSTRUCTIONS_UPDATE_H
#define FSM_SIMULATOR_INSTRUCTIONS_UPDATE_H

#include "../Text/Families.h"

namespace fsm::sim {

/// What becomes of `old` by an operation with `b`; by a comparison that holds, `c`. Bits above
/// those of the type may be set.
uint64_t updated(AtomicUpdate::Op op, Type type, uint64_t old, uint64_t b, uint64_t c = 0);

} // namespace fsm::sim

#endif // FSM_SIMULATOR_INSTRUCTIONS_UPDATE_H
