//===- AccessLayouts.cpp - The layouts that memory accesses want ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessLayouts.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Layout/AccessWidth.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace fsm;

static constexpr unsigned kMaxAccessBytes = 16, kLineBytes = 128;

RankedTensorType fsm::accessedBlock(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  return access ? dyn_cast<RankedTensorType>(access.getAccessedType()) : RankedTensorType();
}

AccessLayouts::AccessLayouts(KernelOp kernel, ThreadCounts threads) : threads(threads) {
  AxisInfoAnalysis axes(kernel);
  AffineOffsets guesses(Wrapping::Ignored);
  kernel.walk([&](Operation *op) {
    if (RankedTensorType block = accessedBlock(op)) {
      accesses[op] = describe(op, axes, guesses);
      firstOf.try_emplace(extentsOf(block), op);
    }
  });
  chooseVectors();
}

/// The dimension along which addresses are consecutive for longest, whatever the mask; of
/// equals the last: row-major when nothing tells.
static unsigned fastestDim(const AccessAxis &axis, ArrayRef<int64_t> stretches) {
  auto better = [&](unsigned a, unsigned b) {
    return std::pair(stretches[a], axis.contiguity[a]) >=
           std::pair(stretches[b], axis.contiguity[b]);
  };
  unsigned fastest = 0;
  for (unsigned dim = 1; dim < stretches.size(); ++dim)
    if (better(dim, fastest))
      fastest = dim;
  return fastest;
}

/// How many neighbours have consecutive addresses along each dimension; where
/// that is not certain, as far as it seems.
static SmallVector<int64_t> stretchesOf(Value offsets, AxisInfoAnalysis &axes,
                                        AffineOffsets &guesses) {
  auto stretches = llvm::map_to_vector(axes.of(offsets).dims,
                                       [](const AxisGroups &axis) { return axis.contiguity; });
  const AffineForm::Steps &steps = guesses.of(offsets).steps;
  for (auto [dim, stretch] : llvm::enumerate(stretches))
    if (steps[dim] == 1)
      stretch = std::max(stretch, shapeOf(offsets.getType())[dim]);
  return stretches;
}

AccessLayouts::Access AccessLayouts::describe(Operation *op, AxisInfoAnalysis &axes,
                                              AffineOffsets &guesses) const {
  Access access;
  access.type = accessedBlock(op);
  access.axis = axes.accessOf(op);
  access.bytes = bytesOf(access.type.getElementType());
  SmallVector<int64_t> stretches = stretchesOf(cast<GlobalAccess>(op).getOffsets(), axes, guesses);
  access.fastest = fastestDim(access.axis, stretches);
  access.isConsecutive = stretches[access.fastest] > 1;
  // One update is of one element.
  if (isa<AtomicAccess>(op))
    return access;
  // A vector never reaches beyond the block: it divides the extent.
  int64_t extent = access.type.getDimSize(access.fastest);
  access.widest =
      std::min({access.axis.contiguity[access.fastest],
                std::max<int64_t>(access.axis.alignment[access.fastest] / access.bytes, 1),
                extent & -extent, static_cast<int64_t>(kMaxAccessBytes / access.bytes)});
  access.widest = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(access.widest)));
  return access;
}

/// For each family of accesses the vector with the smallest cost; of equals the widest.
void AccessLayouts::chooseVectors() {
  std::map<Family, SmallVector<Operation *>> families;
  for (auto &[op, access] : accesses)
    families[familyOf(access)].push_back(op);
  for (auto &[family, members] : families) {
    const Access &any = accesses.find(members.front())->second;
    uint64_t widest = 1, best = UINT64_MAX;
    for (Operation *op : members)
      widest = std::max<uint64_t>(widest, accesses.find(op)->second.widest);
    // More than this and some threads have nothing but replicas.
    uint64_t share = any.type.getNumElements() / (threads.lanes * threads.warps * threads.ctas);
    for (uint64_t vector = 1; vector <= std::clamp<uint64_t>(share, 1, widest); vector *= 2) {
      LinearLayout layout = layoutFor(any.type, any.fastest, static_cast<unsigned>(vector));
      uint64_t sum = 0;
      for (Operation *op : members)
        sum += cost(op, layout);
      if (sum > best)
        continue;
      best = sum;
      vectors[family] = static_cast<unsigned>(vector);
    }
  }
}

LinearLayout AccessLayouts::layoutFor(RankedTensorType type, unsigned fastest,
                                      unsigned vector) const {
  return orderedLayout(extentsOf(type), orderFrom(fastest, type.getRank()), vector, threads);
}

LinearLayout AccessLayouts::wanted(Operation *op) const {
  const Access &access = accesses.find(op)->second;
  return layoutFor(access.type, access.fastest, vectors.at(familyOf(access)));
}

LinearLayout AccessLayouts::defaultLayout(RankedTensorType type) const {
  auto found = firstOf.find(extentsOf(type));
  return found == firstOf.end() ? rowMajorLayout(extentsOf(type), 1, threads)
                                : wanted(found->second);
}

unsigned AccessLayouts::width(Operation *op, const LinearLayout &layout) const {
  const Access &access = accesses.find(op)->second;
  if (access.widest == 1)
    return 1;
  AccessFacts facts;
  facts.dim = access.fastest;
  facts.contiguity = static_cast<uint64_t>(access.widest);
  facts.alignmentBytes = static_cast<uint64_t>(access.widest) * access.bytes;
  return widestAccess(layout, facts, access.bytes, kMaxAccessBytes).vector;
}

/// The lines of 128 bytes that one instruction of a warp touches.
uint64_t AccessLayouts::lines(const Access &access, const LinearLayout &layout) const {
  const BitSpace &block = layout.to();
  Dim fast = blockDim(access.fastest);
  uint64_t elementsPerLine = access.isConsecutive ? kLineBytes / access.bytes : 1;
  llvm::SmallDenseSet<uint64_t, 32> touched;
  for (uint64_t lane = 0; lane < threads.lanes; ++lane) {
    uint64_t element = layout.apply(0, lane, 0);
    uint64_t along = block.get(element, fast);
    touched.insert(element ^ block.place(fast, along) ^
                   block.place(fast, along / elementsPerLine * elementsPerLine));
  }
  return touched.size();
}

uint64_t AccessLayouts::cost(Operation *op, const LinearLayout &layout) const {
  const Access &access = accesses.find(op)->second;
  uint64_t instructions = llvm::divideCeil(layout.liveRegisters().size(), width(op, layout));
  return instructions * threads.warps * (1 + lines(access, layout));
}
