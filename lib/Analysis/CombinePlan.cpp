//===- CombinePlan.cpp - How elements are combined -----------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/CombinePlan.h"

#include "fsm/Layout/NamedLayouts.h"
#include "fsm/Machine/GpuTarget.h"

using namespace mlir;
using namespace fsm;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Whether each bit of a thread's number that moves along `axis` moves nowhere else and
/// by one bit that no other moves by. The threads that hold one line of elements then
/// differ in bits of their own.
static bool followsAxis(const LinearLayout &layout, unsigned axis) {
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

/// followsAxis(), and what the registers of a thread hold of a line is consecutive, behind
/// that come the lanes, then the warps.
static bool isInOrder(const LinearLayout &layout, unsigned axis) {
  if (!followsAxis(layout, axis))
    return false;
  uint64_t along = layout.to().maskOf(blockDim(axis)), last = 0;
  // A thread may have its registers in any order.
  for (uint64_t base : layout.basesOf(Dim::Register))
    last = std::max(last, base & along);
  for (uint64_t base : layout.basesOf({Dim::Lane, Dim::Warp, Dim::Cta})) {
    if (!(base & along))
      continue;
    if (base < last)
      return false;
    last = base;
  }
  return true;
}

/// The layout in order that gives each thread neighbours along `axis`, as many as its
/// share of the block, so that few threads meet in a line:
///
///   {64, 1024}, axis 0, 4 warps: a thread has a column, no thread asks another
///   {16, 64}, axis 1, 4 warps:   a thread has 8 neighbours, a row is 8 lanes
static LinearLayout layoutInOrder(ArrayRef<int64_t> shape, unsigned axis, ThreadCounts threads) {
  Extents extents(shape.begin(), shape.end());
  uint64_t positions = BitSpace::block(extents).size();
  uint64_t share =
      std::max<uint64_t>(1, positions / (uint64_t(threads.lanes) * threads.warps * threads.ctas));
  uint64_t line = llvm::PowerOf2Ceil(extents[axis]);
  return orderedLayout(extents, orderFrom(axis, shape.size()),
                       static_cast<unsigned>(std::min(share, line)), threads);
}

/// Whether some bit moves along the axis and along another dimension, too.
static bool mixesAxis(const LinearLayout &layout, unsigned axis) {
  uint64_t along = layout.to().maskOf(blockDim(axis));
  return llvm::any_of(layout.bases(), [&](uint64_t base) { return base & along && base & ~along; });
}

LinearLayout fsm::layoutAlong(AlongAxis op, const LinearLayout &layout) {
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  unsigned axis = op.getAxis();
  ThreadCounts threads{kWarpThreads, 1u << layout.from().bitsOf(Dim::Warp),
                       1u << layout.from().bitsOf(Dim::Cta)};
  if (op.takesAnyOrder())
    return mixesAxis(layout, axis) ? rowMajorLayout(extentsOf(type), 1, threads) : layout;
  bool fits = op.isScan() ? isInOrder(layout, axis) : followsAxis(layout, axis);
  return fits ? layout : layoutInOrder(type.getShape(), axis, threads);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

uint64_t fsm::bitsAlong(const LinearLayout &layout, Dim holder, unsigned axis) {
  uint64_t free = layout.freeBits(holder), bits = 0;
  for (auto [i, base] : llvm::enumerate(layout.basesOf(holder)))
    if (layout.to().get(base, blockDim(axis)) && !(free >> i & 1))
      bits |= uint64_t(1) << i;
  return bits;
}

uint64_t fsm::lineOf(const BitSpace &block, unsigned axis, uint64_t position) {
  uint64_t packed = 0;
  unsigned shift = 0;
  for (const Axis &other : block.axes()) {
    if (other.dim == blockDim(axis))
      continue;
    packed |= block.get(position, other.dim) << shift;
    shift += other.bits;
  }
  return packed;
}

/// Of operands in this layout, if it can be.
static CombinePlan planCombine(AlongAxis op, const LinearLayout &layout) {
  unsigned axis = op.getAxis();
  CombinePlan plan(layoutAlong(op, layout));
  plan.axis = axis;
  plan.axisWarps = bitsAlong(plan.operand.overOneCta(), Dim::Warp, axis);
  bool meetsPadding = op.isScan() ? op.getReverse() : !op.knownKind();
  plan.isPadded = meetsPadding && !llvm::isPowerOf2_64(plan.operand.to().extentOf(blockDim(axis)));
  if (op.isScan())
    plan.combined = plan.operand;
  else if (isa<RankedTensorType>(op->getResult(0).getType()))
    plan.combined = slicedLayout(plan.operand, axis);
  for (Type type : op->getOperandTypes())
    plan.types.push_back(accumulatorType(elementTypeOf(type), op.knownKind().has_value()));
  return plan;
}

CombinePlan fsm::planCombine(AlongAxis op) {
  // That of the first operand.
  return ::planCombine(op, linearLayoutOf(cast<RankedTensorType>(op->getOperand(0).getType())));
}

SmallVector<Type> fsm::exchangedElements(AlongAxis op, const CombinePlan &plan) {
  SmallVector<Type> elements = plan.types;
  if (plan.isPadded)
    elements.push_back(IntegerType::get(op->getContext(), 1));
  return elements;
}

uint64_t fsm::bytesExchanged(AlongAxis op, const LinearLayout &layout) {
  CombinePlan plan = ::planCombine(op, layout);
  if (!plan.axisWarps)
    return 0;
  const BitSpace &block = plan.operand.to();
  // Memory has places for what a line lacks of its power of two.
  uint64_t places = plan.warpsAlongAxis() * (block.size() >> block.bitsOf(blockDim(plan.axis))), bytes = 0;
  for (Type element : exchangedElements(op, plan))
    bytes += places * bytesOf(element);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// How many bits of the warps along the axis a thread first fetches in its registers. What one
/// access brings, it combines faster than it asks another lane; the next go to lanes, as far as
/// these have no lines of their own.
static unsigned slotsInRegisters(AlongAxis op, const CombinePlan &plan) {
  unsigned slots = llvm::popcount(plan.axisWarps);
  if (op.isScan())
    return slots;
  if (op.knownKind() && !plan.combined)
    return 0;
  unsigned bytes = 1;
  for (Type element : plan.types)
    bytes = std::max<unsigned>(bytes, bytesOf(element));
  return std::min(slots, llvm::Log2_32(kVectorBytes / bytes));
}

WarpParts fsm::warpParts(AlongAxis op, const CombinePlan &plan) {
  const LinearLayout &operand = plan.operand;
  const BitSpace &from = operand.to();
  SmallVector<int64_t> shape(shapeOf(op->getOperand(0).getType()));
  shape[plan.axis] = plan.warpsAlongAxis();
  BitSpace block = BitSpace::block({shape.begin(), shape.end()});
  auto lineBases = [&](const std::vector<Dim> &holders) {
    std::vector<uint64_t> bases = operand.basesOf(holders);
    for (uint64_t &base : bases) {
      uint64_t position = 0;
      for (const Axis &axis : from.axes())
        if (axis.dim != blockDim(plan.axis))
          position |= block.place(axis.dim, from.get(base, axis.dim));
      base = position;
    }
    return bases;
  };
  std::vector<uint64_t> registers = lineBases({Dim::Register}), lanes = lineBases({Dim::Lane});
  std::vector<uint64_t> warps = lineBases({Dim::Warp, Dim::Cta}), slots;
  unsigned ctaBits = operand.from().bitsOf(Dim::Cta);
  auto layout = [&]() {
    std::vector<uint64_t> bases = registers;
    bases.insert(bases.end(), lanes.begin(), lanes.end());
    bases.insert(bases.end(), warps.begin(), warps.end());
    BitSpace threads =
        BitSpace::threads(registers.size(), lanes.size(), warps.size() - ctaBits, ctaBits);
    return LinearLayout(threads, block, bases).canonical();
  };
  const std::vector<uint64_t> lineWarps = warps;
  for (auto [bit, base] : llvm::enumerate(warps))
    if (plan.axisWarps >> bit & 1) {
      slots.push_back(block.place(blockDim(plan.axis), uint64_t(1) << slots.size()));
      base |= slots.back();
    }
  LinearLayout own = layout();
  warps = lineWarps;
  auto inLanes = slots.begin() + slotsInRegisters(op, plan), slot = inLanes;
  for (uint64_t &base : lanes)
    if (!base && slot != slots.end())
      base = *slot++;
  registers.insert(registers.begin(), slot, slots.end());
  registers.insert(registers.begin(), slots.begin(), inLanes);
  return {shape, own, layout()};
}
