//===- LoadCandidates.cpp - What loads need that run ahead ---------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadCandidates.h"

#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/ProductTiles.h"
#include "fsm/Analysis/ProductsInFlight.h"

#include <map>

using namespace mlir;
using namespace fsm;

bool LoadCandidates::hasWork() const { return llvm::any_of(loads, isEarly); }

unsigned LoadCandidates::levels() const {
  unsigned most = 0;
  for (const EarlyLoad &early : loads)
    if (isEarly(early))
      most = std::max(most, early.level + 1);
  return most;
}

/// Loads of one level begin together; the levels share the distance between the first stage
/// and the last. What is in registers is there for one iteration.
unsigned LoadCandidates::stageOf(const EarlyLoad &early, unsigned stages) const {
  unsigned last = stages - 1;
  if (early.buffer == LoadBuffer::Registers && !early.isAwaited)
    return last - 1;
  return early.level * last / levels();
}

/// Whether a load of a stage is copied to where a product reads what else is stored in this memory.
bool LoadCandidates::isTile(Value shared, unsigned stage, unsigned stages) const {
  return llvm::any_of(loads, [&](const EarlyLoad &early) {
    return isReadInPlace(early.buffer) && stageOf(early, stages) == stage &&
           llvm::any_of(productTileOf(early.load)->uses,
                        [&](FactorUse &use) { return use.store.getShared() == shared; });
  });
}

/// Whether a product may go on while the next iteration begins: groups of warps make it of tiles, and
/// nothing but the next one uses its sums in the loop.
bool LoadCandidates::goesOn(SharedDotOp product, unsigned stage, unsigned stages) const {
  auto sums = dyn_cast<BlockArgument>(product.getAcc());
  return canStayInFlight(product) && sums && sums.getOwner() == loop.getBody() &&
         sums != loop.getInductionVar() && sums.hasOneUse() && product->hasOneUse() &&
         loop.getTiedLoopYieldedValue(sums)->get() == product.getResult() &&
         isTile(product.getLeft(), stage, stages) && isTile(product.getRight(), stage, stages);
}

/// Whether a product may go on until another one of the next iteration has ended, beside which it is.
bool LoadCandidates::goesOnBesideOthers(SharedDotOp product, unsigned stage, unsigned stages) const {
  auto isThere = [&](Value factor) {
    return isa<RankedTensorType>(factor.getType()) || isTile(factor, stage, stages);
  };
  return isBesideOthersAllowed && canStayInFlight(product) && isThere(product.getLeft()) &&
         isTile(product.getRight(), stage, stages) && awaitedBefore(product);
}

llvm::SmallVector<SharedDotOp, 2> LoadCandidates::inFlight(unsigned stage, unsigned stages) const {
  llvm::SmallVector<SharedDotOp, 2> products;
  if (!isInFlightAllowed)
    return products;
  for (SharedDotOp product : loop.getBody()->getOps<SharedDotOp>())
    if (goesOn(product, stage, stages) || goesOnBesideOthers(product, stage, stages))
      products.push_back(product);
  return products;
}

bool LoadCandidates::meetBehindProduct(unsigned stages) const {
  llvm::SmallVector<SharedDotOp, 2> all;
  for (unsigned stage = 0; stage + 1 < stages; ++stage)
    all.append(inFlight(stage, stages));
  return !hasTensors() && meetsBehindProduct(loop, all);
}

/// Products read a tile while the next copies are on their way to another one: it has a slot more,
/// and another where products go on while the next iteration begins, unless copies wait for the one
/// before. What threads take they have taken in front of the next copies.
unsigned LoadCandidates::slotsOf(const EarlyLoad &early, unsigned stages) const {
  unsigned stage = stageOf(early, stages), ahead = stages - 1 - stage;
  if (!isReadInPlace(early.buffer))
    return ahead;
  return ahead + 1 + (!inFlight(stage, stages).empty() && !meetBehindProduct(stages));
}

uint64_t LoadCandidates::ringBytes(unsigned stages) const {
  uint64_t bytes = 0;
  for (const EarlyLoad &early : loads)
    if (isInRing(early))
      bytes = llvm::alignTo(bytes, early.slotAlignment) + slotsOf(early, stages) * early.slotBytes;
  return bytes;
}

void LoadCandidates::giveUp(LoadReason::Kind reason, bool (*isMeant)(const EarlyLoad &)) {
  for (EarlyLoad &early : loads)
    if (isEarly(early) && isMeant(early)) {
      early.buffer = LoadBuffer::None;
      early.reason = {reason};
    }
}

