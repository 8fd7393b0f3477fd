//===- BlockRun.cpp - Blocks that lie in one piece -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/BlockRun.h"

#include "fsm/Analysis/AffineOffsets.h"

#include <algorithm>

using namespace mlir;
using namespace fsm;

/// Whether the bytes that a run begins and ends with are computed in 64 bits, where they fit.
static bool isShort(const MaskEnd &end) {
  return end.bound.getType().isInteger(32) && (!end.base || end.base.getType().isInteger(32)) &&
         llvm::isInt<32>(end.start);
}

std::optional<BlockRun> fsm::runOf(LoadOp load) {
  auto type = dyn_cast<RankedTensorType>(load.getType());
  Type element = elementTypeOf(load.getType());
  if (!type || type.getRank() != 1 || isa<PointerType>(element) || !load.getOffsets())
    return std::nullopt;
  AffineOffsets offsets(Wrapping::Heeded, AffineOffsets::kFewValues);
  const AffineForm &form = offsets.of(load.getOffsets());
  if (form.steps[0] != 1 || form.inGroups)
    return std::nullopt;
  BlockRun run;
  int64_t divisor = type.getDimSize(0) & -type.getDimSize(0);
  if (Value mask = load.getMask()) {
    std::optional<MaskEnd> end = offsets.endOf(mask);
    if (!end || !isShort(*end))
      return std::nullopt;
    run.bound = end->bound;
    run.base = end->base;
    run.start = end->start;
    divisor = std::min(divisor, end->divisor);
  }
  int64_t bytes = bytesOf(element);
  run.alignment =
      std::min(bytes * divisor, offsets.alignment(load.getPointer(), load.getOffsets()));
  return run;
}
