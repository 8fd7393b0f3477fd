//===- EarlyLoads.h - Which loads of a loop may run ahead of it -*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_EARLYLOADS_H
#define FSM_TRANSFORMS_PIPELINE_EARLYLOADS_H

#include "fsm/Analysis/TensorTile.h"
#include "fsm/IR/FSMDialect.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <string>
#include <vector>

namespace fsm {

/// Why a load stays, or waits where it does.
struct LoadReason {
  enum Kind {
    // What forbids that it runs ahead.
    CarriedUnchanged,
    OrderedAccesses,
    WrittenBefore,
    FixedAddress,
    LoadedAddress,
    AwaitedLoadStays,
    // What nothing is gained by.
    SameEachTime,
    // What would be short.
    NoRegisters,
    NoSharedMemory,
    TooManyOps,
    // What hides it anyway.
    OtherPrograms,
    OneCta,
    // Where it waits.
    OneRegister,
    InOnePiece,
    WholeWords,
    ReadInPlace,
    OfTensor,
    NoCopies,
    NarrowAccesses,
    ElementsTwice,
    IsAwaited,
  };

  Kind kind = OneRegister;
  /// The op that it is about, or null.
  mlir::Operation *cause = nullptr;
  /// Of one access of a thread.
  uint64_t bytes = 0;
  /// Of what products read in place: why no copies of tensors bring it there; null where they do.
  TileFault noTensor = nullptr;

  /// Whether it says where the load would wait, and not what is in its way.
  bool isOfPlace() const { return kind >= OneRegister; }
  /// As a sentence of a remark ends.
  std::string text() const;
};

/// What is decided about one load in the body of a loop.
struct EarlyLoad {
  LoadOp load;
  /// None: the load stays. Registers: loaded one iteration ahead. Async: into shared memory, by
  /// copies of each thread. Tile: the same, to where products read it. Bulk: by one copy of all.
  /// Tensor: by copies of boxes that one thread begins, to where products read it.
  LoadBuffer buffer = LoadBuffer::None;
  /// How many other early loads its address waits for, one after the other.
  unsigned level = 0;
  /// Whether the address of another early load waits for it.
  bool isAwaited = false;
  LoadReason reason;
  /// Shared memory of one slot of a program, where it waits there.
  uint64_t slotBytes = 0;
  /// What its slots begin at a multiple of.
  uint64_t slotAlignment = kSharedAlignment;
  /// Words of a thread that hold it, in registers while it waits there and when it is used.
  uint64_t words = 0;
};

inline bool isEarly(const EarlyLoad &early) { return early.buffer != LoadBuffer::None; }
/// Whether the load waits in a slot of shared memory.
inline bool isInRing(const EarlyLoad &early) {
  return isEarly(early) && early.buffer != LoadBuffer::Registers;
}

/// Why the loads of the loop cannot run ahead at all, or why this one, which stands in its body,
/// cannot.
std::optional<LoadReason> obstacleTo(mlir::scf::ForOp loop);
std::optional<LoadReason> obstacleTo(mlir::scf::ForOp loop, LoadOp load);

/// Whether products read a load where it lands, in slots of tiles.
inline bool isReadInPlace(LoadBuffer buffer) {
  return buffer == LoadBuffer::Tile || buffer == LoadBuffer::Tensor;
}

/// Decides about each load that stands in the body itself, in program order. Blocks have
/// layouts. Loads in loops and branches inside are not looked at. The launch makes tensor maps
/// where `tensorMaps` says so.
std::vector<EarlyLoad> findEarlyLoads(mlir::scf::ForOp loop, const GpuTarget &target,
                                      bool tensorMaps);

/// What of a loop's body computes some values, as the operands of a load: its address, its mask and
/// what is there elsewhere. Without `ofIterationsBefore` it ends at carried values.
struct Slice {
  /// In program order. It ends at loads.
  std::vector<mlir::Operation *> ops;
  std::vector<LoadOp> loads;
  /// The carried values in it, of which `ops` has what computes the next.
  std::vector<mlir::BlockArgument> carried;
};
Slice sliceOf(mlir::scf::ForOp loop, mlir::ValueRange values, bool ofIterationsBefore = true);

/// The loops of a kernel to which fsm-schedule-loops has given several stages, inner ones first.
llvm::SmallVector<mlir::scf::ForOp> pipelinedLoops(KernelOp kernel);

/// The loops around one whose slots the hardware fills, outermost first: it fills them again when
/// the inner one is entered again. Nothing where something else is around, or one of them has
/// stages.
std::optional<llvm::SmallVector<mlir::scf::ForOp>> loopsWithSlots(mlir::scf::ForOp loop);

/// The loop with more values carried around it; `next` gives what it yields of their arguments.
mlir::scf::ForOp withCarried(mlir::scf::ForOp loop, mlir::ValueRange inits,
                             const mlir::NewYieldValuesFn &next);

/// Whether values can be computed in any iteration in front, without what is loaded.
bool isKnownEarly(mlir::scf::ForOp loop, mlir::ValueRange values);

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_EARLYLOADS_H
