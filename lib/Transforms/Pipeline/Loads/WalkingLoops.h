//===- WalkingLoops.h - Loops whose loads run ahead unasked -----*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that stores in each iteration, and carries numbers to the next, walks along rows or a
// sequence. Its sums or its state are its own, so that a launch has few programs: as many as there
// are multiprocessors, or heads. Nobody else's loads are on their way while it reduces and stores,
// so its own are to run ahead:
//
//   for each row
//     %x = load %in[row]                  begins some iterations earlier
//     store (f of %x, its reduction)
//     %sum = %sum + %x
//
// So are those of a loop that reduces and stores, of which all CTAs of a multiprocessor together
// load too little (docs/decisions/0238-loops-that-walk.md).
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_WALKINGLOOPS_H
#define FSM_TRANSFORMS_PIPELINE_WALKINGLOOPS_H

#include "fsm/Analysis/ResourceEstimate.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fsm {

/// So many bytes that a multiprocessor waits for keep the memory busy: 3 TB/s for 0.7 microseconds,
/// of 132 multiprocessors, are 16 KiB, and a CTA's loads begin all at once.
inline constexpr uint64_t kBytesOnTheirWay = 24 * 1024;

/// Whether a loop that nobody asks for stages may get some: its iterations load, compute and store,
/// and no load reads what an iteration may have stored.
bool mayWalk(mlir::scf::ForOp loop);

/// How many stages such a loop gets; 1 where it has other loads on their way, or no registers for
/// its own.
unsigned stagesOfWalk(mlir::scf::ForOp loop, const ResourceEstimate &needs, const GpuTarget &gpu);

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_WALKINGLOOPS_H
