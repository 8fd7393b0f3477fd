//===- SpecialRegisters.h - %tid and its like -------------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_SIMULATOR_THREADS_SPECIALREGISTERS_H
#define FSM_LIB_SIMULATOR_THREADS_SPECIALREGISTERS_H

#include "../Text/Ptx.h"

#include <optional>

namespace fsm::sim {

/// The special register that a name such as "%tid.x" stands for.
std::optional<Special> specialNamed(const std::string &name);

/// What a lane of a warp reads from it.
uint64_t readSpecial(const Warp &warp, Special special, unsigned lane);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_THREADS_SPECIALREGISTERS_H
