//===- AccessLayouts.cpp - The layouts that memory accesses want ---------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessLayouts.h"

#include "LayoutPlan.h"

#include "fsm/Analysis/AffineOffsets.h"
#include "fsm/Analysis/Atomics.h"
#include "fsm/Analysis/CombinePlan.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Analysis/TensorTile.h"
#include "fsm/Layout/AccessWidth.h"
#include "fsm/Layout/TensorTiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <tuple>

using namespace mlir;
using namespace fsm;

static constexpr unsigned kLineBytes = 128, kShiftedBytes = 2, kSectorBytes = 32;

RankedTensorType fsm::accessedBlock(Operation *op) {
  auto access = dyn_cast<GlobalAccess>(op);
  return access ? dyn_cast<RankedTensorType>(access.getAccessedType()) : RankedTensorType();
}

AccessLayouts::AccessLayouts(KernelOp kernel, ThreadCounts threads, const AccessTarget &target)
    : threads(threads) {
  AxisInfoAnalysis axes(kernel);
  AffineOffsets guesses(Wrapping::Ignored);
  kernel.walk([&](Operation *op) {
    if (RankedTensorType block = accessedBlock(op)) {
      accesses[op] = describe(op, axes, guesses, target);
      firstOf.try_emplace(extentsOf(block), op);
    }
  });
  chooseVectors();
  if (threads.ctas > 1)
    shareLines(kernel, target.room);
}

/// The dimension along which addresses are consecutive for longest, whatever the mask; of equals
/// that whose step is known to be a multiple of less: rows of a tensor are multiples of what is in
/// them. And of equals the last: row-major when nothing tells.
static unsigned fastestDim(const AccessAxis &axis, ArrayRef<int64_t> stretches,
                           ArrayRef<int64_t> divisors) {
  auto better = [&](unsigned a, unsigned b) {
    int64_t ofA = divisors.empty() ? 0 : -divisors[a], ofB = divisors.empty() ? 0 : -divisors[b];
    return std::tuple(stretches[a], axis.contiguity[a], ofA) >=
           std::tuple(stretches[b], axis.contiguity[b], ofB);
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

/// A product of matrices among what a block is computed from, element by element; null if there is none.
static DotOp productBehind(Value block) {
  SmallVector<Value> waiting = {block};
  llvm::DenseSet<Value> seen;
  while (!waiting.empty()) {
    Value value = waiting.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(value).second)
      continue;
    if (auto dot = dyn_cast<DotOp>(op))
      return dot;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      waiting.push_back(loop.getYieldedValues()[cast<OpResult>(value).getResultNumber()]);
    else if (isElementwise(op))
      llvm::append_range(waiting, op->getOperands());
  }
  return {};
}

/// Whether the hardware stores a block of a program on one CTA, as far as its offsets and mask say.
static bool isPartOfTensor(GlobalAccess access) {
  auto store = dyn_cast<StoreOp>(access.getOperation());
  TileFault why = nullptr;
  if (!store || store.getIsVolatile())
    return false;
  std::optional<TensorTile> tile = tensorTileOf(access, why);
  return tile && tile->hasWholeEnds;
}

AccessLayouts::Access AccessLayouts::describe(Operation *op, AxisInfoAnalysis &axes,
                                              AffineOffsets &guesses,
                                              const AccessTarget &target) const {
  Access access;
  access.type = accessedBlock(op);
  access.axis = axes.accessOf(op);
  access.bytes = bytesOf(access.type.getElementType());
  SmallVector<int64_t> stretches = stretchesOf(cast<GlobalAccess>(op).getOffsets(), axes, guesses);
  access.fastest =
      fastestDim(access.axis, stretches, axes.stepsOf(cast<GlobalAccess>(op).getOffsets()));
  access.isConsecutive = stretches[access.fastest] > 1;
  auto global = cast<GlobalAccess>(op);
  DotOp product = global.onlyWrites() ? productBehind(global.getValue()) : DotOp();
  const MmaInstruction *mma = product ? plannedMma(product) : nullptr;
  access.isOfProduct = product != nullptr;
  access.isForHardware = target.storesTensors && mma && mma->isOfWarpGroup() && threads.ctas == 1 &&
                         isPartOfTensor(global);
  unsigned bytes = kVectorBytes;
  if (auto atomic = dyn_cast<AtomicAccess>(op))
    bytes = bytesChangedAtOnce(atomic, target.addsVectors);
  // A vector never reaches beyond the block: it divides the extent.
  int64_t extent = access.type.getDimSize(access.fastest);
  // Words have two of such elements, whatever the author says of others.
  if (op->hasAttr(kAnyStartAttr) && access.bytes == kShiftedBytes)
    access.axis.alignment[access.fastest] = kVectorBytes;
  access.widest =
      std::min({access.axis.contiguity[access.fastest],
                std::max<int64_t>(access.axis.alignment[access.fastest] / access.bytes, 1),
                extent & -extent, static_cast<int64_t>(bytes / access.bytes)});
  access.widest = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(access.widest)));
  auto load = dyn_cast<LoadOp>(op);
  if (load && isForLinesAcross(load, access.fastest,
                               [&](DotOp dot) { return productLayout(dot, threads); })) {
    access.isForLinesAcross = true;
    access.widest = 1;
  }
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
    bool haveSay = llvm::any_of(members, [](Operation *op) { return !op->hasAttr(kFollowsAttr); });
    for (uint64_t vector = 1; vector <= std::clamp<uint64_t>(share, 1, widest); vector *= 2) {
      LinearLayout layout = layoutFor(any, static_cast<unsigned>(vector));
      uint64_t sum = 0;
      for (Operation *op : members)
        if (!haveSay || !op->hasAttr(kFollowsAttr))
          sum += issueCost(op, layout);
      if (sum > best)
        continue;
      best = sum;
      vectors[family] = static_cast<unsigned>(vector);
    }
  }
}

