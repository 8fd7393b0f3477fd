//===- DotLayouts.cpp - The layout of a product of matrices --------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutPlan.h"

#include "fsm/Analysis/MmaPlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

static constexpr uint64_t kVectorBytes = 16, kLanesAlongRow = 8;

namespace {
/// What of a dimension is still to be divided among threads.
struct Rest {
  uint64_t count;

  /// Takes up to `most`, and says how much that was.
  unsigned take(uint64_t most) {
    uint64_t taken = std::min(most, count);
    count /= taken;
    return static_cast<unsigned>(taken);
  }
};
} // namespace

/// The columns of one vector: a power of two that divides their number, of no more than a thread's
/// share.
static unsigned vectorOf(RankedTensorType type, ThreadCounts threads) {
  uint64_t columns = type.getShape().back();
  uint64_t share = type.getNumElements() / (uint64_t(threads.lanes) * threads.warps);
  uint64_t widest = kVectorBytes * 8 / type.getElementTypeBitWidth();
  return std::min({widest, uint64_t(1) << llvm::countr_zero(columns),
                   llvm::bit_floor(std::max<uint64_t>(share, 1))});
}

LinearLayout fsm::dotLayout(RankedTensorType type, ThreadCounts threads) {
  ArrayRef<int64_t> shape = type.getShape();
  bool isBatch = shape.size() == 3;
  auto places = [](int64_t extent) { return llvm::PowerOf2Ceil(static_cast<uint64_t>(extent)); };
  Rest batches{isBatch ? places(shape.front()) : 1};
  Rest rows{places(shape[shape.size() - 2])}, columns{places(shape.back())};
  unsigned vector = columns.take(vectorOf(type, threads));

  unsigned lanes = threads.lanes;
  // What few rows leave goes along the columns, and the other way around.
  uint64_t along = std::max(kLanesAlongRow, lanes / std::min<uint64_t>(lanes, rows.count));
  unsigned laneColumns = columns.take(std::min<uint64_t>(along, lanes));
  unsigned laneRows = rows.take(lanes / laneColumns);
  unsigned laneBatches = batches.take(lanes / laneColumns / laneRows);
  unsigned spareLanes = lanes / laneColumns / laneRows / laneBatches;

  unsigned warpBatches = batches.take(threads.warps), warpRows = 1, warpColumns = 1;
  unsigned warps = threads.warps / warpBatches;
  for (; warps > 1 && rows.count * columns.count > 1; warps /= 2) {
    bool splitsRows =
        columns.count == 1 || (rows.count > 1 && rows.count >= columns.count * vector);
    (splitsRows ? rows : columns).take(2);
    (splitsRows ? warpRows : warpColumns) *= 2;
  }
  // Threads that are left over hold replicas: what is taken of a dimension that is used up.
  BlockedShape blocked;
  blocked.sizePerThread = {1, vector};
  blocked.lanesPerWarp = {laneRows * spareLanes, laneColumns};
  blocked.warpsPerCta = {warpRows * warps, warpColumns};
  blocked.order = {1, 0};
  if (isBatch) {
    blocked.sizePerThread.insert(blocked.sizePerThread.begin(), 1);
    blocked.lanesPerWarp.insert(blocked.lanesPerWarp.begin(), laneBatches);
    blocked.warpsPerCta.insert(blocked.warpsPerCta.begin(), warpBatches);
    blocked.order = {2, 1, 0};
  }
  return blockedLayout(extentsOf(type), blocked);
}

LinearLayout fsm::productLayout(DotOp dot, ThreadCounts threads) {
  const MmaInstruction *mma = plannedMma(dot);
  return mma ? mmaLayout(*mma, dot.getType(), threads) : dotLayout(dot.getType(), threads);
}
