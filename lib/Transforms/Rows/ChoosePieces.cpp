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
/// Shorter pieces are more loop than work.
static constexpr int64_t kLeastPiece = 256;
/// Of the shared memory, for what a program has there beside a block.
static constexpr int64_t kOtherBytes = 4096;

/// The most memory in which an op brings all of a block to other threads, if no block is longer
/// than a piece: a scan, which needs it in order, or a reshape.
static int64_t bytesMoved(KernelOp kernel, int64_t piece) {
  int64_t most = 0;
  kernel.getBody().walk([&](Operation *op) {
    auto along = dyn_cast<AlongAxis>(op);
    if (!isa<ReshapeOp>(op) && !(along && along.isScan()))
      return;
    for (Type type : op->getOperandTypes()) {
      int64_t bytes = bytesOf(elementTypeOf(type));
      for (int64_t extent : shapeOf(type))
        bytes *= static_cast<int64_t>(llvm::PowerOf2Ceil(std::min(extent, piece)));
      most = std::max(most, bytes);
    }
  });
  return most;
}

namespace {
struct ChoosePieces : fsm::impl::ChoosePiecesPassBase<ChoosePieces> {
  using ChoosePiecesPassBase::ChoosePiecesPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    int64_t bytes = static_cast<int64_t>(gpu->maxSharedBytesPerCta) - kOtherBytes;
    bool hasMemory = bytesMoved(kernel, std::numeric_limits<int32_t>::max()) <= bytes;
    if (kernel->hasAttr(kPieceAttr) || (hasPlace(kernel, *gpu) && hasMemory))
      return markAllAnalysesPreserved();
    int64_t threads = kernel.getNumWarps() ? *kernel.getNumWarps() * kWarpThreads : kMostThreads;
    int64_t piece = threads * kPieceOfThread;
    while (piece > kLeastPiece && bytesMoved(kernel, piece) > bytes)
      piece /= 2;
    PiecePlan plan(kernel, piece);
    StringRef lacking = hasMemory ? "no registers have" : "no shared memory has";
    std::optional<PieceObstacle> obstacle = plan.obstacle();
    if (!obstacle.has_value() && plan.loops().empty())
      obstacle = {kernel,
                  "none has more than " + std::to_string(piece) + " elements along a dimension"};
    if (obstacle.has_value())
      return keepWhole(*obstacle, lacking);
    if (remarks)
      kernel.emitRemark() << "walks its blocks in pieces of " << piece << " elements: " << lacking
                          << " room for them";
    kernel->setAttr(kPieceAttr,
                    Builder(kernel.getContext()).getI32IntegerAttr(static_cast<int32_t>(piece)));
  }

  /// Says so, and leaves it to fsm-check-resources to say it again where there is no room in truth.
  void keepWhole(const PieceObstacle &obstacle, StringRef lacking) {
    if (remarks)
      obstacle.op->emitRemark() << "blocks are not walked piece by piece, though " << lacking
                                << " room for them: " << obstacle.reason;
    StringAttr reason = StringAttr::get(&getContext(), obstacle.reason);
    getOperation()->setAttr(kWholeAttr, NameLoc::get(reason, obstacle.op->getLoc()));
  }
};
} // namespace
