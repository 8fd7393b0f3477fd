//===- Interfaces.cpp - What passes ask of ops ---------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

using namespace mlir;
using namespace fsm;

#include "fsm/IR/Interfaces.cpp.inc"

std::optional<LinearLayout> fsm::layoutByDims(const LinearLayout &layout, Type source,
                                              ArrayRef<int64_t> dims) {
  auto type = dyn_cast<RankedTensorType>(source);
  if (!type)
    return std::nullopt;
  BitSpace block = BitSpace::block(extentsOf(type));
  std::vector<uint64_t> bases;
  for (uint64_t base : layout.bases()) {
    uint64_t moved = 0;
    for (auto [i, dim] : llvm::enumerate(dims))
      if (dim >= 0)
        moved |= block.place(blockDim(static_cast<unsigned>(dim)),
                             layout.to().get(base, blockDim(static_cast<unsigned>(i))));
    bases.push_back(moved);
  }
  return LinearLayout(layout.from(), block, bases).canonical();
}

bool fsm::areCheap(OperandRange operands, function_ref<bool(Value)> isCheap) {
  return llvm::all_of(operands, [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || isCheap(operand);
  });
}
