//===- LaunchWaits.h - Nothing is read before launches end ------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_LIB_TARGET_LAUNCHWAITS_H
#define FSM_LIB_TARGET_LAUNCHWAITS_H

#include <string>

namespace fsm {

/// Moves griddepcontrol.wait in PTX in front of all accesses to memory behind the label before it.
/// Of an argument that the kernel only reads, and that overlaps no other, LLVM takes what it points
/// to for constant, and the scheduler loads it where it likes; but the launches before this one may
/// have written it.
std::string withWaitsForLaunches(std::string ptx);

} // namespace fsm

#endif // FSM_LIB_TARGET_LAUNCHWAITS_H
