//===- Omissions.h - What a test leaves out of a kernel --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A synchronisation that nothing would miss is one too many, or one that the simulator
// does not check. To tell, a kernel is run with one of them left out at a time: each must
// be reported. What can be left out: barriers, commits, waits, arrivals and
// fences; that an access acquires or releases; the condition that keeps an access from being made;
// the bytes that an mbarrier is told to expect or that a copy is told to take; and one of the
// groups that a wait waits for.

#ifndef FSM_LIB_SIMULATOR_PROGRAM_OMISSIONS_H
#define FSM_LIB_SIMULATOR_PROGRAM_OMISSIONS_H

#include "Link.h"

namespace fsm::sim {

struct Omission {
  enum class What : uint8_t { Instruction, Condition, Bytes, OneGroup, Acquire, Release };
  uint32_t pc = 0;
  What what = What::Instruction;
};

/// All that can be left out, in the order of the code.
std::vector<Omission> omissionsOf(const Linked &linked);
void leaveOut(Linked &linked, const Omission &omission);
/// "PTX line 20 (source line 5) 'bar.sync'", and which part of it.
std::string describe(const Linked &linked, const Omission &omission);

} // namespace fsm::sim

#endif // FSM_LIB_SIMULATOR_PROGRAM_OMISSIONS_H