/// Ctas share the lines of blocks of which columns are combined, where that needs more than a cta's room and less than it if they do.
void AccessLayouts::shareLines(KernelOp kernel, uint64_t room) {
  kernel.walk([&](AlongAxis op) {
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    auto hasRoom = [&]() -> bool { return bytesExchanged(op, defaultLayout(type)) <= room; };
    if (hasRoom())
      return;
    sharedLines.insert(extentsOf(type));
    if (!hasRoom())
      sharedLines.erase(extentsOf(type));
  });
  if (!sharedLines.empty())
    chooseVectors();
}

LinearLayout AccessLayouts::ordered(const Extents &extents, unsigned fastest, unsigned vector) const {
  return orderedLayout(extents, orderFrom(fastest, extents.size()), vector, threads, sharedLines.count(extents));
}

LinearLayout AccessLayouts::layoutFor(const Access &access, unsigned vector) const {
  Extents extents = extentsOf(access.type);
  unsigned fastest = access.fastest;
  uint64_t line = extents[fastest], whole = line & -line;
  if (!access.isOfProduct || extents.size() != 2 || threads.ctas > 1 || line == whole || whole * access.bytes < kLineBytes / 2)
    return ordered(extents, fastest, vector);
  // A line of a product's result that is no power of two is shared by as many lanes as divide it, if they have half of one
  // of memory's, so that none is behind its end; other lanes have other lines.
  auto lanes = static_cast<unsigned>(std::min<uint64_t>(threads.lanes, whole / vector));
  BlockedShape shape;
  shape.order = {fastest, 1 - fastest};
  shape.sizePerThread = shape.lanesPerWarp = shape.warpsPerCta = {1, 1};
  shape.sizePerThread[fastest] = vector;
  shape.lanesPerWarp[fastest] = lanes;
  shape.lanesPerWarp[1 - fastest] = threads.lanes / lanes;
  shape.warpsPerCta[1 - fastest] = threads.warps;
  return blockedLayout(extents, shape);
}

LinearLayout AccessLayouts::wanted(Operation *op) const {
  const Access &access = accesses.find(op)->second;
  return layoutFor(access, vectors.at(familyOf(access)));
}

std::optional<LinearLayout> AccessLayouts::tileOf(Operation *op) const {
  const Access &access = accesses.find(op)->second;
  Extents extents = extentsOf(access.type);
  unsigned swizzle = widestSwizzle(extents[access.fastest] * access.bytes);
  if (!access.isForHardware || !swizzle)
    return std::nullopt;
  return tensorTileLayout(extents, access.bytes, access.fastest, swizzle);
}

LinearLayout AccessLayouts::defaultLayout(RankedTensorType type) const {
  Extents extents = extentsOf(type);
  auto found = firstOf.find(extents);
  if (found != firstOf.end())
    return wanted(found->second);
  return extents.empty() ? rowMajorLayout(extents, 1, threads) : ordered(extents, extents.size() - 1, 1);
}

unsigned AccessLayouts::width(Operation *op, const LinearLayout &layout) const {
  const Access &access = accesses.find(op)->second;
  if (access.widest == 1)
    return 1;
  AccessFacts facts;
  facts.dim = access.fastest;
  facts.contiguity = static_cast<uint64_t>(access.widest);
  facts.alignmentBytes = static_cast<uint64_t>(access.widest) * access.bytes;
  return widestAccess(layout, facts, access.bytes, kVectorBytes).vector;
}

