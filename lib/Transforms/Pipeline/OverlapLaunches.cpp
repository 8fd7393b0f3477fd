//===- OverlapLaunches.cpp - Launches that begin early --------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A launch begins when the one before it has ended, unless its kernel waits for that by itself:
//
//   memory = fsm.shared_alloc               memory = fsm.shared_alloc
//   fsm.mbarrier_init memory                fsm.mbarrier_init memory
//   x = fsm.load in[o]                      fsm.wait_prerequisites
//                                           x = fsm.load in[o]
//
// A CTA that has a multiprocessor for itself says fsm.launch_dependents then: those of the next
// launch have done all this when it ends. It does not earlier: a launch of others that waits for
// nothing but this one would begin before what is in front of this one has ended.
// docs/decisions/0173 and 0196.

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/IR/FSMDialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fsm {
#define GEN_PASS_DEF_OVERLAPLAUNCHESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// Whether an op, or one in it, may access memory that other launches access.
static bool touchesGlobalMemory(Operation &op) {
  // What is cleared is shared memory as well, up to where an argument says.
  if (isa<AssumeOp, ClearLinesOp>(op))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(&op);
  return !effects || llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
    return effect.getResource() != SharedMemory::get();
  });
}

/// Whether no second CTA has room beside one. Others leave room for several small ones of the next
/// launch, which would all go where it is free first.
static bool fillsMultiprocessor(KernelOp kernel, const GpuTarget &gpu) {
  return 2 * estimateResources(kernel).sharedBytes > gpu.sharedBytesPerSm;
}

namespace {
struct OverlapLaunches : fsm::impl::OverlapLaunchesPassBase<OverlapLaunches> {
  using OverlapLaunchesPassBase::OverlapLaunchesPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    if (overlapLaunches != "auto" && overlapLaunches != "never") {
      kernel.emitError() << "expected overlap-launches 'auto' or 'never', got '" << overlapLaunches
                         << "'";
      return signalPassFailure();
    }
    if (!gpu->features.programmaticLaunch || overlapLaunches == "never")
      return;
    Block &body = kernel.getBody().front();
    // Of a kernel that accesses nothing, the end: what comes behind it waits for all that was
    // before it.
    Operation &first = *llvm::find_if(body.without_terminator(), touchesGlobalMemory);
    OpBuilder builder(&first);
    WaitPrerequisitesOp::create(builder, kernel.getLoc());
    if (fillsMultiprocessor(kernel, *gpu))
      LaunchDependentsOp::create(builder, kernel.getLoc());
    ++overlapped;
  }
};
} // namespace
