//===- RowLoops.h - Loops over the blocks of a row --------------*- C++ -*-===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FSM_ANALYSIS_ROWLOOPS_H
#define FSM_ANALYSIS_ROWLOOPS_H

#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>
#include <vector>

namespace fsm {

/// Whether a load brings as many elements of a row as a step of its loop.
bool takesStep(LoadOp load, int64_t step);

/// Where a loop over a row begins, and how much of it an iteration takes. It loads, computes, also in
/// branches, and stores, in few ops, and nothing runs ahead of it.
struct RowLoop {
  int64_t first = 0, step = 0;

  /// How often it runs up to a number behind the row's last one; 0 where it does not.
  int64_t tripsTo(int64_t end) const;
};

/// Of a loop that is one. It may combine the elements of a block.
std::optional<RowLoop> rowLoopOf(mlir::scf::ForOp loop);

/// The steps of the loops over a row that go from 0 to a kernel's argument, no one twice.
std::vector<int64_t> rowStepsUpTo(mlir::BlockArgument argument);

} // namespace fsm

#endif // FSM_ANALYSIS_ROWLOOPS_H
