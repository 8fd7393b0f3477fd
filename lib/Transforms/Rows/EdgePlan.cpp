//===- EdgePlan.cpp - Rows that begin anywhere ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EdgePlan.h"

#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/Analysis/ResourceEstimate.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fsm;

/// Others have not been measured.
static constexpr int64_t kMeasuredBytes = 2;
/// Rows of fewer vectors are mostly edges, or places that are left over. Where weights and a bias are loaded beside them, each of which
/// takes five loads a vector, or one load waits for another one and no row is stored, a vector more of each thread for a row's 97th does
/// not pay (docs/decisions/0146-short-rows-as-vectors-and-edges.md, 0161-short-rows-beside-weights-and-labels.md).
static constexpr int64_t kLeastVectors = 96, kLeastOfOthers = 100;

/// Whether offsets are the numbers from 0 on.
static bool areNeighbours(Value offsets) {
  auto range = offsets.getDefiningOp<RangeOp>();
  return range && range.getStart() == 0;
}

bool EdgePlan::isEnd(Value mask) {
  std::optional<MaskEnd> other = isSplit(mask.getType()) ? forms.endOf(mask) : std::nullopt;
  return end && other && other->bound == end->bound && other->base == end->base &&
         other->start == end->start;
}

bool EdgePlan::isAlongRow(GlobalAccess access) {
  Value mask = access.getMask();
  return areNeighbours(access.getOffsets()) && (mask ? isEnd(mask) : !end);
}

/// Whether threads load less than a word of rows at once.
bool EdgePlan::beginsAnywhere(LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  if (!type || type.getRank() != 1 || load.getIsVolatile() || !areNeighbours(load.getOffsets()))
    return false;
  int64_t bytes = bytesOf(type.getElementType());
  if (bytes != kMeasuredBytes || axes.of(load.getPointer()).dims[0].divisibility >= kWordBytes)
    return false;
  Value mask = load.getMask();
  bool isBlock = mask && isa<RankedTensorType>(mask.getType());
  std::optional<MaskEnd> where = isBlock ? forms.endOf(mask) : std::nullopt;
  return type.getDimSize(0) * bytes >= kLeastVectors * kVectorBytes &&
         (!mask || (where && isShort(*where)));
}

bool EdgePlan::canSplit(Operation &op) const {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return !isa<RankedTensorType>(reduce.getType());
  if (isa<GlobalAccess>(op))
    return isPlainAccess(&op);
  Attribute constant;
  if (matchPattern(&op, m_Constant(&constant)))
    return isa<SplatElementsAttr>(constant);
  return isa<RangeOp, SplatOp>(op) || (isElementwise(&op) && isMemoryEffectFree(&op));
}

/// Finds the ops; says whether each of them can be split.
bool EdgePlan::collect() {
  bool isPossible = true, isBehind = false;
  for (Operation &op : kernel.getBody().front()) {
    isBehind |= &op == first;
    auto isOne = [&](Operation *some) {
      return llvm::any_of(some->getOperandTypes(), [&](Type type) { return isSplit(type); }) ||
             llvm::any_of(some->getResultTypes(), [&](Type type) { return isSplit(type); });
    };
    bool isHere = isOne(&op), isInside = false;
    op.walk([&](Operation *some) { isInside |= some != &op && isOne(some); });
    if (isHere)
      ops.push_back(&op);
    // In front of the first access the split is not known.
    bool isPlaced = isBehind || !(isa<GlobalAccess>(op) || isa<ReduceOp>(op));
    isPossible &= !isInside && (!isHere || (canSplit(op) && isPlaced));
  }
  return isPossible;
}

int64_t EdgePlan::leastVectors() {
  auto weights = llvm::count_if(ops, [&](Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    return load && isAligned(load.getPointer());
  });
  bool onlyReads = hasChainedLoads(kernel) && !storesBlocks(kernel);
  return weights > 1 || onlyReads ? kLeastOfOthers : kLeastVectors;
}

bool EdgePlan::find() {
  for (LoadOp load : kernel.getBody().front().getOps<LoadOp>())
    if (beginsAnywhere(load)) {
      first = load;
      break;
    }
  if (!first)
    return false;
  auto type = cast<RankedTensorType>(first.getType());
  extent = type.getDimSize(0);
  vector = kVectorBytes / bytesOf(type.getElementType());
  if (Value mask = first.getMask())
    end = forms.endOf(mask);
  // Where threads do not wait for one another, it has not been measured.
  return collect() && llvm::any_of(ops, llvm::IsaPred<ReduceOp>) && extent >= leastVectors() * vector;
}
