//===- ProgramPlaces.h - On which threads a program runs -------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_LAYOUTS_PROGRAMPLACES_H
#define FSM_TRANSFORMS_LAYOUTS_PROGRAMPLACES_H

#include "fsm/IR/FSMDialect.h"
#include "fsm/Machine/GpuTarget.h"

namespace fsm {

/// Whether one cta, or a cluster of them, has registers for the blocks of a kernel without layouts,
/// as far as its author leaves the choice.
bool hasPlace(KernelOp kernel, const GpuTarget &target);

} // namespace fsm

#endif // FSM_TRANSFORMS_LAYOUTS_PROGRAMPLACES_H
