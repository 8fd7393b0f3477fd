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
/// Of the pieces of blocks with several dimensions, which one dimension says.
static constexpr int64_t kMostOfThread = 64;
/// Smaller pieces are more loop than work.
static constexpr int64_t kLeastPiece = 256;
/// Of the shared memory, for what a program has there beside a block.
static constexpr int64_t kOtherBytes = 4096;

/// The most memory in which an op brings all that is there of a block to other threads: a scan, which needs it
/// in order, a reshape, or a gather.
static int64_t bytesMoved(KernelOp kernel, const PieceDims &dims) {
  int64_t most = 0;
  kernel.getBody().walk([&](Operation *op) {
    auto along = dyn_cast<AlongAxis>(op);
    auto gather = dyn_cast<GatherOp>(op);
    if (!isa<ReshapeOp>(op) && !gather && !(along && along.isScan()))
      return;
    for (Value block : op->getOperands().take_front(gather ? 1 : op->getNumOperands())) {
      int64_t bytes = bytesOf(elementTypeOf(block.getType()));
      for (int64_t extent : dims.pieceShape(block))
        bytes *= static_cast<int64_t>(llvm::PowerOf2Ceil(static_cast<uint64_t>(extent)));
      most = std::max(most, bytes);
    }
  });
  return most;
}

/// The longest pieces that there is room for, of those that can be walked if some can.
static int64_t longestPiece(KernelOp kernel, int64_t threads, int64_t bytes) {
  std::optional<int64_t> refused;
  for (int64_t piece = threads * kPieceOfThread;; piece /= 2) {
    PiecePlan plan(kernel, piece);
    int64_t largest = plan.dims().largest();
    if (largest <= threads * kMostOfThread && bytesMoved(kernel, plan.dims()) <= bytes) {
      if (!plan.obstacle())
        return piece;
      refused = refused.value_or(piece);
    }
    if (piece == 1 || largest / 2 < kLeastPiece)
      return refused.value_or(piece);
  }
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
    PieceDims whole(kernel, std::numeric_limits<int64_t>::max());
    bool hasMemory = bytesMoved(kernel, whole) <= bytes;
    if (kernel->hasAttr(kPieceAttr) || (hasPlace(kernel, *gpu) && hasMemory))
      return markAllAnalysesPreserved();
    int64_t threads = kernel.getNumWarps() ? *kernel.getNumWarps() * kWarpThreads : kMostThreads;
    separateNumbers(kernel);
    int64_t piece = longestPiece(kernel, threads, bytes);
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
