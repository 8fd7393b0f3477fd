//===- AccessLayouts.cpp - The layouts that memory accesses want ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessLayouts.h"

#include "fsm/Layout/AccessWidth.h"

using namespace mlir;
using namespace fsm;

static constexpr unsigned kMaxAccessBytes = 16, kLineBytes = 128;

RankedTensorType fsm::accessedBlock(Operation *access) {
  if (auto load = dyn_cast<LoadOp>(access))
    return dyn_cast<RankedTensorType>(load.getType());
  if (auto store = dyn_cast<StoreOp>(access))
    return dyn_cast<RankedTensorType>(store.getValue().getType());
  return {};
}

/// Bytes an element takes in memory; an i1 takes one.
static unsigned bytesOf(Type element) {
  return std::max(8u, element.getIntOrFloatBitWidth()) / 8;
}

static int64_t powerOfTwoIn(int64_t extent) { return extent & -extent; }

AccessLayouts::AccessLayouts(KernelOp kernel, ThreadCounts threads) : threads(threads) {
  AxisInfoAnalysis axes(kernel);
  kernel.walk([&](Operation *op) {
    if (isa<LoadOp, StoreOp>(op) && accessedBlock(op))
      accesses[op] = describe(op, axes);
  });
  chooseVectors();
}

AccessLayouts::Access AccessLayouts::describe(Operation *op, AxisInfoAnalysis &axes) const {
  Access access;
  access.type = accessedBlock(op);
  access.axis = axes.accessOf(op);
  access.bytes = bytesOf(access.type.getElementType());
  // The last of the best: row-major when nothing tells.
  for (unsigned dim = 0; dim < access.type.getRank(); ++dim)
    if (access.axis.contiguity[dim] >= access.axis.contiguity[access.fastest])
      access.fastest = dim;
  // A vector never reaches beyond the block.
  access.widest = std::min({access.axis.contiguity[access.fastest],
                            std::max<int64_t>(access.axis.alignment[access.fastest] / access.bytes, 1),
                            powerOfTwoIn(access.type.getDimSize(access.fastest)),
                            static_cast<int64_t>(kMaxAccessBytes / access.bytes)});
  access.widest = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(access.widest)));
  return access;
}

/// For each family of accesses the vector with the smallest cost; of equals the widest.
void AccessLayouts::chooseVectors() {
  std::map<Family, int64_t> most;
  for (auto &[op, access] : accesses)
    most[familyOf(access)] = std::max(most[familyOf(access)], access.widest);
  for (auto &[family, widest] : most) {
    uint64_t elements = 1;
    for (uint64_t extent : family.first)
      elements *= extent;
    // More than this and some threads have nothing but replicas.
    uint64_t share = elements / (threads.lanes * threads.warps);
    uint64_t best = UINT64_MAX;
    for (uint64_t vector = 1; vector <= static_cast<uint64_t>(widest); vector *= 2) {
      if (vector > 1 && vector > share)
        break;
      uint64_t sum = 0;
      for (auto &[op, access] : accesses)
        if (familyOf(access) == family)
          sum += cost(op, layoutFor(access.type, access.fastest, vector));
      if (sum <= best) {
        best = sum;
        vectors[family] = static_cast<unsigned>(vector);
      }
    }
  }
}

LinearLayout AccessLayouts::layoutFor(RankedTensorType type, unsigned fastest,
                                      unsigned vector) const {
  std::vector<unsigned> order = {fastest};
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim)
    if (dim != fastest)
      order.push_back(static_cast<unsigned>(dim));
  return orderedLayout(extentsOf(type), order, vector, threads);
}

LinearLayout AccessLayouts::wanted(Operation *op) const {
  const Access &access = accesses.find(op)->second;
  return layoutFor(access.type, access.fastest, vectors.at(familyOf(access)));
}

LinearLayout AccessLayouts::otherwise(RankedTensorType type) const {
  for (const auto &[op, access] : accesses)
    if (access.type.getShape() == type.getShape())
      return wanted(op);
  return rowMajorLayout(extentsOf(type), 1, threads);
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

uint64_t AccessLayouts::cost(Operation *op, const LinearLayout &layout) const {
  const Access &access = accesses.find(op)->second;
  unsigned vector = width(op, layout);
  uint64_t instructions = layout.liveRegisters().size() / vector * threads.warps;
  // The lines between the first and the last lane: lanes step by what a thread has side by
  // side, or far apart where the layout does not follow the addresses.
  std::vector<uint64_t> lanes = layout.basesOf(Dim::Lane);
  uint64_t step = 0;
  if (!lanes.empty())
    step = layout.to().get(lanes.front(), blockDim(access.fastest));
  bool isScattered = step == 0 || access.axis.contiguity[access.fastest] == 1;
  uint64_t lines = isScattered ? threads.lanes
                               : std::max<uint64_t>(threads.lanes * step * access.bytes / kLineBytes, 1);
  return instructions * (1 + std::min<uint64_t>(lines, threads.lanes));
}
