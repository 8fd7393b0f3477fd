//===- Hazards.h - Which accesses need a barrier between them --*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a program share global memory and shared memory. Two accesses to
// the same bytes by different threads, one of them a write, keep their order only
// when the program waits in between: at an `fsm.barrier`, or an `fsm.shared_barrier`
// of the program.
//
// What needs none: two loads; accesses that cannot meet (MemoryOrder); accesses
// in which each byte is touched by one thread, the same both times; accesses through
// two arguments of a kernel that leaves these unordered (`fsm.unordered_arguments`),
// unless an element may change threads between them; a load of what
// threads of its own warp have stored, behind a barrier of the warp; the later
// loads that `fsm.num_stages` promises not to read what was stored. An
// asynchronous copy has read its block where `fsm.shared_load` takes it, not where
// the copy begins.
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_HAZARDS_H
#define FSM_ANALYSIS_HAZARDS_H

#include "fsm/Analysis/AffineOffsets.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fsm {

/// Earlier access and later access: read after write, and so on.
enum class HazardKind { RAW, WAR, WAW };

llvm::StringRef hazardName(HazardKind kind);

/// Two accesses that need a barrier between them.
struct Hazard {
  mlir::Operation *earlier;
  mlir::Operation *later;
  HazardKind kind;
};

/// For each loop around an access, outermost first: how often the loop's back
/// edge was taken since the access, up to crossingLimit(). Counted for the outermost
/// such loop only, so that few states are possible; loops inside it have 0.
using Crossings = std::vector<uint8_t>;

/// More crossings than this make no difference: one, or the stages of a hinted loop.
uint8_t crossingLimit(mlir::Operation *loop);

/// What is left of `crossings` of `access` when the back edge of `loop` is taken.
Crossings crossed(Crossings crossings, mlir::Operation *access, mlir::Operation *loop);

/// Whether `access`, `crossings` back edges ago, read nothing unless `loop` runs: a load that
/// ExpandLoops has put in front of it for its first iterations.
bool readsForLoopOnly(mlir::Operation *access, const Crossings &crossings, mlir::scf::ForOp loop);

/// Whether `op` reads or writes memory that threads share: accesses to global and to shared
/// memory.
bool isSharedAccess(mlir::Operation *op);

/// Whether all threads of the program wait for one another at, or inside, `op`.
bool hasProgramBarrier(mlir::Operation *op, unsigned numWarps);

/// The warps that run a program of the kernel, on all its ctas; one when nothing is said.
unsigned warpsOf(KernelOp kernel);

/// The hazard of a later access, if no barrier has come since the earlier one. What accesses
/// refer to has `fsm.shared_offset`; `forms` are those of the kernel.
std::optional<HazardKind> hazardOf(mlir::Operation *earlier, const Crossings &crossings,
                                   mlir::Operation *later, AffineOffsets &forms);

/// Whether two accesses to global memory, of different iterations of a loop that they stand in,
/// touch different bytes. `forms` are those of the kernel.
bool areIterationsApart(mlir::Operation *one, mlir::Operation *other, mlir::scf::ForOp loop,
                        AffineOffsets &forms);

/// Buffers of which the later may be accessed with no barrier behind an access to the
/// earlier: those that share bytes pay for it with a barrier. In program order.
std::vector<std::pair<mlir::Operation *, mlir::Operation *>> unorderedBuffers(KernelOp kernel);

/// The hazards that are left; one for each later access that a barrier must
/// precede, given those before all others. As few as a greedy choice finds. In a
/// kernel too large to follow, each access that no barrier stands before has one.
std::vector<Hazard> findHazards(KernelOp kernel);

} // namespace fsm

#endif // FSM_ANALYSIS_HAZARDS_H
