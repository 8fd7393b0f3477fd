//===- CountTrips.cpp - Loops that are known to run a few times ----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "fsm/Analysis/KnownMasks.h"
#include "fsm/Analysis/RowLoops.h"
#include "fsm/Artifact/CompiledKernel.h"
#include "fsm/Machine/GpuTarget.h"

#include "mlir/IR/Matchers.h"

namespace fsm {
#define GEN_PASS_DEF_COUNTTRIPSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Elements of a row that a thread may hold at once: what loops load again is loaded once where they are written out.
static constexpr int64_t kMostHeld = 128;
/// Elements of a block that a thread has where nobody says how many there are.
static constexpr int64_t kHeldOfBlock = 32;
/// The kernel may have become so much longer.
static constexpr size_t kMostOpsAdded = 2048;

/// How often a loop over a row runs, if the row's end is a number, or what is known of it says so.
static std::optional<int64_t> tripsOf(scf::ForOp loop, const RowLoop &row) {
  APInt end;
  if (matchPattern(loop.getUpperBound(), m_ConstantInt(&end)))
    return end.getSignificantBits() <= 32 ? std::optional(row.tripsTo(end.getSExtValue())) : std::nullopt;
  IntegerAttr least = promisedOf(loop.getUpperBound(), kAtLeastAttr);
  IntegerAttr most = promisedOf(loop.getUpperBound(), kAtMostAttr);
  if (!least || !most || row.tripsTo(least.getInt()) != row.tripsTo(most.getInt()))
    return std::nullopt;
  return row.tripsTo(least.getInt());
}

/// Whether a thread has room for all that the iterations load.
static bool hasRoom(scf::ForOp loop, const RowLoop &row, int64_t trips) {
  std::optional<uint32_t> warps = loop->getParentOfType<KernelOp>().getNumWarps();
  return llvm::all_of(loop.getOps<LoadOp>(), [&](LoadOp load) {
    if (!takesStep(load, row.step))
      return true;
    int64_t elements = cast<RankedTensorType>(load.getType()).getNumElements();
    int64_t held = warps ? llvm::divideCeil(elements, int64_t(kWarpThreads) * *warps) : kHeldOfBlock;
    return trips * held <= kMostHeld;
  });
}

/// The number behind the last one, in steps from the first one; nothing where its type does not hold that.
static std::optional<APInt> endBehind(scf::ForOp loop, const RowLoop &row, int64_t trips) {
  unsigned width = loop.getInductionVar().getType().getIntOrFloatBitWidth();
  int64_t end = row.first + trips * row.step;
  return llvm::isIntN(width, end) ? std::optional(APInt(width, end, /*isSigned=*/true)) : std::nullopt;
}

namespace {
struct CountTrips : fsm::impl::CountTripsPassBase<CountTrips> {
  void runOnOperation() override {
    size_t added = 0;
    getOperation().walk([&](scf::ForOp loop) {
      std::optional<RowLoop> row = rowLoopOf(loop);
      std::optional<int64_t> trips = row ? tripsOf(loop, *row) : std::nullopt;
      std::optional<APInt> end = trips ? endBehind(loop, *row, *trips) : std::nullopt;
      if (!end || *trips < 1 || *trips > kMostTripsKnown || !hasRoom(loop, *row, *trips))
        return;
      added += *trips * loop.getBody()->getOperations().size();
      if (added > kMostOpsAdded)
        return;
      OpBuilder builder(loop);
      Type type = loop.getInductionVar().getType();
      loop.setUpperBound(arith::ConstantOp::create(builder, loop.getLoc(), builder.getIntegerAttr(type, *end)));
      loop->setAttr(kUnrollAttr, builder.getUnitAttr());
      ++counted;
    });
  }
};
} // namespace