LinearLayout AccessLayouts::widened(Operation *op, const LinearLayout &layout) const {
  const Access &access = accesses.find(op)->second;
  const BitSpace &block = layout.to();
  Dim fast = blockDim(access.fastest);
  std::vector<uint64_t> registers = layout.basesOf(Dim::Register), lanes = layout.basesOf(Dim::Lane);
  auto find = [](std::vector<uint64_t> &bases, uint64_t base) {
    return std::find(bases.begin(), bases.end(), base);
  };
  size_t wide = 0;
  for (uint64_t step = 1; step < static_cast<uint64_t>(access.widest); step *= 2, ++wide) {
    uint64_t wanted = block.place(fast, step);
    if (auto own = find(registers, wanted); own != registers.end()) {
      std::rotate(registers.begin() + wide, own, own + 1);
      continue;
    }
    auto lane = find(lanes, wanted);
    if (lane == lanes.end() || wide == registers.size())
      break;
    // In exchange what is nearest along the same dimension, so that neighbours touch one line.
    auto least = [&](uint64_t base) {
      uint64_t along = block.get(base, fast);
      bool isAlong = along && base == block.place(fast, along);
      bool isNeeded = isAlong && along < static_cast<uint64_t>(access.widest);
      return std::tuple(isNeeded, !isAlong, along, base);
    };
    auto given = std::min_element(registers.begin() + wide, registers.end(),
                                  [&](uint64_t a, uint64_t b) { return least(a) < least(b); });
    if (std::get<0>(least(*given)))
      break;
    std::swap(*lane, *given);
    std::rotate(registers.begin() + wide, given, given + 1);
  }
  std::vector<uint64_t> bases = std::move(registers);
  bases.insert(bases.end(), lanes.begin(), lanes.end());
  for (uint64_t base : layout.basesOf({Dim::Warp, Dim::Cta}))
    bases.push_back(base);
  LinearLayout result(layout.from(), block, std::move(bases));
  return result.isCanonical() ? result : layout;
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

LinearLayout AccessLayouts::dealt(Operation *op, const LinearLayout &layout) const {
  std::vector<uint64_t> registers = layout.basesOf(Dim::Register),
                        lanes = layout.basesOf(Dim::Lane);
  size_t kept = llvm::Log2_32(width(op, layout));
  for (uint64_t &lane : lanes) {
    if (lane || registers.size() == kept)
      continue;
    lane = registers.back();
    registers.pop_back();
  }
  std::vector<uint64_t> bases = registers;
  bases.insert(bases.end(), lanes.begin(), lanes.end());
  for (uint64_t base : layout.basesOf({Dim::Warp, Dim::Cta}))
    bases.push_back(base);
  BitSpace holders = BitSpace::threads(
      static_cast<unsigned>(registers.size()), static_cast<unsigned>(lanes.size()),
      layout.from().bitsOf(Dim::Warp), layout.from().bitsOf(Dim::Cta));
  LinearLayout result(holders, layout.to(), std::move(bases));
  return result.isCanonical() ? result : layout;
}

uint64_t AccessLayouts::instructions(Operation *op, const LinearLayout &layout) const {
  return llvm::divideCeil(layout.liveRegisters().size(), width(op, layout)) * threads.warps;
}

/// The sectors of 32 bytes that one instruction of a warp touches beyond those that its bytes would
/// fill, where neighbours have neighbouring addresses: elsewhere no layout fills any. Stores of
/// what products made are where they were measured to be best.
uint64_t AccessLayouts::partSectors(const Access &access, const LinearLayout &layout,
                                    unsigned width) const {
  if (!access.isConsecutive || access.isOfProduct)
    return 0;
  const BitSpace &block = layout.to();
  Dim fast = blockDim(access.fastest);
  uint64_t elementsPerSector = kSectorBytes / access.bytes;
  llvm::SmallDenseSet<uint64_t, 32> touched, elements;
  for (uint64_t lane = 0; lane < threads.lanes; ++lane) {
    uint64_t element = layout.apply(0, lane, 0);
    uint64_t along = block.get(element, fast);
    elements.insert(element);
    touched.insert(element ^ block.place(fast, along) ^
                   block.place(fast, along / elementsPerSector * elementsPerSector));
  }
  uint64_t filled = llvm::divideCeil(elements.size() * width * access.bytes, kSectorBytes);
  return touched.size() - std::min<uint64_t>(touched.size(), filled);
}

uint64_t AccessLayouts::issueCost(Operation *op, const LinearLayout &layout) const {
  return instructions(op, layout) * (1 + lines(accesses.find(op)->second, layout));
}

uint64_t AccessLayouts::cost(Operation *op, const LinearLayout &layout) const {
  const Access &access = accesses.find(op)->second;
  return issueCost(op, layout) +
         instructions(op, layout) * partSectors(access, layout, width(op, layout));
}
