//===- WalkPieces.cpp - Walks blocks piece by piece ----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "PiecePlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace fsm {
#define GEN_PASS_DEF_WALKPIECESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
struct WalkPieces : fsm::impl::WalkPiecesPassBase<WalkPieces> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    int64_t piece = integerAttrOr(kernel, kPieceAttr, 0);
    if (!piece)
      return markAllAnalysesPreserved();
    separateNumbers(kernel);
    PiecePlan plan(kernel, piece);
    if (const std::optional<PieceObstacle> &obstacle = plan.obstacle()) {
      obstacle->op->emitError() << "a block of more than " << piece
                                << " elements cannot be walked piece by piece: "
                                << obstacle->reason;
      return signalPassFailure();
    }
    writePieces(kernel, plan);
    loops += plan.loops().size();
  }
};
} // namespace
