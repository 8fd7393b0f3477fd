//===- ScratchSize.cpp - Shared memory that an op needs ------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Analysis/ScratchSize.h"

#include "fsm/Analysis/CombinePlan.h"
#include "fsm/Analysis/DotPlan.h"
#include "fsm/Machine/GpuTarget.h"

#include "fsm/Layout/NamedLayouts.h"

using namespace mlir;
using namespace fsm;

/// Scratch memory is read and written by vectors of up to so many bytes.
static constexpr uint64_t kScratchAlignment = 16;

static uint64_t aligned(uint64_t bytes) { return llvm::alignTo(bytes, kScratchAlignment); }

ConversionPlan fsm::planBetween(const LinearLayout &from, const LinearLayout &to, Type element) {
  // Without ctas there always is a way.
  return *planConversion(from, to, bytesOf(element));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Whether some bit moves along the axis and along another dimension, too.
static bool mixesAxis(const LinearLayout &layout, Dim axis) {
  uint64_t along = layout.to().maskOf(axis);
  return llvm::any_of(layout.bases(), [&](uint64_t base) { return base & along && base & ~along; });
}

/// The layout in which the operand is reduced.
static LinearLayout reducedLayout(const LinearLayout &source, Dim axis, ArrayRef<int64_t> shape) {
  if (!mixesAxis(source, axis))
    return source;
  unsigned warps = 1u << source.from().bitsOf(Dim::Warp);
  return rowMajorLayout({shape.begin(), shape.end()}, 1, {kWarpThreads, warps});
}

/// The bits of `dim`, of those that are no replicas, that move along the axis.
static uint64_t bitsAlong(const LinearLayout &layout, Dim dim, Dim axis) {
  uint64_t free = layout.freeBits(dim), bits = 0;
  for (auto [i, base] : llvm::enumerate(layout.basesOf(dim)))
    if (layout.to().get(base, axis) && !(free >> i & 1))
      bits |= uint64_t(1) << i;
  return bits;
}

ReducePlan fsm::planReduce(ReduceOp op) {
  RankedTensorType type = op.getSource().getType();
  Type element = type.getElementType();
  LinearLayout source = linearLayoutOf(type);
  Dim axis = blockDim(op.getAxis());
  ReducePlan plan(reducedLayout(source, axis, type.getShape()));
  plan.axisLanes = bitsAlong(plan.operand, Dim::Lane, axis);
  plan.axisWarps = bitsAlong(plan.operand, Dim::Warp, axis);
  plan.accumulator = element;
  if (isa<Float16Type, BFloat16Type>(element))
    plan.accumulator = Float32Type::get(op.getContext());
  if (isa<RankedTensorType>(op.getResult().getType()))
    plan.partial = slicedLayout(plan.operand, op.getAxis());
  if (plan.axisWarps) {
    uint64_t elements = plan.partial ? plan.partial->to().size() : 1;
    plan.bytes = aligned(elements * plan.warpsAlongAxis() * bytesOf(plan.accumulator));
  }
  return plan;
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

std::string fsm::layoutFault(Operation *op) {
  std::optional<size_t> warps;
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes()))) {
    auto block = dyn_cast<RankedTensorType>(type);
    if (!block)
      continue;
    LayoutAttr layout = layoutOf(block);
    if (!layout)
      return "expected blocks with '#fsm.layout'";
    if (!layout.getCtas().empty())
      return "expected layouts over one cta";
    if (!linearLayoutOf(block).isCanonical())
      return "expected layouts whose registers hold distinct elements";
    size_t own = layout.getWarps().size() / layout.getRank();
    if (warps && *warps != own)
      return "expected layouts over equally many warps";
    warps = own;
  }
  return "";
}

uint64_t fsm::scratchBytes(Operation *op) {
  if (isCombine(op))
    return layoutFault(op).empty() ? planCombine(op).bytes : 0;
  if (!isa<DotOp, ReduceOp>(op) || !layoutFault(op).empty())
    return 0;
  auto dot = dyn_cast<DotOp>(op);
  return dot ? planDot(dot).bytes : planReduce(cast<ReduceOp>(op)).bytes;
}

uint64_t fsm::ringSlotBytes(RankedTensorType block) {
  LinearLayout layout = linearLayoutOf(block);
  unsigned threads = layout.from().bitsOf(Dim::Lane) + layout.from().bitsOf(Dim::Warp);
  uint64_t places = static_cast<uint64_t>(layout.liveRegisters().size()) << threads;
  return aligned(places * bytesOf(block.getElementType()));
}

uint64_t fsm::bulkSlotBytes(RankedTensorType block) {
  return aligned(static_cast<uint64_t>(block.getNumElements()) * bytesOf(block.getElementType()));
}

bool fsm::isBulkRing(Value ring) {
  auto made = ring.getDefiningOp<RingOp>();
  return made && made.getBulk();
}

uint64_t fsm::ringBytes(Operation *op) {
  auto ring = dyn_cast<RingOp>(op);
  if (!ring)
    return 0;
  RankedTensorType block = ring.getType().getBlock();
  uint64_t slots = ring.getType().getSlots();
  return ring.getBulk() ? slots * bulkSlotBytes(block) + aligned(slots * kMBarrierBytes)
                        : slots * ringSlotBytes(block);
}
