//===- ScratchSize.cpp - Shared memory that an op needs ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ScratchSize.h"

using namespace mlir;
using namespace fsm;

ConversionPlan fsm::planBetween(const LinearLayout &from, const LinearLayout &to, Type element) {
  // Within one cta there always is a way. What is stored comes to the memory of all ctas.
  return *planConversion(from.overOneCta(), to.overOneCta(), bytesOf(element));
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The extents of the shape with the fewest dimensions whose packed positions are
/// those of `shape`: a power of two joins the dimension before it.
static SmallVector<uint64_t> packedExtents(ArrayRef<int64_t> shape) {
  SmallVector<uint64_t> inwards;
  for (int64_t extent : llvm::reverse(shape)) {
    auto count = static_cast<uint64_t>(extent);
    if (!inwards.empty() && (llvm::isPowerOf2_64(inwards.back()) || count == 1))
      inwards.back() *= count;
    else
      inwards.push_back(count);
  }
  return inwards;
}

std::optional<std::pair<LinearLayout, LinearLayout>> fsm::alignedLayouts(ReshapeOp op) {
  RankedTensorType source = op.getSource().getType(), result = op.getType();
  SmallVector<uint64_t> extents = packedExtents(source.getShape());
  if (extents != packedExtents(result.getShape()))
    return std::nullopt;
  BitSpace block = BitSpace::block({extents.rbegin(), extents.rend()});
  auto onto = [&](const LinearLayout &layout) {
    return LinearLayout(layout.from(), block, layout.bases());
  };
  return std::pair(onto(linearLayoutOf(source)), onto(linearLayoutOf(result)));
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

std::optional<std::string> fsm::layoutFault(Operation *op) {
  std::optional<std::pair<size_t, size_t>> threads;
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes()))) {
    auto block = dyn_cast<RankedTensorType>(type);
    if (!block)
      continue;
    LayoutAttr layout = layoutOf(block);
    if (!layout)
      return "expected blocks with '#fsm.layout'";
    if (!linearLayoutOf(block).isCanonical())
      return "expected layouts whose registers hold distinct elements";
    std::pair own(layout.getWarps().size() / layout.getRank(),
                  layout.getCtas().size() / layout.getRank());
    if (threads && *threads != own)
      return "expected layouts over equally many warps and ctas";
    threads = own;
  }
  return std::nullopt;
}
