//===- WalkingLoops.cpp - Loops whose loads run ahead unasked -------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WalkingLoops.h"

#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MemoryOrder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace fsm;

/// Three rows on their way took 14 to 24 % less time than one
/// (docs/decisions/0238-loops-that-walk.md).
static constexpr unsigned kStagesOfWalks = 4;
/// What addresses, and blocks that are taken from their slots together, need beside those that a
/// thread holds: with 55 registers a loop over tiles lost 15 %, with 143 and more none did.
static constexpr uint64_t kRegistersBesideStages = 96;
/// With so few bytes on their way to a multiprocessor the memory is not busy, see kBytesOnTheirWay;
/// of one-warp CTAs with 23 KB a loop lost 7 %, of CTAs with 6 KB loops gained 20 to 30.
static constexpr uint64_t kBytesWaitedFor = 16 * 1024;

static RankedTensorType blockOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

/// Whether an op is one of those that iterations may begin early around.
static bool isPlain(Operation &op) {
  if (isa<GlobalAccess>(op))
    return isPlainAccess(&op);
  return !isa<BarrierOp, DotOp, SharedDotOp>(op) && (op.getNumRegions() == 0 || isa<AlongAxis>(op));
}

static Value withoutOffsets(Value pointer) {
  while (auto moved = pointer.getDefiningOp<OffsetOp>())
    pointer = moved.getPointer();
  return pointer;
}

/// The argument of a kernel that a pointer was moved from, also from iteration to iteration; null
/// for others.
static BlockArgument rootOf(Value pointer) {
  auto argument = dyn_cast<BlockArgument>(withoutOffsets(pointer));
  Operation *owner = argument ? argument.getOwner()->getParentOp() : nullptr;
  if (isa_and_present<KernelOp>(owner))
    return argument;
  auto loop = dyn_cast_if_present<scf::ForOp>(owner);
  if (!loop || withoutOffsets(loop.getTiedLoopYieldedValue(argument)->get()) != argument)
    return {};
  return rootOf(loop.getTiedLoopInit(argument)->get());
}

/// Whether a later iteration's load may pass a store: through another argument that leads to other
/// memory, or of which the kernel says that nothing orders them.
static bool mayPass(StoreOp store, LoadOp load) {
  bool isUnordered = store->getParentOfType<KernelOp>()->hasAttr(kUnorderedArgumentsAttr);
  BlockArgument stored = rootOf(store.getPointer()), loaded = rootOf(load.getPointer());
  bool areTwo = stored && loaded && stored != loaded;
  return !mayAlias(store, load) || (isUnordered && areTwo);
}

bool fsm::mayWalk(scf::ForOp loop) {
  if (loop->hasAttr(kNumStagesAttr) || loop->hasAttr(kPeeledAttr) || sharesWork(loop) ||
      !llvm::all_of(loop.getBody()->without_terminator(), isPlain))
    return false;
  auto stores = loop.getBody()->getOps<StoreOp>();
  auto loads = loop.getBody()->getOps<LoadOp>();
  bool storesBlock = llvm::any_of(stores, [](StoreOp op) { return blockOf(op.getValue()); });
  bool loadsBlock = llvm::any_of(loads, [](LoadOp op) { return blockOf(op.getResult()); });
  return storesBlock && loadsBlock && llvm::all_of(loads, [&](LoadOp load) {
           return llvm::all_of(stores, [&](StoreOp store) { return mayPass(store, load); });
         });
}

/// Bytes of blocks that an iteration loads.
static uint64_t bytesLoaded(scf::ForOp loop) {
  uint64_t bytes = 0;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>())
    if (RankedTensorType block = blockOf(load.getResult()))
      bytes += block.getNumElements() * bytesOf(block.getElementType());
  return bytes;
}

unsigned fsm::stagesOfWalk(scf::ForOp loop, const ResourceEstimate &needs, const GpuTarget &gpu) {
  auto kernel = loop->getParentOfType<KernelOp>();
  uint64_t held = needs.blocks.held.registers;
  // fsm-normalize-loops has given each that may walk a counter that goes some steps past the end.
  if (loop.getInductionVar().getType().getIntOrFloatBitWidth() <= 32)
    return 1;
  // What several CTAs or groups of warps share has loads of others on their way.
  if (kernel.getNumCtas().value_or(1) > 1 || kernel->hasAttr(kPartsAttr) ||
      held + kRegistersBesideStages > gpu.maxRegistersPerThread || !mayWalk(loop))
    return 1;
  bool carriesNumbers = llvm::any_of(
      loop.getResultTypes(), [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); });
  bool reduces = llvm::any_of(*loop.getBody(), llvm::IsaPred<AlongAxis>);
  uint64_t ctas = classicalOccupancy(gpu, static_cast<unsigned>(held + kOtherRegisters),
                                     static_cast<unsigned>(needs.threads), 0);
  bool loadsLittle = reduces && ctas * bytesLoaded(loop) <= kBytesWaitedFor;
  return carriesNumbers || loadsLittle ? kStagesOfWalks : 1;
}
