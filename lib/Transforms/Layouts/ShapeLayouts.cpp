//===- ShapeLayouts.cpp - Layouts across ops that move nothing -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeLayouts.h"

#include "fsm/Layout/NamedLayouts.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace fsm;

static RankedTensorType sourceType(Operation *op) {
  return cast<RankedTensorType>(op->getOperand(0).getType());
}

/// The layout of a block that is repeated along its dimensions of extent 1: the
/// coordinates along the others.
static LinearLayout beforeBroadcast(const LinearLayout &result, RankedTensorType source) {
  BitSpace block = BitSpace::block(extentsOf(source));
  std::vector<uint64_t> bases;
  for (uint64_t base : result.bases()) {
    uint64_t kept = 0;
    for (unsigned i = 0; i < source.getRank(); ++i)
      if (source.getDimSize(i) != 1)
        kept |= block.place(blockDim(i), result.to().get(base, blockDim(i)));
    bases.push_back(kept);
  }
  return LinearLayout(result.from(), block, bases).canonical();
}

/// A reshape whose extents are all powers of two gives the row-major index, and so the
/// packed position, another name.
static std::optional<LinearLayout> beforeReshape(const LinearLayout &result,
                                                 RankedTensorType source, RankedTensorType type) {
  for (RankedTensorType block : {source, type})
    for (int64_t extent : block.getShape())
      if (!llvm::isPowerOf2_64(static_cast<uint64_t>(extent)))
        return std::nullopt;
  return LinearLayout(result.from(), BitSpace::block(extentsOf(source)), result.bases());
}

/// The layout of a block `type` of whose dimension order[i] dimension i is, where `layout`
/// is the other block's.
static LinearLayout permuted(const LinearLayout &layout, RankedTensorType type,
                             ArrayRef<int32_t> order) {
  BitSpace block = BitSpace::block(extentsOf(type));
  std::vector<uint64_t> bases;
  for (uint64_t base : layout.bases()) {
    uint64_t moved = 0;
    for (auto [i, dim] : llvm::enumerate(order))
      moved |= block.place(blockDim(static_cast<unsigned>(dim)),
                           layout.to().get(base, blockDim(static_cast<unsigned>(i))));
    bases.push_back(moved);
  }
  return LinearLayout(layout.from(), block, bases);
}

static LinearLayout afterTranspose(TransposeOp op, const LinearLayout &source) {
  SmallVector<int32_t> inverse(op.getOrder().size());
  for (auto [i, dim] : llvm::enumerate(op.getOrder()))
    inverse[static_cast<size_t>(dim)] = static_cast<int32_t>(i);
  return permuted(source, op.getType(), inverse);
}

LinearLayout fsm::layoutOfPairs(const LinearLayout &part) {
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
static std::optional<LinearLayout> layoutOfPart(const LinearLayout &pairs) {
  uint64_t telling = 0;
  for (uint64_t base : pairs.bases())
    if (base & 1 && (base != 1 || telling++ > 0))
      return std::nullopt;
  if (!llvm::is_contained(pairs.basesOf(Dim::Register), uint64_t(1)))
    return std::nullopt;
  return pairs.withoutDim(blockDim(static_cast<unsigned>(pairs.to().axes().size()) - 1));
}

std::optional<LinearLayout> fsm::resultLayout(Operation *op, const LinearLayout &source) {
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return afterTranspose(transpose, source);
  if (isa<JoinOp>(op))
    return layoutOfPairs(source);
  if (isa<SplitOp>(op))
    return layoutOfPart(source);
  return source;
}

std::optional<LinearLayout> fsm::operandLayout(Operation *op, const LinearLayout &result) {
  if (auto expand = dyn_cast<ExpandDimsOp>(op))
    return result.withoutDim(blockDim(expand.getAxis()));
  if (isa<BroadcastOp>(op))
    return beforeBroadcast(result, sourceType(op));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return beforeReshape(result, sourceType(op), reshape.getType());
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return permuted(result, sourceType(op), transpose.getOrder());
  if (isa<JoinOp>(op))
    return layoutOfPart(result);
  return result;
}

bool fsm::isElementwise(Operation *op) {
  return isa<HintOp, ConvertOp, DivRNOp, SqrtRNOp>(op) ||
         (isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
          !isa<arith::ConstantOp>(op));
}

bool fsm::isComputedOnDemand(Operation *op, function_ref<bool(Value)> isOnDemand) {
  if (isa<RangeOp, SplatOp, arith::ConstantOp, ub::PoisonOp, ExpandDimsOp, BroadcastOp>(op))
    return true;
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    LinearLayout any = rowMajorLayout(extentsOf(reshape.getType()), 1, {kWarpThreads, 1});
    return operandLayout(op, any).has_value();
  }
  if (isa<TransposeOp>(op))
    return isOnDemand(op->getOperand(0));
  if (!isElementwise(op) || !elementTypeOf(op->getResult(0).getType()).isInteger())
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || isOnDemand(operand);
  });
}
