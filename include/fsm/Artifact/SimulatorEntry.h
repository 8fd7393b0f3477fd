//===- SimulatorEntry.h - What the simulator adds to a driver --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// libfsm-simulator.so has the entry points of the CUDA driver, and these on top,
// which the runtime looks up by name and can do without.

#ifndef FSM_ARTIFACT_SIMULATORENTRY_H
#define FSM_ARTIFACT_SIMULATORENTRY_H

#include <cstdint>

namespace fsm {

/// `fsmSimulatorReports`: what kernels have done wrong since the last call, one
/// line each, without a newline at the end; "" if nothing. The text lives until
/// the same thread calls again.
using SimulatorReportsFunction = const char *();

/// `fsmSimulatorNameArgument`: reports call the allocation that begins at this
/// address by this name from now on. 0, or a CUresult.
using SimulatorNameArgumentFunction = int(uint64_t address, const char *name);

/// `fsmSimulatorConfigure`: `fail_call` = N lets the N-th driver call from now
/// fail, once (0: none); `programs_per_cta` = N says that the warps of a CTA are N programs
/// (1: the CTA is one); `allow_races` = 1 that programs may race; what else there is to set, the
/// simulator says. 0, or a CUresult for a key or value it does not know.
using SimulatorConfigureFunction = int(const char *key, long value);

/// `fsmSimulatorAccesses`: what the accesses of the last launch moved, and what would have
/// sufficed, without a newline at the end. The text lives until the same thread calls again.
using SimulatorAccessesFunction = const char *();

} // namespace fsm

#endif // FSM_ARTIFACT_SIMULATORENTRY_H
