//===- ChoosePieces.cpp - Which kernels are walked piece by piece --------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../Layouts/ProgramPlaces.h"
#include "../TargetOption.h"
#include "PiecePlan.h"

namespace fsm {
#define GEN_PASS_DEF_CHOOSEPIECESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// 16 elements for each of 1024 threads, the most of a cta, or as many for those that there are.
static constexpr int64_t kPieceOfThread = 16, kMostThreads = 1024;

namespace {
struct ChoosePieces : fsm::impl::ChoosePiecesPassBase<ChoosePieces> {
  using ChoosePiecesPassBase::ChoosePiecesPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    if (kernel->hasAttr(kPieceAttr) || hasPlace(kernel, *gpu))
      return;
    int64_t threads = kernel.getNumWarps() ? *kernel.getNumWarps() * kWarpThreads : kMostThreads;
    int64_t piece = threads * kPieceOfThread;
    PiecePlan plan(kernel, piece);
    if (const std::optional<PieceObstacle> &obstacle = plan.obstacle(); obstacle.has_value()) {
      if (remarks)
        obstacle->op->emitRemark()
            << "blocks are not walked piece by piece, though no registers have room for them: "
            << obstacle->reason;
      return;
    }
    if (plan.loops().empty())
      return;
    if (remarks)
      kernel.emitRemark() << "walks its blocks in pieces of " << piece
                          << " elements: no registers have room for them";
    kernel->setAttr(kPieceAttr, Builder(kernel.getContext())
                                    .getI32IntegerAttr(static_cast<int32_t>(piece)));
  }
};
} // namespace
