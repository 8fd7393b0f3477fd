//===- CheckResources.cpp - Reports what does not fit the GPU -------------------===//
//
// Part of FSM, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fsm/Transforms/Passes.h"

#include "../TargetOption.h"

#include "fsm/Analysis/ResourceEstimate.h"
#include "fsm/Analysis/ScratchPlan.h"

namespace fsm {
#define GEN_PASS_DEF_CHECKRESOURCESPASS
#include "fsm/Transforms/Passes.h.inc"
} // namespace fsm

using namespace mlir;
using namespace fsm;

/// More warps are suggested when they leave a thread so many words of blocks.
static constexpr uint64_t kGoodWords = 128;

static LogicalResult checkThreads(KernelOp kernel, const GpuTarget &target,
                                  const ResourceEstimate &needs) {
  if (kernel.getNumCtas().value_or(1) > 1)
    return kernel.emitError() << "asks for a cluster of " << *kernel.getNumCtas()
                              << " ctas; clusters are not supported yet: leave out 'num_ctas'";
  if (needs.threads <= target.maxThreadsPerCta)
    return success();
  return kernel.emitError() << "needs " << needs.threads << " threads a cta, of which "
                            << target.name << " has " << target.maxThreadsPerCta << ": lower '"
                            << (needs.programsPerCta > 1 ? kProgramsPerCtaAttr : "num_warps")
                            << "'";
}

static LogicalResult checkShared(KernelOp kernel, const GpuTarget &target,
                                 const ResourceEstimate &needs) {
  if (needs.sharedBytes <= target.maxSharedBytesPerCta)
    return success();
  InFlightDiagnostic error = kernel.emitError()
                             << "needs " << needs.sharedBytes
                             << " bytes of shared memory a cta, of which " << target.name << " has "
                             << target.maxSharedBytesPerCta << ": use smaller blocks";
  if (needs.programsPerCta > 1)
    error << " or a lower '" << kProgramsPerCtaAttr << "'";
  ScratchPlan plan = ScratchPlan::writtenIn(kernel);
  for (const SharedBuffer &buffer : plan.buffers())
    error.attachNote(buffer.op->getLoc())
        << "this takes " << buffer.bytes << " of them, at " << buffer.offset;
  return error;
}

/// Registers a thread may have when its cta has so many warps, all of which are on one SM.
static uint64_t registersWith(const GpuTarget &target, uint64_t warps) {
  uint64_t share = target.registersPerSm / (warps * kWarpThreads) / 8 * 8;
  return std::min<uint64_t>(target.maxRegistersPerThread, share);
}

/// The fewest warps that leave few words a thread, or else few enough; 0 when none do.
static uint64_t warpsThatFit(const GpuTarget &target, const ResourceEstimate &needs) {
  uint64_t fitting = 0;
  for (uint64_t warps = 2 * needs.warps; warps * kWarpThreads <= target.maxThreadsPerCta;
       warps *= 2) {
    uint64_t words = llvm::divideCeil(needs.words * needs.warps, warps);
    if (words > registersWith(target, warps))
      continue;
    fitting = warps;
    if (words <= kGoodWords)
      break;
  }
  return fitting;
}

static LogicalResult checkRegisters(KernelOp kernel, const GpuTarget &target,
                                    const ResourceEstimate &needs) {
  uint64_t ctaWarps = std::max<uint64_t>(1, needs.threads / kWarpThreads);
  uint64_t available = registersWith(target, ctaWarps);
  uint64_t asked = kernel.getMaxRegisters().value_or(available);
  if (needs.words <= std::min(available, asked))
    return success();
  InFlightDiagnostic error = needs.fullest->emitError()
                             << "needs " << needs.words
                             << " registers a thread for the blocks in use here, of which ";
  if (asked < available)
    error << "'max_registers' leaves " << asked << ": raise it, or use ";
  else if (available < target.maxRegistersPerThread)
    error << target.name << " has " << available << " with " << needs.threads << " threads: use ";
  else
    error << target.name << " has " << available << ": use ";
  if (uint64_t warps = warpsThatFit(target, needs))
    error << "more warps ('attributes {num_warps = " << warps << " : i32}') or ";
  error << "a smaller block";
  error.attachNote(kernel.getLoc()) << "the kernel has " << needs.threads << " threads a cta";
  return error;
}

namespace {
struct CheckResources : fsm::impl::CheckResourcesPassBase<CheckResources> {
  using CheckResourcesPassBase::CheckResourcesPassBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const GpuTarget *gpu = targetOrError(kernel, target);
    if (!gpu)
      return signalPassFailure();
    ResourceEstimate needs = estimateResources(kernel);
    if (failed(checkThreads(kernel, *gpu, needs)) || failed(checkShared(kernel, *gpu, needs)) ||
        failed(checkRegisters(kernel, *gpu, needs)))
      signalPassFailure();
  }
};
} // namespace
