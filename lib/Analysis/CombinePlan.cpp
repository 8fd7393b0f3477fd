//===- CombinePlan.cpp - How tuples are combined -------------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/CombinePlan.h"

#include "fsm/Analysis/ScratchSize.h"
#include "fsm/Layout/NamedLayouts.h"
#include "fsm/Machine/GpuTarget.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

unsigned fsm::combinedAxis(Operation *op) {
  if (auto reduce = dyn_cast<ReduceWithOp>(op))
    return reduce.getAxis();
  if (auto scan = dyn_cast<ScanOp>(op))
    return scan.getAxis();
  return cast<ScanWithOp>(op).getAxis();
}

bool fsm::combinesBackwards(Operation *op) {
  if (auto scan = dyn_cast<ScanOp>(op))
    return scan.getReverse();
  auto scan = dyn_cast<ScanWithOp>(op);
  return scan && scan.getReverse();
}

Type fsm::combinedType(Operation *op, unsigned index) {
  Type element = elementTypeOf(op->getOperand(index).getType());
  if (isa<ScanOp>(op) && isa<Float16Type, BFloat16Type>(element))
    return Float32Type::get(op->getContext());
  return element;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

bool fsm::followsAxis(const LinearLayout &layout, unsigned axis) {
  uint64_t along = layout.to().maskOf(blockDim(axis)), seen = 0;
  for (uint64_t base : layout.bases()) {
    if (!(base & along))
      continue;
    if (!llvm::isPowerOf2_64(base) || (base & seen))
      return false;
    seen |= base;
  }
  return true;
}

bool fsm::isInOrder(const LinearLayout &layout, unsigned axis) {
  if (!followsAxis(layout, axis))
    return false;
  uint64_t along = layout.to().maskOf(blockDim(axis)), last = 0;
  // A thread may have its registers in any order.
  for (uint64_t base : layout.basesOf(Dim::Register))
    last = std::max(last, base & along);
  for (uint64_t base : layout.basesOf({Dim::Lane, Dim::Warp})) {
    if (!(base & along))
      continue;
    if (base < last)
      return false;
    last = base;
  }
  return true;
}

LinearLayout fsm::layoutInOrder(ArrayRef<int64_t> shape, unsigned axis, unsigned warps) {
  Extents extents(shape.begin(), shape.end());
  uint64_t positions = BitSpace::block(extents).size();
  uint64_t share = std::max<uint64_t>(1, positions / (uint64_t(kWarpThreads) * warps));
  std::vector<unsigned> order = {axis};
  for (unsigned dim = static_cast<unsigned>(shape.size()); dim-- > 0;)
    if (dim != axis)
      order.push_back(dim);
  uint64_t line = llvm::PowerOf2Ceil(extents[axis]);
  return orderedLayout(extents, order, static_cast<unsigned>(std::min(share, line)),
                       {kWarpThreads, warps});
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

uint64_t CombinePlan::lineOf(uint64_t position) const {
  uint64_t packed = 0;
  unsigned shift = 0;
  for (const Axis &other : operand.to().axes()) {
    if (other.dim == blockDim(axis))
      continue;
    packed |= operand.to().get(position, other.dim) << shift;
    shift += other.bits;
  }
  return packed;
}

static uint64_t bitsAlong(const LinearLayout &layout, Dim holder, unsigned axis) {
  uint64_t bits = 0;
  for (auto [i, base] : llvm::enumerate(layout.basesOf(holder)))
    if (layout.to().get(base, blockDim(axis)))
      bits |= uint64_t(1) << i;
  return bits;
}

/// The layout in which the operands meet: that of the first, if it can be.
static LinearLayout meetingLayout(Operation *op, unsigned axis) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  LinearLayout layout = linearLayoutOf(type);
  bool fits = isa<ReduceWithOp>(op) ? followsAxis(layout, axis) : isInOrder(layout, axis);
  if (fits)
    return layout;
  return layoutInOrder(type.getShape(), axis, 1u << layout.from().bitsOf(Dim::Warp));
}

static uint64_t aligned(uint64_t bytes) { return llvm::alignTo(bytes, 16); }

CombinePlan fsm::planCombine(Operation *op) {
  unsigned axis = combinedAxis(op);
  CombinePlan plan(meetingLayout(op, axis));
  const LinearLayout &operand = plan.operand;
  plan.axis = axis;
  plan.axisLanes = bitsAlong(operand, Dim::Lane, axis);
  plan.axisWarps = bitsAlong(operand, Dim::Warp, axis);
  bool isReduction = isa<ReduceWithOp>(op);
  plan.isPadded = (isReduction || combinesBackwards(op)) &&
                  !llvm::isPowerOf2_64(operand.to().extentOf(blockDim(axis)));
  if (!isReduction)
    plan.combined = operand;
  else if (isa<RankedTensorType>(op->getResult(0).getType()))
    plan.combined = slicedLayout(operand, axis);

  auto take = [&](uint64_t bytes) {
    uint64_t offset = plan.bytes;
    plan.bytes += aligned(bytes);
    return offset;
  };
  uint64_t slots = 0;
  if (plan.axisWarps)
    slots = (operand.to().size() >> operand.to().bitsOf(blockDim(axis))) * plan.warpsAlongAxis();
  for (unsigned index = 0; index < op->getNumOperands(); ++index) {
    plan.types.push_back(combinedType(op, index));
    plan.slotOffsets.push_back(take(slots * bytesOf(plan.types.back())));
  }
  plan.validOffset = take(plan.isPadded ? slots : 0);
  return plan;
}

std::optional<ReductionLayouts> fsm::reductionLayouts(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    ReducePlan plan = planReduce(reduce);
    return ReductionLayouts{plan.operand, plan.partial};
  }
  if (!isCombine(op))
    return std::nullopt;
  CombinePlan plan = planCombine(op);
  return ReductionLayouts{plan.operand, plan.combined};
}
