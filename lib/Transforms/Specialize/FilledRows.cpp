//===- FilledRows.cpp - Of which rows a launch says that they fill blocks ===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/FilledRows.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"
#include "fsm/IR/Users.h"
#include "fsm/Machine/GpuTarget.h"

using namespace mlir;
using namespace fsm;

/// Rows of 16 bits an element that begin anywhere gain by having no mask; of those that begin at
/// vectors, these gain beside which one load waits for another one, and others lose up to a seventh of
/// their speed (docs/decisions/0152-rows-that-fill-their-block.md,
/// 0162-rooms-on-clusters-and-rows-beside-labels.md).
static constexpr int64_t kMeasuredBytes = 2, kElementsOfVector = kVectorBytes / kMeasuredBytes;

/// Whether a mask is of loads of rows that are faster without one.
static bool isBetterWithout(arith::CmpIOp mask) {
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  if (!type || type.getRank() != 1)
    return false;
  bool beginAnywhere = type.getDimSize(0) % kElementsOfVector != 0;
  return (beginAnywhere || hasChainedLoads(mask->getParentOfType<KernelOp>())) &&
         llvm::any_of(usersOf<LoadOp>(mask), [&](LoadOp load) {
           return load.getMask() == mask.getResult() &&
                  bytesOf(elementTypeOf(load.getType())) == kMeasuredBytes;
         });
}

/// Behind the last element of a mask's block, if it begins at a constant and the mask ends at an
/// argument.
static std::optional<int64_t> blockEnd(Operation *op, BlockArgument argument) {
  auto mask = dyn_cast<arith::CmpIOp>(op);
  std::optional<MaskEnd> end;
  if (mask && isBetterWithout(mask))
    end = AffineOffsets(Wrapping::Heeded, AffineOffsets::kFewValues).endOf(mask);
  if (!end || end->base || end->bound != argument || end->start < 0 ||
      end->start > kMaxBlockElements)
    return std::nullopt;
  return end->start + cast<RankedTensorType>(mask.getType()).getDimSize(end->dim);
}

std::vector<int64_t> fsm::rowBlocksUpTo(BlockArgument argument) {
  std::vector<int64_t> ends;
  // Rows in loops were slower without masks than with them when this was measured
  // (docs/decisions/0152-rows-that-fill-their-block.md).
  if (hasLoop(argument.getOwner()->getParentOp()))
    return ends;
  for (SplatOp splat : usersOf<SplatOp>(argument))
    for (Operation *compare : splat->getUsers())
      if (std::optional<int64_t> end = blockEnd(compare, argument);
          end && !llvm::is_contained(ends, *end))
        ends.push_back(*end);
  return ends;
}
