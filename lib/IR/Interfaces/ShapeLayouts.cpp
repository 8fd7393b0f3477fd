//===- ShapeLayouts.cpp - Layouts across ops that move nothing -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/IR/FSMDialect.h"

using namespace mlir;
using namespace fsm;

using Dims = std::optional<SmallVector<int64_t>>;
using Layout = std::optional<LinearLayout>;

//===----------------------------------------------------------------------===//
// Dimension by dimension
//===----------------------------------------------------------------------===//

Dims SplatOp::sourceDims() { return SmallVector<int64_t>(getType().getRank(), -1); }

Dims ExpandDimsOp::sourceDims() {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, getSource().getType().getRank()));
  dims.insert(dims.begin() + getAxis(), -1);
  return dims;
}

Dims BroadcastOp::sourceDims() {
  SmallVector<int64_t> dims(getType().getRank(), -1);
  for (auto [i, extent] : llvm::enumerate(getSource().getType().getShape())) {
    size_t dim = getDims() ? (*getDims())[i] : i;
    if (extent == getType().getDimSize(dim))
      dims[dim] = static_cast<int64_t>(i);
  }
  return dims;
}

Dims TransposeOp::sourceDims() { return SmallVector<int64_t>(getOrder()); }

Layout TransposeOp::resultLayout(const LinearLayout &operand) {
  SmallVector<int64_t> inverse(getOrder().size());
  for (auto [dim, source] : llvm::enumerate(getOrder()))
    inverse[static_cast<size_t>(source)] = static_cast<int64_t>(dim);
  return layoutByDims(operand, getType(), inverse);
}

//===----------------------------------------------------------------------===//
// By the row-major number
//===----------------------------------------------------------------------===//

bool ReshapeOp::isRenaming() {
  auto isPowerOfTwo = [](int64_t extent) {
    return llvm::isPowerOf2_64(static_cast<uint64_t>(extent));
  };
  return llvm::all_of(getSource().getType().getShape(), isPowerOfTwo) &&
         llvm::all_of(getType().getShape(), isPowerOfTwo);
}

/// Where all extents are powers of two, the row-major number is the packed position.
Layout ReshapeOp::operandLayout(const LinearLayout &result) {
  if (!isRenaming())
    return std::nullopt;
  BitSpace block = BitSpace::block(extentsOf(getSource().getType()));
  return LinearLayout(result.from(), block, result.bases());
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// The layout of pairs whose parts have the layout `part`: one thread has both, in neighbouring
/// registers.
static LinearLayout layoutOfPairs(const LinearLayout &part) {
  // The last dimension owns the lowest bit of a packed position.
  std::vector<uint64_t> bases = {1};
  for (uint64_t base : part.bases())
    bases.push_back(base << 1);
  std::vector<uint64_t> extents = {2};
  for (const Axis &axis : part.to().axes())
    extents.insert(extents.begin(), axis.extent);
  const BitSpace &from = part.from();
  BitSpace threads = BitSpace::threads(from.bitsOf(Dim::Register) + 1, from.bitsOf(Dim::Lane),
                                       from.bitsOf(Dim::Warp), from.bitsOf(Dim::Cta));
  return LinearLayout(threads, BitSpace::block(extents), bases);
}

/// The layout of either part of pairs, each of which is in two registers of a thread.
static Layout layoutOfPart(const LinearLayout &pairs) {
  uint64_t telling = 0;
  for (uint64_t base : pairs.bases())
    if (base & 1 && (base != 1 || telling++ > 0))
      return std::nullopt;
  if (!llvm::is_contained(pairs.basesOf(Dim::Register), uint64_t(1)))
    return std::nullopt;
  return pairs.withoutDim(blockDim(static_cast<unsigned>(pairs.to().axes().size()) - 1));
}

Layout JoinOp::operandLayout(const LinearLayout &result) { return layoutOfPart(result); }
Layout JoinOp::resultLayout(const LinearLayout &operand) { return layoutOfPairs(operand); }
Layout SplitOp::operandLayout(const LinearLayout &result) { return layoutOfPairs(result); }
Layout SplitOp::resultLayout(const LinearLayout &operand) { return layoutOfPart(operand); }
