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

static constexpr uint64_t kLanesAlongRow = 8;

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

/// The rows or columns of one vector: a power of two that divides their number, of no more than a
/// thread's share.
static unsigned vectorOf(RankedTensorType type, int64_t extent, uint64_t share) {
  uint64_t widest = kVectorBytes * 8 / type.getElementTypeBitWidth();
  return std::min({widest, uint64_t(1) << llvm::countr_zero(static_cast<uint64_t>(extent)),
                   llvm::bit_floor(std::max<uint64_t>(share, 1))});
}

/// A layout with neighbouring lanes in two rows. Lanes that follow one another, and those two apart, then
/// read the same vector of one of the factors, by which the hardware is said to serve half a warp at once and
/// not a quarter (docs/decisions/0033-dot-by-multiply-add.md).
static LinearLayout withPairsOfRows(const LinearLayout &layout, unsigned rowDim) {
  std::vector<uint64_t> bases = layout.bases();
  auto begin = bases.begin() + layout.from().bitsOf(Dim::Register);
  auto end = begin + layout.from().bitsOf(Dim::Lane);
  auto row = std::find_if(begin, end, [&](uint64_t base) {
    return layout.to().get(base, blockDim(rowDim)) != 0;
  });
  if (row != end)
    std::rotate(begin, row, row + 1);
  return LinearLayout(layout.from(), layout.to(), std::move(bases));
}

LinearLayout fsm::dotLayout(RankedTensorType type, ThreadCounts threads) {
  ArrayRef<int64_t> shape = type.getShape();
  bool isBatch = shape.size() == 3;
  auto places = [](int64_t extent) { return llvm::PowerOf2Ceil(static_cast<uint64_t>(extent)); };
  Rest batches{isBatch ? places(shape.front()) : 1};
  Rest rows{places(shape[shape.size() - 2])}, columns{places(shape.back())};
  uint64_t share = type.getNumElements() / (uint64_t(threads.lanes) * threads.warps);
  // Whichever way round factors lie in memory, vectors of them have what a thread multiplies.
  unsigned vector = columns.take(vectorOf(type, shape.back(), share));
  unsigned rowVector = rows.take(vectorOf(type, shape[shape.size() - 2], share / vector));

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
        columns.count == 1 ||
        (rows.count > 1 && rows.count * rowVector >= columns.count * vector);
    (splitsRows ? rows : columns).take(2);
    (splitsRows ? warpRows : warpColumns) *= 2;
  }
  // Threads that are left over hold replicas: what is taken of a dimension that is used up.
  BlockedShape blocked;
  blocked.sizePerThread = {rowVector, vector};
  blocked.lanesPerWarp = {laneRows * spareLanes, laneColumns};
  blocked.warpsPerCta = {warpRows * warps, warpColumns};
  blocked.order = {1, 0};
  if (isBatch) {
    blocked.sizePerThread.insert(blocked.sizePerThread.begin(), 1);
    blocked.lanesPerWarp.insert(blocked.lanesPerWarp.begin(), laneBatches);
    blocked.warpsPerCta.insert(blocked.warpsPerCta.begin(), warpBatches);
    blocked.order = {2, 1, 0};
  }
  return withPairsOfRows(blockedLayout(extentsOf(type), blocked),
                         static_cast<unsigned>(shape.size() - 2));
}

LinearLayout fsm::productLayout(DotOp dot, ThreadCounts threads) {
  const MmaInstruction *mma = plannedMma(dot);
  return mma ? mmaLayout(*mma, dot.getType(), threads) : dotLayout(dot.getType(), threads);
}
