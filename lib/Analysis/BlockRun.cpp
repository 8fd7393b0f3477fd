//===- BlockRun.cpp - Blocks that lie in one piece -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/BlockRun.h"

#include "fsm/Analysis/InnerStride.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

namespace {
/// The block base + start, base + start + 1, and so on.
struct CountedBlock {
  Value base;
  int64_t start = 0;
};
} // namespace

static std::optional<CountedBlock> countedBlock(Value block) {
  if (auto range = block.getDefiningOp<RangeOp>())
    return CountedBlock{{}, static_cast<int32_t>(range.getStart())};
  auto sum = block.getDefiningOp<arith::AddIOp>();
  // Where the sum wraps the next number is far away.
  if (!sum || !bitEnumContainsAny(sum.getOverflowFlags(), arith::IntegerOverflowFlags::nsw))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    auto range = sum->getOperand(side).getDefiningOp<RangeOp>();
    auto base = sum->getOperand(1 - side).getDefiningOp<SplatOp>();
    if (range && base)
      return CountedBlock{base.getScalar(), static_cast<int32_t>(range.getStart())};
  }
  return std::nullopt;
}

/// Fills in where the mask ends, and in `divisor` what divides both ends, too; false if it is no
/// beginning of the block.
static bool boundBy(Value mask, BlockRun &run, int64_t &divisor) {
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare || !isa<RankedTensorType>(mask.getType()))
    return false;
  Value counted = compare.getLhs(), bound = compare.getRhs();
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    std::swap(counted, bound);
  else if (compare.getPredicate() != arith::CmpIPredicate::slt)
    return false;
  std::optional<CountedBlock> block = countedBlock(counted);
  auto splat = bound.getDefiningOp<SplatOp>();
  if (!block || !splat)
    return false;
  run.bound = splat.getScalar();
  run.base = block->base;
  run.start = block->start;
  divisor = std::min({divisor, knownDivisor(run.bound), knownDivisor(counted)});
  return true;
}

std::optional<BlockRun> fsm::runOf(LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  Type element = elementTypeOf(load.getType());
  if (!type || type.getRank() != 1 || isa<PointerType>(element) || !load.getOffsets() ||
      !countedBlock(load.getOffsets()))
    return std::nullopt;
  BlockRun run;
  int64_t divisor = type.getDimSize(0) & -type.getDimSize(0);
  if (load.getMask() && !boundBy(load.getMask(), run, divisor))
    return std::nullopt;
  int64_t bytes = bytesOf(element);
  run.alignment = std::min(bytes * divisor, knownAlignment(load.getPointer(), load.getOffsets()));
  return run;
}
