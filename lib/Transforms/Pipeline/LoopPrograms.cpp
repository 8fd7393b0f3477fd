//===- LoopPrograms.cpp - Programs that go on to the next ones -----------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %p = fsm.program_id x     %first = fsm.program_id x
//   ...                       %count = fsm.num_programs x
//                             %step = fsm.program_step
//                             scf.for %p = %first to %count step %step {
//                               ...
//                             }
//
// Nothing behind this pass knows who wrote the loop.

#include "fsm/Transforms/LoopOption.h"
#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/AxisInfo.h"
#include "fsm/Analysis/Loops.h"
#include "fsm/Analysis/MmaPlan.h"
#include "fsm/Analysis/TensorTile.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace fsm {
#define GEN_PASS_DEF_LOOPPROGRAMSPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

namespace {
/// An op because of which each program has threads of its own, and why.
struct Obstacle {
  Operation *op;
  StringRef reason;
};
} // namespace

/// Whether memory decides how long a loop goes on.
static bool mayWait(scf::WhileOp loop) {
  return loop
      ->walk([](Operation *op) {
        auto access = dyn_cast<GlobalAccess>(op);
        return access && access.reads() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static std::optional<Obstacle> obstacleIn(KernelOp kernel) {
  if (kernel->hasAttr(kPartsAttr))
    return Obstacle{kernel, "several ctas share a loop of each"};
  if (kernel->hasAttr(kBatchAttr))
    return Obstacle{kernel, "the same threads compute several at once"};
  std::optional<Obstacle> found;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<PrintOp, AssertOp>(op))
      found = Obstacle{op, "it says of which program it is"};
    if (auto loop = dyn_cast<scf::WhileOp>(op); loop && mayWait(loop))
      found = Obstacle{op, "it may wait for another one"};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

Result<int32_t> fsm::startedGivenBy(const std::string &loopPrograms) {
  int32_t number = 0;
  if (loopPrograms == "auto" || loopPrograms == "never" || loopPrograms == "always")
    return 0;
  if (!StringRef(loopPrograms).getAsInteger(10, number) && number > 0)
    return number;
  return badInput(
      "expected loop-programs 'auto', 'never', 'always' or a number of programs, got '" +
      loopPrograms + "'");
}

//===----------------------------------------------------------------------===//
// Whether it pays
//===----------------------------------------------------------------------===//

/// The kernel's only loop, if its author has not written one over programs himself.
static scf::ForOp onlyLoop(KernelOp kernel) {
  scf::ForOp found;
  WalkResult result = kernel.getBody().walk([&](Operation *op) {
    if (isa<NumProgramsOp>(op) || (isa<LoopLikeOpInterface>(op) && found))
      return WalkResult::interrupt();
    if (isa<LoopLikeOpInterface>(op))
      found = dyn_cast<scf::ForOp>(op);
    return isa<LoopLikeOpInterface>(op) && !found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted() || !found || found->getParentOp() != kernel ? scf::ForOp() : found;
}

/// Groups of warps have no more sums than these for each thread.
static constexpr int64_t kMostSums = 128;

/// Whether there are registers for warps that load beside those that multiply: what three groups of
/// warps are launched with is enough for an instruction's sums, what five are is not.
static bool hasRoomForRole(int64_t sums) {
  return sums <= 2 * kGroupWarps * kWarpThreads * kMostSums;
}

/// Whether registers and slots leave a multiprocessor room for a second program, which multiplies
/// while one stores.
static bool hasRoomForTwo(int64_t sums, int64_t bytesOfRound, int64_t stages,
                          const GpuTarget &gpu) {
  // What threads hold besides sums.
  constexpr int64_t besides = 64;
  int64_t threads =
      std::max<int64_t>(llvm::divideCeil(sums, kMostSums), kGroupWarps * kWarpThreads);
  int64_t slots = stages * bytesOfRound + gpu.reservedSharedBytesPerCta;
  return 2 * slots <= gpu.sharedBytesPerSm && 2 * (sums + besides * threads) <= gpu.registersPerSm;
}

/// Whether programs go round a loop as often as others: shares of those that do not are even where
/// each begins anew.
static bool runsAlike(scf::ForOp loop) {
  return llvm::none_of(opsOfBounds(loop), llvm::IsaPred<ProgramIdOp, GlobalAccess>);
}

/// Whether each thread copies vectors of 16 bytes of a load.
static bool hasVectors(LoadOp load, AxisInfoAnalysis &axes) {
  constexpr int64_t vectorBytes = 16;
  auto bytes = static_cast<int64_t>(bytesOf(elementTypeOf(load.getType())));
  AccessAxis access = axes.accessOf(load);
  return llvm::any_of(llvm::zip_equal(access.contiguity, access.alignment), [&](auto dim) {
    return std::get<0>(dim) * bytes >= vectorBytes && std::get<1>(dim) >= vectorBytes;
  });
}

/// Whether a block is loaded for the product alone, and copied by the hardware or in whole vectors.
/// Of narrower copies threads hold more addresses than they have registers for beside another
/// loop's.
static bool isFactor(LoadOp load, DotOp product, AxisInfoAnalysis &axes) {
  TileFault why = nullptr;
  Operation *user = load->hasOneUse() ? *load->user_begin() : nullptr;
  if (isa_and_present<TransposeOp>(user) && user->hasOneUse())
    user = *user->user_begin();
  return user == product && isa<RankedTensorType>(load.getType()) &&
         (tensorTileOf(load, why) || hasVectors(load, axes));
}

/// Whether warps of their own will copy the factors of a loop's product, so that they go on with
/// the next program's while the others store this one's tile
/// (docs/decisions/0164-launches-of-many-products.md).
static bool overlapsPrograms(scf::ForOp loop, const GpuTarget &gpu) {
  auto products = llvm::to_vector(loop.getBody()->getOps<DotOp>());
  const MmaInstruction *mma = products.size() == 1 ? findMma(products.front(), gpu) : nullptr;
  int64_t bytes = 0, stages = integerAttrOr(loop, kNumStagesAttr, 1);
  if (!mma || !mma->isOfWarpGroup() || stages < 2 || !runsAlike(loop))
    return false;
  AxisInfoAnalysis axes(loop->getParentOfType<KernelOp>());
  for (LoadOp load : loop.getBody()->getOps<LoadOp>()) {
    if (!isFactor(load, products.front(), axes))
      return false;
    auto block = cast<RankedTensorType>(load.getType());
    bytes += block.getNumElements() * static_cast<int64_t>(bytesOf(block.getElementType()));
  }
  int64_t sums = products.front().getType().getNumElements();
  return bytes > 0 && hasRoomForRole(sums) && !hasRoomForTwo(sums, bytes, stages, gpu);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// Puts the body into a loop over the programs.
static void writeLoop(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  Operation *end = body.getTerminator();
  SmallVector<ProgramIdOp> ids;
  kernel.getBody().walk([&](ProgramIdOp id) {
    if (id.getAxis() == GridAxis::X)
      ids.push_back(id);
  });
  ImplicitLocOpBuilder builder(kernel.getLoc(), &body, body.begin());
  Type number = builder.getI32Type();
  Value first = ProgramIdOp::create(builder, number, GridAxis::X);
  Value count = NumProgramsOp::create(builder, number, GridAxis::X);
  Value step = ProgramStepOp::create(builder, number);
  auto loop = scf::ForOp::create(builder, first, count, step);
  Block *inside = loop.getBody();
  inside->getOperations().splice(inside->getTerminator()->getIterator(), body.getOperations(),
                                 std::next(loop->getIterator()), end->getIterator());
  for (ProgramIdOp id : ids) {
    id.replaceAllUsesWith(loop.getInductionVar());
    id.erase();
  }
  moveLoopInvariantCode(loop);
}

namespace {
struct LoopPrograms : fsm::impl::LoopProgramsPassBase<LoopPrograms> {
  using LoopProgramsPassBase::LoopProgramsPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    Result<int32_t> given = startedGivenBy(loopPrograms);
    if (!given) {
      kernel.emitError() << given.error().message;
      return signalPassFailure();
    }
    auto inText = cast_or_null<IntegerAttr>(kernel->removeAttr(kLoopProgramsAttr));
    bool isWanted = loopPrograms == "always" || *given ||
                    (loopPrograms == "auto" && (inText || pays(kernel, *gpu)));
    if (!isWanted)
      return;
    if (std::optional<Obstacle> obstacle = obstacleIn(kernel)) {
      if (remarks)
        obstacle->op->emitRemark() << "programs do not go on to others: " << obstacle->reason;
      return;
    }
    writeLoop(kernel);
    kernel->setAttr(kLoopProgramsAttr,
                    inText && !*given ? inText : OpBuilder(kernel).getI32IntegerAttr(*given));
    if (remarks)
      kernel.emitRemark() << "each program that is started goes on to others";
    ++looped;
  }

private:
  bool pays(KernelOp kernel, const GpuTarget &gpu) {
    if (!manyPrograms || !tensorMaps || roles == "never" || !gpu.features.wgmma ||
        kernel.getNumCtas().value_or(1) > 1)
      return false;
    scf::ForOp loop = onlyLoop(kernel);
    return loop && overlapsPrograms(loop, gpu);
  }
};
} // namespace
