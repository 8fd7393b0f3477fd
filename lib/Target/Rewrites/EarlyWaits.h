//===- EarlyWaits.h - Waits for products come first ------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_TARGET_EARLYWAITS_H
#define FSM_LIB_TARGET_EARLYWAITS_H

#include <string>

namespace fsm {

/// Moves waits for products of warp groups in PTX to the beginning of their blocks, as far as there
/// is only arithmetic in front of them. ptxas 13.0 takes a sum for read in front of a wait at which
/// its block does not begin, and then lets no products of the kernel overlap ("serialized due to non
/// wgmma instructions reading accumulator registers"); LLVM sinks arithmetic to there.
std::string withEarlyWaits(std::string ptx);

} // namespace fsm

#endif // FSM_LIB_TARGET_EARLYWAITS_H