uint64_t LoadCandidates::words() const {
  uint64_t words = 0;
  for (const EarlyLoad &early : loads)
    words += isEarly(early) ? early.words : 0;
  return words;
}

void LoadCandidates::giveUpNarrow() {
  for (EarlyLoad &early : loads)
    if (early.reason.kind == LoadReason::NarrowAccesses && !early.isAwaited)
      early.buffer = LoadBuffer::None;
}

uint64_t LoadCandidates::registersHeld(unsigned stages) const {
  uint64_t words = 0;
  for (const EarlyLoad &early : loads)
    if (early.buffer == LoadBuffer::Registers && early.isAwaited)
      words += early.words * (stages - 1 - stageOf(early, stages));
    else if (isEarly(early) && !(isLate && isInRing(early)))
      words += early.words;
  return words;
}

/// Each thread takes what it has copied itself, behind its own wait: nobody else's copies need a
/// barrier behind that. A product in flight begins in front of all copies.
bool LoadCandidates::takeLate(bool late) {
  auto isOfHardware = [](const EarlyLoad &early) {
    return early.buffer == LoadBuffer::Bulk || early.buffer == LoadBuffer::Tensor;
  };
  isLate = late && llvm::any_of(loads, isInRing) && llvm::none_of(loads, isOfHardware) &&
           inFlight(/*stage=*/0, /*stages=*/2).empty();
  return isLate;
}

bool LoadCandidates::isAwaited(const EarlyLoad &early) const {
  return llvm::any_of(loads, [&](const EarlyLoad &other) {
    return isEarly(other) &&
           llvm::is_contained(sliceOf(loop, other.load->getOperands()).loads, early.load);
  });
}

void LoadCandidates::giveUpLast() {
  auto last = llvm::find_if(llvm::reverse(loads), [](const EarlyLoad &early) {
    return isEarly(early) && early.words > 0;
  });
  if (last == loads.rend() || isAwaited(*last))
    last = llvm::find_if(llvm::reverse(loads), [&](const EarlyLoad &early) {
      return isEarly(early) && !isAwaited(early);
    });
  last->buffer = LoadBuffer::None;
  last->reason = {LoadReason::NoRegisters};
}

/// An early op stands once in the loop and once for each iteration that its stage begins in
/// front of it.
uint64_t LoadCandidates::moreOps(unsigned stages) const {
  // A load becomes some ops, and each stage counts its slots and iterations.
  constexpr uint64_t opsOfLoad = 8, opsOfStage = 24;
  std::map<unsigned, llvm::DenseSet<Operation *>> slices;
  std::map<unsigned, uint64_t> count;
  for (const EarlyLoad &early : loads) {
    if (!isEarly(early))
      continue;
    unsigned stage = stageOf(early, stages);
    count[stage] += opsOfLoad;
    Slice address = sliceOf(loop, early.load->getOperands());
    slices[stage].insert(address.ops.begin(), address.ops.end());
    slices[stage].insert(address.loads.begin(), address.loads.end());
  }
  uint64_t ops = 0;
  for (auto &[stage, inLoop] : count)
    ops += (opsOfStage + inLoop + slices[stage].size()) * (stages - stage);
  return ops;
}

LoadPlan LoadCandidates::planOf(unsigned stages) const {
  LoadPlan plan{loop, stages, {}, {}, isLate};
  for (const EarlyLoad &early : loads)
    plan.loads.push_back(
        {early.load, early.buffer, isEarly(early) ? stageOf(early, stages) : stages - 1});
  for (unsigned stage = 0; stage + 1 < stages; ++stage)
    plan.inFlight.append(inFlight(stage, stages));
  return plan;
}

bool LoadCandidates::hasTensors() const {
  return llvm::any_of(loads, [](const EarlyLoad &early) {
    return early.buffer == LoadBuffer::Tensor;
  });
}

bool LoadCandidates::areTiles() const {
  return llvm::all_of(loads, [](const EarlyLoad &early) {
    return isReadInPlace(early.buffer) || !isInRing(early);
  });
}

void LoadCandidates::addReplaced(llvm::DenseSet<Operation *> &allocs) const {
  for (const EarlyLoad &early : loads) {
    if (!isReadInPlace(early.buffer))
      continue;
    // A loop over a member of a temporary would not keep it.
    const auto tile = productTileOf(early.load);
    for (FactorUse use : tile->uses)
      allocs.insert(use.store.getShared().getDefiningOp());
  }
}
