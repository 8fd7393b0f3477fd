//===- LoadCandidates.h - What loads need that run ahead --------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_TRANSFORMS_PIPELINE_LOADCANDIDATES_H
#define FSM_TRANSFORMS_PIPELINE_LOADCANDIDATES_H

#include "EarlyLoads.h"
#include "LoadPlan.h"

#include "llvm/ADT/DenseSet.h"

namespace fsm {

/// The loads of a loop that may run ahead, and what so many stages of them need.
class LoadCandidates {
public:
  LoadCandidates(mlir::scf::ForOp loop, std::vector<EarlyLoad> loads)
      : loop(loop), loads(std::move(loads)) {}

  bool hasWork() const;
  /// Shared memory of a program with so many stages.
  uint64_t ringBytes(unsigned stages) const;
  /// How many ops the kernel gets by so many stages, about.
  uint64_t moreOps(unsigned stages) const;
  /// Loads that are meant do not run ahead.
  void giveUp(LoadReason::Kind reason, bool (*isMeant)(const EarlyLoad &) = isEarly);
  /// Words of a thread that an iteration loads early.
  uint64_t words() const;
  /// Loads that would wait in registers because they have fewer bytes than a copy stay.
  void giveUpNarrow();
  /// Words of a thread that hold what is taken at once when an iteration begins, and what
  /// waits in registers.
  uint64_t registersHeld(unsigned stages) const;
  /// Whether blocks are taken from their slots one after the other, where they are used; false
  /// where they cannot be.
  bool takeLate(bool isLate);
  /// The last load that runs ahead and takes registers stays, or one that waits for it or for
  /// others.
  void giveUpLast();
  /// Products end in their own iteration, so that no slot is for them beside the next one's.
  void keepNoneInFlight() { isInFlightAllowed = false; }
  /// Whether products whose left factor threads hold, or whose sums the next iteration uses, may go on beside
  /// others that are awaited in each iteration.
  void letGoOnBesideOthers(bool mayGoOn) { isBesideOthersAllowed = mayGoOn; }
  LoadPlan planOf(unsigned stages) const;
  /// Whether the hardware fills slots with parts of tensors.
  bool hasTensors() const;
  /// Whether all that is copied are tiles, which products read.
  bool areTiles() const;
  /// The memory that factors were to be stored in, which products read from slots instead.
  void addReplaced(llvm::DenseSet<mlir::Operation *> &allocs) const;

  const std::vector<EarlyLoad> &all() const { return loads; }

private:
  /// Whether the address of a load that runs ahead needs what this one has loaded.
  bool isAwaited(const EarlyLoad &early) const;
  unsigned levels() const;
  unsigned stageOf(const EarlyLoad &early, unsigned stages) const;
  unsigned slotsOf(const EarlyLoad &early, unsigned stages) const;
  bool isTile(mlir::Value shared, unsigned stage, unsigned stages) const;
  bool goesOn(SharedDotOp product, unsigned stage, unsigned stages) const;
  bool meetBehindProduct(unsigned stages) const;
  bool goesOnBesideOthers(SharedDotOp product, unsigned stage, unsigned stages) const;
  llvm::SmallVector<SharedDotOp, 2> inFlight(unsigned stage, unsigned stages) const;

  mutable mlir::scf::ForOp loop;
  std::vector<EarlyLoad> loads;
  bool isInFlightAllowed = true, isBesideOthersAllowed = false, isLate = false;
};

} // namespace fsm

#endif // FSM_TRANSFORMS_PIPELINE_LOADCANDIDATES_H
